"""Comparisons: what changed between two catalogues, a lock file that pins one, and the repair of one for its vendor."""
