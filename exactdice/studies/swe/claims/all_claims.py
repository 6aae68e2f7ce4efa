"""All claims about the software-engineering game: its table, and what finds whether they hold."""

from pathlib import Path

from exactdice.claims.table import read_claims
from exactdice.games.swe import GAME
from exactdice.studies.swe.claims import optimal_play, policies, structure

#: The claims of the table, each with the function that finds whether it holds.
CLAIMS = read_claims(
    Path(__file__).parents[1] / "claims.toml",
    GAME.title,
    {
        **optimal_play.FINDERS,
        **policies.FINDERS,
        **structure.FINDERS,
    },
)
