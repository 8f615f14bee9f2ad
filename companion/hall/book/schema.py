"""The form of the book, as steps from the empty database to the newest; each step runs once, whole or not at all.

Texts are in TEXT, also the events' JSON: PostgreSQL's JSONB takes no U+0000, which a journal may hold in a text.
"""

from typing import Final

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE tables (
            id {id}, hall TEXT NOT NULL, name TEXT NOT NULL, reached TEXT NOT NULL DEFAULT '',
            state TEXT, seen DOUBLE PRECISION, UNIQUE (hall, name))""",
        """CREATE TABLE matches (
            id {id}, of_table BIGINT NOT NULL REFERENCES tables (id), first TEXT NOT NULL, number BIGINT NOT NULL,
            game TEXT, name TEXT, began DOUBLE PRECISION, UNIQUE (of_table, first))""",
        """CREATE TABLE players (
            match BIGINT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, number BIGINT NOT NULL, name TEXT,
            program BIGINT NOT NULL, PRIMARY KEY (match, number))""",
        """CREATE TABLE events (
            match BIGINT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, number BIGINT NOT NULL,
            hash TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL,
            body TEXT NOT NULL, PRIMARY KEY (match, number, hash))""",
        """CREATE TABLE series (
            id {id}, of_table BIGINT NOT NULL REFERENCES tables (id), first TEXT NOT NULL, number BIGINT NOT NULL,
            title TEXT, began DOUBLE PRECISION, UNIQUE (of_table, first))""",
        """CREATE TABLE throws (
            series BIGINT NOT NULL REFERENCES series (id) ON DELETE CASCADE, number BIGINT NOT NULL,
            hash TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, die TEXT, outcome TEXT,
            body TEXT NOT NULL, PRIMARY KEY (series, number, hash))""",
    ),
    (
        "ALTER TABLE tables ADD COLUMN status TEXT",
        "ALTER TABLE matches ADD COLUMN ended DOUBLE PRECISION",
        "ALTER TABLE matches ADD COLUMN outcome TEXT",
        "ALTER TABLE matches ADD COLUMN judged BIGINT NOT NULL DEFAULT 0",
    ),
    (
        """CREATE TABLE tournaments (
            id {id}, hall TEXT NOT NULL, name TEXT NOT NULL, system TEXT NOT NULL, game TEXT NOT NULL,
            rounds BIGINT NOT NULL, best_of BIGINT NOT NULL, tie_breaks TEXT NOT NULL,
            began DOUBLE PRECISION NOT NULL)""",
        """CREATE TABLE entrants (
            tournament BIGINT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE, number BIGINT NOT NULL,
            name TEXT NOT NULL, rating BIGINT NOT NULL, gone BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (tournament, number))""",
        """CREATE TABLE pairings (
            tournament BIGINT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE, round BIGINT NOT NULL,
            board BIGINT NOT NULL, first BIGINT NOT NULL, second BIGINT, first_games BIGINT, second_games BIGINT,
            typed BIGINT NOT NULL DEFAULT 0, at_table TEXT, invited BIGINT,
            PRIMARY KEY (tournament, round, board))""",
    ),
    ("CREATE TABLE given (hall TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL)",),
    ("ALTER TABLE events ADD COLUMN previous TEXT",),
    ("UPDATE matches SET judged = 0 WHERE outcome IS NULL",),
)
"""``{id}`` stands for a column that numbers the rows by itself, which the databases write in different ways.

``tables.reached``: the hash of the event up to which nothing of a table's journal is missing. An event's hash belongs
to its key: a journal that was put back from an older copy may go on otherwise, and then both ways are kept.
``events.previous``: the hash of the event before it in the table's journal; empty in rows of an older program.

``tables.status``: ``online`` or ``offline``, as the broker told last. ``matches.outcome``: how a match ended, as the
replay of its events says, ``ended``: when; ``judged``: how many events that replay knew. An older program kept the
number of the newest event there, and so missed how a match ended whose gap was filled last.

``pairings``: halves of the games that each has won, empty while undecided; ``at_table``: where the two are invited, and
``invited``: the newest match of the book then; those that it gets later may be theirs. The first event of a match says
which invitation it follows.

``given``: the game that all tables of a hall are given, and its options as JSON.
"""
