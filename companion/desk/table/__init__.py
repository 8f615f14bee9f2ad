"""A match on the table: what still dice and looks at the board mean, commands, and whose turn ends."""
