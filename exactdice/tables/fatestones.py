"""Reports of FateStones: duels, and the census of all deals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from exactdice.arithmetic import RationalLike, text
from exactdice.games import fatestones
from exactdice.games.fatestones import Hand
from exactdice.report.model import (
    Quantity,
    Report,
    Table,
    exact,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables import fatestones_dice
from exactdice.tables.entry import Entry

__all__ = [
    "BAG",
    "DEAL",
    "CensusRequest",
    "census_report",
    "duel_report",
    "entries",
    "long_entries",
]

#: The bag and the deal, as conventions in words.
BAG = "the 32 six-face dice with faces 1 to 6 and mean 7/2, once each"
DEAL = "two hands of three dice out of the bag, without replacement"

_VALUE = "wins minus losses, as the row player (player 1) sees them"


def duel_report(
    row: Hand, column: Hand, scratch: RationalLike = 0, *, any_dice: bool = False
) -> Report:
    """Report the equilibrium of the duel of two hands."""
    fatestones.check_hands(row, column, None if any_dice else fatestones.bag())
    duel = fatestones.solve_duel(row, column, scratch)
    strategies = [
        Quantity(
            listing(side, f"chances with which the {side} player rolls each die first"),
            tuple(map(text, strategy)),
        )
        for side, strategy in (("row", duel.row), ("column", duel.column))
    ]
    first = Table(
        "first_choices",
        "First choices",
        [
            text_column("side", "the player"),
            text_column("die", "die of the player's hand"),
            exact("probability", "chance to roll it first"),
        ],
        [
            (side, fatestones.encode_die(die), chance)
            for side, hand, strategy in (("row", row, duel.row), ("column", column, duel.column))
            for die, chance in zip(hand, strategy, strict=True)
        ],
    )
    payoff = Table(
        "payoff",
        "Payoff of each pair of first choices, when play goes on optimally",
        [
            text_column("row_die", "the row player's die"),
            text_column("column_die", "the column player's die"),
            exact("payoff", _VALUE),
        ],
        [
            (fatestones.encode_die(die), fatestones.encode_die(against), entry)
            for die, entries_ in zip(row, duel.payoff, strict=True)
            for against, entry in zip(column, entries_, strict=True)
        ],
    )
    quantities = [
        Quantity(exact("value", f"{_VALUE}, a scratch counted with its worth"), duel.value),
        *strategies,
        Quantity(text_column("method", "how the first choices were solved"), duel.method),
    ]
    title = f"FateStones: {fatestones.encode_hand(row)} against {fatestones.encode_hand(column)}"
    conventions = {
        "dice": "any" if any_dice else f"out of {BAG}",
        "scratch": f"worth {text(duel.scratch)} to the row player",
    }
    return Report(title, quantities, [first, payoff], Provenance(conventions=conventions))


@dataclass(frozen=True)
class CensusRequest:
    """What the report of the census is asked for.

    Parameters
    ----------
    sample
        How many deals to draw for the equilibria; None to solve them all.
    seed
        Of the sample.
    confidence, power
        Of the test that is to see the edge.
    """

    sample: int | None = None
    seed: int = 1
    confidence: RationalLike = "0.95"
    power: RationalLike = "0.95"


#: Games of each pair of players in the results table of the FateStones README.
_README_GAMES = 10_000


def census_report(
    request: CensusRequest, solve_all: Callable[[], fatestones.Census] = fatestones.census
) -> Report:
    """Report whether good play is rewarded: the equilibrium, the deal and the best response.

    Parameters
    ----------
    request
        What is asked for.
    solve_all
        How all deals are solved; a command puts its progress and its checkpoint in here.
    """
    confidence, power = fatestones.check_test(request.confidence, request.power)
    if request.sample is None:
        found = solve_all()
    else:
        found = fatestones.sample_census(request.sample, request.seed)
    answer = fatestones.best_response()
    quantities = [
        *_equilibrium_quantities(found),
        *_best_response_quantities(answer),
        *_random_quantities(),
        Quantity(
            whole("games_needed", "games in which the test sees that edge", "games"),
            fatestones.games_needed(answer.edge, confidence, power),
        ),
        Quantity(
            exact("power_of_10000", "chance that 10000 games show it, rounded down"),
            fatestones.power(_README_GAMES, answer.edge, confidence),
        ),
        Quantity(
            exact("least_edge_of_10000", "least edge that 10000 games show, rounded up"),
            fatestones.least_edge_seen(_README_GAMES, confidence, power),
        ),
    ]
    extent = "all deals" if found.is_complete else f"a sample of {found.pairs} deals"
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "equilibrium": f"{extent}, a scratch worth 0, which is what the whole game is worth",
        "best response": "all deals, against a player who takes each die left as often; a scratch "
        "is worth what the whole game is worth",
        "test": f"one-sided, exact, confidence {confidence}, power {power}",
    }
    if not found.is_complete:
        conventions["seed"] = str(request.seed)
    title = f"FateStones: what play and the deal are worth, over {extent}"
    return Report(title, quantities, provenance=Provenance(conventions=conventions))


def _equilibrium_quantities(found: fatestones.Census) -> list[Quantity]:
    return [
        Quantity(exact("equilibrium", f"value of the whole game: {_VALUE}"), found.equilibrium),
        Quantity(whole("pairs", "ordered pairs of hands solved", "deals"), found.pairs),
        Quantity(whole("mixed", "those whose first choices have no saddle point"), found.mixed),
        Quantity(whole("even", "those of value 0"), found.even),
        Quantity(
            exact(
                "mean_absolute_value",
                "mean advantage that the deal gives, as the sum of absolute values each rounded "
                "down to a multiple of the resolution",
            ),
            found.mean_absolute_value,
        ),
        Quantity(
            exact("resolution", "the exact mean is less than this above the one stated"),
            fatestones.RESOLUTION,
        ),
        Quantity(exact("largest_value", "largest value of a deal"), found.largest),
        *(
            Quantity(
                listing(f"{name}_hand", f"the {name} hand of such a deal"),
                tuple(map(fatestones.encode_die, hand)),
            )
            for name, hand in zip(("better", "worse"), found.largest_deal, strict=True)
        ),
    ]


def _best_response_quantities(answer: fatestones.BestResponse) -> list[Quantity]:
    return [
        Quantity(
            exact("best_response_edge", "wins minus losses a game, best against random play"),
            answer.edge,
        ),
        Quantity(
            exact("best_response_win", "chance to win a game, best against random play"),
            (1 + answer.edge) / 2,
        ),
        Quantity(
            exact("best_response_duel", "wins minus losses in one duel, a scratch for neither"),
            answer.duel_value,
        ),
    ]


def _random_quantities() -> list[Quantity]:
    play = fatestones.random_play()
    return [
        Quantity(
            exact("scratch", "chance that a duel is a scratch when either plays at random"),
            play.scratch,
        ),
        Quantity(exact("random_win", "chance of either to win a duel of random players"), play.win),
        Quantity(exact("random_ties", "mean tied rolls in a duel of random players"), play.ties),
    ]


def entries() -> Iterator[Entry]:
    """Entries of the main job."""
    row, column = "111666,123456,222555", "114456,333336,122556"
    yield Entry(
        "fatestones/duel-example",
        partial(duel_report, fatestones.decode_hand(row), fatestones.decode_hand(column)),
        f"exactdice fatestones duel {row} {column}",
    )
    yield Entry(
        "fatestones/census-sample",
        partial(census_report, CensusRequest(sample=2000)),
        "exactdice fatestones census --sample 2000",
    )
    yield from fatestones_dice.entries()


def long_entries() -> Iterator[Entry]:
    """List the census of all deals, which takes minutes."""
    census = partial(census_report, CensusRequest())
    yield Entry("fatestones/census", census, "exactdice fatestones census")
