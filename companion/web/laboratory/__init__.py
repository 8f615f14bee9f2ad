"""The page of the fairness laboratory: throws counted before one's eyes, reports, and three dice for a museum."""
