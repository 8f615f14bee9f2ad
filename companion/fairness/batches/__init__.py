"""Many dice judged together: at any time, and at one declared moment."""
