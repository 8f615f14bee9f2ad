"""Dice of eight, ten, twelve and twenty faces: the pose of the whole solid shows which face lies up."""
