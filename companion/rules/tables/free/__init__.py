"""XII scripta: a board on which two sides move as they agree; nothing of it is refereed."""
