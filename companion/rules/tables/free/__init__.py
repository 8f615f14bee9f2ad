"""A board of tables on which two people play by any rules that they agree on."""
