"""A fuzzer of all that takes strangers' input. `make fuzz` runs it; CONTRIBUTING.md says how to use what it finds."""
