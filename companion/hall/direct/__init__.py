"""A hall without a broker: tables join by a code, and their messages go to the hall's own server over TLS."""
