"""Claims about optimal play of the software-engineering game, and about its structure."""

# fmt: off
from functools import cache, reduce
from itertools import pairwise
from math import floor

from kinds import (
    claim,
    cut_off,
    decided,
    formula,
    latex,
    listed,
    positive,
    program,
    texts,
    value_at,
)
from reading import Q, need, rational

from derivations.swe_play import (
    STANDARD,
    UP_TO,
    WITH_D10,
    after_roll,
    moves,
    solved,
    standard,
    tables,
    weight,
)

TRILLION = 10**12
FAILED = "(1 − q^t)^n"  # the probability that n equal dice all fail within t rolls


# Optimal play, in games of a few rounds -------------------------------------------------------

@claim("swe.fix-most-robust")
def fix_most_robust():
    return of_all_games(standard(), "fix-most-robust", words=first_of("fix"))

def of_all_games(game, name, rounds=None, words=None):
    """Return the result of listing all states of games up to a number of rounds."""
    counts = game.settle(name, rounds)
    bounds = {"faces": game.faces, "rounds": rounds or game.rounds}
    return decided(counts["exceptions"]), counts, bounds, words or {}

def first_of(kind):
    """Return whether the first fix or promotion takes the die with the most or fewest faces."""
    some = ((0,) * 5, (1,) * 5) if kind == "fix" else ((1,) * 5, (0,) * 5)
    rungs = [rung for name, rung in moves(some) if name == kind]
    return {"which": {max(rungs): "most", min(rungs): "fewest"}[rungs[0]]}

@claim("swe.fixing-is-unique")
def fixing_is_unique():
    return of_all_games(standard(), "fixing-is-unique", 10, first_of("fix"))

@claim("swe.promote-lowest")
def promote_lowest():
    return of_all_games(standard(), "promote-lowest", words=first_of("promote"))

@claim("swe.promote-lowest-if-any")
def promote_lowest_if_any(e):
    """A state and its loss: a program checks the loss, and this that the state is reachable."""
    return looked_up(standard(), e["state"], e["loses_at_least"])

def looked_up(game, state, loss):
    """Check that a counterexample is reachable, and list the states of shorter games."""
    rounds, played, *table, score = state
    table = [*map(tuple, table)]
    need(all(type(n) is int and n >= 0 for n in (rounds, played, score, *sum(table, ()))), "no state")
    need(played < min(rounds, 20), "a round that is not looked at")
    need(game.reached(played).get(tuple(table), 0) >> score & 1, "a state that play cannot reach")
    need(rational(loss) > 0, "nothing is lost")
    counts = game.settle("promote-lowest-if-any")
    evidence = {"checked_cases": counts["cases"], "checked_exceptions": counts["exceptions"],
                "loses_at_least": str(Q(loss)), "state": state,
                "programs": [program("swe_bounds", game.faces, rounds - played, score, table[0], Q(loss))]}
    bounds = {"faces": game.faces, "rounds": game.rounds}
    return "refuted", evidence, bounds, first_of("promote")

@claim("swe.never-skip")
def never_skip():
    return of_all_games(standard(), "never-skip")

@claim("swe.d10-promote-lowest")
def d10_promote_lowest():
    return of_all_games(solved(12, WITH_D10), "promote-lowest", words=first_of("promote"))

@claim("swe.d10-promote-lowest-if-any")
def d10_promote_lowest_if_any(e):
    """A state and its loss, as without the d10."""
    return looked_up(solved(12, WITH_D10), e["state"], e["loses_at_least"])

