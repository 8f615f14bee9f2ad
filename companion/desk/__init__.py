"""What the desk decides, without threads, cameras or sockets; `companion.live` runs it."""
