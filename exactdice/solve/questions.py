"""Questions to a model: the greatest expected reward and the greatest probability to reach states.

A question is solved exactly if that is feasible, and otherwise enclosed; the answer says which. If
a `width` is given, it is enclosed to that width.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.errors import ConflictError, InputError, TooLargeError, Unquoted, choices
from exactdice.linked import linked
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena, NoValueError, Solved
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.optimum import Optimum
from exactdice.solve.stopping import components, settle_policy
from exactdice.solve.turn_games import certified_bounds, exact_values, values_by_components

if TYPE_CHECKING:
    from exactdice.solve.endless import EndlessOptimum

State = TypeVar("State", bound=Hashable)
Policy: TypeAlias = "Mapping[Any, Any] | Callable[[Any], Any] | Optimum[Any]"
_WANTED = "an action for each state: a mapping, a function, or an answer such as optimum(game)"
NOBODYS: Policy = MappingProxyType({})  # if only chance moves

#: The width of an enclosure if an exact value would be too long.
WIDTH = mpq(1, 10**30)

#: Bits of a denominator above which a value is enclosed.
MAX_BITS = 1 << 14

# Measured: Python takes 1.3 ms for 1000 transitions without cycles; to load numpy takes 40 ms.
_FEW = 2_000
_MANY = 100_000  # transitions from which on memory is estimated, and measured meanwhile


@overload
def optimum(
    model: Model[State] | Game[State], *, infinite: Literal["draw"], run: Run = DEFAULT
) -> "EndlessOptimum[State]": ...
@overload
def optimum(
    model: Model[State] | Game[State],
    *,
    least: bool = False,
    width: "RationalLike | None" = None,
    infinite: None = None,
    discount: "RationalLike | None" = None,
    utility: "Callable[[mpq], RationalLike] | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]: ...
def optimum(
    model: Model[State] | Game[State],
    *,
    least: bool = False,
    width: "RationalLike | None" = None,
    infinite: Literal["draw"] | None = None,
    discount: "RationalLike | None" = None,
    utility: "Callable[[mpq], RationalLike] | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]:
    """Return the greatest, or least, expected total reward; with two players the value of the game.

    * `model`: a model, or a game, which is explored first. With chance only, the expected total
      reward. A single player may only use policies under which play ends with probability 1: if
      stopping costs 5 and staying forever costs nothing, the value is −5.
    * `least`: minimise the reward of a single player instead of maximising it. Not for two players.
    * `width`: the greatest width of the bounds, above 0. By default values are exact, unless
      fractions need more than 16384 bits (fewer in large models) or play can return to a state with
      simultaneous moves: then they are enclosed within 10⁻³⁰. If play can go in a circle at no
      cost, values are exact even if a width is given.
    * `infinite`: the result of infinite play: None if play always ends, or "draw", which pays 0.
      With draws players must move alternately, and only ends or last moves may pay. The answer is
      exact.
    * `discount`, `utility`: as in `expect`.
    * `run`: limits memory and time, and receives the number of states solved.

    Raises NoValueError if play need not end, or the reward is unbounded; the text names states.
    With draws, raises InputError if players move simultaneously, there are rewards on the way, or a
    last move pays by its outcome (`Paid`), so that the end does not determine the winner, and
    TooLargeError if fractions have more than 16384 bits.

    >>> from exactdice.dice import Distribution, fair
    >>> from exactdice.models import Chance, Choice, End, Game, Other, point_mass
    >>> def moves(points):
    ...     if points is None or points >= 6:
    ...         return End(points or 0)
    ...     roll = fair(4).map(lambda face: None if face == 1 else points + face)
    ...     return [Choice("roll", 0, roll), Choice("stop", points, point_mass(None))]
    >>> best = optimum(Game(0, moves).explored())
    >>> best.value, best.action(2), best.is_exact
    (Enclosure(mpq(229,64)), 'roll', True)

    Both players may pass forever; trying one's luck wins with probability 1/3:

    >>> luck = Distribution({1: 1, -1: 2})
    >>> def moves(state):
    ...     if state != "turn":
    ...         return End(state)
    ...     return [Choice("try", 0, luck), Choice("pass", 0, point_mass(Other("turn")))]
    >>> best = optimum(Game("turn", moves), infinite="draw")
    >>> best.value, best.action("turn"), best.is_endless("turn"), best.win_draw_loss().draw.point
    (Enclosure(mpq(0,1)), 'pass', True, mpq(1,1))
    """
    if infinite is not None:
        if infinite != "draw":
            raise InputError("infinite", infinite, '"draw" or None')
        refused = {"least": least or None, "width": width, "discount": discount, "utility": utility}
        for name in (name for name, value in refused.items() if value is not None):
            raise ConflictError(name, 'does not apply with infinite="draw"')
        answer: Optimum[State] = linked("exactdice.solve.endless:drawn_optimum")(model, run)
        return answer
    if discount is not None or utility is not None:
        expect = linked("exactdice.solve.asking:expect")
        how: dict[str, Any] = {"least": least, "width": width, "run": run}
        other: Optimum[State] = expect(model, discount=discount, utility=utility, **how)
        return other
    model = as_model(model, run)
    arena = model.arena
    if least and model.players == 2:
        raise ConflictError("least", "applies to one player; the second of two minimises already")
    if least:
        arena = arena.owned_as(lambda owner: MIN if owner == MAX else owner)
    return _solved(model, _asked(model, least=least), arena, arena, width, run)


def exact_optimum(
    game: Game[State], run: Run = DEFAULT, also: Iterable[State] = ()
) -> Optimum[State]:
    """Solve a finite game as `optimum` does, but exactly, however long its fractions are.

    States in `also` are solved even if they are not reachable.
    """
    model = game.explored(replace(run, announce=None), also)
    with run.within_limits():
        tell = run.counter("states")
        solved = exact_values(model.arena, names=model.states, tell=tell)
    asked = _asked(model, least=False)
    return Optimum(**vars(solved), model=model, question=asked, arena=model.arena)


def _asked(model: Model[Any], *, least: bool) -> str:
    if model.players != 1:
        return "value of the game" if model.players else "expected reward"
    return "least expected reward" if least else "greatest expected reward"


def reach(
    model: Model[State] | Game[State],
    event: Callable[[State], bool],
    *,
    least: bool = False,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]:
    """Return the greatest, or least, probability that play ever reaches one of some states.

    * `model`: a model, or game, that does not change sides (`Other`). The first of two players
      wants to reach the states, the second to avoid them; infinite play that never reaches them
      avoids them.
    * `event`: a function of a state: whether it counts.
    * `least`, `width`, `run`: as in `optimum`.
    """
    model = as_model(model, run)
    if not callable(event):
        raise InputError("event", event, "a function that tells of a state whether it counts")
    if model.arena.changes_sides:
        raise InputError("model", model, "a model that does not change sides")
    if least and model.players == 2:
        raise ConflictError("least", "applies to one player; the second of two avoids the goal")
    goal = frozenset(compress(range(len(model.states)), map(event, model.states)))
    zero = mpq(0)
    arena = model.arena.paying(lambda _: zero, lambda _: zero)
    arena = arena.with_ends(dict.fromkeys(goal, mpq(1)))
    if least:
        arena = arena.owned_as(lambda owner: MIN if owner == MAX else owner)
    from exactdice.solve.lifting import avoided

    avoiding, process = avoided(arena, goal)
    closed = arena.with_ends(dict.fromkeys(avoiding, zero)) if avoiding else arena
    question = f"{'least' if least else 'greatest'} chance to reach a goal"
    answer = _solved(model, question, arena, closed, width, run, goal, process)
    return answer.staying(avoiding) if avoiding else answer


def policy_value(
    model: Model[State] | Game[State],
    policy: Policy = NOBODYS,
    *,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[State]:
    """Return the expected total reward under a policy.

    * `model`: a model, or game, with alternating moves; or one with `Both` and an `Optimum` as
      policy.
    * `policy`: the action for each state in which a player chooses: a mapping, a function, or the
      answer to another question. With two players it covers both. Not needed if only chance moves.
    * `width`, `run`: as in `optimum`.

    Raises InputError if the policy has no action for a state, or an action that the state does not
    have. Raises NoValueError if play need not end.
    """
    model = as_model(model, run)
    arena = following(model, policy)
    return _solved(model, "expected reward of a policy", arena, arena, width, run)


def valued(model: Model[State], values: Sequence[mpq]) -> Optimum[State]:
    """Return the answer to `optimum` from exact values: moves by which play ends, and all ties."""
    arena = model.arena
    first, ties = array("q", [-1]) * len(arena), dict[int, tuple[int, ...]]()
    for state, owner in enumerate(arena.owners):
        if owner == END:
            best = arena.payoffs[state]
        else:
            best, moves = arena.best_return(state, values)
            first[state] = moves[0]
            if len(moves) > 1:
                ties[state] = tuple(moves)
        if best != values[state]:
            raise AssertionError("values solve the equations of the model")
    chosen = array("q", settle_policy(arena, first, ties, first, model.states))
    return Optimum(
        lower=values,
        upper=values,
        chosen=chosen,
        several=ties,
        model=model,
        question=_asked(model, least=False),
        arena=arena,
    )


def following(model: Model[State], policy: Policy) -> Arena:
    if isinstance(policy, Optimum) and policy.mixed:
        fix = linked("exactdice.solve.concurrent:fixed_strategies")
        fixed: Arena = fix(model.arena, policy.chosen, policy.mixed)
        return fixed
    if model.arena.is_owned(BOTH):
        raise InputError("policy", Unquoted("actions"), "the answer to a question, with strategies")
    return model.arena.following(chosen_moves(model, policy))


def chosen_moves(model: Model[State], policy: Policy) -> "array[int]":
    """Return the number of the move that a policy chooses in each state; −1 at ends."""
    arena = model.arena
    chosen = array("q", [-1]) * len(arena)
    for number, state in enumerate(model.states):
        owner = arena.owners[number]
        if owner == CHANCE:
            chosen[number] = arena.first_move[number]
        elif owner in (MAX, MIN):
            action = policy_action(policy, state)
            names = model.actions[number]
            if action not in names:
                wanted = choices([*map(repr, names)], repr(action))
                raise InputError(f"policy({state!r})", action, wanted)
            chosen[number] = arena.first_move[number] + names.index(action)
    return chosen


def policy_action(policy: Policy, state: Any) -> Any:
    if isinstance(policy, Optimum):
        return policy.action(state)
    if isinstance(policy, Mapping):
        if state not in policy:
            raise InputError("policy", Unquoted(f"none for {state!r}"), _WANTED)
        return policy[state]
    if not callable(policy):
        raise InputError("policy", policy, _WANTED)
    return policy(state)


def _solved(
    model: Model[State],
    question: str,
    arena: Arena,
    closed: Arena,
    width: "RationalLike | None",
    run: Run,
    goal: frozenset[int] | None = None,
    process: Any = None,
) -> Optimum[State]:
    wanted = WIDTH if width is None else rational(width, "width")
    if wanted <= 0:
        raise InputError("width", width, "a number above 0")
    is_long = arena.transitions > _MANY or run.seconds is not None
    if is_long or run.announce:
        cost, what = model.cost(), f"solving {arena.transitions} transitions"
        run.expect(cost.nanoseconds, what)
        run.require(cost.memory, what)
    with run.within_limits() if is_long else nullcontext():
        if arena.is_owned(BOTH):
            solved = linked("exactdice.solve.concurrent:solve_concurrent")(
                closed,
                wanted,
                names=model.states,
                exact=width is None,
                most_bits=MAX_BITS,
                tell=run.counter("states"),
            )
        else:
            narrow = None if width is None else wanted
            solved = _in_turn(closed, narrow, model.states, run, goal, process)
    return Optimum(
        **vars(solved), model=model, question=question, arena=arena, closed=closed, goal=goal
    )


def _in_turn(
    arena: Arena,
    width: mpq | None,
    names: Sequence[Any],
    run: Run,
    goal: frozenset[int] | None,
    process: Any,
) -> Solved:
    tell = run.counter("states")
    is_small = arena.transitions <= _FEW and not any(c.is_cyclic for c in components(arena))
    if width is None and goal is None and is_small:  # solved before numpy would be loaded
        with suppress(TooLargeError):
            return values_by_components(arena, most_bits=MAX_BITS, names=names, tell=tell)
    from exactdice.solve.lifting import (
        enclosed_values,  # loads numpy
        guess_of,
        lifted_values,
    )

    guess = guess_of(arena, lambda steps: run.tell("steps of solving", int(steps)), process)
    limits: dict[str, Any] = {
        "names": names, "tell": tell, "to_goal": goal is not None, "guess": guess
    }  # fmt: skip
    if width is None:
        solved = guess and lifted_values(arena, most_bits=MAX_BITS, **limits)
        if solved is not None:
            return solved
        try:
            return values_by_components(arena, most_bits=MAX_BITS, **limits)
        except TooLargeError:
            width = WIDTH
    if guess is not None:
        try:
            solved = enclosed_values(arena, width, names=names, tell=tell, guess=guess)
        except NoValueError:  # as ties are chosen; exact values tell which are ties
            solved = None
        solved = solved or lifted_values(arena, **limits)
        if solved is not None:
            return solved
    try:
        return certified_bounds(arena, width, names=names, tell=tell)
    except NoValueError:
        return values_by_components(arena, **limits)
