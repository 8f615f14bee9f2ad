"""The parts of the snapshot: what the page shows of a match or a series."""
