"""The page in a museum's hall: it attracts visitors, lets them play, sends no names anywhere, and runs unattended."""
