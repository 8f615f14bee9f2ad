"""Pictures that the program takes of itself, so that documents and icons never grow old: ``make pictures``."""
