"""Game-independent exact solvers."""
