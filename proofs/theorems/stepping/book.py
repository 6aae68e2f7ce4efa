"""Steps of the theorems on liar's dice, on Left, Center, Right and on Yahtzee."""

from base64 import b64decode
from fractions import Fraction as Q
from functools import cache
from itertools import product
from math import factorial, gcd, prod
from pathlib import Path

from stepping.step import need

CALL = None


def is_true(bid, x, y):
    count, face = bid
    return (x == face) + (y == face) >= count


def first(x, bids):
    """Return the first player's move, given the bids so far, the last one at the end."""
    return CALL if bids else (1, max(x, 2))


def second(y, bids):
    """Return the second player's move, given the bids so far, the last one at the end."""
    if len(bids) > 1 or bids[0][0] == 2:
        return CALL
    face = bids[0][1]
    if y == face:
        return 2, face
    return CALL if y < face or (face, y) == (1, 2) else (1, y)


def best_response(sides, fixed, sign):
    """Return sides² times the first player's payoff, if the other player responds optimally.

    `fixed` is the strategy of the player whose bids come first (`sign` −1) or second (1). The
    responding player does not see the other die, but the bids; `sign` times the payoff is maximal.
    """
    dice = range(1, sides + 1)

    def after(own, others, bids):
        """Return the greatest total over the other player's possible dice."""
        by_move = {}
        for other in others:
            by_move.setdefault(fixed(other, bids), []).append(other)
        total = 0
        for move, left in by_move.items():
            if move is CALL:  # of the responding player's bid
                total += sum(1 if is_true(bids[-1], own, other) else -1 for other in left)
            else:
                total += answer(own, left, (*bids, move))
        return total

    def answer(own, others, bids):
        higher = [bid for bid in product((1, 2), dice) if not bids or bid > bids[-1]]
        worth = [after(own, others, (*bids, bid)) for bid in higher]
        if bids:
            worth.append(sum(-1 if is_true(bids[-1], own, other) else 1 for other in others))
        return max(worth)

    whole = answer if sign > 0 else after
    return sign * sum(whole(own, list(dice), ()) for own in dice)


def liars_dice():
    """Theorem 33."""
    for sides in range(2, 8):
        need(best_response(sides, second, 1) == 2 - sides, f"33: the second player, {sides} sides")
        need(best_response(sides, first, -1) == 2 - sides, f"33: the first player, {sides} sides")
    return "liar's dice with one die each: best responses for 2 to 7 sides"


def ways(dice, *parts):
    return factorial(dice) // prod(map(factorial, (*parts, dice - sum(parts))))


PASSED = [
    [
        (left, right, pot, 3 ** (dice - left - right - pot) * ways(dice, left, right, pot))
        for left, right, pot in product(range(dice + 1), repeat=3)
        if left + right + pot <= dice
    ]
    for dice in range(4)
]
UNIT = 1 << 60


def best_seat(players, turns):
    """Return lower bounds of each seat's probability to win, and of the mean number of turns."""
    chance, won, more = {(3,) * players: UNIT}, [0] * players, 0
    for turn in range(1, turns + 1):
        more += sum(chance.values())
        after = {}
        for chips, part in chance.items():
            dice = min(3, chips[0])
            for left, right, pot, weight in PASSED[dice]:
                to = [*chips[1:], chips[0] - left - right - pot]
                to[0] += left
                to[-2] += right
                key = tuple(to)
                after[key] = after.get(key, 0) + part * weight // 6**dice
        chance = {}
        for chips, part in after.items():
            if sum(map(bool, chips)) == 1:
                won[(turn + chips.index(max(chips))) % players] += part
            else:
                chance[chips] = part
    return [Q(part, UNIT) for part in won], Q(more, UNIT)


