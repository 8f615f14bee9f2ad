"""Pages on which a visitor learns: courses, positions set up by hand, the table of harmonies, the riddle."""
