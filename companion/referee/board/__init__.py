"""Which move was made: readings of a board against the last agreed position. Pure: no camera, clock or thread.

`find_seating` finds out at the start how the board lies. `explain` decides on every observation: commit a play, ask
about one, let a turn go on, or report a mismatch. `pooled` combines the observations of one still interval.
"""
