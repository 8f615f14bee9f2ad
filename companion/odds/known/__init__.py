"""The known odds of the games of each family."""
