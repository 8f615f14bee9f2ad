"""The desk of a series of throws: what is asked, counted and shown."""
