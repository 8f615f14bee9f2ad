"""Claims about the package of the same name."""
