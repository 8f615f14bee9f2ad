"""The pages of the fairness laboratory: throws counted live, reports, and three dice for a museum."""
