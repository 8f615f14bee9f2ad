"""Tools that make the reader and the players: drawn and rendered scenes, sample frames, and the training of the nets.

``page_types`` writes the types of what a page receives, for the check of its scripts.

They need the sources: the installed program works without them, and the wheel does not contain them.
"""

import companion  # noqa: F401  its environment comes first, before torch and whatever that loads
