"""A simulated board: real bytes through a real terminal device, and everything that can go wrong with a board."""
