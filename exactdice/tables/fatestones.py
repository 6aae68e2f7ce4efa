"""Reports of FateStones: duels, the census of all deals, and simulated games."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, text
from exactdice.games import fatestones
from exactdice.games.fatestones import Hand, Player, Roll, Score
from exactdice.tables import fatestones_dice
from exactdice.tables.entry import Entry
from exactdice.tables.model import (
    Cell,
    Column,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.tables.provenance import Provenance

__all__ = [
    "DOCUMENT",
    "CensusRequest",
    "census_report",
    "duel_report",
    "entries",
    "play_report",
    "results_report",
    "simulation_report",
]

_BAG = "the 32 six-face dice with faces 1 to 6 and mean 7/2, once each"
_DEAL = "two hands of three dice out of the bag, without replacement"
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
        "dice": "any" if any_dice else f"out of {_BAG}",
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


#: Games a configuration in the results table of the document.
_DOCUMENT_GAMES = 10_000


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
            fatestones.power(_DOCUMENT_GAMES, answer.edge, confidence),
        ),
        Quantity(
            exact("least_edge_of_10000", "least edge that 10000 games show, rounded up"),
            fatestones.least_edge_seen(_DOCUMENT_GAMES, confidence, power),
        ),
    ]
    extent = "all deals" if found.is_complete else f"a sample of {found.pairs} deals"
    conventions = {
        "bag": _BAG,
        "deal": _DEAL,
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


class _Exact(NamedTuple):
    """What is known exactly of two players: chances in one duel; None where it is not."""

    wins: mpq | None
    losses: mpq | None
    scratches: mpq | None
    ties: mpq | None


def _exact_chances(first: str, second: str) -> _Exact:
    """Exact chances of one duel, as far as they are known without simulation."""
    if "random" not in (first, second):
        return _Exact(None, None, None, None)
    play = fatestones.random_play()
    if first == second:
        return _Exact(play.win, play.win, play.scratch, play.ties)
    if "best" not in (first, second):
        return _Exact(None, None, play.scratch, None)
    decided, value = 1 - play.scratch, fatestones.best_response().duel_value
    gain = value if first == "best" else -value
    return _Exact((decided + gain) / 2, (decided - gain) / 2, play.scratch, None)


def _exact_edge(first: str, second: str) -> mpq | None:
    """Wins minus losses a game with scratches played again, where it is known."""
    if first == second:
        return mpq(0)
    if {first, second} == {"best", "random"}:
        edge = fatestones.best_response().edge
        return edge if first == "best" else -edge
    return None


def simulation_report(
    players: Sequence[Player],
    found: Score,
    seed: int,
    *,
    replay: bool = True,
    confidence: RationalLike = "0.95",
) -> Report:
    """Report what simulated games came to, with what is known exactly beside it."""
    names = [player.name for player in players]
    low, high = fatestones.chance_interval(found.wins, found.wins + found.losses, confidence)
    edge = _exact_edge(*names) if replay else None
    quantities = [
        Quantity(listing("players", "player 1 and player 2"), tuple(names)),
        *(Quantity(column, cell) for column, cell in zip(_COUNTS, _counts(found), strict=True)),
        Quantity(exact("edge", "wins minus losses a game, simulated"), found.edge),
        Quantity(exact("win_low", "lower end for the chance to win a decided game"), low),
        Quantity(exact("win_high", "upper end for the chance to win a decided game"), high),
        Quantity(exact("exact_edge", "wins minus losses a game, where it is known"), edge),
    ]
    conventions = {
        "bag": _BAG,
        "deal": _DEAL,
        "scratch": "starts the game again" if replay else "ends the game without a winner",
        "interval": f"Clopper and Pearson, confidence {confidence}",
        "seed": str(seed),
    }
    title = f"FateStones: {found.games} games of {names[0]} against {names[1]}"
    return Report(title, quantities, provenance=Provenance(conventions=conventions))


_COUNTS = (
    whole("games", "games played", "games"),
    whole("wins", "games that player 1 won", "games"),
    whole("losses", "games that player 2 won", "games"),
    whole("scratches", "duels in which all dice tied", "duels"),
    whole("ties", "tied rolls, those of scratches included", "rolls"),
)


def _counts(found: Score) -> tuple[int, ...]:
    return found.games, found.wins, found.losses, found.scratches, found.ties


#: The results table of the FateStones README: players, wins, losses, ties, in 10000 games each.
DOCUMENT = (
    ("random", "random", 4913, 5031, 2033),
    ("mcts:10", "random", 4951, 5006, 2025),
    ("mcts:50", "random", 4910, 5061, 1959),
    ("mcts:10", "mcts:10", 5025, 4940, 1969),
)


def results_report(
    games: int, seed: int, more: Sequence[tuple[str, str]] = (), confidence: RationalLike = "0.95"
) -> Report:
    """Report the document's results table, played again, beside its own and the exact values.

    Parameters
    ----------
    games
        Games a configuration.
    seed
        Of each configuration.
    more
        Further pairs of players.
    confidence
        Of the intervals.
    """
    stated = {
        (first, second): (wins, losses, 10_000 - wins - losses, ties)
        for first, second, wins, losses, ties in DOCUMENT
    }
    rows: list[list[Cell]] = []
    for first, second in (*stated, *more):
        players = fatestones.player(first), fatestones.player(second)
        rolls = fatestones.simulate(players, games, seed, replay=False)
        found = fatestones.score(rolls, replay=False)
        known = _exact_chances(first, second)
        counts = _counts(found)[1:]
        named = zip(("wins", "losses", "scratches", "ties"), counts, known, strict=True)
        for k, (what, count, chance) in enumerate(named):
            document = stated[first, second][k] if (first, second) in stated else None
            bounds: tuple[mpq | None, mpq | None] = (None, None)
            if what != "ties":  # several in one game: no binomial count
                bounds = fatestones.chance_interval(count, games, confidence)
            expected = None if chance is None else chance * games
            rows.append([first, second, what, document, count, *bounds, expected])
    columns: list[Column] = [
        text_column("player_1", "player 1"),
        text_column("player_2", "player 2"),
        text_column("what", "what is counted; ties are tied rolls, scratches included"),
        whole("document", "the document's figure, for 10000 games", heading="document's"),
        whole("simulated", "the figure of this simulation"),
        exact("low", "lower end for the chance of it in a game"),
        exact("high", "upper end for the chance of it in a game"),
        exact("expected", "its exact expectation, where that is known"),
    ]
    table = Table("results", "Results of simulated games", columns, rows)
    conventions = {
        "bag": _BAG,
        "deal": _DEAL,
        "games": f"{games} of each pair of players; a scratch ends a game without a winner",
        "document": "its wins and losses fall short of 10000 games by the scratches",
        "interval": f"Clopper and Pearson, confidence {confidence}",
        "seed": str(seed),
    }
    title = "FateStones: the document's results, played again"
    return Report(title, (), [table], Provenance(conventions=conventions))


def play_report(names: Sequence[str], rolls: Sequence[Roll]) -> Report:
    """Report the rolls of one duel, as they are logged."""
    columns = [
        *(listing(f"hand_{side}", f"dice of player {side}") for side in (1, 2)),
        *(text_column(f"die_{side}", f"die that player {side} rolled") for side in (1, 2)),
        *(whole(f"face_{side}", f"face that player {side} rolled") for side in (1, 2)),
        whole("outcome", "1: player 1 wins; −1: player 2 wins; 0: a tie"),
    ]
    rows = [
        (
            tuple(map(fatestones.encode_die, roll.row_hand)),
            tuple(map(fatestones.encode_die, roll.column_hand)),
            fatestones.encode_die(roll.row_hand[roll.row_choice]),
            fatestones.encode_die(roll.column_hand[roll.column_choice]),
            roll.row_face,
            roll.column_face,
            roll.outcome,
        )
        for roll in rolls
    ]
    last = rolls[-1]
    quantities = [
        Quantity(listing("players", "player 1 and player 2"), tuple(names)),
        Quantity(whole("outcome", "1: player 1 wins; −1: player 2 wins; 0: scratch"), last.outcome),
        Quantity(flag("scratch", "whether all dice tied"), last.is_scratch),
    ]
    return Report(
        f"FateStones: a duel of {names[0]} against {names[1]}",
        quantities,
        [Table("rolls", "Rolls", columns, rows)],
    )


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
