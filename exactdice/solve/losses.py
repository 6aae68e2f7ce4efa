r"""What a given policy loses.

A player alone loses the difference to the best. With two players a policy is worth what it is sure
of: the least that the other player, who knows it, can hold it to. What it loses is the value of the
game less that, and never below 0.
"""

from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, mpq, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena
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
    alone, at = _against(model, policy, player), _start(model, player)
    names: tuple[Any, ...] = model.states
    if model.arena.changes_sides:
        names = (*names, *map(Other, names))
    if exact and width is None:
        try:
            return exact_values(alone, names=names, most_bits=MAX_BITS, tell=tell).between(at)
        except TooLargeError:
            pass
    wanted = WIDTH if width is None else rational(width, "width")
    return certified_bounds(alone, wanted, names=names, tell=tell).between(at)


def _start(model: Model[State], player: int) -> int:
    """The initial state; in a game that changes sides where the fixed player is not to move."""
    return len(model.states) if model.arena.changes_sides and player == 2 else 0


def _against(model: Model[State], policy: Policy, player: int) -> Arena:
    """The game that is left to the other player when one follows a policy."""
    arena = model.arena
    if isinstance(policy, Optimum) and policy.mixed:
        free = MIN if player == 1 else MAX
        return free_against(arena, policy.chosen, policy.mixed, free=free)
    if arena.is_owned(BOTH):
        raise InputError("policy", Unquoted("actions"), "the answer to a question, with strategies")
    chosen = chosen_moves(model, policy)
    if arena.changes_sides:
        return _both_views(arena, chosen, player)
    return arena.following(chosen, (MAX,) if player == 1 else (MIN,))


def _both_views(arena: Arena, chosen: Sequence[int], player: int) -> Arena:
    """A game that changes sides with one player's moves fixed, as seen by player 1 throughout.

    State s is where the player with the policy is to move, state n + s where the other is.
    """
    n, views = len(arena), Arena()
    for view in (1, -1):
        # Player 1 is the one to move in state 0 where the policy is the first player's.
        sign = view if player == 1 else -view
        for state in range(n):
            if arena.owners[state] == END:
                views.end(sign * arena.payoffs[state])
                continue
            owner = arena.owners[state]
            moves = arena.moves(state)
            if owner in (MAX, MIN):
                if (owner == MAX) == (view == 1):
                    owner, moves = CHANCE, range(chosen[state], chosen[state] + 1)
                else:
                    owner = MIN if player == 1 else MAX
            views.open(owner)
            for move in moves:
                targets = [
                    t % n if (t < n) == (view == 1) else n + t % n for t, _ in arena.leads(move)
                ]
                weights = arena.weights[arena.law[move]]
                views.move(sign * arena.rewards[arena.reward[move]], weights, targets)
    return views
