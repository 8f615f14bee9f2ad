"""When the program asks about a find and when it reads it: scores, thresholds and a second witness."""
