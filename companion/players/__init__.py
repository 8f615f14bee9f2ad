"""How the program plays well: players of every family, four strengths, and reasons that hold of the position."""
