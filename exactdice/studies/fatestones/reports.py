"""Reports of censuses, numbers of triples, power of simulations, and the README's results."""

from collections.abc import Iterable, Sequence

from exactdice.arithmetic import mpq
from exactdice.enclosure import points
from exactdice.games.fatestones.confidence import EdgeTest, chance_interval
from exactdice.games.fatestones.players import DuelProbabilities, SimulatedGames
from exactdice.games.fatestones.reports import _COUNTS, BAG, DEAL, VALUE, in_words
from exactdice.games.fatestones.responses import MEANINGS, BestResponse, RandomPlay, RuleOfThumb
from exactdice.games.fatestones.rules import HAND_SIZE, encode_die, encode_hand
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from exactdice.report.model import (
    Cell,
    Column,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    number,
    text_column,
    whole,
)
from exactdice.studies.fatestones.censuses import RESOLUTION, CensusPart, CensusSums
from exactdice.studies.fatestones.counting import Convention, Triples


def equilibria_report(sums: CensusSums) -> Report:
    title = f"FateStones: advantage from the deal, over {_extent(sums)}"
    conventions = {"deals": _extent(sums), "scratch": "worth 0"}
    return Report.of(title, conventions, *_equilibrium_quantities(sums), _deals(sums))


def _extent(sums: CensusSums) -> str:
    return "all deals" if sums.is_complete else f"a sample of {sums.pairs} deals"


def _deals(sums: CensusSums) -> Table | None:
    table = Table.of(
        "deals",
        "Values of deals",
        ((encode_hand(first), encode_hand(second), *rest) for first, second, *rest in sums.deals),
        text_column("first", "hand of player 1"),
        text_column("second", "hand of player 2"),
        exact("value", f"{VALUE}, under optimal play"),
        flag("mixed", "whether optimal first choices are mixed"),
    )
    return table if table.rows else None


def census_report(
    sums: CensusSums, answer: BestResponse, play: RandomPlay, test: EdgeTest, seed: int
) -> Report:
    n, ((_, power, _, least_edge),) = README_GAMES, test.games
    extent = _extent(sums)
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "equilibrium": f"{extent}, a scratch worth 0, the value of the whole game",
        "best response": "all deals, against a uniformly random player; a scratch is worth the "
        "value of the whole game",
        "test": _test(test),
    }
    if not sums.is_complete:
        conventions["seed"] = str(seed)
    return Report.of(
        f"FateStones: advantages from play and from the deal, over {extent}",
        conventions,
        *_equilibrium_quantities(sums),
        *_best_response_quantities(answer),
        exact("scratch", "probability of a scratch if a player is random")(play.scratch),
        exact("random_win", "probability of either to win a duel of random players")(play.win),
        exact("random_ties", "mean tied rolls in a duel of random players")(play.ties),
        _GAMES_NEEDED(test.games_needed),
        exact(f"power_of_{n}", f"power of {n} games, rounded down")(power),
        exact(f"least_edge_of_{n}", f"least edge for {n} games, rounded up")(least_edge),
        _deals(sums),
        says=(points(answer.edge), "wins minus losses per game, best response to random play"),
    )


_GAMES_NEEDED = whole("games_needed", "games in which the test has this power", "games")


def _test(test: EdgeTest) -> str:
    confidence, power = in_words(test.confidence), in_words(test.power)
    return f"one-sided, exact, confidence {confidence}, power {power}"


def _equilibrium_quantities(sums: CensusSums) -> list[Quantity]:
    return [
        exact("equilibrium", f"value of the whole game: {VALUE}")(sums.equilibrium),
        _PAIRS(sums.pairs),
        _MIXED(sums.mixed),
        _EVEN(sums.even),
        exact(
            "mean_absolute_value",
            "mean advantage from the deal: mean of absolute values, each rounded down to a "
            "multiple of the resolution",
        )(sums.mean_absolute_value),
        exact("resolution", "upper bound of the error of this mean")(RESOLUTION),
        _LARGEST(sums.largest),
        *(
            listing(f"{name}_hand", f"the {name} hand of such a deal")(tuple(map(encode_die, hand)))
            for name, hand in zip(("better", "worse"), sums.largest_deal, strict=True)
        ),
    ]


def _best_response_quantities(answer: BestResponse) -> list[Quantity]:
    win = exact("best_response_win", "probability to win a game, best response to random play")
    duel = exact("best_response_duel", "wins minus losses in one duel")
    edge = answer.edge
    return [_edge("best_response_edge")(edge), win((1 + edge) / 2), duel(answer.duel_value)]


