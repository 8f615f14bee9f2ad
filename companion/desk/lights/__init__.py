"""The lights of a board: what is to be shown at each site, in which colours and rhythm. Pure."""
