"""Texts of many items: bytes to bytes, and whole files."""
