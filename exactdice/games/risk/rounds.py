r"""One round of Risk: how many units each side loses.

Only the weak order of the dice matters: which dice are equal and which lie above which. Sort the
faces that appear into :math:`\ell` distinct levels; a weak order with :math:`\ell` levels can be
filled with faces of an s-sided die in :math:`\binom{s}{\ell}` ways. So with :math:`c_{\ell,k}` the
number of weak orders of a + d dice with :math:`\ell` levels in which the attacker loses k units,

.. math:: N_k(s) = \sum_{\ell=1}^{a+d} c_{\ell,k} \binom{s}{\ell},

a polynomial in s. The weak orders are counted level by level from the top. With i attackers' and j
defenders' dice placed, pairs up to max(i, j) are decided: a pair is won by the side whose die was
placed first, and is tied when both are placed at the same level.

Where one side's dice have more sides, some of its dice first fall on the faces that the other side
does not have; they lie above everything, and the rest is the case of equal sides.

Cost: O((a + d)·(a·d)²·min(a, d)) integer products, independent of the number of sides. The rule
itself, over every roll, is `exactdice.games.risk.model.losses_by_rolls`. Where the dice of a side
differ, or something is added to them, every pair of sorted rolls is compared.

Battles reckon in integers: with one factor L for each unit, chosen so that the denominator of every
round that the rules know divides L^(units lost), a chance times L^(units lost so far) is one.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from math import comb, lcm
from operator import ge, sub

from exactdice.arithmetic import mpz, natural
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.games.risk.rules import MAX_DICE, STANDARD, RiskRules, Ties, read_ties

_MOST_ROLLS = 3_000_000  # pairs of sorted rolls that are listed, in some seconds


@lru_cache(maxsize=4096)
def weak_orders(
    attacker_dice: int,
    defender_dice: int,
    ties: Ties | str = Ties.DEFENDER,
    top: tuple[int, int] = (0, 0),
) -> tuple[tuple[int, ...], ...]:
    """Count the weak orders of a round by their number of levels and the attacker's losses.

    One die each: above, below, or level.

    >>> weak_orders(1, 1)
    ((0, 0), (0, 1), (1, 1))
    """
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
                        continue  # a level holds at least one die
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
    """Attacker's losses in the pairs that are decided when (i, j) placed dice become (i2, j2)."""
    decided = min(max(i, j), pairs)
    tied = max(0, min(i2, j2) - decided)
    outright = max(0, min(max(i2, j2), pairs) - decided - tied)
    return (tied if ties is Ties.DEFENDER else 0) + (outright if j2 > i2 else 0)


def round_losses(
    attacker_dice: int, defender_dice: int, rules: RiskRules = STANDARD
) -> Distribution[tuple[int, int]]:
    """Exact distribution of one round's losses.

    Parameters
    ----------
    attacker_dice, defender_dice
        Dice rolled, from 1 up to what the rules allow.
    rules
        Sides and ties; its numbers of dice are the bounds.

    Returns
    -------
    Distribution
        Of pairs (attacker's losses, defender's losses), which sum to min(a, d).

    Raises
    ------
    InputError
        If a side rolls no dice or more than the rules allow.

    Examples
    --------
    Three dice against two, out of 6⁵ = 7776:

    >>> round_losses(3, 2)
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
    """Count the rolls of some dice by the highest so many faces, from the highest down."""
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
) -> Distribution[tuple[int, int]]:
    """Compare every pair of sorted rolls, of dice of these sides, with what the attacker gains."""
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
    """Yield the attacker's highest faces, their rolls, and the losses by rolls of the defender."""
    pairs = len(ahead)
    rolls = comb(max(attack) + shown - 1, shown) * comb(max(defence) + pairs - 1, pairs)
    if rolls > _MOST_ROLLS:
        asked = Unquoted(f"{len(attack)} against {len(defence)}")
        wanted = "fewer dice or sides: sorted rolls of both sides are listed"
        raise InputError("dice", asked, wanted)
    needed = tuple(int(ties is Ties.DEFENDER) - gain for gain in ahead)
    lower = _ranks(defence, pairs)
    for ours, ways in _ranks(attack, shown).items():
        counts: Counter[tuple[int, int]] = Counter()
        for theirs, ways_of_theirs in lower.items():
            won = sum(map(ge, map(sub, ours, theirs), needed))
            counts[pairs - won, won] += ways_of_theirs
        yield ours, ways, counts


#: The attacker's highest faces, their rolls, and the losses by the defender's dice, from 1 on.
Seen = tuple[tuple[int, ...], int, tuple[Distribution[tuple[int, int]], ...]]


@lru_cache(maxsize=256)
def losses_seen(attacker_dice: int, most_defender_dice: int, rules: RiskRules) -> tuple[Seen, ...]:
    """Return the losses of a round by what the attacker's dice show, for each answer to it.

    >>> losses_seen(1, 1, STANDARD)[-1]
    ((6,), 1, (Distribution({(0, 1): 5, (1, 0): 1}),))
    """
    shown = min(attacker_dice, most_defender_dice)
    laws: dict[tuple[tuple[int, ...], int], list[Distribution[tuple[int, int]]]] = {}
    for dice in range(1, most_defender_dice + 1):
        ahead = rules.ahead(min(attacker_dice, dice))
        attack, defence = rules.sides_of(attacker_dice, dice)
        for faces, ways, counts in _met(attack, defence, ahead, rules.ties, shown):
            laws.setdefault((faces, ways), []).append(Distribution(counts))
    return tuple((*roll, tuple(of)) for roll, of in sorted(laws.items()))


@lru_cache(maxsize=4096)
def _losses(
    a: int, d: int, attacker_sides: int, defender_sides: int, ties: Ties
) -> Distribution[tuple[int, int]]:
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
    """Return L such that every round's denominator divides L^(units lost); the least of like dice.

    Three dice against one put one unit at stake, out of 6⁴:

    >>> unit_factor() == 6**4
    True
    """
    if not isinstance(rules, RiskRules):
        raise InputError("rules", rules, "Rules, as Rules(attacker_dice=2)")
    if rules.law:
        return lcm(*(sum(weights) for weights in rules.weights.values()))
    single = [(a, 1) for a in range(1, rules.attacker_dice + 1)]
    single += [(1, d) for d in range(1, rules.defender_dice + 1)]
    # A round a against d with m = min(a, d) has denominator x^a·y^d, and a/m ≤ attacker_dice.
    attack, defence = (
        lcm(*sides) for sides in rules.sides_of(rules.attacker_dice, rules.defender_dice)
    )
    return lcm(*(attack**a * defence**d for a, d in single))


#: What can happen in a round: the attacker's losses, the defender's, the weight by L^(units lost).
ScaledRound = tuple[tuple[int, int, mpz], ...]


def scaled_rounds(rules: RiskRules, multiple: int = 1) -> Callable[[int, int], ScaledRound]:
    """Return the rounds by fighting units; each is computed when it is first met.

    L is the least that serves these rules, or the least common multiple with another factor.
    """
    factor = mpz(lcm(unit_factor(rules), multiple))

    @cache
    def rolled(a: int, d: int) -> ScaledRound:
        losses = round_losses(a, d, rules)
        return tuple(
            (lost, killed, weight * (factor ** (lost + killed) // losses.denominator))
            for (lost, killed), weight in losses.items()
        )

    return lambda attackers, defenders: rolled(*rules.dice_rolled(attackers, defenders))
