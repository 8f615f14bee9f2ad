"""The page: Flask, live updates, static files."""
