"""Farkle by the definitions, slowly: every ordered roll, every subset of the dice, Fractions.

Shares nothing with the package but the names of the fields of a rule set. A die is a dict from face
to Fraction; dice are told apart by their place, so that nothing is grouped; a score is found by
trying every combination on every subset of the dice kept.
"""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

JOKER = 7


def kcd_combinations():
    """The scoring table of the game, written out: (faces, score)."""
    table = [((1,), 100), ((5,), 50)]
    for face in range(1, 7):
        triple = 1000 if face == 1 else 100 * face
        table += [((face,) * n, triple * 2 ** (n - 3)) for n in (3, 4, 5, 6)]
    table += [((1, 2, 3, 4, 5), 500), ((2, 3, 4, 5, 6), 750), ((1, 2, 3, 4, 5, 6), 1500)]
    return tuple(table)


def subsets(places):
    places = tuple(places)
    return chain.from_iterable(combinations(places, n) for n in range(len(places) + 1))


def makes(faces, combination):
    """Whether dice make a combination, jokers standing for what is missing."""
    wanted = list(combination)
    jokers = 0
    for face in faces:
        if face == JOKER:
            jokers += 1
        elif face in wanted:
            wanted.remove(face)
        else:
            return False
    if jokers and (len(combination) == 1 or jokers == len(faces)):
        return False
    return len(wanted) == jokers


@cache
def score(faces, table):
    """Most points of dice all of which score, or None."""
    if not faces:
        return 0
    best = None
    for others in subsets(range(1, len(faces))):
        part = (faces[0], *(faces[i] for i in others))
        for combination, points in table:
            if makes(part, combination):
                rest = tuple(faces[i] for i in range(1, len(faces)) if i not in others)
                remaining = score(rest, table)
                if remaining is not None and (best is None or points + remaining > best):
                    best = points + remaining
    return best


class SlowTurn:
    """Optimal(P, δ) and Optimal_n by their definition, for dice given as dicts of chances."""

    def __init__(
        self,
        dice,
        table,
        target,
        *,
        overshoot="full",
        hot_dice=True,
        minimum_bank=0,
        penalty=0,
        bank=None,
        bust=None,
        nothing=Fraction(0),
    ):
        self.dice, self.table, self.target = dice, table, target
        self.overshoot, self.hot_dice = overshoot, hot_dice
        self.minimum_bank, self.penalty = minimum_bank, penalty
        self.bank = bank or self.points_worth
        self.bust = Fraction(-penalty) if bust is None else bust
        self.nothing = nothing
        self.all = tuple(range(len(dice)))
        self.final = cache(self._final)
        self.rolls = cache(self._rolls)

    def points_worth(self, points):
        return Fraction(min(points, self.target) if self.overshoot == "needed" else points)

    def _rolls(self, left):
        """Chance and kept options (score, dice left) of every ordered roll."""
        found = []
        for faces in product(*(self.dice[i] for i in left)):
            chance = Fraction(1)
            for i, face in zip(left, faces, strict=True):
                chance *= self.dice[i][face]
            options = []
            for kept in subsets(range(len(left))):
                points = score(tuple(sorted(faces[k] for k in kept)), self.table)
                if kept and points is not None:
                    rest = tuple(left[k] for k in range(len(left)) if k not in kept)
                    options.append((points, rest))
            found.append((chance, options))
        return found

    def choices(self, points, gained, rest, rolls):
        """Worth of each way on after keeping dice, banking first."""
        reached = points + gained
        can_bank = reached >= self.minimum_bank
        if can_bank:
            yield self.bank(reached)
        following = rest or (self.all if self.hot_dice else ())
        ends = reached >= max(self.target, self.minimum_bank)
        if following and not ends and rolls != 1:
            yield self.final(reached, following, None if rolls is None else rolls - 1)
        elif not can_bank:
            yield self.nothing

    def _final(self, points, left, rolls=None):
        """Expected worth of the turn when the dice left are rolled; at most `rolls` rolls."""
        total = Fraction(0)
        for chance, options in self.rolls(left):
            ways = [w for s, rest in options for w in self.choices(points, s, rest, rolls)]
            total += chance * (max(ways) if ways else self.bust)
        return total

    def value(self, points, left, rolls=None):
        return self.final(points, left, rolls) - points


def die_chances(weights, joker=False):
    faces = (JOKER, 2, 3, 4, 5, 6) if joker else (1, 2, 3, 4, 5, 6)
    total = sum(weights)
    return {face: Fraction(w, total) for face, w in zip(faces, weights, strict=True) if w}
