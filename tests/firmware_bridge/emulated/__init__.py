"""Our firmware itself, compiled and run on an emulated controller: what its LEDs show and what it says."""
