"""The running fairness laboratory: throws of dice counted one by one, under a camera or typed in."""
