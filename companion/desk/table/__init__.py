"""A match on the table: what dice at rest and looks at the board mean, commands, and the end of turns."""
