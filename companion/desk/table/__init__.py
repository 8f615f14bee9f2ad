"""A match on the table: what dice at rest and readings of the board mean, commands, and the end of turns."""
