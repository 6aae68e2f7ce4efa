r"""For which tolerances θ value iteration finds the optimal policy of the reroll game.

Value iteration stops after the first sweep whose greatest change is below θ. Let
:math:`\delta_t` be the greatest change of sweep t, in exact arithmetic, and
:math:`m_t = \min(\delta_1, \dots, \delta_t)`. Then it stops after sweep t exactly for
:math:`m_t < \theta \le m_{t-1}`, so all θ fall into countably many intervals with exact ends, and
one policy belongs to each. No search over θ is needed.

Finitely many of them have to be looked at. Neither order of sweeping ever increases the greatest
error :math:`e_t = \max_s |V_t(s) - V(s)|`: an update moves no further from V than the values that
it reads. Let g be the least amount by which any action falls short of optimal in any state. Once
:math:`2 e_t < g`, an action that seems best after sweep t is optimal, in that sweep and all later
ones. The table ends there, and its last line holds for every smaller θ.

Two policies can be meant, and both are judged: the *greedy* policy of the values at the end, and
the actions *kept* from the maxima of the last sweep, as the coursework's solver keeps them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.errors import InputError
from exactdice.games.reroll.exact import direct_model, solve
from exactdice.games.reroll.rules import STANDARD, Positions, Roll, Rules
from exactdice.games.reroll.value_iteration import Order, Sweeps
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.game import Model
from exactdice.solve.questions import following
from exactdice.solve.stopping import ranks_of_policy
from exactdice.solve.turn_games import exact_values


@dataclass(frozen=True)
class Stop:
    """Where value iteration stops for one interval of θ."""

    sweeps: int  # how many sweeps are made
    # above, up_to: the tolerances that stop there: above < θ ≤ up_to. `up_to` is None where there
    # is no upper limit
    above: mpq
    up_to: mpq | None
    error: mpq  # the greatest error of a value
    greedy_wrong: tuple[Roll, ...]  # rolls at which the greedy policy of the values is not optimal
    # rolls at which the action kept from the last sweep is not optimal
    kept_wrong: tuple[Roll, ...]
    # greedy_score, kept_score: what playing either policy earns, from before the first roll: exact
    # expectations. None where play by it need not end
    greedy_score: mpq | None
    kept_score: mpq | None


@dataclass(frozen=True)
class Tolerances(Reported):
    """What every tolerance leads to, for one game and one order of sweeping."""

    reported_by: ClassVar = "exactdice.games.reroll.reports:tolerances_report"

    rules: Rules
    order: Order
    value: mpq  # what the game is worth
    gap: mpq  # the least amount by which an action that is not optimal falls short
    sweeps_until_certain: int  # the first sweep after which no later policy can be wrong
    # one for each interval of θ, the greatest θ first. For all θ up to the last interval's upper
    # end both policies are optimal, however small θ is; the last interval's lower end is only where
    # the table stops
    stops: tuple[Stop, ...] = field(repr=False)

    def stop(self, theta: mpq) -> Stop | None:
        """The stop that a tolerance leads to; None where it lies below the table."""
        return next((stop for stop in self.stops if stop.above < theta), None)

    def greatest_safe_theta(self, *, kept: bool = False) -> mpq | None:
        """The greatest T such that every θ ≤ T gives an optimal policy; None where every θ does."""
        for stop in reversed(self.stops):
            if stop.kept_wrong if kept else stop.greedy_wrong:
                return stop.above
        return None


def read_tolerance(given: RationalLike, name: str = "tolerance") -> mpq:
    """Read a tolerance.

    >>> read_tolerance("0.1")
    mpq(1,10)
    """
    tolerance = rational(given, name)
    if tolerance <= 0:
        raise InputError(name, given, "a number above 0; no change is below another")
    return tolerance


def tolerances(
    rules: Rules = STANDARD,
    order: Order = "synchronous",
    run: Run = DEFAULT,
) -> Tolerances:
    """Find for every θ where value iteration stops and whether its policy is the exact optimum.

    Parameters
    ----------
    rules
        The game.
    order
        'synchronous', or 'in-place' with the rolls in lexicographic order, as in the coursework.
    run
        Limits the memory; hears after each sweep how many there were and about how many there will
        be.

    Returns
    -------
    Tolerances
        Intervals with exact ends.

    Notes
    -----
    A sweep costs one exact product for every roll, hold and outcome; in place, the denominators
    grow with every state of a sweep, which makes it the slower of the two.

    Examples
    --------
    >>> study = tolerances(Rules(dice=2))
    >>> [(stop.sweeps, len(stop.greedy_wrong)) for stop in study.stops]
    [(1, 6), (2, 1), (3, 1), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0)]
    >>> print(study.greatest_safe_theta())
    29/36
    """
    model = direct_model(rules, run)  # the larger of the two, refused first
    solved = solve(rules, run)
    sweeps = Sweeps(model, order)
    gap = _gap(model, solved.values)
    optimal = {roll: {*solved.optimum.optimal_actions(roll)} for roll in solved.values}
    stops: list[Stop] = []
    count, least, error, was = 0, None, None, None
    while error is None or was is None or 2 * was >= gap:
        count += 1
        was = error
        change = sweeps.sweep()
        error = max(
            abs(value - solved.values[roll])
            for roll, value in zip(solved.values, sweeps.values, strict=False)
        )
        if least is None or change < least:
            greedy, kept = sweeps.greedy(), sweeps.last_choices()
            stops.append(
                Stop(
                    sweeps=count,
                    above=change,
                    up_to=least,
                    error=error,
                    greedy_wrong=_wrong(greedy, optimal),
                    kept_wrong=_wrong(kept, optimal),
                    greedy_score=_score(rules, model, greedy),
                    kept_score=_score(rules, model, kept),
                )
            )
            least = change
        # A sweep about halves the error; 2·error < gap is wanted.
        run.tell("sweeps", count, count + int(2 * error / gap).bit_length() + 1)
    return Tolerances(rules, order, solved.value, gap, count, tuple(stops))


def _gap(model: Model[Any], values: Mapping[Roll, mpq]) -> mpq:
    arena = model.arena
    known = [values.get(state, mpq(0)) for state in model.states]
    shortfalls = (
        known[state] - arena.returned(move, known)
        for state in range(len(arena))
        for move in arena.moves(state)
    )
    return min((short for short in shortfalls if short > 0), default=mpq(1))


def _score(rules: Rules, model: Model[Any], policy: Mapping[Roll, Positions]) -> mpq | None:
    chain = following(model, policy)
    if -1 in ranks_of_policy(chain, chain.first_move):
        return None
    values = exact_values(chain).values
    return rules.outcomes(()).expectation(lambda roll: values[model.index[roll]])


def _wrong(
    policy: Mapping[Roll, Positions], optimal: Mapping[Roll, set[Positions]]
) -> tuple[Roll, ...]:
    return tuple(roll for roll, action in policy.items() if action not in optimal[roll])
