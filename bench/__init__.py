"""Measurements of the project. Each module prints one JSON object; ``python -m bench`` runs them all."""