@cache
def exact(players):
    """Return the least common denominator of the seats' probabilities to win, their numerators, and the mean number of turns.

    The file has the coefficients of B and of C. With z**n = 1 and the probabilities p_j, the sum
    of p_j·z**j times B is C for z other than 1.
    """
    path = Path(__file__).parents[2] / "recomputed" / f"left-center-right-{players}.txt"
    numbers = [int.from_bytes(b64decode(line)) for line in path.read_text("ascii").split()]
    below, above, mean = numbers[:players], numbers[players:-2], Q(*numbers[:-3:-1])
    seats = range(players)
    rows = [
        [below[j - i] - below[-1 - i] for i in seats] + [above[j] - above[-1]] for j in seats[:-1]
    ]
    rows.append([1] * (players + 1))
    last = 1
    for k in seats:  # elimination without fractions
        pivot = rows[k]
        need(pivot[k], "34 (c): a pivot is 0")
        for i in {*seats} - {k}:
            rows[i] = [
                (pivot[k] * x - rows[i][k] * y) // last if j > k else x
                for j, (x, y) in enumerate(zip(rows[i], pivot, strict=True))
            ]
        last = pivot[k]
    shared = gcd(*(row[-1] for row in rows), last)
    shared = shared if last > 0 else -shared
    return last // shared, [row[-1] // shared for row in rows], mean


THREE = (
    ("0.30684301424653529949", "0.32801872974311118034", "0.36513825601035352016"),
    "18.86302848535062276515",
)


def left_center_right():
    """Theorem 34."""
    low, more = best_seat(3, 150)
    rest = 1 - sum(low)
    near = [abs(x - Q(y)) + rest for x, y in zip(low, THREE[0], strict=True)]
    need(max(near) < Q(1, 10**9), "34 (a): seats")
    below, above, mean = exact(3)
    inside = [x <= Q(y, below) <= x + rest for x, y in zip(low, above, strict=True)]
    need(all(inside) and sum(above) == below and len(str(below)) == 417, "34 (c): three players")
    need(more <= mean <= more + 162 * rest and len(str(mean.denominator)) == 206, "34 (c): turns")
    need(abs(more - Q(THREE[1])) + 162 * rest < Q(1, 10**8), "34 (a): turns")
    return "Left, Center, Right: three players"


def spread():
    """Theorem 36."""
    draws = iter(range(10**6))

    def drawn(below):  # a fixed sequence that looks random
        return next(draws) ** 3 * 2654435761 // 977 % below

    for _ in range(60):
        # Three layers of two states; an action is a reward with two next states, equally likely
        layers = [
            [[(drawn(3), drawn(2), drawn(2)) for _ in range(2)] for _ in range(2)] for _ in range(3)
        ]
        places = list(product(range(3), range(2)))
        scores = {}
        for choice in product((0, 1), repeat=len(places)):
            policy, totals = dict(zip(places, choice, strict=True)), [(0, 0)]
            for at, layer in enumerate(layers):
                totals = [
                    (
                        layer[state][policy[at, state]][way],
                        score + layer[state][policy[at, state]][0],
                    )
                    for state, score in totals
                    for way in (1, 2)
                ]
            mean = Q(sum(score for _, score in totals), len(totals))
            square = Q(sum(score**2 for _, score in totals), len(totals))
            scores.setdefault(mean, []).append(square)
        of = [(Q(0), Q(0), Q(0))] * 2
        for layer in reversed(layers):
            of = [best_spread(state, of) for state in layer]
        best = max(scores)
        need(of[0] == (best, min(scores[best]), max(scores[best])), "36: the mean square")
    need(
        Q("59.61143") ** 2 < Q("3553.523266") and Q("3553.558465") < Q("59.61174") ** 2, "36: roots"
    )
    return "ties: least and greatest mean square of 60 small processes"


def best_spread(actions, after):
    """Return the greatest mean, and the least and greatest mean square over actions that attain it."""
    worth = []
    for reward, *ways in actions:
        mean = reward + sum(after[way][0] for way in ways) / 2
        squares = [
            reward**2 + sum(2 * reward * after[way][0] + after[way][k] for way in ways) / 2
            for k in (1, 2)
        ]
        worth.append((mean, *squares))
    best = max(mean for mean, *_ in worth)
    ties = [of for of in worth if of[0] == best]
    return best, min(of[1] for of in ties), max(of[2] for of in ties)
