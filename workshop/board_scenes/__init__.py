"""Draw labelled pictures of boards with men as a camera would see them, for training and measuring."""