@claim("swe.score-never-matters")
def score_never_matters():
    game = standard()
    counts = game.settle("score-never-matters")
    need(counts["exceptions"], "optimal moves never depend on the score")
    rounds, played, *table, _ = counts["smallest"]
    good = game.optimal[rounds - played, tuple(table)]
    scores = game.reached(played)[tuple(table)]
    best = {s: [f"{kind} {rung}" for (kind, rung), at in good.items() if at >> s & 1]
            for s in range(scores.bit_length()) if scores >> s & 1}
    flips = next([x, y] for x, y in pairwise(best) if best[x] != best[y])
    evidence = {"flips": flips, "optimal": [best[s] for s in flips], "on_path": counts["on_path"],
                "smallest": counts["smallest"]}
    return "refuted", evidence, {"rounds": UP_TO}

@claim("swe.fix-sooner")
def fix_sooner():
    cases = exceptions = 0
    for table in tables(5, 8):
        for n in range(1, 4) if len([x for x in table[1] if x]) > 1 else ():
            best, *others = (after_roll(then, lambda x, n=n: clear(n - 1, x), catastrophe=True)
                             for then in moves(table).values())
            cases, exceptions = cases + 1, exceptions + (best < max(others))
    return decided(exceptions), {"cases": cases, "exceptions": exceptions}, {"rounds": 3, "weight": 8}, first_of("fix")

@cache
def clear(rounds, table):
    """Return the greatest probability that no legacy is left within a number of rounds."""
    if not any(table[1]) or not rounds:
        return Q(not any(table[1]))
    return max(after_roll(then, lambda x: clear(rounds - 1, x), catastrophe=True) for then in moves(table).values())

@claim("swe.safer-roll")
def safer_roll():
    factors = [Q(1, STANDARD[0]), *(Q(f, g) for f, g in pairwise(STANDARD))]
    positive([1 - x for x in factors], "a factor below 1")
    lowers = {"lowers": "lowers" if max(factors) < 1 else "raises"}
    return "proved", {"create": str(factors[0]), "promote": ", ".join(texts(factors[1:]))}, {}, lowers

@claim("swe.safer-to-the-end")
def safer_to_the_end():
    cases = exceptions = 0
    for table in tables(5, 15):
        for left in range(1, 17 - weight(table)) if weight(table) and not any(table[1]) else ():
            skip = unbroken(left, table)
            found = [unbroken(left, then) < skip for then in moves(table).values()]
            cases, exceptions = cases + len(found), exceptions + sum(found)
    four = ((4, 0, 0, 0, 0), (0,) * 5)
    creating, rolling = less_safe_at(four, 19, 12, 5)
    evidence = {"after_creating_at_least": creating, "after_rolling_at_most": rolling,
                "cases": cases, "exceptions": exceptions, "revenue": four[0]}
    return "refuted", evidence, {"heaviest": 12, "rounds": 19, "sum": 16}

@claim("swe.four-dice")
def four_dice():
    # More than 19 rounds: theorem 31.
    four, least = ((4, 0, 0, 0, 0), (0,) * 5), 19
    chances = [ends for left in (least - 1, least) for ends in caught_between(four, left, 12, 5)]
    need(chances[3][1] < chances[2][0], "creating is safer")
    ways = ["less" if x[1] < y[0] else "greater" for x, y in (chances[:2], chances[2:])]
    words = {"less": ways[0], "more": ways[1], "before": least - 1}
    return "proved", {"least": least, "chances": [texts(ends) for ends in chances]}, {}, words

@claim("swe.less-safe")
def less_safe():
    # More than 11 rounds: theorem 31.
    table, rounds, heaviest = ((0, 0, 0, 9, 0), (0,) * 5), 11, 41
    creating, rolling = less_safe_at(table, rounds, heaviest, 12)
    evidence = {"after_creating_at_least": creating, "after_rolling_at_most": rolling, "revenue": table[0]}
    words = {"more": "greater", "dice": sum(table[0]), "die": f"d{STANDARD[3]}"}
    return "proved", evidence, {"heaviest": heaviest, "rounds": rounds}, words

