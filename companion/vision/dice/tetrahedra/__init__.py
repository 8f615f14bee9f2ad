"""Tetrahedra, which show three sides and hide the face that counts."""
