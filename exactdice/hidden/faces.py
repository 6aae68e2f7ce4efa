r"""All equilibria of a game at once: what is ever right in them, and whether they are unique.

The best plans of a player are a polytope. There are best plans x and y such that each sequence has
either a weight in the one or a loss against the other, by its last step or before (strict
complementarity, Goldman and Tucker 1956). `all_equilibria` finds such a pair, as the mean of
vertices that linear programs over the polytope give, each proved best as any plan is. It gives the
polytope's dimension too: x may be moved along what keeps its equations, leaves out what has a loss,
and holds the other player to what y takes.
"""

from collections.abc import Iterator

import numpy as np

from exactdice.arithmetic import lcm
from exactdice.enclosure import point_of
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.equilibrium import ValueBounds, settled
from exactdice.hidden.guesses import Program, numbered, whole_matrix
from exactdice.hidden.sequences import Array, RealizationPlan, integers
from exactdice.run import DEFAULT, Run

_MOST_UNKNOWNS = 4000  # of a dense matrix


def all_equilibria(best: ValueBounds, run: Run = DEFAULT) -> ValueBounds:
    """Best plans that take every action which any best plan takes.

    Parameters
    ----------
    best
        Exact value bounds.
    run
        Hears how many sequences are still undecided.

    Returns
    -------
    ValueBounds
        The same value, with plans in which each action either has a chance or is avoided by every
        best plan: it, or one that leads to it, has a loss in `ValueBounds.losses`.

    Raises
    ------
    InputError
        If the value bounds are not exact.
    TooLargeError
        If doubles do not lead to plans that decide all.

    Examples
    --------
    Whoever says the higher number wins what the other said:

    >>> from exactdice.models import Both, End, HiddenGame, equilibrium
    >>> both = Both({(i, j): End((i > j) * j - (j > i) * i) for i in range(3) for j in range(3)})
    >>> whole = all_equilibria(equilibrium(HiddenGame(0, lambda s: both, lambda s: ("", ""))))
    >>> {action: str(chance) for action, chance in whole.strategy(1)[""].items()}
    {0: '1/2', 1: '0', 2: '1/2'}

    Notes
    -----
    A linear program, from where the last one ended, for some of the undecided sequences at a time.
    """
    point_of(best.value)
    plans, programs = [[plan] for plan in best.plans], {}
    while left := sum(map(len, undecided := _undecided(best))):
        run.tell("undecided sequences", left)
        for player, taken, lost in _aims(undecided):
            if player not in programs:
                programs[player] = Program(best.form.swapped() if player else best.form)
            program, replies = programs[player], np.flatnonzero(best.plans[1 - player].weights)
            program.keep_to(np.flatnonzero(_lost(best, player)), replies)
            program.prefer(taken, lost)
            plan = program.plan(1)
            if plan is None:
                continue
            tried = [*plans[player], plan]
            both = (_mean(tried), best.plans[1]) if player == 0 else (best.plans[0], _mean(tried))
            better = settled(best.form, both, "all best actions")
            if better.is_exact and sum(map(len, _undecided(better))) < left:
                best, plans[player] = better, tried
                break
        else:
            raise TooLargeError(
                f"game: {left} sequences stay undecided in doubles; take ValueBounds.losses "
                "instead, which says what one answer decides"
            )
    return best


def _aims(undecided: list[Array]) -> Iterator[tuple[int, Array, Array]]:
    """Whose program to solve, for what to take and what to make a loss: for all, then for each."""
    for player in (0, 1):
        yield player, undecided[player], undecided[1 - player]
    for player in (0, 1):
        for sequence in undecided[player]:
            yield player, np.array([sequence]), np.array([], dtype=np.int64)


def _lost(best: ValueBounds, player: int) -> Array:
    """The most that a sequence, or a step to it, loses against the other's plan."""
    side = best.form.sides[player]
    _, returns, values = best.form.reply(player + 1, best.plans[1 - player])
    lost = np.concatenate(([0], values[side.owner] - returns[1:]))
    for sets, sequences, _ in side.ranges():
        before = np.repeat(lost[side.parent[sets]], np.diff(side.first)[sets])
        lost[sequences] = np.maximum(lost[sequences], before)
    return lost


def _undecided(best: ValueBounds) -> list[Array]:
    """The sequences of each player that have neither a weight nor a loss."""
    return [np.flatnonzero((best.plans[p].weights == 0) & (_lost(best, p) == 0)) for p in (0, 1)]


def _mean(plans: list[RealizationPlan]) -> RealizationPlan:
    scale = 1
    for plan in plans:
        scale = int(lcm(scale, plan.scale))
    total = sum(plan.weights.astype(object) * (scale // int(plan.scale)) for plan in plans)
    return RealizationPlan(plans[0].side, integers(total // np.gcd.reduce(total)))


def equilibrium_dimension(best: ValueBounds, player: int, run: Run = DEFAULT) -> int:
    """The dimension of the set of a player's best plans; 0 where there is but one.

    Parameters
    ----------
    best
        Exact value bounds; quicker where it comes from `all_equilibria`.
    player
        1 or 2.
    run
        Limits the memory.

    Raises
    ------
    InputError
        If the value bounds are not exact.
    TooLargeError
        As `all_equilibria`, and where more than 4000 sequences and sets are unknown.

    Examples
    --------
    >>> from exactdice.models import Both, End, HiddenGame, equilibrium
    >>> both = Both({(i, j): End(0) for i in range(3) for j in range(2)})
    >>> best = equilibrium(HiddenGame(0, lambda s: both, lambda s: ("", "")))
    >>> equilibrium_dimension(best, 1), equilibrium_dimension(best, 2)
    (2, 1)

    Notes
    -----
    Exact: the rank of a matrix of whole numbers by python-flint, cubic in its size.
    """
    if player not in (1, 2):
        raise InputError("player", player, "1 or 2")
    best = all_equilibria(best, run)
    form = best.form if player == 1 else best.form.swapped()
    mine, other = best.plans[player - 1], best.plans[2 - player]
    one, two = form.sides
    reached = np.flatnonzero(np.concatenate(([1], other.weights[two.parent])))
    columns = np.concatenate((np.flatnonzero(mine.weights), one.sequences + reached))
    if len(columns) > _MOST_UNKNOWNS:
        raise TooLargeError(f"game: {len(columns)} unknowns are too many to count dimensions")
    sets = len(one.parent) + 1
    rows = np.concatenate((np.arange(sets), sets + np.flatnonzero(other.weights)))
    run.require(100 * len(rows) * len(columns), "a matrix of the equations of best plans")
    part = numbered(form).tocsr()[rows][:, columns]
    return int(len(columns) - whole_matrix(form, part).rank())
