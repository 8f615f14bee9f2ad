"""The organiser's pages of a hall: all tables, the view for the wall, and results."""
