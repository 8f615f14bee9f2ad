"""Long work in pieces, side by side: on this computer's cores, or on the workers of a Dask cluster."""
