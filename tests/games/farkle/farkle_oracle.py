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
        self, dice, table, target, *, overshoot="full", hot_dice=True, minimum_bank=0, penalty=0,
        bank=None, bust=None, nothing=Fraction(0),
    ):  # fmt: skip
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


GRAIN = 10**9  # bounds are rounded outwards to multiples of its inverse


class SlowPlayer:
    def __init__(self, some_dice, rules):
        self.dice = tuple(die_chances(d.weights, d.joker) for d in some_dice)
        self.table = tuple((c.faces, c.score) for c in rules.combinations)
        self.rules = rules
        # Rolls and their options depend on the dice alone.
        self.rolls = cache(SlowTurn(self.dice, self.table, 50)._rolls)

    def turn(self, own, bank, nothing):
        turn = self.turn_of(own, bank, nothing)
        return turn.final(0, turn.all)

    def turn_of(self, own, bank, nothing):
        rules = self.rules
        least = max(rules.minimum_bank, rules.entry_minimum if own == 0 else 0)
        turn = SlowTurn(
            self.dice, self.table, rules.target - own, hot_dice=rules.hot_dice, minimum_bank=least,
            bank=bank, bust=nothing, nothing=nothing,
        )  # fmt: skip
        turn.rolls = self.rolls
        return turn


def slow_bounds(players, passes):
    """Bounds of the probability that the mover wins, by (mover, own, other, busts of both).

    Each pass takes every turn anew, against the bounds of the last pass. All of them hold, because
    the game is a fixed point between 0 and 1, and turns that add nothing end at some time.
    """
    rules, streaks = [player.rules for player in players], bool(players[0].rules.streak_penalty)
    scores = [range(-each.floor if streaks else 0, each.target, 50) for each in rules]
    rows = range(3 if streaks else 1)
    of_movers = [product((who,), scores[who], scores[1 - who], rows, rows) for who in (0, 1)]
    states = sorted(chain(*of_movers), key=lambda s: (-(s[1] + s[2]), -(s[3] + s[4])))
    low, high = dict.fromkeys(states, Fraction(0)), dict.fromkeys(states, Fraction(1))

    def value(state, theirs):
        who, own, other, mine, yours = state

        def bank(points):
            if own + points >= rules[who].target:
                return Fraction(1)
            return 1 - theirs[1 - who, other, own + points, yours, 0]

        fallen, row = own, (mine + 1) % 3 if streaks else 0
        if mine == 2:
            fallen = max(own - rules[who].streak_penalty, -rules[who].floor)
        return players[who].turn(own, bank, 1 - theirs[1 - who, other, fallen, yours, row])

    for _ in range(passes):
        for state in states:
            lower, upper = value(state, high), value(state, low)
            low[state] = Fraction(lower * GRAIN // 1, GRAIN)
            high[state] = Fraction(-(-upper * GRAIN // 1), GRAIN)
    return low, high
