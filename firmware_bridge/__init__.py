"""LED boards: what a board of lights is told, and by which transport. Knows nothing of games."""
