"""What the literature on a game tabulates: exact where possible, else simulated."""
