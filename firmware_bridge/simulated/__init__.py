"""A board that is not there: real bytes through a real terminal device, and everything that can go wrong with one."""
