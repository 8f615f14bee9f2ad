"""How well the fairness laboratory judges, and how fast."""
