"""Plays of a game by its rules and an answer's policy, drawn exactly, beside the exact value."""

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from exactdice.arithmetic import mpq, natural, rational
from exactdice.dice import Distribution, Root
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.report.notebook import Reported
from exactdice.solve.arena import END
from exactdice.solve.optimum import Optimum
from exactdice.solve.turns import Both, End, Other
from exactdice.solve.variants import choosing, turn_of

_MOST_MOVES = 1_000_000


@dataclass(frozen=True)
class Simulation(Reported):
    """What plays by the rules came to, beside the exact answer.

    Parameters
    ----------
    plays
        How many.
    mean, variance
        Of the result of a play, among those; exact numbers of a sample.
    exact
        What the mean comes near: the answer that was simulated.
    """

    reported_by: ClassVar = "exactdice.solve.reports:simulation_report"

    plays: int
    mean: mpq
    variance: mpq
    exact: Enclosure

    @property
    def error(self) -> Root:
        """The standard error of the mean, as the sample has it."""
        return Root(self.variance / self.plays)


def simulate(best: Optimum[Any], plays: int = 1000, *, seed: int = 0) -> Simulation:
    """Play a game by its rules and an answer's policy, drawing lots exactly.

    Parameters
    ----------
    best
        The answer to `optimum`, `reach`, `chance` or `expect`; of policies of your own to the last
        two with `policies`.
    plays
        How many, at least 2.
    seed
        Which numbers are drawn.

    Raises
    ------
    InputError
        If it is the answer to `policy_value`, which does not hold the policy.
    TooLargeError
        If a play takes more than 1,000,000 moves.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game, expect
    >>> six = Game(0, lambda face: fair(6) if face < 6 else None)
    >>> sample = simulate(expect(six, lambda face: 1), 400)
    >>> sample.exact.point, abs(sample.mean - 6) < 5 * mpq(sample.error.decimal(6))
    (mpq(6,1), True)
    """
    count, draw = natural(plays, "plays", least=2), Random(natural(seed, "seed"))  # noqa: S311
    total, squares = mpq(0), mpq(0)
    for _ in range(count):
        result = _played(best, draw)
        total, squares = total + result, squares + result**2
    variance = (squares - total**2 / count) / (count - 1)
    return Simulation(count, total / count, variance, best.enclosure())


def _played(best: Optimum[Any], draw: Random) -> mpq:
    """The result of one play."""
    game, model, goal = best.model.game, best.model, best.goal
    state, sign, total = game.initial, 1, mpq(0)
    for _ in range(_MOST_MOVES):
        turn, number = turn_of(game, state), model.number(state)
        if goal is not None and (best.closed or best.arena).owners[number] == END:
            return mpq(number in goal)
        if isinstance(turn, Both):
            row, column = best.action(state)
            turn = turn.outcomes[drawn(row, draw), drawn(column, draw)]
        elif choosing(turn)[0]:
            action = best.action(state)
            ways = [choice for choice in choosing(turn)[1] if choice.action == action]
            if not ways:
                raise InputError("best", best, "the answer to expect with policies")
            turn = ways[0]
        if turn is None or isinstance(turn, End):
            paid = mpq(0) if turn is None or goal is not None else rational(turn.payoff)
            return total + sign * paid
        if isinstance(turn, Distribution):
            state = drawn(turn, draw)
        else:
            total += sign * rational(turn.reward) if goal is None else 0
            state = drawn(turn.successors, draw)
        if type(state) is Other:
            state, sign = state.state, -sign
    raise TooLargeError(f"simulate: a play takes more than {_MOST_MOVES} moves")


def drawn(law: Distribution[Any], draw: Random) -> Any:
    """Draw an outcome of a law, exactly."""
    place = draw.randrange(law.denominator)
    for outcome, weight in law.items():
        place -= weight
        if place < 0:
            return outcome
    raise AssertionError("weights add up to the denominator")
