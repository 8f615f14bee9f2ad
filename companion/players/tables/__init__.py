"""A player of every tables game: it weighs all turns side by side, by the chances of the dice."""
