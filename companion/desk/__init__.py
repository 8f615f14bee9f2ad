"""What the table decides: no thread, no camera, no socket; `companion.live` runs it."""
