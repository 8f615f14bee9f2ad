"""Training of the corner net, its fixed check, and the scaling of the errors that it states."""