def _edge(name: str) -> Column:
    return exact(name, "wins minus losses per game, best response to random play")


def power_report(test: EdgeTest) -> Report:
    columns = [
        whole("games", "number of games", "games"),
        exact("power", "power for this edge, rounded down"),
        exact("half_power", "power for half of this edge, rounded down"),
        exact("least_edge", "least edge with the wanted power, rounded up"),
    ]
    return Report.of(
        "FateStones: how many games show that good play is rewarded",
        {"bag": BAG, "deal": DEAL, "test": _test(test)},
        _edge("edge")(test.edge),
        exact("confidence", "1 minus the probability of a false positive")(test.confidence),
        exact("power", "wanted probability to detect an edge")(test.power),
        _GAMES_NEEDED(test.games_needed),
        Table.of("games", "Power by the number of games", test.games, *columns),
        says=(str(test.games_needed), "games needed to show that good play is rewarded"),
    )


def heuristics_report(rules: Sequence[RuleOfThumb], answer: BestResponse) -> Report:
    return Report.of(
        "FateStones: rules of thumb against random play",
        {
            "bag": BAG,
            "deal": DEAL,
            "margin": "wins minus losses of one roll",
            "opponent": "chooses each die left with equal probability",
            "ties": "the first die of the hand, in ascending order",
        },
        *_best_response_quantities(answer),
        Table.of(
            "rules",
            "Rules of thumb",
            rules,
            text_column("rule", "name of the rule").by(lambda r: r.heuristic.value),
            text_column("score", "maximised score").by(lambda r: MEANINGS[r.heuristic]),
            exact("edge", "wins minus losses per game"),
            exact("win", "probability to win a game").by(lambda r: (1 + r.edge) / 2),
            exact("share", "ratio to the best response").by(lambda r: r.edge / answer.edge),
        ),
    )


def results_report(
    played: Iterable[SimulatedGames], games: int, seed: int, confidence: mpq
) -> Report:
    rows: list[tuple[Cell, ...]] = []
    for match in played:
        stated = _stated(*README_RESULTS[match.players]) if match.players in README_RESULTS else {}
        for what, chance in vars(match.known).items():
            count = getattr(match.score, what)
            bounds: tuple[mpq | None, mpq | None] = (None, None)
            if what != "ties":  # several in one game: no binomial count
                bounds = chance_interval(count, games, confidence)
            expected = None if chance is None else chance * games
            rows.append((*match.players, what, stated.get(what), count, *bounds, expected))
    table = Table.of(
        "results",
        "Results of simulated games",
        rows,
        *_BOTH,
        text_column("what", "counted events; ties are tied rolls, including those of scratches"),
        whole(
            "readme",
            "number in the FateStones README for 10000 games; scratches: the remaining games",
            heading="README",
        ),
        whole("simulated", "number in this simulation"),
        exact("low", "lower bound of the probability per game"),
        exact("high", "upper bound of the probability per game"),
        exact("expected", "exact expected number, if known"),
    )
    conventions = {
        "bag": BAG,
        "deal": DEAL,
        "games": f"{games} of each pair of players; a scratch ends a game without a winner",
        "readme": "its 10000 games are wins, losses and scratches",
        "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
        "seed": str(seed),
    }
    return Report.of("FateStones: the results of its README, simulated again", conventions, table)


_BOTH = text_column("player_1", "player 1"), text_column("player_2", "player 2")


def _stated(wins: int, losses: int, ties: int) -> dict[str, int]:
    """Return the numbers of the README, with the remaining games as scratches."""
    scratches = README_GAMES - wins - losses
    return {"wins": wins, "losses": losses, "scratches": scratches, "ties": ties}


def readme_report(
    known: Iterable[tuple[tuple[str, str], DuelProbabilities]], confidence: mpq
) -> Report:
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
        *_BOTH,
        *_COUNTS[1:],
        exact("win_low", "lower bound of player 1's probability to win a decided game"),
        exact("win_high", "upper bound of player 1's probability to win a decided game"),
        *(
            exact(f"expected_{what}", f"exact expected number of {what}, if known", unit)
            for what, unit in (("wins", "games"), ("scratches", "duels"), ("ties", "rolls"))
        ),
    ]
    return Report.of(
        "FateStones: the results of its README",
        {
            "bag": BAG,
            "deal": DEAL,
            "games": "a scratch ends a game without a winner",
            "interval": f"Clopper and Pearson, confidence {in_words(confidence)}",
        },
        whole("games", "games of each pair of players", "games")(README_GAMES),
        exact("confidence", "confidence of the intervals")(confidence),
        Table.of("results", "Results printed in the FateStones README", rows, *columns),
        says=("", "Results printed in the FateStones README, with exact expected values"),
    )


