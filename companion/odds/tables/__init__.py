"""Many tables games at once with NumPy: the same games as in the rules core, move by move, only faster."""
