"""How well dice are read: drawn, path-traced and photographed ones, and pictures without dice."""
