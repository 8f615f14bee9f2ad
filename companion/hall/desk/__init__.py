"""What an organiser sees of a hall: how every table is now, and how its matches ended."""