@claim("swe.safer-in-short-games")
def short_games():
    # Tables that survive a roll with a probability of at most 1/38: theorem 32. Others: the program.
    rounds, part, total, dice, cases, exceptions = 11, 38, 16, (9, 10, 11), 0, 0
    for table in tables(5, total - 1):
        for left in range(1, min(rounds, total - weight(table)) + 1) if weight(table) and not any(table[1]) else ():
            cases += 1
            exceptions += unbroken(left, moves(table)["create", 0]) < unbroken(left, table)
    need(not exceptions, "creating is not safer")
    named = [program("swe_short", rounds, part, *((0, 0, 0, n, 0) for n in dice))]
    words = {"more": "greater", "before": rounds - 1, "dice": listed(dice), "die": f"d{STANDARD[3]}"}
    return ("proved", {"cases": cases, "exceptions": exceptions, "programs": named},
            {"part": part, "rounds": rounds, "sum": total}, words)

def caught_between(table, left, heaviest, places):
    """Yield bounds of the least catastrophe probability after creating a d4, and after no move."""
    unit = 10**places
    for then in (moves(table)["create", 0], table):
        low, high = (1 - Q(bound(left, then, heaviest, above), TRILLION) for above in (1, 0))
        yield Q(floor(low * unit), unit), Q(-floor(-high * unit), unit)

def less_safe_at(table, *bounds):
    """Return a lower bound after creating that exceeds an upper bound after no move."""
    (creating, _), (_, rolling) = caught_between(table, *bounds)
    need(rolling < creating, "creating is safer")
    return texts((creating, rolling))

@cache
def unbroken(left, table):
    """Return the greatest probability of no catastrophe, before a table is rolled."""
    return after_roll(table, lambda x: max(unbroken(left - 1, then) for then in moves(x).values())
                      if left > 1 else 1)

@cache
def bound(left, table, heaviest, above):
    """Bound it from below or `above`, in trillionths; heavier tables count as 0 or 1.

    The lower bound allows skipping, which is no better than a move (theorem 9)."""
    if weight(table) > heaviest:
        return above * TRILLION
    def best(then):
        ways = [*moves(then).values(), *([] if above else [then])]
        return max(bound(left - 1, way, heaviest, above) for way in ways) if left > 1 else TRILLION
    return floor(after_roll(table, best)) + above

@claim("swe.telescoping-in-game")
def telescoping_in_game():
    dice = rolls = 2
    table, failed = ((dice, 0, 0, 0, 0), (0,) * 5), formula(FAILED)(q=Q(3, 4), t=rolls, n=dice)

    def within_two(kind):
        def then(after):
            ways_on = moves(after)
            move = next((move for move in ways_on if move[0] in ("fix", kind)), None)
            return after_roll(ways_on[move or ("create", 0)], lambda _: 1)
        return 1 - after_roll(table, then)

    create, promote = within_two("create"), within_two("promote")
    evidence = {"creating": str(create), "dice": dice, "faces": 4, "formula": str(failed),
                "promoting": str(promote), "rolls": rolls}
    return decided(failed not in (create, promote)), evidence, {}, {"failed": FAILED, "one": dice - 1}


# Games of some length -------------------------------------------------------------------------

@claim("swe.ten-rounds")
def ten_rounds():
    # With only the d4 all play is to create and to fix, so its optimum is that of new-only.
    game, alone = standard(), solved(12, (4,))
    value, same = game.starts[10], game.starts[10] == alone.starts[10]
    words = {"decimal": cut_off(value, 4), "tex": latex(value), "optimal": "optimal" if same else "not optimal"}
    return "proved", {"new_only": str(alone.starts[10]), "value": str(value)}, {"rounds": 10}, words

@claim("swe.printed-optimum")
def printed_optimum():
    off, error = abs(standard().starts[10] - Q("20.483601957243238")), "10^(−14)"
    need(off < formula(error)(), "another optimum is printed")
    evidence = {"off_by": str(off), "printed": "20.483601957243238"}
    return "proved", evidence, {"rounds": 10}, {"error": error}

