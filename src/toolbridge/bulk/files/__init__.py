"""Whole files: read, converted by one process or several, written and resumed."""
