"""When the reader asks: thresholds and weights chosen on validation pictures, with their proofs."""
