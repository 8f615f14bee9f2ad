"""XII scripta: a board on which two sides move as they agree; the program referees nothing of it."""
