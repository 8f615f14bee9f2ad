"""The shape of what a page receives, part by part: builders return it; interface description and tests rely on it."""
