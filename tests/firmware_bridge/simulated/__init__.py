"""Simulated boards."""