@claim("swe.new-only-until-eleven")
def new_only_until_eleven():
    # Any play reaches a lone d4 with score 1 (theorem 3); with 11 rounds left creating is not optimal.
    game, alone = standard(), solved(12, (4,))
    gain = max(game.lone[10].values()) - game.lone[10]["create", 0]
    positive([gain, game.starts[12] - alone.starts[12]], "new-only is still optimal, or")
    last = max(rounds for rounds in range(13) if game.starts[: rounds + 1] == alone.starts[: rounds + 1])
    return "proved", {"gain": str(gain), "last": last, "twelve": str(game.starts[12] - alone.starts[12])}

# Structure ------------------------------------------------------------------------------------

@claim("swe.convex")
def convex():
    return "proved", {"functions": len(standard().fails)}, {"rounds": UP_TO}

@claim("swe.promotion-table")
def promotion_table():
    gain = "1/f − 1/g"
    falls = [[formula(gain)(f=f, g=g) for f, g in pairwise(faces)] for faces in (STANDARD, WITH_D10)]
    need([w == sorted(w)[::-1] for w in falls] == [True, False], "the order of the promotions")
    words = {"gain": gain, "tex": r" \ge ".join(map(latex, falls[0])),
             "along": "falls" if falls[0] == sorted(falls[0])[::-1] else "rises",
             "with_new": "does" if falls[1] == sorted(falls[1])[::-1] else "does not"}
    return "proved", {"standard": texts(falls[0]), "with_d10": texts(falls[1])}, {}, words

@claim("swe.telescoping")
def telescoping():
    # p(1 + q(1 + …)) = 1 − q^t at t + 1 points; the step of the induction: theorem 1.
    points = [(t, q) for t in range(1, 13) for q in range(t + 1)]
    for t, q in points:
        nested = reduce(lambda inner, _, q=q: 1 + q * inner, range(t - 1), 1)
        need(all(((1 - q) * nested) ** n == formula(FAILED)(q=q, t=t, n=n) for n in (1, 2)),
             f"telescoping: t = {t}")
    return "proved", {"points": len(points)}, {"rolls": 12}, {"failed": FAILED}

def lattice_points(weights, most):
    """Count the solutions of Σ w·x ≤ n for n = 0 … most."""
    counts = [1] * (most + 1)
    for w in weights:
        for n in range(w, most + 1):
            counts[n] += counts[n - w]
    return counts

@claim("swe.reachable-tables")
def reachable_tables():
    # The reachable tables are those of weight 1 to t, listed and counted: any t by theorem 6.
    game, counts = standard(), lattice_points([1, 1, 2, 2, 3, 3, 4, 4, 5, 5], UP_TO - 1)
    for t in range(1, UP_TO):
        need(set(game.reached(t)) == {x for x in tables(5, t) if weight(x)}, f"reached: t = {t}")
        need(len(game.reached(t)) == counts[t] - 1, f"not the count of the formula: t = {t}")
    many, least = 10, min(weight(x) for x in game.reached(1))
    evidence = {"tables": [n - 1 for n in counts[1:]], "ten_and_ten_weigh": weight(((many, 0), (many, 0)))}
    so = "impossible" if evidence["ten_and_ten_weigh"] > many else "possible"
    return "proved", evidence, {"rounds": UP_TO - 1}, {"least": least, "many": many, "so": so}

