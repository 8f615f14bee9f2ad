"""A report on one die that a statistician would sign: computed once, then given as JSON, CSV, HTML and PDF."""
