"""Making problems from games that the program plays with itself: what each family of games offers, and the file."""
