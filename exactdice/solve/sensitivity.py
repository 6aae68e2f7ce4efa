r"""How fast the value of a game changes with a number that its rules depend on.

Let the chances and rewards of a game be affine in a number x, and v the values at
x. One step at x + h, followed by v, returns v + h·d with d the same for every h, and the value's
derivative under a policy is the total of d under it at x. From the right the derivative of the best
value is the value of the game that pays d in which players have their best actions at x only; from
the left it is minus that of the game that pays −d (Danskin's theorem for finitely many policies).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, point_of
from exactdice.errors import InputError, Unquoted
from exactdice.solve.arena import MIN
from exactdice.solve.game import Game
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import optimum
from exactdice.solve.turns import Chance, Choice, End, Other, Turn
from exactdice.solve.variants import best_play, choosing, following, turn_of


@dataclass(frozen=True)
class Derivatives:
    """A value, and its derivatives by a number that the game depends on.

    Parameters
    ----------
    at
        The number.
    value
        The value there.
    left, right
        The derivatives from either side; they differ where best actions change.
    """

    at: mpq
    value: mpq
    left: mpq
    right: mpq


def sensitivity(
    family: Callable[[mpq], Game[Any]],
    at: RationalLike,
    *,
    ask: Callable[[Game[Any]], Optimum[Any]] = optimum,
    step: RationalLike = "1/1048576",
) -> Derivatives:
    """How fast a value changes with a chance, or any other number that the rules are affine in.

    Parameters
    ----------
    family
        The game for a number, in which chances and rewards are affine in it.
    at
        Where the derivative is asked for.
    ask
        The question, as ``lambda game: probability(game, "won")``; answered exactly, and with
        players who choose in turn.
    step
        The rules are asked at one and two steps from `at`, where the same must be possible; a
        negative one at the upper end of a range. The derivative does not depend on it.

    Raises
    ------
    InputError
        If the rules are not affine in the number, or say something else to be possible beside it.

    Examples
    --------
    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Chance, Game
    >>> def until_heads(p):
    ...     toss = Distribution.from_probabilities({"heads": p, "tails": 1 - p})
    ...     return Game("tails", lambda side: Chance(1, toss) if side == "tails" else None)
    >>> slope = sensitivity(until_heads, "1/3")
    >>> slope.value, slope.left, slope.right
    (mpq(3,1), mpq(-9,1), mpq(-9,1))
    """
    x, h = rational(at, "at"), rational(step, "step")
    _require_function(family)
    if not h:
        raise InputError("step", step, "a number other than 0")
    best = ask(family(x))
    only_best = best_play(best)
    games = [best.model.game, *(ask(family(x + n * h)).model.game for n in (1, 2))]

    def returned(part: Any) -> mpq:
        if part is None or isinstance(part, End):
            return mpq(0) if part is None or best.goal is not None else rational(part.payoff)
        law = part if isinstance(part, Distribution) else part.successors
        reward = mpq(0) if law is part or best.goal is not None else rational(part.reward)
        for state, chance in law.probabilities().items():
            turned = type(state) is Other
            worth = point_of(best.value_of(state.state if turned else state))
            reward += chance * (-worth if turned else worth)
        return reward

    def slope(parts: list[Any]) -> mpq:
        a, b, c = map(returned, parts)
        if c - b != b - a:
            raise InputError("family", Unquoted("rules that bend"), "rules affine in the number")
        return (b - a) / h

    def moves(state: Any, sign: int) -> Any:
        turn: Any = only_best.moves(state)
        turns = [turn_of(game, state) for game in games]
        if isinstance(turn, End) and not isinstance(turns[0], End):
            return turn  # what is asked about has been decided
        player, choices = choosing(turn)
        if not player:
            paid = sign * slope(turns)
            if turn is None or isinstance(turn, End):
                return End(paid)
            return Chance(paid, turn if isinstance(turn, Distribution) else turn.successors)
        ways = [{choice.action: choice for choice in choosing(other)[1]} for other in turns]
        if any(way.keys() != ways[0].keys() for way in ways):
            raise InputError("family", Unquoted("other actions"), "the same ones beside the number")
        return Turn(
            player,
            [
                Choice(c.action, sign * slope([way[c.action] for way in ways]), c.successors)
                for c in choices
            ],
        )

    least = best.model.players < 2 and best.arena.is_owned(MIN)
    initial = best.model.game.initial
    right = optimum(Game(initial, partial(moves, sign=1)), least=least).value
    left = -optimum(Game(initial, partial(moves, sign=-1)), least=least).value
    return Derivatives(x, *map(point_of, (best.value, left, right)))


def _require_function(family: object) -> None:
    if not callable(family):
        raise InputError("family", family, "a function of a number that gives a Game")


def stays_best(
    family: Callable[[mpq], Game[Any]],
    at: RationalLike,
    *,
    within: tuple[RationalLike, RationalLike],
    ask: Callable[[Game[Any]], Optimum[Any]] = optimum,
    width: RationalLike = "1/1000000",
) -> tuple[Enclosure, Enclosure]:
    """From where to where the best policy at a number stays best.

    Parameters
    ----------
    family, at, ask
        As in `sensitivity`; rules need not be affine in the number.
    within
        The least and the greatest number to look at.
    width
        How narrow the ends are to be enclosed, by bisection.

    Returns
    -------
    tuple of Enclosure
        The lower and the upper end. The policy is best at the inner bound of each and not at the
        outer one, or they meet at the end of `within`. Of a policy that loses and becomes best
        again between two numbers that are looked at, this sees nothing.

    Raises
    ------
    InputError
        If `at` lies outside `within`, or an answer is enclosed only.

    Examples
    --------
    To toss for 1 until tails is better than to take 2 where heads come up with a chance above 2/3:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Choice, End, Game, point_mass
    >>> def stake(p):
    ...     toss = Distribution.from_probabilities({"on": p, "tails": 1 - p})
    ...     choices = [Choice("toss", p, toss), Choice("take", 2, point_mass("tails"))]
    ...     return Game("on", lambda side: choices if side == "on" else End())
    >>> lower, upper = stays_best(stake, "4/5", within=("1/10", "9/10"))
    >>> mpq(2, 3) in lower, lower.width < mpq(1, 10**6), upper.point
    (True, True, mpq(9,10))
    """
    x, narrow = rational(at, "at"), rational(width, "width")
    _require_function(family)
    if not isinstance(within, tuple) or len(within) != 2:
        raise InputError("within", within, "a pair of numbers")
    ends = tuple(rational(end, "within") for end in within)
    if narrow <= 0:
        raise InputError("width", width, "a number above 0")
    if not ends[0] <= x <= ends[1]:
        raise InputError("at", at, "a number within the range")
    policy = ask(family(x))

    def is_best(number: mpq) -> bool:
        game = family(number)
        return ask(following(game, {1: policy, 2: policy})).value == ask(game).value

    def end(inner: mpq, outer: mpq) -> Enclosure:
        if is_best(outer):
            return Enclosure.of(outer)
        while abs(outer - inner) > narrow:
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if is_best(middle) else (inner, middle)
        return Enclosure(min(inner, outer), max(inner, outer))

    return end(x, ends[0]), end(x, ends[1])
