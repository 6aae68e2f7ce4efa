"""Reports of the game: each made from a solution of `exactdice.games.swe`, none by solving."""
