"""Small pictures of the games' boards for choosing a game, drawn from the boards' own sites and the men at the start.

A picture is a list of plain SVG shapes that a template writes out. All games on a board share its empty picture; the
men are those of one game. The page writes them out with its style sheet, paper with `print.css`.
"""
