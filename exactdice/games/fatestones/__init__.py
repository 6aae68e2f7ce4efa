"""FateStones: a duel of dice chosen in secret."""
