"""Floating point against exact arithmetic, game by game, on ladders of sizes."""
