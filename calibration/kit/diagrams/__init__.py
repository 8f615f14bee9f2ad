"""Small pictures of how a game begins, drawn from the position's own occupancy."""
