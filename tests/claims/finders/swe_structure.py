"""Claims about the structure of the software-engineering game, in games of any length.

Some rest on theorems or are proved by algebra: of values, promotions, numbers of tables, bounds.
What a few rounds from small tables decide is whether fixing sooner pays, and how likely a
catastrophe is.
"""

from functools import cache, partial
from itertools import pairwise, product

from exactdice.arithmetic import mpq, text
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.reachable import split_weights, splits_of
from exactdice.games.swe.rules import (
    STANDARD,
    WITH_D10,
    Action,
    ActionKind,
    State,
    act,
    legal_actions,
    promotion_table,
    roll,
    weight,
)
from exactdice.studies.swe.closed_forms import LongRun, telescoping
from exactdice.symbolic import count_points, ehrhart
from finders.finding import Finding

_SOONER = {"rounds": 3, "weight": 8}
_SAFER = {"heaviest": 12, "rounds": 19, "sum": 16}
_FOUR = State((4, 0, 0, 0, 0), (0, 0, 0, 0, 0), 0)
_LESS_SAFE = State((0, 0, 0, 9, 0), (0, 0, 0, 0, 0), 0), {"heaviest": 41, "rounds": 11}
_SHORT = {"rounds": 11, "part": 38, "sum": 16}
_SHORT_DICE = (9, 10, 11)  # d12, at which creating is less safe with so many rounds
_UNIT = 10**12  # in which chances are counted, rounded
_ROUNDS = 10
_LISTED = 16  # rounds up to which tables are counted
_LATE = ((3, 8), (4, 5), (5, 4))  # rounds left, and how many d4, of theorem 22


def _mean_after(table, worth, *, catastrophe=False):
    """The mean of what is worth after a roll of a table, which catastrophes are if it is said."""
    return sum(
        (p * worth(then) for then, p in _rolled(table) if catastrophe or any(then.revenue)), mpq(0)
    )


@cache
def _rolled(table):
    """What a roll leads to, scores 0, with the chances."""
    outcomes = roll(table).probabilities().items()
    return [(then._replace(score=0), chance) for then, chance in outcomes]


@cache
def _moved(table):
    return [act(table, action) for action in legal_actions(table)]


