r"""Losses in one round of Risk.

Only the weak order of the dice matters: which dice are equal, and which are higher than which. A
weak order with :math:`\ell` levels can be filled with faces of an s-sided die in
:math:`\binom{s}{\ell}` ways. With :math:`c_{\ell,k}` the number of weak orders of a + d dice with
:math:`\ell` levels in which the attacker loses k units, the number of rolls is a polynomial in s:

.. math:: N_k(s) = \sum_{\ell=1}^{a+d} c_{\ell,k} \binom{s}{\ell}.

The weak orders are counted level by level from the top. With i attackers' and j defenders' dice
placed, pairs up to max(i, j) are decided: a pair is won by the side whose die was placed first, and
tied if both are placed at the same level. If one side's dice have more sides, some of them first
show faces that the other side lacks; they are above all others, and the rest has equal sides.

Cost: O((a + d)·(a·d)²·min(a, d)) integer products, independent of the number of sides. If the dice
of a side differ, or something is added to them, every pair of sorted rolls is compared.

Battles are computed in integers, with one factor L for each unit: the denominator of every round
divides L^(units lost), so a probability times L^(units lost so far) is an integer.

**Long battles** (`entries`). While a ≥ α attackers, who may stop below α, fight d ≥ δ defenders,
both roll the most dice. If every such round removes m units, the units left determine its number.
With u_k the probability that it costs the attacker k units, n rounds cost him l with probability

.. math:: T(n, l) = [z^l]\,(u_0 + u_1 z + … + u_m z^m)^n .

The last of these rounds starts from an *edge*, where fewer than α + m attackers or δ + m defenders
are left. The rest, with fewer dice on a side, is computed state by state, in strips a few units
wide. Along an edge l or mn − l is constant, and n grows by one. From m neighbours T(n, l), …,
T(n, l − m + 1) those below follow by P·(Pⁿ)′ = n·P′·Pⁿ for the polynomial P of the probabilities,

.. math:: \sum_{j=0}^{m} p_j\,(l - j(n + 1))\, T(n, l - j) = 0,

and those of n + 1 from these 2m.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from heapq import merge
from math import comb, lcm
from operator import ge, mul, sub
from typing import TypeAlias

from exactdice.arithmetic import mpz, natural
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.games.risk.rules import MAX_DICE, STANDARD, RiskRules, Ties, read_ties

Losses: TypeAlias = Distribution[tuple[int, int]]
"""Of the attacker's and the defender's losses."""

_MOST_ROLLS = 3_000_000  # pairs of sorted rolls that are listed, in a few seconds


@lru_cache(maxsize=4096)
def weak_orders(
    attacker_dice: int,
    defender_dice: int,
    ties: Ties | str = Ties.DEFENDER,
    top: tuple[int, int] = (0, 0),
) -> tuple[tuple[int, ...], ...]:
    """Count the weak orders of a round by their number of levels and the attacker's losses."""
    ties = read_ties(ties)
    a, d = attacker_dice, defender_dice
    pairs = min(a, d)
    start = [0] * (pairs + 1)
    start[min(top[1], pairs)] = 1  # dice of the defender on top win their pairs
    layer = {top: start}
    counts = [layer.get((a, d), [0] * (pairs + 1))]
    for _level in range(a + d - sum(top)):
        following: dict[tuple[int, int], list[int]] = {}
        for (i, j), ways in layer.items():
            for i2 in range(i, a + 1):
                for j2 in range(j, d + 1):
                    if (i2, j2) == (i, j):
                        continue  # a level has at least one die
                    lost = _newly_lost(i, j, i2, j2, pairs, ties)
                    factor = comb(a - i, i2 - i) * comb(d - j, j2 - j)
                    target = following.setdefault((i2, j2), [0] * (pairs + 1))
                    for losses in range(pairs + 1 - lost):
                        target[losses + lost] += factor * ways[losses]
        layer = following
        counts.append(layer.get((a, d), [0] * (pairs + 1)))
    counts += [[0] * (pairs + 1)] * (a + d + 1 - len(counts))
    return tuple(tuple(row) for row in counts)


def _newly_lost(i: int, j: int, i2: int, j2: int, pairs: int, ties: Ties) -> int:
    """Return the attacker's losses in the pairs that are decided from (i, j) to (i2, j2) dice."""
    decided = min(max(i, j), pairs)
    tied = max(0, min(i2, j2) - decided)
    outright = max(0, min(max(i2, j2), pairs) - decided - tied)
    return (tied if ties is Ties.DEFENDER else 0) + (outright if j2 > i2 else 0)


