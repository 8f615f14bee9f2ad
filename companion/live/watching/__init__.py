"""What watches dice and boards: pure steps from frame to frame, and the one thread class that runs them."""
