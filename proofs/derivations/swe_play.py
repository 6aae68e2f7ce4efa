"""The software-engineering game: its rules, and optimal play in games of a few rounds.

A table is (revenue, legacy), numbers of dice by rung. Its values at the scores 0, 1, … are a list
of integers, times unit^(rounds left). A set of scores is one integer, with a bit for each.
"""

# fmt: off
from functools import cache, reduce
from itertools import pairwise, product
from math import comb, lcm, prod
from operator import add, mul, or_

from kinds import GIVEN
from reading import Q, need

STANDARD, NEW, UP_TO = (4, 6, 8, 12, 20), 10, 16
WITH_D10 = tuple(sorted((*STANDARD, NEW)))
GIVEN["swe"] = {"faces": ", ".join(map(str, STANDARD)), "low": f"d{STANDARD[0]}", "new": f"d{NEW}",
                "faces_with_new": ", ".join(map(str, WITH_D10))}


# Rules ----------------------------------------------------------------------------------------

def tables(rungs, most):
    """Return every (revenue, legacy) of weight at most `most`; a die on the i-th rung weighs i."""
    found = [((), most)]  # and what may be added
    for rung in (*range(1, rungs + 1), *range(1, rungs + 1)):
        found = [((*t, n), rest - n * rung) for t, rest in found for n in range(rest // rung + 1)]
    return [(dice[:rungs], dice[rungs:]) for dice, _ in found]

def weight(table):
    return sum(i * n for pool in table for i, n in enumerate(pool, 1))

def plus(pool, rung, by):
    return (*pool[:rung], pool[rung] + by, *pool[rung + 1 :])

@cache
def moves(table):
    """Name each legal move and the table after it, in the canonical order."""
    (up, down), rungs = table, range(len(table[0]))
    if any(down):
        return {("fix", i): (plus(up, i, 1), plus(down, i, -1)) for i in rungs[::-1] if down[i]}
    lift = {("promote", i): (plus(plus(up, i, -1), i + 1, 1), down) for i in rungs[:-1] if up[i]}
    return {("create", 0): (plus(up, 0, 1), down)} | lift

@cache
def rolled(table, faces=STANDARD):
    """List (ways, table after, dice that survive) for a roll of the revenue dice, and all ways."""
    dice = [[(k, n - k + o, comb(n, k) * (f - 1) ** k) for k in range(n + 1)]
            for n, o, f in zip(*table, faces, strict=True)]
    rolls = [(*zip(*some, strict=True),) for some in product(*dice)]
    found = [(prod(ways), (kept, legacy), sum(kept)) for kept, legacy, ways in rolls]
    return found, sum(ways for ways, _, _ in found)

def after_roll(table, worth, catastrophe=False):
    """Return the mean of a function of the table after a roll, with or without catastrophes."""
    outcomes, every = rolled(table)
    return sum(ways * worth(then) for ways, then, survive in outcomes if survive or catastrophe) / Q(every)


# Optimal play ---------------------------------------------------------------------------------

def at_least(x, y):
    """Return the scores at which x ≥ y."""
    return sum(1 << score for score, (a, b) in enumerate(zip(x, y, strict=True)) if a >= b)

def highest(rows):
    return [max(column) for column in zip(*rows, strict=True)]

def lowest(scores):
    return (scores & -scores).bit_length() - 1

class Game:
    """By (rounds left, table): the scores at which each move is optimal or a claim fails."""

    def __init__(self, rounds, faces):
        self.rounds, self.faces, rungs = rounds, faces, len(faces)
        self.unit = lcm(*(f ** (rounds // i) for i, f in enumerate(faces, 1)))
        self.optimal, self.fails, self.starts, self.lone = {}, {}, [Q(0)], []
        self.nothing = none, _ = ((0,) * rungs, (0,) * rungs)
        values = {t: [*range(rounds * (rounds + 1) // 2 + 1)] for t in tables(rungs, rounds)}
        for left in range(1, rounds + 1):
            scores = (rounds - left) * (rounds - left + 1) // 2 + 1  # no higher one is reached
            after = {t: self.roll(t, values, scores) for t in tables(rungs, rounds - left + 1)}
            values = {t: self.choose(t, left, after) for t in tables(rungs, rounds - left)}
            self.starts.append(Q(values[self.nothing][0], self.unit**left))
            lone = moves((plus(none, 0, 1), none)).items() if left < rounds else ()
            self.lone.append({move: Q(after[then][1], self.unit**left) for move, then in lone})

    def roll(self, table, values, scores):
        """Mean values after a roll; if no die survives it, the score is 0, whatever it was."""
        found, ways = rolled(table, self.faces)
        need(self.unit % ways == 0, "the unit is no common denominator")
        weights = [number * (self.unit // ways) for number, _, _ in found]
        rows = [values[then][survive : survive + scores] if survive else values[then][:1] * scores
                for _, then, survive in found]
        return [sum(map(mul, weights, column)) for column in zip(*rows, strict=True)]

    def choose(self, table, left, after):
        """Return the values of a table; record its optimal moves and failing claims."""
        worth = {move: after[then] for move, then in moves(table).items()}
        best = highest(worth.values())
        good = self.optimal[left, table] = {move: at_least(x, best) for move, x in worth.items()}
        first, *others = [move for move in worth if move[0] != "create"] or [None]
        fails = {"score-never-matters": lambda s: s * any(0 < s & x < s for x in good.values())}
        skip = after[table]
        surely = [move for move in worth if move[0] != "create"] or worth  # never worse than a skip
        need(all(x >= y for move in surely for x, y in zip(worth[move], skip, strict=True)), "a skip")
        if not any(table[1]):
            fails["never-skip"] = (~at_least(best, skip)).__and__
        if others and any(table[1]):
            fails["fix-most-robust"] = (~good[first]).__and__
            fails["fixing-is-unique"] = reduce(or_, (good[move] for move in others)).__and__
        elif others:
            other = highest(worth[move] for move in others)
            fails["promote-lowest"] = (~at_least(worth[first], other)).__and__
            fails["promote-lowest-if-any"] = (at_least(other, best) & ~good[first]).__and__
        self.fails[left, table] = fails
        rises = [y - x for x, y in pairwise(best)]
        need(rises == sorted(rises), "not convex")  # any R: theorem 2
        return best

    @cache  # noqa: B019 - games live as long as the program
    def reached(self, played, game=0):
        """Return {table: scores} after some rounds, under any play or under optimal play."""
        found = {} if played else {self.nothing: 1}
        for table, scores in self.reached(played - 1, game).items() if played else ():
            for move, then in moves(table).items():
                some = scores & self.optimal[game - played + 1, table][move] if game else scores
                for _, after, survive in rolled(then, self.faces)[0] if some else ():
                    found[after] = found.get(after, 0) | (some << survive if survive else 1)
        return found

    @cache  # noqa: B019 - as above
    def settle(self, name, rounds=None):
        """Count cases and exceptions in all games; find the smallest, also on optimal paths."""
        every, path = ([(game, played, table, scores, fails[name](scores))
                        for game in range(1, (rounds or self.rounds) + 1) for played in range(game)
                        for table, scores in self.reached(played, game * path).items()
                        if name in (fails := self.fails[game - played, table])]
                       for path in (False, True))
        cases, exceptions = (sum(case[i].bit_count() for case in every) for i in (3, 4))
        return {"cases": cases, "exceptions": exceptions,
                "smallest": first(every), "on_path": first(path)}

def first(cases):
    """Return the least failing state by rounds, rounds played, weight, dice, revenue dice, score."""
    keys = [(game, played, weight(table), [*map(add, *table)], *table, lowest(x))
            for game, played, table, _, x in cases if x]
    return (least := min(keys, default=None)) and least[:2] + least[4:]

solved = cache(Game)

def standard():
    return solved(UP_TO, STANDARD)
