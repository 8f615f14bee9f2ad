"""Training of the nets that read boards, on drawn boards."""
