"""Training of the corner net, its fixed check, and the scale of the errors that it states."""
