r"""Questions to a model: the best expected reward, the best chance to reach something.

A question is solved exactly where that is feasible, and else enclosed; the answer says which. With
a `width` it is enclosed at once, to that width.
"""

from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import compress
from typing import Any, TypeAlias, TypeVar

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, rational, significant
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.models.game import Model
from exactdice.models.lifting import lifted_avoiding, lifted_values
from exactdice.models.optimum import Optimum
from exactdice.run import DEFAULT, Run
from exactdice.solvers.arena import BOTH, CHANCE, MAX, MIN, Arena, Mixed
from exactdice.solvers.bounds import certified_bounds
from exactdice.solvers.concurrent import solve_concurrent
from exactdice.solvers.process import NoValueError
from exactdice.solvers.turn_games import exact_values

__all__ = [
    "MAX_BITS",
    "WIDTH",
    "Policy",
    "chosen_moves",
    "following",
    "optimum",
    "policy_value",
    "reach",
]

State = TypeVar("State", bound=Hashable)
Policy: TypeAlias = "Mapping[Any, Any] | Callable[[Any], Any] | Optimum[Any]"

#: The width of an enclosure where an exact value outgrows its use.
WIDTH = mpq(1, 10**30)

#: Bits of a denominator above which a value is enclosed: a fraction that long nobody reads.
MAX_BITS = 1 << 14


def optimum(
    model: Model[State],
    *,
    least: bool = False,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]:
    """Greatest, or least, expected total reward; with two players the value of the game.

    Parameters
    ----------
    model
        Any model. Of a chain this is the expected total reward.
    least
        Whether a player alone wants little instead of much; of no meaning with two players.
    width
        Enclose the values within this, above 0, unless moves lead round in a circle at no loss:
        then they are exact. Where None they are exact, unless the fractions
        outgrow 16384 bits or both players choose at once in a state that can come again; then
        they are enclosed within 10⁻³⁰.
    run
        Hears now and then how many states are solved.

    Raises
    ------
    NoValueError
        If play need not end, or can gain without bound; the text names states.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> from exactdice.models import Chance, Choice, End, Game, point_mass
    >>> def moves(points):
    ...     if points is None or points >= 6:
    ...         return End(points or 0)
    ...     roll = fair(4).map(lambda face: None if face == 1 else points + face)
    ...     return [Choice("roll", 0, roll), Choice("stop", points, point_mass(None))]
    >>> best = optimum(Game(0, moves).explored())
    >>> best.value, best.action(2), best.is_exact
    (mpq(229,64), 'roll', True)
    """
    arena = model.arena
    if least and model.players == 2:
        raise InputError("least", least, "False, as the second player wants little already")
    if least:
        arena = arena.owned_as(lambda owner: MIN if owner == MAX else owner)
    question = "least expected reward" if least else "greatest expected reward"
    if model.players != 1:
        question = "value of the game" if model.players else "expected reward"
    return _solved(model, question, arena, arena, width, run)


def reach(
    model: Model[State],
    event: Callable[[State], bool],
    *,
    least: bool = False,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]:
    """Greatest, or least, probability that play ever comes to a state of some kind.

    Parameters
    ----------
    model
        A model that does not change sides (`Other`). With two players the first wants to come
        there, the second to avoid it.
    event
        Tells of a state whether it counts.
    least, width, run
        As in `optimum`.

    Raises
    ------
    InputError
        If the model changes sides.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game
    >>> race = Game(0, lambda at: fair(2).map(lambda step: at + step) if at < 10 else None)
    >>> reach(race.explored(), lambda at: at == 9).value
    mpq(341,512)
    """
    if model.arena.changes_sides:
        raise InputError("model", model, "states that do not change sides, for reaching one")
    if least and model.players == 2:
        raise InputError("least", least, "False, as the second player avoids the goal already")
    goal = frozenset(compress(range(len(model.states)), map(event, model.states)))
    arena = model.arena.paying(lambda _: mpq(0), lambda _: mpq(0))
    arena = arena.with_ends(dict.fromkeys(goal, mpq(1)))
    if least:
        arena = arena.owned_as(lambda owner: MIN if owner == MAX else owner)
    avoiding = lifted_avoiding(arena, goal)
    closed = arena.with_ends(dict.fromkeys(avoiding, mpq(0)))
    question = f"{'least' if least else 'greatest'} chance to reach a goal"
    found = _solved(model, question, arena, closed, width, run, goal)
    return found.staying(avoiding)


