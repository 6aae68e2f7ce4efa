"""The steps of the written proofs, game by game."""
