"""A player of the three Rithmomachia games: it searches moves and captures."""
