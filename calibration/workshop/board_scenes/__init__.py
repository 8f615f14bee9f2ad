"""Draws boards with men as a camera would see them, with labels: material for training and measuring."""
