"""The lights of a board: what is to be told at each site, in which colours and rhythm. Pure."""
