"""Measurements of the project. Each module prints one JSON object; ``python -m tests.bench`` runs them all."""
