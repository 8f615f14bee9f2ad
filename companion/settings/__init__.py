"""The settings of a table: one declared record, from which the file, the options and the owner's page come."""
