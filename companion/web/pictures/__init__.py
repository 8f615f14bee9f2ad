"""Small pictures of the games' boards for choosing a game, drawn from the boards' own sites and the men at the start.

A picture is a list of plain SVG shapes that a template writes out. The empty board is shared by all games that are
played on it; the men are those of one game.
"""
