"""Read letter dice from a camera's picture: three cubes and a tetrahedron, decoded as one throw."""
