"""How people write throws down: which face a cell names, which cells a file has, what its columns are."""
