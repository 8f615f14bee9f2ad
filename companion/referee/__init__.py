"""The referee: a match, its journal, and what a reading means for it. No threads, no images."""
