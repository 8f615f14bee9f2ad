"""How to follow men of a tables game on their board."""
