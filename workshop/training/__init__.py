"""Training of the dice reader on drawn scenes; it needs the extra `training`, which the running program does not."""
