"""The engine of formats: rows that read documents into the hub, and write them from it."""
