"""The courses round the board for men packed into one number: steps, entries, special courses, a turn's duty."""
