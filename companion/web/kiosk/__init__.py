"""The page in a museum's hall: it invites, lets visitors play, sends nobody's name anywhere, and looks after itself."""
