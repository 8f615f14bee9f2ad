"""Training of the dice reader from drawn scenes; needs the extra `training`, which the running program does not."""
