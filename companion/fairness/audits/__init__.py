"""Audits: a person checks a random sample of what a reader read by itself, so that its errors are measured."""
