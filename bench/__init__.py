"""Measurements of the project. Each module prints one JSON object; ``python -m bench`` runs them all."""

import os

# as the program itself does (`companion.cli`), also where one measurement is taken alone
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
