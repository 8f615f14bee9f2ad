"""Courses against the rules."""
