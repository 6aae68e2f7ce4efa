"""Claims about the games, their verdicts and their certificates."""
