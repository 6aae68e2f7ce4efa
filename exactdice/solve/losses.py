r"""What a given policy loses.

A player alone loses the difference to the best. With two players a policy is worth what it is sure
of: the least that the other player, who knows it, can hold it to. What it loses is the value of the
game less that, and never below 0.
"""

from collections.abc import Hashable
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, MAX, MIN, Arena
from exactdice.solve.bounds import certified_bounds
from exactdice.solve.concurrent import free_against
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import MAX_BITS, WIDTH, Policy, chosen_moves
from exactdice.solve.turn_games import exact_values
from exactdice.solve.turns import Other

State = TypeVar("State", bound=Hashable)


def worst_loss(
    best: Optimum[State], policy: Policy, *, player: int = 1, run: Run = DEFAULT
) -> Enclosure:
    """How much less than the value a policy is sure of, from the initial state.

    Parameters
    ----------
    best
        The answer to `optimum` of the model.
    policy
        As in `policy_value`.
    player
        Whose policy it is, 1 or 2. In a game that changes sides 1 is the player who moves first,
        and 2 the other.
    run
        Hears now and then how many states are solved.

    Raises
    ------
    InputError
        If the policy is not one of this model.
    NoValueError
        If under the policy play need not end.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> from exactdice.models import Choice, Game, point_mass, optimum
    >>> def moves(face):
    ...     if face == "kept":
    ...         return None
    ...     throw = Choice("throw", -1, fair(6))
    ...     return [throw] if face == 0 else [Choice("keep", face, point_mass("kept")), throw]
    >>> best = optimum(Game(0, moves).explored())
    >>> worst_loss(best, lambda face: "keep" if face == 6 else "throw").point
    mpq(3,1)
    """
    if not isinstance(best, Optimum):
        raise InputError("best", best, "the answer to optimum")
    value = best.enclosure()
    sure = sure_of(best.model, policy, player=player, exact=best.is_exact, run=run)
    if player == 2 or (best.model.players < 2 and best.arena.is_owned(MIN)):
        low, high = sure.lower - value.upper, sure.upper - value.lower
    else:
        low, high = value.lower - sure.upper, value.upper - sure.lower
    return Enclosure(max(low, mpq(0)), max(high, mpq(0)))


def sure_of(
    model: Model[State] | Game[State],
    policy: Policy,
    *,
    player: int = 1,
    exact: bool = True,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Enclosure:
    """What a policy is sure of against a player who knows it: the least, or for player 2 the most.

    Parameters
    ----------
    model, policy, player, run
        As in `worst_loss`.
    exact
        Whether to look for the exact value; else it is enclosed.
    width
        Width of the enclosure; 10⁻³⁰ where None.
    """
    if player not in (1, 2):
        raise InputError("player", player, "1 or 2")
    model, tell = as_model(model, run), run.counter("states")
    alone = _against(model, policy, player)
    names: tuple[Any, ...] = model.states
    if model.arena.changes_sides:
        names = (*names, *map(Other, names))
    if exact and width is None:
        try:
            return exact_values(alone, names=names, most_bits=MAX_BITS, tell=tell).between(0)
        except TooLargeError:
            pass
    wanted = WIDTH if width is None else rational(width, "width")
    return certified_bounds(alone, wanted, names=names, tell=tell).between(0)


def _against(model: Model[State], policy: Policy, player: int) -> Arena:
    """The game that is left to the other player when one follows a policy."""
    arena = model.arena
    if isinstance(policy, Optimum) and policy.mixed:
        free = MIN if player == 1 else MAX
        return free_against(arena, policy.chosen, policy.mixed, free=free)
    if arena.is_owned(BOTH):
        raise InputError("policy", Unquoted("actions"), "the answer to a question, with strategies")
    chosen = chosen_moves(model, policy)
    fixed = MAX if player == 1 else MIN
    return arena.unfolded().following(arena.moves_of_both(chosen), (fixed,))
