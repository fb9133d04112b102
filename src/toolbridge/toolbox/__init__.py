"""Tools for a model: its calls, and their results."""
