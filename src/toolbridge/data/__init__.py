"""Plain JSON data: places, equality, differences, reading and writing texts. Knows no tool and no format."""
