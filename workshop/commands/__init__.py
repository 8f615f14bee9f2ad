"""The commands of a checkout that make what ships: `companion samples`, `companion problems` and `companion train`."""
