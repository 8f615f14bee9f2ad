"""Who may do what: the PIN of the owner, the session after it, and how often a device may try."""
