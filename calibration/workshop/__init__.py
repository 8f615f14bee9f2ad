"""Tools that make the reader: drawn and rendered scenes, sample frames, and the training of the nets.

The installed program does not need them, and the wheel does not contain them.
"""
