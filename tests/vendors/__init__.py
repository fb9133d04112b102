"""The vendors' own types and helpers, asked what they think of what is written."""
