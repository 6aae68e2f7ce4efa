"""Claims about the game: statements about optimal play, their verdicts, and the catalogue."""
