"""LED boards: what a board of lights receives, and over which transport. Knows nothing of games."""
