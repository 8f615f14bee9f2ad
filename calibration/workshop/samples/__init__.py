"""Makes the sample frames: a short match as a camera saw it, single frames, frames to measure by."""
