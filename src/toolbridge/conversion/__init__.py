"""One document, converted from one format to another."""