def policy_value(
    model: Model[State],
    policy: Policy,
    *,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]:
    """Expected total reward when every state's action is that of a policy.

    Parameters
    ----------
    model
        A model whose players choose in turn, or one with `Both` and an `Optimum` as policy.
    policy
        The action of each state in which a player chooses, as a mapping, a function, or the
        answer to another question; of both players where there are two.
    width, run
        As in `optimum`.

    Raises
    ------
    InputError
        If the policy has no action for a state, or one that the state has not.
    NoValueError
        If play need not end.
    """
    arena = following(model, policy)
    return _solved(model, "expected reward of a policy", arena, arena, width, run)


def following(model: Model[State], policy: Policy) -> Arena:
    """The chain that a model becomes when all follow a policy."""
    from exactdice.solvers.concurrent import fixed_strategies

    if isinstance(policy, Optimum) and policy.mixed:
        return fixed_strategies(model.arena, policy.chosen, policy.mixed)
    if model.arena.is_owned(BOTH):
        raise InputError("policy", Unquoted("actions"), "the answer to a question, with strategies")
    return model.arena.following(chosen_moves(model, policy))


def chosen_moves(model: Model[State], policy: Policy) -> "array[int]":
    """The number of the move of each state that a policy chooses; −1 at the ends."""
    arena = model.arena
    chosen = array("q", [-1]) * len(arena)
    for number, state in enumerate(model.states):
        owner = arena.owners[number]
        if owner == CHANCE:
            chosen[number] = arena.first_move[number]
        elif owner in (MAX, MIN):
            action = _action(policy, state)
            names = model.actions[number]
            if action not in names:
                raise InputError(
                    f"policy({state!r})", action, f"one of {', '.join(map(repr, names))}"
                )
            chosen[number] = arena.first_move[number] + names.index(action)
    return chosen


def _action(policy: Policy, state: Any) -> Any:
    if isinstance(policy, Optimum):
        return policy.action(state)
    if isinstance(policy, Mapping):
        if state not in policy:
            raise InputError("policy", Unquoted(f"none for {state!r}"), "an action for each state")
        return policy[state]
    return policy(state)


def _solved(
    model: Model[State],
    question: str,
    arena: Arena,
    closed: Arena,
    width: "RationalLike | None",
    run: Run,
    goal: frozenset[int] | None = None,
) -> Optimum[State]:
    wanted = WIDTH if width is None else rational(width, "width")
    if wanted <= 0:
        raise InputError("width", width, "a number above 0")
    names = model.states
    tell = run.counter("states")
    bits: int | None = None
    lower: Sequence[Any]
    upper: Sequence[Any]
    mixed: Mapping[int, Mixed] = {}
    if arena.is_owned(BOTH):
        found = solve_concurrent(
            closed, wanted, names=names, exact=width is None, most_bits=MAX_BITS, tell=tell
        )
        lower, upper, chosen, several = found.lower, found.upper, found.chosen, found.several
        mixed, method = found.mixed, found.method
        bits = found.bits
    else:
        exact = None
        if width is None:
            try:
                exact = lifted_values(
                    closed, names=names, most_bits=MAX_BITS, tell=tell
                ) or exact_values(closed, names=names, most_bits=MAX_BITS, tell=tell)
            except TooLargeError:
                exact = None
        bounds = None
        if exact is None:
            try:
                bounds = certified_bounds(closed, wanted, names=names, tell=tell)
            except NoValueError:
                # Where moves lead round in a circle at no loss no bounds are found, values are.
                exact = exact_values(closed, names=names, tell=tell)
        if bounds is None:
            if exact is None:
                raise AssertionError("either bounds are found or values")
            lower = upper = exact.values
            chosen, several, method = exact.chosen, exact.ties, "exact"
        else:
            lower, upper, bits = bounds.lower, bounds.upper, bounds.bits
            chosen, several = bounds.chosen, bounds.unsettled
            method = f"enclosed within {significant(wanted, 1)}"
    return Optimum(
        model=model,
        question=question,
        method=method,
        arena=arena,
        bits=bits,
        lower=lower,
        upper=upper,
        chosen=array("q", chosen),
        several=several,
        mixed=mixed,
        closed=closed,
        goal=goal,
    )
