"""A hall of many tables: each publishes what its journal holds, and a book collects it. Needs the extra ``hall``."""
