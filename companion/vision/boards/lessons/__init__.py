"""What the reader of boards learns at the table from positions that everybody agreed on."""
