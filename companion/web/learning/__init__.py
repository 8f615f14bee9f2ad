"""Pages on which a visitor learns: the courses of each family of games, and the riddle of the author's name."""
