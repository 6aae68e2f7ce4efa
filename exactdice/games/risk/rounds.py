r"""One round of Risk: how many units each side loses.

Only the weak order of the dice matters: which dice are equal and which lie above which. Sort the
faces that appear into :math:`\ell` distinct levels; a weak order with :math:`\ell` levels can be
filled with faces of an s-sided die in :math:`\binom{s}{\ell}` ways. So with :math:`c_{\ell,k}` the
number of weak orders of a + d dice with :math:`\ell` levels in which the attacker loses k units,

.. math:: N_k(s) = \sum_{\ell=1}^{a+d} c_{\ell,k} \binom{s}{\ell},

a polynomial in s; `exactdice.games.risk.weak_orders` counts the weak orders.

Where one side's dice have more sides, some of its dice first fall on the faces that the other side
does not have; they lie above everything, and the rest is the case of equal sides.

Cost: O((a + d)·(a·d)²·min(a, d)) integer products, independent of the number of sides.
"""

from functools import lru_cache
from math import comb

from exactdice.arithmetic import natural
from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.games.risk.rules import MAX_DICE, STANDARD, Rules, Ties
from exactdice.games.risk.weak_orders import weak_orders


def round_losses(
    attacker_dice: int, defender_dice: int, rules: Rules = STANDARD
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
    return _losses(a, d, rules.attacker_sides, rules.defender_sides, rules.ties)


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
