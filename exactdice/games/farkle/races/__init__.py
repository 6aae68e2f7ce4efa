"""Races of two players who alternate; the first to bank the target wins."""
