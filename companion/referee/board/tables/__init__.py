"""How men of a tables game are followed on their board."""
