"""A table in a classroom: pupils' telephones join it by a code, and a worksheet is printed from its matches."""
