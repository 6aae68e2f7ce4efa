r"""Where banking is certain in a turn without a target.

For a set of dice let :math:`m_\delta` be the mean of the best score of a roll and
:math:`q_\delta` its chance to bust, let :math:`c` be the penalty of a bust, and

.. math:: B = \max_\delta m_\delta / q_\delta - c .

*With at least B points (and at least the minimum bank) banking is optimal, whatever dice are left.*
Let :math:`g_n(P,\delta)` be the best expected gain when at most :math:`n` rolls are made, and
:math:`G_n` the largest :math:`g_n(P', \delta)` over :math:`P' \ge P` and all :math:`\delta`, or 0
if that is larger; :math:`G_0 = 0`. A roll scores at most its best, and goes on only where it did
not bust, so :math:`g_n(P', \delta) \le m_\delta - q_\delta (P' + c) + (1 - q_\delta) G_{n-1}`. For
:math:`P' \ge B` the first two terms are together at most 0, so :math:`G_{n-1} = 0` gives
:math:`G_n = 0`: by induction no number of rolls gains anything. A turn of unbounded length is the
limit of turns cut after :math:`n` rolls, as its points are lost or banked in the end with
certainty. Hence the sweep may start at :math:`B`, and beyond it
:math:`\mathrm{Optimal}(P, \delta) = m_\delta - q_\delta (P + c)`. If some roll never busts there is
no such bound, and a target is required.
"""

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.menus import Menus


def bust_chance(menus: Menus, state: int) -> mpq:
    """Chance that a roll of a set of dice busts.

    >>> from exactdice.games.farkle.rules.dice_sets import parse_dice
    >>> from exactdice.games.farkle.rules.menus import menus_of
    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> bust_chance(menus_of(KCD, parse_dice("fair*6"), prune=True), 1)
    mpq(2,3)
    """
    return mpq(*menus.bust_weight(state))


def mean_best(menus: Menus, state: int) -> mpq:
    """Mean of the highest score that a roll of a set of dice offers, 0 for a bust.

    >>> from exactdice.games.farkle.rules.dice_sets import parse_dice
    >>> from exactdice.games.farkle.rules.menus import menus_of
    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> mean_best(menus_of(KCD, parse_dice("fair*6"), prune=True), 1)
    mpq(25,1)
    """
    of_state = menus.by_state[state]
    total = sum(weight * menu[0][0] for menu, weight in of_state.menus.items())
    return mpq(total, of_state.denominator)


def certain_banking_bound(menus: Menus) -> int:
    """Points from which banking is certain without a target: the bound B of the module, rounded up.

    >>> from exactdice.games.farkle.rules.dice_sets import parse_dice
    >>> from exactdice.games.farkle.rules.menus import menus_of
    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> certain_banking_bound(menus_of(KCD, parse_dice("fair*6"), prune=True))
    12950
    """
    bounds = []
    for state in menus.dice.proper_states():
        bust = bust_chance(menus, state)
        if bust == 0:
            raise InputError(
                "target",
                Unquoted(f"none with {menus.dice}"),
                "a target: these dice have a roll that never busts, so that one need never bank",
            )
        bounds.append(mean_best(menus, state) / bust - menus.rules.penalty)
    unit = menus.rules.unit
    least = max(max(bounds), mpq(menus.rules.minimum_bank), mpq(unit))
    return int(-(-least // unit)) * unit
