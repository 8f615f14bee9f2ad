"""The hall's book: the events of all tables in one database, SQLite's or PostgreSQL's."""
