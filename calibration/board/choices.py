"""Which boards can be calibrated. Imports nothing, so that commands and pages can list them quickly."""

from typing import Final

GRIDS: Final = {"tables": (13, 2), "rithmomachia": (16, 8), "8x16": (16, 8), "8x14": (14, 8), "8x9": (9, 8)}
"""Sites across and down, which give a site's size in pixels; a tables board's bar is its thirteenth column."""

OFFERED: Final = {
    "tables": "tables",
    "8x16": "rithmomachia-8x16",
    "8x14": "rithmomachia-8x14",
    "8x9": "rithmomachia-8x9",
}
"""The boards that a page offers, each with the name of its printed board in the kit."""
