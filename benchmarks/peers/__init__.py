"""The peers: how each is pinned and called, and the judge of what they write."""
