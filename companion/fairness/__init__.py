"""The fairness laboratory: whether a die shows some faces more often than a fair one would, and how sure that is."""