def _tables(most):
    """All tables with dice, of a weight up to `most`, scores 0."""
    numbers = (range(most // rung + 1) for rung in range(1, len(STANDARD) + 1))
    for dice in product(*numbers):
        if 0 < weight(dice) <= most:
            splits = splits_of(dice)
            yield from map(splits.state, range(splits.number))


@cache
def _clear(rounds, table):
    """The greatest chance that no legacy is left after at most so many rounds."""
    if not any(table.legacy) or not rounds:
        return mpq(not any(table.legacy))
    return max(_cleared(rounds, table, action) for action in legal_actions(table))


def _cleared(rounds, table, action):
    return _mean_after(act(table, action), partial(_clear, rounds - 1), catastrophe=True)


def _fix_sooner():
    cases = exceptions = 0
    for table in _tables(_SOONER["weight"]):
        for rounds in range(1, _SOONER["rounds"] + 1) if sum(map(bool, table.legacy)) > 1 else ():
            first, *others = (_cleared(rounds, table, x) for x in legal_actions(table))
            cases, exceptions = cases + 1, exceptions + (first < max(others))
    verdict = "refuted" if exceptions else "proved"
    return Finding(verdict, {"cases": cases, "exceptions": exceptions})


def _safer_roll():
    """By what a die more or a promotion multiplies the chance that all dice fail."""
    create, *promote = [mpq(1, STANDARD[0]), *(mpq(f, g) for f, g in pairwise(STANDARD))]
    verdict = "proved" if max(create, *promote) < 1 else "refuted"
    return Finding(verdict, {"create": text(create), "promote": ", ".join(map(text, promote))})


@cache
def unbroken(left, table):
    """Return the greatest chance of no catastrophe in the rounds left, a table rolled first."""
    if left == 1:
        return _mean_after(table, lambda _: mpq(1))
    return _mean_after(table, lambda then: max(unbroken(left - 1, x) for x in _moved(then)))


def unbroken_between(left, table, heaviest):
    """Return bounds of `unbroken` that do without dice heavier than so."""
    low, high = (mpq(_bound(left, table, heaviest, above), _UNIT) for above in (0, 1))
    return low, high


@cache
def _bound(left, table, heaviest, above):
    """Bound `unbroken`, from below or `above`; of heavier dice it is taken to be 0 or 1.

    From below a player may roll a table as it is, which is no better than to move (theorem 9).
    """
    if weight(table.dice) > heaviest:
        return above * _UNIT

    def best(then):
        after = _moved(then) if above else [then, *_moved(then)]
        return max(_bound(left - 1, x, heaviest, above) for x in after) if left > 1 else _UNIT

    return int(_mean_after(table, best) // 1) + above


def _safer_to_the_end():
    """A counterexample, and that no table has one whose weight and rounds left are few together."""
    cases = exceptions = 0
    for table in _tables(_SAFER["sum"] - 1):
        for left in (
            range(1, _SAFER["sum"] - weight(table.dice) + 1) if not any(table.legacy) else ()
        ):
            skip = unbroken(left, table)
            worse = [unbroken(left, after) < skip for after in _moved(table)]
            cases, exceptions = cases + len(worse), exceptions + sum(worse)
    created, kept = _between(_FOUR, _SAFER["rounds"], _SAFER["heaviest"])
    evidence = {
        "cases": cases, "exceptions": exceptions, "after_creating_at_least": text(created[0]),
        "after_rolling_at_most": text(kept[1]), "revenue": list(_FOUR.revenue),
    }  # fmt: skip
    return Finding("refuted" if kept[1] < created[0] else "open", evidence)


def _between(table, left, heaviest, places=5):
    """Bounds of the least chance of a catastrophe after creating a d4, and after no move."""
    unit = 10**places
    between = (unbroken_between(left, x, heaviest) for x in (_moved(table)[0], table))
    created, kept = (
        (mpq((1 - high) * unit // 1, unit), 1 - mpq(low * unit // 1, unit)) for low, high in between
    )
    return created, kept


def _four_dice():
    """Both chances with the last number of rounds at which creating is safer, and with one more."""
    least = _SAFER["rounds"]
    few, more = (_between(_FOUR, left, _SAFER["heaviest"]) for left in (least - 1, least))
    chances = [[text(end) for end in ends] for ends in (*few, *more)]
    is_shown = few[0][1] < few[1][0] and more[1][1] < more[0][0]
    return Finding("proved" if is_shown else "open", {"least": least, "chances": chances})


def _less_safe():
    """Both chances with the fewest rounds, at nine d12; with more rounds it is theorem 31."""
    table, least = _LESS_SAFE
    created, kept = _between(table, least["rounds"], least["heaviest"], places=12)
    evidence = {
        "after_creating_at_least": text(created[0]),
        "after_rolling_at_most": text(kept[1]),
        "revenue": list(table.revenue),
    }
    return Finding("proved" if kept[1] < created[0] else "open", evidence)


def _short_games():
    """Light tables, by the rules; of the others theorem 32 leaves what a program goes through."""
    tables = [table for table in _tables(_SHORT["sum"] - 1) if not any(table.legacy)]
    pairs = [
        (left, table)
        for table in tables
        for left in range(1, min(_SHORT["rounds"], _SHORT["sum"] - weight(table.dice)) + 1)
    ]
    exceptions = sum(unbroken(r, _moved(table)[0]) < unbroken(r, table) for r, table in pairs)
    named = " ".join(f"0,0,0,{number},0" for number in _SHORT_DICE)
    evidence = {
        "cases": len(pairs),
        "exceptions": exceptions,
        "programs": [f"swe_short {_SHORT['rounds']} {_SHORT['part']} {named}"],
    }
    return Finding("open" if exceptions else "proved", evidence)


def _telescoping_in_game():
    """A catastrophe within two rolls of two d4; if none fails first, one is added or promoted."""
    table = State((2, 0, 0, 0, 0), (0, 0, 0, 0, 0), 0)
    formula = (1 - mpq(3, 4) ** 2) ** 2

    def within_two(kind):
        def second(then):
            actions = legal_actions(then)
            action = next((x for x in actions if x.kind in (ActionKind.FIX, kind)), actions[0])
            return _mean_after(act(then, action), lambda _: mpq(1))

        return 1 - _mean_after(table, second)

    creating, promoting = within_two(ActionKind.CREATE), within_two(ActionKind.PROMOTE)
    chances = {"creating": creating, "promoting": promoting, "formula": formula}
    return Finding(
        "proved" if formula in (creating, promoting) else "refuted",
        {"dice": 2, "faces": 4, "rolls": 2, **{name: text(p) for name, p in chances.items()}},
    )


def _bounded():
    """Optimum and bound in games of 1 to 10 rounds, for the most robust die of the ladder."""
    survives = mpq(STANDARD[-1] - 1, STANDARD[-1])
    ratio = survives / (1 - survives)
    bounds = [ratio * r - ratio**2 * (1 - survives**r) for r in range(1, _ROUNDS + 1)]
    values = [solve(rounds).value for rounds in range(1, _ROUNDS + 1)]
    is_below = all(value <= bound for value, bound in zip(values, bounds, strict=True))
    verdict = "proved" if is_below else "refuted"
    limit = int(1000 * LongRun(STANDARD[-1]).expected_score().lower)  # 30 digits, cut off
    evidence = {"bounds": list(map(text, bounds)), "ratio": text(ratio), "thousandths": limit}
    return Finding(verdict, evidence)


def _repairs():
    """Both sides for always creating: survivals of d4, and what is left of the rounds."""
    revenue = survivals = mpq(0)
    for _ in range(_ROUNDS):
        revenue = mpq(3, 4) * (revenue + 1)
        survivals += revenue
    verdict = "proved" if survivals / 3 == _ROUNDS - revenue else "refuted"
    return Finding(verdict, {"revenue": text(revenue), "survivals": text(survivals)})


def _create_late():
    chances = []
    for left, dice in _LATE:
        table = State((dice, 0, 0, 0, 0), (0,) * len(STANDARD), 0)
        after = [act(table, Action(kind, 0)) for kind in (ActionKind.CREATE, ActionKind.PROMOTE)]
        chances.append([left, dice, *(text(unbroken(left, then)) for then in after)])
    is_less = all(mpq(after[2]) < mpq(after[3]) for after in chances)
    return Finding("proved" if is_less else "open", {"no_catastrophe": chances})


def _convex():
    # A value function for each table of weight up to R − left and each number of rounds left.
    functions = sum(count_points(split_weights(), weight) for weight in range(_LISTED))
    return Finding("proved", {"functions": functions})


def _promotion_table():
    ladders = {"standard": STANDARD, "with_d10": WITH_D10}
    gains = {n: [text(rung.gain) for rung in promotion_table(x)[:-1]] for n, x in ladders.items()}
    return Finding("proved", gains)


def _telescoping():
    telescoping()  # the closed form, proved by induction with SymPy
    return Finding("proved", {"points": sum(rolls + 1 for rolls in range(1, 13))})


def _reachable():
    weighs = sum(weight for weight in (1, 1) for _ in range(10))
    tables = [count_points(split_weights(), rounds) - 1 for rounds in range(1, _LISTED)]
    return Finding("proved", {"tables": tables, "ten_and_ten_weigh": weighs})


def _lattice_points():
    simplices = {"dice": ehrhart(1, 2, 3, 4, 5), "tables": ehrhart(*split_weights())}
    return Finding("proved", {
        "at_10_22_100": {name: [s(n) for n in (10, 22, 100)] for name, s in simplices.items()},
        "coefficients": {
            name: [[text(c) for c in row] for row in simplex.quasi_polynomial.residues]
            for name, simplex in simplices.items()
        },
    })  # fmt: skip


def _positive_value():
    return Finding("proved", {"one_round": text(solve(1).value)})


FINDERS = {
    "swe.fix-sooner": _fix_sooner, "swe.safer-roll": _safer_roll,
    "swe.safer-to-the-end": _safer_to_the_end, "swe.four-dice": _four_dice,
    "swe.less-safe": _less_safe, "swe.safer-in-short-games": _short_games,
    "swe.telescoping-in-game": _telescoping_in_game, "swe.bounded": _bounded,
    "swe.repair-budget": _repairs, "swe.create-late": _create_late, "swe.convex": _convex,
    "swe.promotion-table": _promotion_table, "swe.telescoping": _telescoping,
    "swe.reachable-tables": _reachable, "swe.lattice-points": _lattice_points,
    "swe.positive-value": _positive_value,
}  # fmt: skip
