"""Where the playing field of a board lies in a picture: found roughly, made exact, and checked."""
