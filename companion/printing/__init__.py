"""Pages to print: documents as data, set by templates in the program's own typefaces. It knows no game and no die."""
