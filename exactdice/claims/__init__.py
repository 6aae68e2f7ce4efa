"""Claims: what one is, its verdict and its certificate; the claims themselves are the games'."""
