"""Reading boards: where the board lies in a picture, and what stands on each of its sites."""
