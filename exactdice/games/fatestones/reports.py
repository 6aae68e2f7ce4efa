"""Reports of FateStones: duels, the census of all deals, and what games can show of good play."""

from collections.abc import Sequence

from exactdice.arithmetic import decimal, mpq, rational, text
from exactdice.games.fatestones.censuses import RESOLUTION, CensusSums
from exactdice.games.fatestones.confidence import PLACES, EdgeTest
from exactdice.games.fatestones.exact import DuelSolution
from exactdice.games.fatestones.heuristics import RuleOfThumb
from exactdice.games.fatestones.responses import BestResponse, RandomPlay
from exactdice.games.fatestones.rules import encode_die, encode_hand
from exactdice.games.fatestones.sources import README_GAMES
from exactdice.report.model import Quantity, Report, Table, exact, flag, listing, text_column, whole
from exactdice.report.provenance import Provenance

#: The bag and the deal, as conventions in words.
BAG = "the 32 six-face dice with faces 1 to 6 and mean 7/2, once each"
DEAL = "two hands of three dice out of the bag, without replacement"

_VALUE = "wins minus losses, as the row player (player 1) sees them"


def in_words(chance: mpq) -> str:
    """Write a confidence as a decimal where it is a short one, else as p/q.

    >>> in_words(mpq(19, 20)), in_words(mpq(2, 3))
    ('0.95', '2/3')
    """
    short = decimal(chance, PLACES).rstrip("0")
    return short if rational(short) == chance else text(chance)


def duel_report(duel: DuelSolution, *, any_dice: bool = True) -> Report:
    """Report the equilibrium of the duel of two hands, of any dice or out of the game's bag."""
    row, column = duel.row_hand, duel.column_hand
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
            (side, encode_die(die), chance)
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
            (encode_die(die), encode_die(against), entry)
            for die, entries_ in zip(row, duel.payoff, strict=True)
            for against, entry in zip(column, entries_, strict=True)
        ],
    )
    quantities = [
        Quantity(exact("value", f"{_VALUE}, a scratch counted with its worth"), duel.value),
        *strategies,
        Quantity(text_column("method", "how the first choices were solved"), duel.method),
    ]
    title = f"FateStones: {encode_hand(row)} against {encode_hand(column)}"
    conventions = {
        "dice": "any" if any_dice else f"out of {BAG}",
        "scratch": f"worth {text(duel.scratch)} to the row player",
    }
    return Report(title, quantities, [first, payoff], Provenance(conventions=conventions))


def equilibria_report(sums: CensusSums) -> Report:
    """Report what the equilibria of deals add up to."""
    title = f"FateStones: what the deal is worth, over {_extent(sums)}"
    conventions = {"deals": _extent(sums), "scratch": "worth 0"}
    quantities = _equilibrium_quantities(sums)
    return Report(title, quantities, _deals(sums), Provenance(conventions=conventions))


def _extent(sums: CensusSums) -> str:
    return "all deals" if sums.is_complete else f"a sample of {sums.pairs} deals"


def _deals(sums: CensusSums) -> list[Table]:
    if not sums.deals:
        return []
    columns = [
        text_column("first", "hand of player 1"),
        text_column("second", "hand of player 2"),
        exact("value", f"{_VALUE}, both playing their best"),
        flag("mixed", "whether the first choices must be mixed"),
    ]
    rows = [
        (encode_hand(first), encode_hand(second), value, is_mixed)
        for first, second, value, is_mixed in sums.deals
    ]
    return [Table("deals", "Values of deals", columns, rows)]


def census_report(
    sums: CensusSums, answer: BestResponse, play: RandomPlay, test: EdgeTest, seed: int
) -> Report:
    """Report whether good play is rewarded: the equilibrium, the deal and the best response."""
    ((_, power, _, least_edge),) = test.games
    quantities = [
        *_equilibrium_quantities(sums),
        *_best_response_quantities(answer),
        *_random_quantities(play),
        Quantity(
            whole("games_needed", "games in which the test sees that edge", "games"),
            test.games_needed,
        ),
        Quantity(
            exact(
                f"power_of_{README_GAMES}",
                f"chance that {README_GAMES} games show it, rounded down",
            ),
            power,
        ),
        Quantity(
            exact(
                f"least_edge_of_{README_GAMES}",
                f"least edge that {README_GAMES} games show, rounded up",
            ),
            least_edge,
        ),
    ]
    extent = _extent(sums)
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "equilibrium": f"{extent}, a scratch worth 0, which is what the whole game is worth",
        "best response": "all deals, against a player who takes each die left as often; a scratch "
        "is worth what the whole game is worth",
        "test": _test(test),
    }
    if not sums.is_complete:
        conventions["seed"] = str(seed)
    title = f"FateStones: what play and the deal are worth, over {extent}"
    return Report(title, quantities, _deals(sums), Provenance(conventions=conventions))


