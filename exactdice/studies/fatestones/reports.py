"""Reports of censuses, counts of dice, power of a simulation, and the README's results."""

from collections.abc import Iterable, Sequence

from exactdice.arithmetic import mpq
from exactdice.games.fatestones.confidence import EdgeTest, chance_interval
from exactdice.games.fatestones.play_reports import _COUNTS, _counts
from exactdice.games.fatestones.players import DuelProbabilities, SimulatedGames
from exactdice.games.fatestones.reports import BAG, DEAL, VALUE, in_words
from exactdice.games.fatestones.responses import BestResponse, RandomPlay, RuleOfThumb
from exactdice.games.fatestones.rules import encode_die, encode_hand
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.report.model import (
    Cell,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.studies.fatestones.censuses import RESOLUTION, CensusSums
from exactdice.studies.fatestones.counting import Convention, Triples


def equilibria_report(sums: CensusSums) -> Report:
    """Report what the equilibria of deals add up to."""
    return Report.of(
        f"FateStones: what the deal is worth, over {_extent(sums)}",
        {"deals": _extent(sums), "scratch": "worth 0"},
        *_equilibrium_quantities(sums),
        _deals(sums),
    )


def _extent(sums: CensusSums) -> str:
    return "all deals" if sums.is_complete else f"a sample of {sums.pairs} deals"


def _deals(sums: CensusSums) -> Table | None:
    table = Table.of(
        "deals",
        "Values of deals",
        ((encode_hand(first), encode_hand(second), *rest) for first, second, *rest in sums.deals),
        text_column("first", "hand of player 1"),
        text_column("second", "hand of player 2"),
        exact("value", f"{VALUE}, both playing their best"),
        flag("mixed", "whether the first choices must be mixed"),
    )
    return table if table.rows else None


def census_report(
    sums: CensusSums, answer: BestResponse, play: RandomPlay, test: EdgeTest, seed: int
) -> Report:
    """Report whether good play is rewarded: the equilibrium, the deal and the best response."""
    n, ((_, power, _, least_edge),) = README_GAMES, test.games
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
    return Report.of(
        f"FateStones: what play and the deal are worth, over {extent}",
        conventions,
        *_equilibrium_quantities(sums),
        *_best_response_quantities(answer),
        *_random_quantities(play),
        whole("games_needed", "games in which the test sees that edge", "games")(test.games_needed),
        exact(f"power_of_{n}", f"chance that {n} games show it, rounded down")(power),
        exact(f"least_edge_of_{n}", f"least edge that {n} games show, rounded up")(least_edge),
        _deals(sums),
    )


def _test(test: EdgeTest) -> str:
    confidence, power = in_words(test.confidence), in_words(test.power)
    return f"one-sided, exact, confidence {confidence}, power {power}"


def _equilibrium_quantities(sums: CensusSums) -> list[Quantity]:
    return [
        exact("equilibrium", f"value of the whole game: {VALUE}")(sums.equilibrium),
        whole("pairs", "ordered pairs of hands solved", "deals")(sums.pairs),
        whole("mixed", "those whose first choices have no saddle point")(sums.mixed),
        whole("even", "those of value 0")(sums.even),
        exact(
            "mean_absolute_value",
            "mean advantage that the deal gives, as the sum of absolute values each rounded "
            "down to a multiple of the resolution",
        )(sums.mean_absolute_value),
        exact("resolution", "the exact mean is less than this above the one stated")(RESOLUTION),
        exact("largest_value", "largest value of a deal")(sums.largest),
        *(
            listing(f"{name}_hand", f"the {name} hand of such a deal")(tuple(map(encode_die, hand)))
            for name, hand in zip(("better", "worse"), sums.largest_deal, strict=True)
        ),
    ]


def _best_response_quantities(answer: BestResponse) -> list[Quantity]:
    return [
        exact("best_response_edge", "wins minus losses a game, best against random play")(
            answer.edge
        ),
        exact("best_response_win", "chance to win a game, best against random play")(
            (1 + answer.edge) / 2
        ),
        exact("best_response_duel", "wins minus losses in one duel, a scratch for neither")(
            answer.duel_value
        ),
    ]


def _random_quantities(play: RandomPlay) -> list[Quantity]:
    return [
        exact("scratch", "chance that a duel is a scratch when either plays at random")(
            play.scratch
        ),
        exact("random_win", "chance of either to win a duel of random players")(play.win),
        exact("random_ties", "mean tied rolls in a duel of random players")(play.ties),
    ]


def power_report(test: EdgeTest) -> Report:
    """Report what numbers of games show of the edge of the best response to a random player."""
    columns = [
        whole("games", "games", "games"),
        exact("power", "chance that they show that edge, rounded down"),
        exact("half_power", "chance that they show half of that edge, rounded down"),
        exact("least_edge", "least edge that they show with the power asked for, rounded up"),
    ]
    return Report.of(
        "FateStones: how many games show that good play is rewarded",
        {"bag": BAG, "deal": DEAL, "test": _test(test)},
        exact("edge", "wins minus losses a game, best against random play")(test.edge),
        exact("confidence", "1 less the chance to see an edge where there is none")(
            test.confidence
        ),
        exact("power", "chance with which an edge is to be seen")(test.power),
        whole("games_needed", "games in which the test sees that edge so", "games")(
            test.games_needed
        ),
        Table.of("games", "What a number of games shows", test.games, *columns),
    )


def heuristics_report(rules: Sequence[RuleOfThumb], answer: BestResponse) -> Report:
    """Report what rules of thumb earn against a random player, beside the best response."""
    return Report.of(
        "FateStones: what rules of thumb earn against random play",
        {
            "bag": BAG,
            "deal": DEAL,
            "margin": "wins minus losses of one roll",
            "opponent": "takes each die left with the same chance",
            "ties": "of dice with equal scores the first of the hand, in ascending order",
        },
        *_best_response_quantities(answer),
        Table.of(
            "rules",
            "What rules of thumb earn",
            rules,
            text_column("rule", "rule").by(lambda r: r.heuristic.value),
            text_column("score", "what the die rolled has the most of").by(
                lambda r: r.heuristic.meaning
            ),
            exact("edge", "wins minus losses a game"),
            exact("win", "chance to win a game").by(lambda r: (1 + r.edge) / 2),
            exact("share", "part of the edge of the best response").by(
                lambda r: r.edge / answer.edge
            ),
        ),
    )


def results_report(
    played: Iterable[SimulatedGames], games: int, seed: int, confidence: mpq
) -> Report:
    """Report the README's results table, played again, beside its own and the exact values."""
    rows: list[tuple[Cell, ...]] = []
    for match in played:
        stated = _stated(*README_RESULTS[match.players]) if match.players in README_RESULTS else {}
        known, counts = vars(match.known), _counts(match.score)[1:]
        for (what, chance), count in zip(known.items(), counts, strict=True):
            bounds: tuple[mpq | None, mpq | None] = (None, None)
            if what != "ties":  # several in one game: no binomial count
                bounds = chance_interval(count, games, confidence)
            expected = None if chance is None else chance * games
            rows.append((*match.players, what, stated.get(what), count, *bounds, expected))
    table = Table.of(
        "results",
        "Results of simulated games",
        rows,
        text_column("player_1", "player 1"),
        text_column("player_2", "player 2"),
        text_column("what", "what is counted; ties are tied rolls, scratches included"),
        whole(
            "readme",
            "figure of the FateStones README for 10000 games; scratches: the games left over",
            heading="README",
        ),
        whole("simulated", "the figure of this simulation"),
        exact("low", "lower end for the chance of it in a game"),
        exact("high", "upper end for the chance of it in a game"),
        exact("expected", "its exact expectation, where that is known"),
    )
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "games": f"{games} of each pair of players; a scratch ends a game without a winner",
        "readme": "its wins and losses fall short of 10000 games by the scratches",
        "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
        "seed": str(seed),
    }
    return Report.of("FateStones: the results of its README, played again", conventions, table)


