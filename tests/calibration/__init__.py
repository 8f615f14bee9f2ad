"""Tests of the scene renderer and the sample frames."""
