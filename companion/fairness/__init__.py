"""Is this die fair? Tests, intervals and reports."""