@claim("swe.lattice-points")
def swe_lattice(e):
    """Degree + 1 points in each residue class determine a quasi-polynomial of period 60."""
    of, read, at = e["coefficients"], {}, {}
    for name, weights in (("dice", [1, 2, 3, 4, 5]), ("tables", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])):
        rows, degree = [[rational(c) for c in row] for row in of[name]], len(weights)
        points = lattice_points(weights, 60 * (degree + 1) - 1)
        need([len(row) for row in rows] == [degree + 1] * 60, "another degree or period")
        need(all(value_at(rows[n % 60], n) == points[n] for n in range(len(points))), "another count")
        shorter = any(rows == rows[by:] + rows[:by] for by in (12, 20, 30))
        need(rows[0][degree] and not shorter, "a lower degree or a shorter period")
        read[name], at[name] = [*map(texts, rows)], [points[n] for n in (10, 22, 100)]
    need(of == read, "other quasi-polynomials")
    degrees = listed(len(of[name][0]) - 1 for name in ("tables", "dice"))
    evidence = {"at_10_22_100": at, "coefficients": e["coefficients"]}
    return "proved", evidence, {"period": 60}, {"degrees": degrees, "rungs": len(STANDARD)}

@claim("swe.bounded")
def bounded():
    # Any number of rounds: theorem 18. A die of the ladder survives with chance 19/20 at most.
    bound, survives = "19R − 361·(1 − 0.95^R)", 1 - Q(1, STANDARD[-1])
    ratio = survives / (1 - survives)
    bounds = [ratio * r - ratio**2 * (1 - survives**r) for r in range(1, 11)]
    need(bounds == [formula(bound)(R=r) for r in range(1, 11)], "another bound")
    gaps = [most - v for v, most in zip(standard().starts[1:11], bounds, strict=True)]
    positive(gaps, "a bound", strict=False)
    # The limit of theorem 30, in integer multiples of 10^(−90): the rest after 4000 terms is below 10^(−70).
    unit, powers, u = 10**90, [10**90], [10**90]
    for _ in range(4000):
        powers.append(powers[-1] * survives.numerator // survives.denominator)
        u.append(u[-1] * (unit - powers[-1]) // unit)
    limit = sum(a * x * unit // (unit - x) for a, x in enumerate(powers) if a)
    limit += ratio * sum(x * unit // u[-1] - unit for x in u) - ratio**2 * unit
    whole, parts = divmod(floor(1000 * limit / unit), 1000)
    words = {"bound": bound, "square": ratio**2, "tex": latex(survives), "faces": STANDARD[-1],
             "limit": f"{whole}.{parts:03}"}
    evidence = {"bounds": texts(bounds), "ratio": str(ratio), "thousandths": 1000 * whole + parts}
    return "proved", evidence, {"rounds": 10}, words

@claim("swe.repair-budget")
def repair_budget():
    revenue = [3 * (1 - Q(3, 4) ** r) for r in range(1, 11)]  # of always creating: theorem 18 (a)
    less = "f − 1"
    need(sum(revenue) / formula(less)(f=4) == 10 - revenue[-1], "no budget")  # any policy: theorem 19
    evidence = {"revenue": str(revenue[-1]), "survivals": str(sum(revenue))}
    return "proved", evidence, {"rounds": 10}, {"less": less}

@claim("swe.create-late")
def create_late(e):
    """Numbers of dice at which creating is less safe; at least three rounds left: theorem 22."""
    late, given = [], [row[:2] for row in e["no_catastrophe"]]
    need([left for left, _ in given] == [3, 4, 5], "other rounds")
    need(all(type(dice) is int and 0 < dice < 20 for _, dice in given), "other dice")
    for left, dice in given:
        after = moves(((dice, 0, 0, 0, 0), (0,) * 5))
        found = [unbroken(left, after[move]) for move in (("create", 0), ("promote", 0))]
        need(found[0] < found[1], "creating is safer")
        late.append([left, dice, *texts(found)])
    left, dice, *_ = zip(*late, strict=True)
    words = {"sure": listed(range(1, left[0]), "or"), "left": listed(left), "dice": listed(dice)}
    return "proved", {"no_catastrophe": late}, {}, words

@claim("swe.positive-value")
def positive_value():
    value = 1 - Q(1, STANDARD[0])  # of one round: the new die survives, or its failure is a catastrophe
    need(value > 0, "no positive value")
    return "proved", {"one_round": str(value)}, {"rounds": 1}
