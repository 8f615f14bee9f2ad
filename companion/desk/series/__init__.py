"""Series of throws in the fairness laboratory: what the dice of a still interval mean, commands, questions."""
