"""Measurements of the project. Each module prints one JSON object; ``python -m bench`` runs them all."""

import os

import companion  # noqa: F401  its environment comes first, before any other library

# as the program itself does (`companion.cli`), also where one measurement is taken alone
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
