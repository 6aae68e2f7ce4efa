"""Research on Farkle: the figures of its README."""
