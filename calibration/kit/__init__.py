"""The printable kit: boards, dice, men, tokens, calibration sheet and rule cards as true-to-scale PDF pages."""