def round_losses(attacker_dice: int, defender_dice: int, rules: RiskRules = STANDARD) -> Losses:
    """Return the exact distribution of the losses in one round.

    * `attacker_dice`, `defender_dice`: dice rolled, from 1 to the most that the rules allow.

    Outcomes are pairs (attacker's losses, defender's losses), which sum to min(a, d).
    Raises InputError if a side rolls no dice or more than the rules allow.

    >>> round_losses(3, 2)  # out of 6⁵ = 7776
    Distribution({(0, 2): 2890, (1, 1): 2611, (2, 0): 2275})
    >>> round_losses(1, 1).probability((1, 0))
    mpq(7,12)
    """
    a = natural(attacker_dice, "attacker_dice", least=1, most=MAX_DICE)
    d = natural(defender_dice, "defender_dice", least=1, most=MAX_DICE)
    for name, dice, allowed in (
        ("attacker_dice", a, rules.attacker_dice),
        ("defender_dice", d, rules.defender_dice),
    ):
        if dice > allowed:
            raise InputError(name, dice, f"at most {allowed} dice, which these rules allow")
    if rules.law:
        weights = enumerate(rules.weights[a, d])
        return Distribution({(lost, min(a, d) - lost): weight for lost, weight in weights})
    if rules.is_plain:
        return _losses(a, d, rules.attacker_sides, rules.defender_sides, rules.ties)
    return _losses_by_ranks(*rules.sides_of(a, d), rules.ahead(min(a, d)), rules.ties)


def _ranks(sides: tuple[int, ...], count: int) -> dict[tuple[int, ...], int]:
    """Count the rolls of dice with these sides by their `count` highest faces, descending."""
    rolls: dict[tuple[int, ...], int] = {(): 1}
    for faces in sides:
        following: Counter[tuple[int, ...]] = Counter()
        for ranked, ways in rolls.items():
            for face in range(1, faces + 1):
                following[tuple(sorted((*ranked, face), reverse=True)[:count])] += ways
        rolls = dict(following)
    return rolls


@lru_cache(maxsize=4096)
def _losses_by_ranks(
    attack: tuple[int, ...], defence: tuple[int, ...], ahead: tuple[int, ...], ties: Ties
) -> Losses:
    counts: Counter[tuple[int, int]] = Counter()
    for _, ways, lost in _met(attack, defence, ahead, ties, len(ahead)):
        counts.update({losses: ways * rolls for losses, rolls in lost.items()})
    return Distribution(counts)


def _met(
    attack: tuple[int, ...],
    defence: tuple[int, ...],
    ahead: tuple[int, ...],
    ties: Ties,
    shown: int,
) -> Iterator[tuple[tuple[int, ...], int, Counter[tuple[int, int]]]]:
    pairs = len(ahead)
    rolls = comb(max(attack) + shown - 1, shown) * comb(max(defence) + pairs - 1, pairs)
    if rolls > _MOST_ROLLS:
        numbers = Unquoted(f"{len(attack)} against {len(defence)}")
        wanted = "fewer dice or sides: sorted rolls of both sides are listed"
        raise InputError("dice", numbers, wanted)
    needed = tuple(int(ties is Ties.DEFENDER) - gain for gain in ahead)
    lower = _ranks(defence, pairs)
    for ours, ways in _ranks(attack, shown).items():
        counts: Counter[tuple[int, int]] = Counter()
        for theirs, ways_of_theirs in lower.items():
            won = sum(map(ge, map(sub, ours, theirs), needed))
            counts[pairs - won, won] += ways_of_theirs
        yield ours, ways, counts


#: Highest faces of the attacker, number of such rolls, and losses against 1, 2, … defending dice.
Seen = tuple[tuple[int, ...], int, tuple[Losses, ...]]


@lru_cache(maxsize=256)
def losses_seen(attacker_dice: int, most_defender_dice: int, rules: RiskRules) -> tuple[Seen, ...]:
    """Return the losses of a round by the attacker's faces, for each number of defending dice."""
    shown = min(attacker_dice, most_defender_dice)
    losses: dict[tuple[tuple[int, ...], int], list[Losses]] = {}
    for dice in range(1, most_defender_dice + 1):
        ahead = rules.ahead(min(attacker_dice, dice))
        attack, defence = rules.sides_of(attacker_dice, dice)
        for faces, ways, counts in _met(attack, defence, ahead, rules.ties, shown):
            losses.setdefault((faces, ways), []).append(Distribution(counts))
    return tuple((*roll, tuple(of)) for roll, of in sorted(losses.items()))


@lru_cache(maxsize=4096)
def _losses(a: int, d: int, attacker_sides: int, defender_sides: int, ties: Ties) -> Losses:
    pairs = min(a, d)
    common = min(attacker_sides, defender_sides)
    surplus = abs(attacker_sides - defender_sides)
    attacker_has_more = attacker_sides > defender_sides
    weights = dict.fromkeys(((k, pairs - k) for k in range(pairs + 1)), 0)
    for above in range((a if attacker_has_more else d) + 1 if surplus else 1):
        top = (above, 0) if attacker_has_more else (0, above)
        placed = comb(a if attacker_has_more else d, above) * surplus**above
        for levels, row in enumerate(weak_orders(a, d, ties, top)):
            fillings = placed * comb(common, levels)
            for losses, ways in enumerate(row):
                weights[losses, pairs - losses] += fillings * ways
    return Distribution(weights)


