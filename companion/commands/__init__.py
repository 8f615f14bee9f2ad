"""The commands, one module each. They parse, call and print; they decide nothing."""
