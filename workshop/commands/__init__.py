"""The commands of a checkout that draw and train: `companion samples` and `companion train`."""
