"""The odds of Ludix: its throws, and the play that wins most often between two players."""
