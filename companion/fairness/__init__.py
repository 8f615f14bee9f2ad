"""The fairness laboratory: whether a die favours some faces, and how sure that is."""
