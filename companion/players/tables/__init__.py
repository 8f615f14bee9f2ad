"""A player of every tables game: it weighs all turns at once, by the chances of the dice."""
