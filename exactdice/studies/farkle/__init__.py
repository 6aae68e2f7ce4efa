"""Research on Farkle: the figures of its README, and claims."""