def _stated(wins: int, losses: int, ties: int) -> dict[str, int]:
    """Figures of the README, with the games left over as scratches."""
    scratches = README_GAMES - wins - losses
    return {"wins": wins, "losses": losses, "scratches": scratches, "ties": ties}


def readme_report(
    known: Iterable[tuple[tuple[str, str], DuelProbabilities]], confidence: mpq
) -> Report:
    """Report the README's results table with exact intervals and expectations."""
    rows: list[tuple[Cell, ...]] = []
    for players, chances in known:
        wins, losses, ties = README_RESULTS[players]
        expected = [
            None if chance is None else chance * README_GAMES
            for chance in (chances.wins, chances.scratches, chances.ties)
        ]
        interval = chance_interval(wins, wins + losses, confidence)
        rows.append((*players, *_stated(wins, losses, ties).values(), *interval, *expected))
    columns = [
        text_column("player_1", "player 1"),
        text_column("player_2", "player 2"),
        *_COUNTS[1:],
        exact("win_low", "lower end for the chance of player 1 to win a decided game"),
        exact("win_high", "upper end for it"),
        exact("expected_wins", "exact expectation of the wins, where it is known", "games"),
        exact("expected_scratches", "that of the scratches", "duels"),
        exact("expected_ties", "that of the ties", "rolls"),
    ]
    return Report.of(
        "FateStones: the results of its README",
        {
            "bag": BAG,
            "deal": DEAL,
            "games": "a scratch ends a game without a winner: the games left over",
            "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
        },
        whole("games", "games of each pair of players", "games")(README_GAMES),
        exact("confidence", "confidence of the intervals")(confidence),
        Table.of("results", "Results that the FateStones README prints", rows, *columns),
    )


def count_report(triples: Triples) -> Report:
    """Report how many triples of dice are non-transitive."""
    faces, values = triples.faces, triples.values
    beats = {
        Convention.MORE: "wins more often than it loses",
        Convention.MAJORITY: "wins with a chance of more than 1/2",
    }
    return Report.of(
        f"Non-transitive triples of dice with {faces} faces and values 1 to {values}",
        {"dice": f"{faces} faces with values 1 to {values}", "beats": beats[triples.convention]},
        whole("value", "unordered triples of dice in which each beats the next", "triples")(
            triples.value
        ),
        text_column("polynomial", "the same as a polynomial in the number N of values")(
            str(triples.polynomial).replace("x", "N")
        ),
        whole("balanced", f"dice whose mean is {mpq(faces + 1, 2)}, with values 1 to {faces}")(
            triples.balanced
        ),
        whole("balanced_triples", "triples of those in which each wins more than it loses")(
            triples.balanced_triples
        ),
        Table.of(
            "coefficients",
            "Triples that show all of the values 1 to k and no others",
            enumerate(triples.coefficients),
            whole("k", "number of values"),
            whole("triples", "triples of dice"),
        ),
    )
