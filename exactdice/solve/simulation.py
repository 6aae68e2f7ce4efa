"""Plays of a game by its rules and an answer's policy, drawn exactly, beside the exact value."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any, ClassVar

from exactdice.arithmetic import mpq, natural, rational
from exactdice.dice import Distribution, Root
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.report.notebook import Reported
from exactdice.solve.arena import END
from exactdice.solve.game import Game
from exactdice.solve.optimum import Optimum, require_answer
from exactdice.solve.turns import Both, End, Other
from exactdice.solve.variants import choosing, require_payments, turn_of

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


def simulate(
    best: Optimum[Any], plays: int = 1000, *, seed: int = 0, means: bool = False
) -> Simulation:
    """Play a game by its rules and an answer's policy, drawing lots exactly.

    Parameters
    ----------
    best
        The answer to `optimum`, `probability` or `expect`; of policies of your own to the last two
        with `policies`.
    plays
        How many, at least 2.
    seed
        Which numbers are drawn.
    means
        As in `reward_distribution`: whether a reward that may be a mean is taken as paid for
        certain.

    Raises
    ------
    InputError
        If it is the answer to `policy_value`, which does not hold the policy.
    ModelError
        If a reward may be a mean, so that the sample varies less than plays do.
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
    require_answer(best)
    count, draw = natural(plays, "plays", least=2), Random(natural(seed, "seed"))  # noqa: S311
    total, squares = mpq(0), mpq(0)
    for _ in range(count):
        result = _played(best, draw, means=means)
        total, squares = total + result, squares + result**2
    variance = (squares - total**2 / count) / (count - 1)
    return Simulation(count, total / count, variance, best.enclosure())


def _played(best: Optimum[Any], draw: Random, *, means: bool) -> mpq:
    """The result of one play."""
    model, goal = best.model, best.goal

    def settled(state: Any) -> mpq | None:
        number = model.number(state)
        is_over = goal is not None and (best.closed or best.arena).owners[number] == END
        return mpq(number in (goal or ())) if is_over else None

    def choose(state: Any, turn: Any, _side: int) -> Any:
        action = best.action(state)
        if isinstance(turn, Both):
            return drawn(action[0], draw), drawn(action[1], draw)
        if action not in [choice.action for choice in choosing(turn)[1]]:
            raise InputError("best", best, "the answer to expect with policies")
        return action

    return played(model.game, choose, draw, settled, means=means or goal is not None)


def played(
    game: Game[Any],
    choose: Callable[[Any, Any, int], Any],
    draw: Random,
    settled: Callable[[Any], mpq | None] = lambda state: None,
    *,
    means: bool = True,
) -> mpq:
    """Play a game to its end, with dice from `draw`, for what the first player receives.

    `choose` gives an action, or one of each player where both choose at once, for a state, what can
    happen in it, and who sees it as the first player, 1 or 2. `settled` gives the result of a state
    in which it is known. Raises TooLargeError after 1,000,000 moves, and ModelError for a reward
    that may be a mean unless `means`.
    """
    state, side, total = game.initial, 1, mpq(0)
    for _ in range(_MOST_MOVES + 1):  # the last one is the end
        if (result := settled(state)) is not None:
            return result
        turn, sign = turn_of(game, state), 1 if side == 1 else -1
        if isinstance(turn, Both):
            turn = turn.outcomes[choose(state, turn, side)]
        elif ways := choosing(turn)[1]:
            action = choose(state, turn, side)
            turn = next(choice for choice in ways if choice.action == action)
        if not means:
            require_payments(turn, f"moves({state!r}): ")
        if turn is None or isinstance(turn, End):
            return total + sign * rational(turn.payoff if turn else 0)
        if isinstance(turn, Distribution):
            state = drawn(turn, draw)
        elif turn.paid is None:
            state, total = drawn(turn.successors, draw), total + sign * rational(turn.reward)
        else:
            one = drawn(turn.paid, draw)
            state, total = one.state, total + sign * rational(one.reward)
        if type(state) is Other:
            state, side = state.state, 3 - side
    raise TooLargeError(f"play: a game takes more than {_MOST_MOVES} moves")


def drawn(law: Distribution[Any], draw: Random) -> Any:
    """Draw an outcome of a law, exactly."""
    place = draw.randrange(law.denominator)
    ends = accumulate(weight for _, weight in law.items())
    return next(outcome for outcome, end in zip(law, ends, strict=True) if place < end)
