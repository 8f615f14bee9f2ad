"""What is known of the odds in the games of each family."""