def unit_factor(rules: RiskRules = STANDARD) -> int:
    """Return L such that every round's denominator divides L^(units lost); minimal if plain."""
    if not isinstance(rules, RiskRules):
        raise InputError("rules", rules, "RiskRules, for example RiskRules(attacker_dice=2)")
    if rules.law:
        return lcm(*(sum(weights) for weights in rules.weights.values()))
    single = [(a, 1) for a in range(1, rules.attacker_dice + 1)]
    single += [(1, d) for d in range(1, rules.defender_dice + 1)]
    # A round a against d with m = min(a, d) has denominator x^a·y^d, and a/m ≤ attacker_dice.
    each = rules.sides_of(rules.attacker_dice, rules.defender_dice)
    attack, defence = (lcm(*sides) for sides in each)
    return lcm(*(attack**a * defence**d for a, d in single))


#: Outcomes of a round: attacker's losses, defender's losses, probability times L^(units lost).
ScaledRound = tuple[tuple[int, int, mpz], ...]


def scaled_rounds(rules: RiskRules, multiple: int = 1) -> Callable[[int, int], ScaledRound]:
    """Return a function from fighting units to rounds, with the least L divisible by `multiple`."""
    factor = mpz(lcm(unit_factor(rules), multiple))

    @cache
    def rolled(a: int, d: int) -> ScaledRound:
        losses = round_losses(a, d, rules)
        return tuple(
            (lost, killed, weight * (factor ** (lost + killed) // losses.denominator))
            for (lost, killed), weight in losses.items()
        )

    return lambda attackers, defenders: rolled(*rules.dice_rolled(attackers, defenders))


#: A state of a battle: units left, attackers among them, and its probability times L^(units lost).
Entry = tuple[int, int, mpz]


def entries(a: int, d: int, rules: RiskRules) -> Iterator[Entry]:
    """Yield the states after the rounds of the most dice, from the most units left.

    If there are no such rounds, or their losses vary, yield the initial state.
    """
    weights = steady_weights(rules)
    least_a, least_d = least_steady(rules)
    if a < least_a or d < least_d or weights is None:
        yield a + d, a, mpz(1)
        return
    m = len(weights) - 1
    lines = [
        *(_row(a, d, y, least_a, weights) for y in range(least_d, min(least_d + m, d + 1))),
        *(_column(a, d, x, least_d + m, weights) for x in range(least_a, min(least_a + m, a + 1))),
    ]
    for lost, x, ways in merge(*lines):
        y = a + d - lost - x
        for k, weight in enumerate(weights):
            if x - k < least_a or y - m + k < least_d:
                yield x + y - m, x - k, weight * ways


def steady_weights(rules: RiskRules) -> list[mpz] | None:
    """Return the scaled probabilities of a full round by attacker's losses; None if not steady."""
    now = scaled_rounds(rules)(*least_steady(rules))
    m = max(lost + killed for lost, killed, _ in now)
    weights = [mpz(0)] * (m + 1)
    for lost, killed, weight in now:
        if lost + killed < m:
            return None
        weights[lost] = weight
    return weights if weights[0] and weights[-1] else None


def least_steady(rules: RiskRules) -> tuple[int, int]:
    return max(rules.attacker_dice, rules.stop_below), rules.defender_dice


def _row(a: int, d: int, y: int, least: int, weights: Sequence[mpz]) -> Iterator[Entry]:
    m = len(weights) - 1
    for n, ways in _powers(weights[::-1], d - y, (a - least + d - y) // m):
        yield m * n, a + d - y - m * n, ways


def _column(a: int, d: int, x: int, least: int, weights: Sequence[mpz]) -> Iterator[Entry]:
    """Yield the same with x attackers and at least `least` defenders left."""
    m = len(weights) - 1
    for n, ways in _powers(weights, a - x, (d - least + a - x) // m):
        yield m * n, x, ways


def _powers(p: Sequence[mpz], fixed: int, last: int) -> Iterator[tuple[int, mpz]]:
    m = len(p) - 1
    n = -(-fixed // m)

    def below(exponent: int, terms: Sequence[mpz]) -> mpz:
        """Return the term after m neighbours, given the exponent of the first."""
        factors = (p[j] * (exponent - j * (n + 1)) for j in range(m))
        return sum(map(mul, factors, terms), mpz(0)) // (p[m] * (m * (n + 1) - exponent))

    terms = [*[mpz(0)] * (m - 1), p[m] ** n]
    for exponent in range(m * n + m - 1, fixed, -1):
        terms = [*terms[1:], below(exponent, terms)]
    while n <= last:
        yield n, terms[0]
        for exponent in range(fixed, fixed - m, -1):
            terms.append(below(exponent, terms[fixed - exponent :]))
        terms = [sum(map(mul, p, terms[i:]), mpz(0)) for i in range(m)]
        n += 1
