"""Make the sample frames: a short match as a camera saw it, single frames, and frames for measurements."""
