"""The pages about cameras: calibrating a board, and a telephone as the camera."""
