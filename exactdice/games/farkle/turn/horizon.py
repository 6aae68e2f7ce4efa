r"""At most n rolls: the KCD Farkle README's :math:`\mathrm{Optimal}_n`.

:math:`\mathrm{Optimal}_n(P,\delta)` is the expected gain of the best play of a turn that must end
with its n-th roll from now. With :math:`\mathrm{Optimal}_1` only the best score of one roll can be
banked. It never falls as n grows, and is :math:`\mathrm{Optimal}` exactly from the n on for which
some optimal play never makes more than n rolls: at least that many are needed, since a play within
n rolls that is optimal is optimal without the bound.
"""

from exactdice.arithmetic import RationalLike, mpq, natural
from exactdice.games.farkle.rules.menus import require_sweep
from exactdice.games.farkle.turn.exact import BestTurn
from exactdice.games.farkle.turn.sweep import Sweep
from exactdice.run import DEFAULT, Run


def horizon_sweeps(turn: BestTurn, rolls: int) -> list[Sweep]:
    """Sweeps for at most 1, 2, …, `rolls` rolls of the game of a solved turn."""
    sweeps: list[Sweep] = []
    for _ in range(natural(rolls, "rolls", least=1)):
        payoff, menus = turn.sweep.payoff, turn.menus
        if sweeps:
            sweeps.append(Sweep(menus, payoff, source=sweeps[-1]))
        else:
            sweeps.append(Sweep(menus, payoff, last=True))
    return sweeps


def horizon(
    turn: BestTurn,
    rolls: int,
    points: RationalLike = 0,
    left: str | int | None = None,
    run: Run = DEFAULT,
) -> list[mpq]:
    """Optimal_1, …, Optimal_n: expected gains with at most 1, …, n rolls.

    >>> from exactdice.games.farkle.turn.exact import solve
    >>> from exactdice.arithmetic import decimal
    >>> [decimal(value, 4) for value in horizon(solve(), 3)]
    ['399.1127', '505.5102', '547.3522']

    One sweep for each n up to the fixed point; the values share what lies behind them.
    """
    whole, state = turn.points(points), turn.state(left)
    level, count = whole // turn.rules.unit, natural(rolls, "rolls", least=1)
    optimal = turn.optimal(whole, left)
    needed = min(count, fixed_point(turn, whole, left))
    require_sweep(turn.menus, turn.end, run, sweeps=needed)
    gains = [s.base.rational(s.value(level, state)) - whole for s in horizon_sweeps(turn, needed)]
    run.require(8 * count, f"a horizon of {count} rolls")
    return gains + [optimal] * (count - needed)


def fixed_point(turn: BestTurn, points: RationalLike = 0, left: str | int | None = None) -> int:
    """Return the smallest n with Optimal_n = Optimal at a state.

    The most rolls that an optimal play may make, where ties are broken for the fewest.

    >>> from exactdice.games.farkle.turn.exact import solve
    >>> from exactdice.games.farkle.rules.tables import KCD
    >>> fixed_point(solve(rules=KCD.varied(target=50))), fixed_point(solve())
    (1, 33)
    """
    whole, state = turn.points(points), turn.state(left)
    return turn.sweep.most_rolls(whole // turn.rules.unit, state)
