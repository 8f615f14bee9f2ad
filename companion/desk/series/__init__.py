"""A series of throws in the fairness laboratory: what a rest of the dice means, commands, questions."""