def count_report(triples: Triples) -> Report:
    faces, values = triples.faces, triples.values
    beats = {
        Convention.MORE: "wins more often than it loses",
        Convention.MAJORITY: "wins with probability above 1/2",
    }
    polynomial = text_column("polynomial", "this number as a polynomial in the number N of values")
    balanced = whole("balanced", f"dice of mean {mpq(faces + 1, 2)}, values 1 to {faces}")
    cyclic = "their triples in which each wins more often than it loses"
    return Report.of(
        f"Non-transitive triples of dice with {faces} faces and values 1 to {values}",
        {"dice": f"{faces} faces with values 1 to {values}", "beats": beats[triples.convention]},
        whole("value", "unordered triples in which each beats the next", "triples")(triples.value),
        polynomial(str(triples.polynomial).replace("x", "N")),
        balanced(triples.balanced),
        whole("balanced_triples", cyclic)(triples.balanced_triples),
        Table.of(
            "coefficients",
            "Triples that contain exactly the values 1 to k",
            enumerate(triples.coefficients),
            whole("k", "number of values"),
            whole("triples", "triples of dice"),
        ),
        says=(str(triples.value), f"non-transitive triples: {faces} faces, values 1 to {values}"),
    )


_PAIRS = whole("pairs", "ordered pairs of hands solved", "deals")
_MIXED = whole("mixed", "pairs whose first choices have no saddle point")
_EVEN = whole("even", "pairs of value 0")
_LARGEST = exact("largest_value", "largest value of a deal")
_HANDS = tuple(
    (f"{name}_hand", f"the {name} hand of the first deal with this value")
    for name in ("better", "worse")
)


def part_report(part: CensusPart, bag: str) -> Report:
    sums = part.sums
    dice = [part.dice[die] for die in sums.largest_deal]
    hands = dice[:HAND_SIZE], dice[HAND_SIZE:]
    numbers = f"{part.hands.start} to {part.hands.stop - 1}, against later ones, and swapped"
    return Report.of(
        f"FateStones: deals out of {bag}",
        {"bag": bag, "hands": numbers, "scratch": "worth 0"},
        _PAIRS(sums.deals),
        _MIXED(sums.mixed),
        _EVEN(sums.even),
        exact("sum", "sum of absolute values, each rounded down to a multiple of the resolution")(
            sums.units * RESOLUTION
        ),
        _LARGEST(mpq(*sums.largest)),
        *(
            text_column(*column)(encode_hand(tuple(hand)))
            for column, hand in zip(_HANDS, hands, strict=True)
        ),
    )


def merged_census_report(parts: Iterable[Report]) -> Report:
    bags: dict[str, list[Report]] = {}
    for part in parts:
        bags.setdefault(part.provenance.conventions["bag"], []).append(part)
    table = Table.of(
        "bags",
        "Bags",
        ((bag, *_row(of)) for bag, of in bags.items()),
        text_column("bag", "the bag"),
        _PAIRS,
        _MIXED,
        _EVEN,
        exact(
            "mean_absolute_value",
            "mean advantage from the deal, less than the resolution below the exact mean",
        ),
        _LARGEST,
        *(text_column(*column) for column in _HANDS),
    )
    conventions = {"deal": DEAL, "scratch": "worth 0, the value of the whole game"}
    resolution = exact("resolution", "upper bound of the error of each mean")(RESOLUTION)
    title = "FateStones: advantage from the deal, by the bag"
    return Report.of(title, conventions, resolution, table, says=("", title))


def _row(parts: Sequence[Report]) -> tuple[int, int, int, mpq, mpq, str, str]:
    def added(name: str) -> mpq:
        return sum((number(part.value(name)) for part in parts), mpq(0))

    pairs = added("pairs")
    best = max(parts, key=lambda part: number(part.value("largest_value")))  # the first of ties
    better, worse = (str(best.value(name) or "") for name, _ in _HANDS)
    largest = number(best.value("largest_value"))
    counts = int(pairs), int(added("mixed")), int(added("even"))
    return *counts, added("sum") / pairs, largest, better, worse
