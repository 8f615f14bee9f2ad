"""Work of many parts side by side: on this computer's cores, or on the workers of a Dask cluster."""
