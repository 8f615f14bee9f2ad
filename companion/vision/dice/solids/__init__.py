"""Dice of eight, ten, twelve and twenty faces: the pose of the whole solid tells which face lies up."""
