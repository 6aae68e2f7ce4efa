"""Whether the claims about FateStones hold, by the package's own solvers."""

from itertools import combinations

from exactdice.arithmetic import mpq, text
from exactdice.games.fatestones.beats import pair_table
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.responses import best_response, random_play
from exactdice.games.fatestones.rules import all_dice, bag, encode_die, without
from exactdice.games.fatestones.sources import README_GAMES, README_RESULTS
from finders.finding import Finding


def _dice():
    return Finding("proved", {"all": len(list(all_dice())), "of_mean_7/2": len(bag())})


def _ranking():
    table = pair_table(all_dice())
    scores = table.margins.sum(axis=1)
    ranked = sorted((int(score), die) for score, die in zip(scores, table.dice, strict=True))
    places = {"first": [ranked[-2][0], ranked[-1][0]], "last": [ranked[0][0], ranked[1][0]]}
    has_ends = (ranked[0][1], ranked[-1][1]) == ((1,) * 6, (6,) * 6)
    return Finding("refuted" if has_ends else "open", places)


def _first_mixed():
    """Return the first deal, hands in the order of the bag, without a pure equilibrium."""
    hands = list(combinations(bag(), 3))
    deals = ((row, column) for row in hands for column in hands if not {*row} & {*column})
    return next(deal for deal in deals if _is_mixed(solve(*deal)))


def _is_mixed(duel):
    """Whether both sides do worse with every pure strategy."""
    least = max(min(entries) for entries in duel.payoff)
    most = min(max(entries) for entries in zip(*duel.payoff, strict=True))
    return bool(least < duel.value < most)


def _named(row, column):
    return " ".join(map(encode_die, (*row, *column)))


def _mixed():
    row, column = _first_mixed()
    pairs = [(row, column)]
    pairs += [(without(row, i), without(column, j)) for i in range(3) for j in range(3)]
    games = {}
    for rows, columns in pairs:
        duel = solve(rows, columns)
        games[_named(rows, columns)] = [
            [text(p) for p in duel.row], [text(q) for q in duel.column], text(duel.value),
        ]  # fmt: skip
    value = solve(row, column).value
    hands = [[list(die) for die in hand] for hand in (row, column)]
    return Finding("proved", {"games": games, "hands": hands, "value": text(value)})


def _good_play():
    answer = best_response()
    return Finding("refuted" if answer.edge > mpq(3, 100) else "open", {
        "deals": answer.deals, "duel": text(answer.duel_value), "edge": text(answer.edge),
        "scratch": text(answer.scratch),
    })  # fmt: skip


def _rewarded():
    """Expected payoff of each first die of a deal, if all later choices are random."""
    row, column = bag()[:3], bag()[3:6]
    earned = _against_random(row, column)
    gain = max(earned) - sum(earned, mpq(0)) / len(earned)
    hands = [[list(die) for die in hand] for hand in (row, column)]
    verdict = "proved" if gain > 0 else "open"
    return Finding(verdict, {"earned": list(map(text, earned)), "gain": text(gain), "hands": hands})


def _against_random(row, column):
    if not row:
        return []
    table = pair_table((*row, *column))
    earned = []
    for i in range(len(row)):
        total = mpq(0)
        for j in range(len(column)):
            met = table.comparison(i, len(row) + j)
            later = _against_random(without(row, i), without(column, j))
            total += met.win - met.loss
            total += met.tie * sum(later, mpq(0)) / len(later) if later else 0
        earned.append(total / len(column))
    return earned


def _player(name):
    return "Random" if name == "random" else f"MCTS({name.partition(':')[2]})"


def _tree_search():
    """Squared distances from even chances, in standard errors of the decided games."""
    printed = {
        " vs ".join(map(_player, players)): list(row) for players, row in README_RESULTS.items()
    }
    squares = {name: mpq((won - lost) ** 2, won + lost) for name, (won, lost, _) in printed.items()}
    winning = [
        name
        for name, (won, lost, _) in printed.items()
        if won > lost and name.endswith(") vs Random")
    ]
    verdict = "proved" if max(squares.values()) < 4 and not winning else "refuted"
    errors = {name: text(square) for name, square in squares.items()}
    return Finding(verdict, {"printed": printed, "squared_standard_errors": errors})


def _random_column():
    one, two, three = random_play().tied
    mean, square = one + two + three, one + 3 * two + 5 * three  # of the ties of a game
    won, lost, ties = README_RESULTS["random", "random"]
    games, scratched = README_GAMES, README_GAMES - won - lost
    off = [
        (ties - games * mean) ** 2 / (games * (square - mean**2)),
        (scratched - games * three) ** 2 / (games * three * (1 - three)),
    ]
    return Finding("proved" if max(off) < 4 else "refuted", {
        "games": games, "scratched": scratched, "squared_standard_errors": list(map(text, off)),
        "tied": ties, "ties_of_a_game": list(map(text, (one, two, three))),
    })  # fmt: skip


def _search_ties():
    one, two, three = random_play().tied
    mean, square = one + two + three, one + 3 * two + 5 * three
    searched = ("mcts:10", "random"), ("mcts:50", "random"), ("mcts:10", "mcts:10")
    names = "MCTS(10) vs Random", "MCTS(50) vs Random", "MCTS(10) vs MCTS(10)"
    printed = {x: README_RESULTS[key][2] for x, key in zip(names, searched, strict=True)}
    off = {
        name: (ties - README_GAMES * mean) ** 2 / (README_GAMES * (square - mean**2))
        for name, ties in printed.items()
    }
    verdict = "proved" if max(off.values()) < 4 else "refuted"
    errors = {name: text(x) for name, x in off.items()}
    return Finding(
        verdict, {"games": README_GAMES, "printed": printed, "squared_standard_errors": errors}
    )


_UNEVEN = (  # two hands of opposite dice, of theorem 17
    ((1, 1, 3, 5, 5, 6), (1, 2, 2, 4, 6, 6)),
    ((1, 1, 4, 4, 5, 6), (1, 2, 3, 3, 6, 6)),
)


def _opposites():
    opposite = {die: tuple(sorted(7 - face for face in die)) for die in all_dice()}
    own = [die for die, other in opposite.items() if die == other]
    hands = [[list(die) for die in hand] for hand in _UNEVEN]
    value = text(solve(*_UNEVEN).value)
    return Finding("proved", {"hands": hands, "own": len(own), "value": value})


def _classic():
    dice = [(1, 4, 4, 4, 4, 4), (2, 2, 2, 5, 5, 5), (3, 3, 3, 3, 3, 6)]
    means = [text(mpq(sum(die), len(die))) for die in dice]
    verdict = "proved" if set(means) == {"7/2"} else "refuted"
    return Finding(verdict, {"dice": list(map(list, dice)), "means": means})


FINDERS = {
    "fatestones.dice": _dice, "fatestones.ranking": _ranking, "fatestones.mixed": _mixed,
    "fatestones.good-play": _good_play, "fatestones.rewarded": _rewarded,
    "fatestones.tree-search": _tree_search, "fatestones.random-column": _random_column,
    "fatestones.classic": _classic, "fatestones.opposites": _opposites,
    "fatestones.search-ties": _search_ties,
}  # fmt: skip
