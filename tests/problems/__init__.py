"""Problems against the rules, and their maker."""