def _test(test: EdgeTest) -> str:
    confidence, power = in_words(test.confidence), in_words(test.power)
    return f"one-sided, exact, confidence {confidence}, power {power}"


def _equilibrium_quantities(sums: CensusSums) -> list[Quantity]:
    return [
        Quantity(exact("equilibrium", f"value of the whole game: {_VALUE}"), sums.equilibrium),
        Quantity(whole("pairs", "ordered pairs of hands solved", "deals"), sums.pairs),
        Quantity(whole("mixed", "those whose first choices have no saddle point"), sums.mixed),
        Quantity(whole("even", "those of value 0"), sums.even),
        Quantity(
            exact(
                "mean_absolute_value",
                "mean advantage that the deal gives, as the sum of absolute values each rounded "
                "down to a multiple of the resolution",
            ),
            sums.mean_absolute_value,
        ),
        Quantity(
            exact("resolution", "the exact mean is less than this above the one stated"),
            RESOLUTION,
        ),
        Quantity(exact("largest_value", "largest value of a deal"), sums.largest),
        *(
            Quantity(
                listing(f"{name}_hand", f"the {name} hand of such a deal"),
                tuple(map(encode_die, hand)),
            )
            for name, hand in zip(("better", "worse"), sums.largest_deal, strict=True)
        ),
    ]


def _best_response_quantities(answer: BestResponse) -> list[Quantity]:
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


def _random_quantities(play: RandomPlay) -> list[Quantity]:
    return [
        Quantity(
            exact("scratch", "chance that a duel is a scratch when either plays at random"),
            play.scratch,
        ),
        Quantity(exact("random_win", "chance of either to win a duel of random players"), play.win),
        Quantity(exact("random_ties", "mean tied rolls in a duel of random players"), play.ties),
    ]


def power_report(test: EdgeTest) -> Report:
    """Report what numbers of games show of the edge of the best response to a random player."""
    quantities = [
        Quantity(exact("edge", "wins minus losses a game, best against random play"), test.edge),
        Quantity(
            exact("confidence", "1 less the chance to see an edge where there is none"),
            test.confidence,
        ),
        Quantity(exact("power", "chance with which an edge is to be seen"), test.power),
        Quantity(
            whole("games_needed", "games in which the test sees that edge so", "games"),
            test.games_needed,
        ),
    ]
    columns = [
        whole("games", "games", "games"),
        exact("power", "chance that they show that edge, rounded down"),
        exact("half_power", "chance that they show half of that edge, rounded down"),
        exact("least_edge", "least edge that they show with the power asked for, rounded up"),
    ]
    table = Table("games", "What a number of games shows", columns, test.games)
    conventions = {"bag": BAG, "deal": DEAL, "test": _test(test)}
    title = "FateStones: how many games show that good play is rewarded"
    return Report(title, quantities, [table], Provenance(conventions=conventions))


def heuristics_report(rules: Sequence[RuleOfThumb], answer: BestResponse) -> Report:
    """Report what rules of thumb earn against a random player, beside the best response."""
    columns = [
        text_column("rule", "rule"),
        text_column("score", "what the die rolled has the most of"),
        exact("edge", "wins minus losses a game"),
        exact("win", "chance to win a game"),
        exact("share", "part of the edge of the best response"),
    ]
    rows = [
        (
            *(rule.heuristic.value, rule.heuristic.meaning),
            *(rule.edge, (1 + rule.edge) / 2, rule.edge / answer.edge),
        )
        for rule in rules
    ]
    table = Table("rules", "What rules of thumb earn", columns, rows)
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "margin": "wins minus losses of one roll",
        "opponent": "takes each die left with the same chance",
        "ties": "of dice with equal scores the first of the hand, in ascending order",
    }
    title = "FateStones: what rules of thumb earn against random play"
    return Report(
        title, _best_response_quantities(answer), [table], Provenance(conventions=conventions)
    )
