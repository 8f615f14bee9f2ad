"""A match on the table: what rests of dice and looks at the board mean, commands, and whose turn ends."""
