"""Long work in pieces, several at once: on this computer's cores, or on the workers of a Dask cluster."""
