"""The commands, a module each. They parse, call and print; they decide nothing."""
