"""The games: pure computation from throws and choices to positions. No input, output, clock or chance."""
