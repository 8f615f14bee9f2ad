"""The ways round the board, on men packed into one number: steps, entries, special ways, and the duty of a turn."""
