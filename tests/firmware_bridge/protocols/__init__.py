"""The protocols of boards."""
