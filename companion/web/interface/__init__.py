"""What a program may ask of the page and read from it, as documents made from the code: addresses, export format."""
