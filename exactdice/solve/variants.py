"""Games derived from games: seen by one player, with fixed policies, bounded steps, other payments.

Each function returns a game whose rules change a turn of the given game (`changed`), so that every
question applies to the new game and every certificate is checked by its rules. If the game changes
sides, the new states are those that the first player sees: s if that player moves, `Other(s)` if
the other one moves and sees s. A bound on the steps makes pairs (state, steps left) of the states,
and a function of the total makes pairs (state, total so far).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial, reduce
from typing import Any, NamedTuple, TypeVar

from exactdice.arithmetic import amount, mpq, rational, text
from exactdice.dice import Distribution, mixture
from exactdice.errors import InputError, Unquoted, choices
from exactdice.solve.arena import BOTH, END
from exactdice.solve.game import Game, ModelError, turn_of
from exactdice.solve.optimum import Optimum, require_answer
from exactdice.solve.questions import Policy, policy_action
from exactdice.solve.turns import (
    Both,
    Chance,
    Choice,
    End,
    Other,
    Paid,
    Stopped,
    Turn,
    choosing,
    point_mass,
)

State = TypeVar("State", bound=Hashable)
Number = Callable[[Any], Any]


class Seen(Other[State]):
    """A state in which the other player moves and sees `state`; equal to `Other(state)`."""

    __slots__ = ()


class Stepped(NamedTuple):
    """A state and the number of steps left; equal to a pair."""

    state: Any
    left: int


class Totalled(NamedTuple):
    """A state and the total of the rewards so far; equal to a pair."""

    state: Any
    total: mpq


def bare(state: Any) -> Any:
    while isinstance(state, Stepped | Totalled | Seen):
        state = state.state
    return state


def _same(what: Any) -> Any:
    return what


def changed(
    turn: Any,
    *,
    to: Callable[[Any], Any] = _same,
    reward: Number = _same,
    payoff: Number = _same,
    seats: Callable[[int], int] = _same,
    certain: bool = False,
    law: Callable[[Any], Any] | None = None,
) -> Any:
    """Return a turn with other successors, rewards and payoffs, or with other players.

    If `certain`, rewards and payoffs that may be means are paid with certainty. `law` is
    applied to the distribution of `Paid` outcomes of a move, instead of `to` and `reward`.
    """
    if turn is None or isinstance(turn, End):
        paid = payoff(mpq(0) if turn is None else turn.payoff)
        return End(paid, mean=turn is not None and turn.mean and not certain)
    if isinstance(turn, Both):
        within = partial(changed, to=to, reward=reward, payoff=payoff, certain=certain, law=law)
        parts = turn.outcomes.items()
        return Both({(pair if seats(1) == 1 else pair[::-1]): within(part) for pair, part in parts})
    if isinstance(turn, Distribution):
        turn = Chance(0, turn)
    if isinstance(turn, Chance):
        return Chance(**_moved(turn, to, reward, certain=certain, law=law))
    player, choices = choosing(turn)
    new = [Choice(c.action, **_moved(c, to, reward, certain=certain, law=law)) for c in choices]
    return Turn(seats(player), new)


def _moved(
    part: Choice[Any] | Chance[Any],
    to: Callable[[Any], Any],
    reward: Number,
    *,
    certain: bool,
    law: Callable[[Any], Any] | None,
) -> dict[str, Any]:
    mean = part.mean and not certain
    if law is not None:
        return {"reward": 0, "successors": law(part.outcomes), "mean": part.may_be_mean}
    if part.paid is None:
        paid = reward(part.reward)
        if not certain or rational(paid).denominator == 1:
            return {"reward": paid, "successors": part.successors.map(to), "mean": mean}
    outcomes = part.outcomes.map(lambda each: Paid(reward(each.reward), to(each.state)))
    return {"reward": 0, "successors": outcomes, "mean": mean}


def seen_by_first(game: Game[Any]) -> Game[Any]:
    """Return the game without changes of side: each state as the first player sees it."""
    return seat(game, 1)


def seat(game: Game[Any], player: int | None) -> Game[Any]:
    """Return the game with the payments of one player, or of all, if each has its own.

    States are those that the first player sees, and so are the numbers of players.
    """
    return Game(game.initial, partial(_seat, game, player))


def _seat(game: Game[Any], player: int | None, state: Any) -> Any:
    n, shift, inner = game.players or 2, 0, state
    while isinstance(inner, Seen):
        inner, shift = inner.state, shift + 1

    def own(paid: Any) -> Any:
        if game.players is None:
            paid = (rational(paid), -rational(paid))
        elif not paid:
            paid = (mpq(0),) * n
        elif type(paid) is not tuple or len(paid) != n:
            raise InputError("payments", paid, f"a tuple of {n} numbers, or 0")
        seen = paid[n - shift :] + paid[: n - shift]
        return seen if player is None else seen[player - 1]

    def to(after: Any) -> Any:
        if type(after) is Paid:
            return Paid(own(after.reward), to(after.state))
        steps = shift
        while type(after) is Other:
            after, steps = after.state, steps + 1
        return reduce(lambda seen, _: Seen(seen), range(steps % n), after)

    def seats(mover: int) -> int:
        if mover > n:
            raise InputError("player", mover, f"a player from 1 to {n}")
        return (mover - 1 + shift) % n + 1

    turn = turn_of(game, inner)
    if isinstance(turn, Both) and game.players is not None:
        raise InputError("moves", turn, "turns of one player")
    return changed(turn, to=to, reward=own, payoff=own, seats=seats)


def against(game: Game[Any], player: int) -> Game[Any]:
    """Return the game of one player, as the first, against all others together."""
    return Game(game.initial, partial(_against, game, player))


def _against(game: Game[Any], player: int, state: Any) -> Any:
    return changed(turn_of(game, state), seats=lambda mover: 1 if mover == player else 2)


def paying(game: Game[Any], of: Callable[[Any], Any]) -> Game[Any]:
    """Return the game in which each move pays an amount that depends on its state."""
    return Game(game.initial, partial(_paying, game, of))


def _paying(game: Game[Any], of: Callable[[Any], Any], state: Any) -> Any:
    paid, turn = amount(of(state), f"of({state!r})"), turn_of(game, state)
    return changed(turn, reward=lambda _: paid, payoff=lambda _: mpq(0), certain=True)


def certain(game: Game[Any]) -> Game[Any]:
    return Game(game.initial, partial(_certain, game))


def _certain(game: Game[Any], state: Any) -> Any:
    return changed(turn_of(game, state), certain=True)


def require_payments(part: Any, where: str = "") -> None:
    """Reject a reward or payoff that may be a mean, except fractions at ends."""
    if isinstance(part, End) and part.mean:
        mean = text(rational(part.payoff))
        got = f"the payoff {mean} is a mean; expected an end for each outcome"
    elif isinstance(part, Choice | Chance) and part.may_be_mean:
        mean = text(rational(part.reward))
        got = f"the reward {mean} may be a mean; expected Paid(reward, state) "
        got += "as successors"
    else:
        return
    raise ModelError(f"{where}{got}, or means=True (--means) to take it as paid for certain")


def require_result(turn: Any, state: Any) -> None:
    """Reject an end whose payoff is a mean: its sign does not determine the winner."""
    if isinstance(turn, End) and turn.mean:
        raise ModelError(
            f"moves({state!r}): the payoff {text(rational(turn.payoff))} is a mean, so it does not "
            "show who has won; use an end for each outcome"
        )


def bounded(game: Game[Any], most: int, counts: Callable[[Any], bool]) -> Game[Any]:
    """Return the game that ends before step `most` + 1: a move from a state that counts."""
    return Game(Stepped(game.initial, most), partial(_bounded, game, counts))


def _bounded(game: Game[Any], counts: Callable[[Any], bool], pair: Any) -> Any:
    state, left = pair
    turn = turn_of(game, state)
    if turn is not None and not isinstance(turn, End) and counts(state):
        if not left:
            return End(0)
        left -= 1
    return changed(turn, to=lambda after: Stepped(after, left))


def discounted(game: Game[Any], factor: mpq) -> Game[Any]:
    """Return the game that ends after each move with probability 1 − `factor`, paying nothing."""
    return Game(game.initial, partial(_discounted, game, factor))


def _discounted(game: Game[Any], factor: mpq, state: Any) -> Any:
    def law(paid: Distribution[Any]) -> Distribution[Any]:
        ended = paid.map(lambda each: Paid(each.reward, Stopped(0)))
        return mixture([(factor, paid), (1 - factor, ended)])

    return changed(turn_of(game, state), law=law)


def totalled(
    game: Game[Any], utility: Callable[[mpq], Any], cut: Callable[[mpq], mpq] = _same
) -> Game[Any]:
    """Return the game that pays only at the end: a function of the total of rewards and payoff.

    `cut` replaces totals by others with the same utility, also after all further rewards, to keep
    the number of states finite. Rewards that may be means are rejected.
    """
    return Game(Totalled(game.initial, mpq(0)), partial(_totalled, game, utility, cut))


def _totalled(
    game: Game[Any], utility: Callable[[mpq], Any], cut: Callable[[mpq], mpq], pair: Any
) -> Any:
    state, before = pair

    def total(paid: Any) -> mpq:
        return cut(before + rational(paid))

    turn = turn_of(game, state)
    parts = choosing(turn)[1] or (turn.outcomes.values() if isinstance(turn, Both) else [turn])
    for part in parts:
        require_payments(part)
    return changed(
        turn,
        payoff=lambda paid: utility(total(paid)),
        law=lambda law: law.map(lambda each: Totalled(each.state, total(each.reward))),
    )


def stopping(game: Game[Any], event: Callable[[Any], bool]) -> Game[Any]:
    """Return the game that ends in the states of an event, paying nothing there."""
    return Game(game.initial, partial(_stopping, game, event))


def _stopping(game: Game[Any], event: Callable[[Any], bool], state: Any) -> Any:
    return None if event(state) else turn_of(game, state)


def following(game: Game[Any], policies: Mapping[int, Policy]) -> Game[Any]:
    """Return the game in which some players, by number, follow a policy of `bare` states."""
    return Game(game.initial, partial(_following, game, policies))


def _following(game: Game[Any], policies: Mapping[int, Policy], state: Any) -> Any:
    turn = turn_of(game, state)
    if isinstance(turn, Both):
        return _both_following(turn, policies, state)
    player, choices = choosing(turn)
    if player not in policies:
        return turn
    ways = {choice.action: choice for choice in choices}
    law = strategy(policies[player], state, tuple(ways))
    return Chance(**_drawn([(share, ways[action]) for action, share in law.items()]))


def _both_following(turn: Both[Any], policies: Mapping[int, Policy], state: Any) -> Any:
    names = {1: turn.rows, 2: turn.columns}
    laws = {player: strategy(policies[player], state, names[player], player) for player in policies}
    if not laws:
        return turn
    pure: dict[int, list[dict[Any, mpq]]] = {
        player: [laws[player]] if player in laws else [{name: mpq(1)} for name in names[player]]
        for player in names
    }
    ways = [
        _drawn([(p * q, turn.outcomes[a, b]) for a, p in row.items() for b, q in column.items()])
        for row in pure[1]
        for column in pure[2]
    ]
    if len(laws) == 2:
        return Chance(**ways[0])
    free = 3 - next(iter(laws))
    return Turn(free, [Choice(a, **way) for a, way in zip(names[free], ways, strict=True)])


def strategy(
    policy: Policy, state: Any, names: tuple[Any, ...], player: int | None = None
) -> dict[Any, mpq]:
    listed = policy.model.index if isinstance(policy, Optimum) else policy
    known = state if isinstance(listed, Mapping) and state in listed else bare(state)
    action = policy_action(policy, known)
    if isinstance(policy, Optimum) and player is not None:
        action = action[player - 1 if known is state else 2 - player]
    if isinstance(action, Mapping) and not isinstance(action, Distribution):
        action = Distribution.from_probabilities(action)
    law = action.probabilities() if isinstance(action, Distribution) else {action: mpq(1)}
    if odd := [name for name in law if name not in names]:
        wanted = choices([*map(repr, names)], repr(odd[0]))
        raise InputError(f"policy({known!r})", odd[0], f"{wanted}, or a mixture")
    return law


def _drawn(parts: list[tuple[mpq, Any]]) -> dict[str, Any]:
    chances = [(share, _as_chance(part)) for share, part in parts]
    mean = any(part.may_be_mean for _, part in chances)
    if mean or (
        len({part.reward for _, part in chances}) == 1 and all(p.paid is None for _, p in chances)
    ):
        reward = sum((share * rational(part.reward) for share, part in chances), mpq(0))
        successors = _mixed((share, part.successors) for share, part in chances)
        return {"reward": reward, "successors": successors, "mean": mean}
    return {"reward": 0, "successors": _mixed((share, part.outcomes) for share, part in chances)}


def _as_chance(part: Any) -> Any:
    if isinstance(part, End):
        return Chance(0, point_mass(part))
    return Chance(0, part) if isinstance(part, Distribution) else part


def _mixed(parts: Iterable[tuple[mpq, Distribution[Any]]]) -> Distribution[Any]:
    laws = list(parts)
    return laws[0][1] if len(laws) == 1 else mixture(laws)


def best_play(best: Optimum[State]) -> Game[State]:
    """Return the game restricted to optimal actions, for a second objective.

    `best` is an exact answer to a question about a game with alternating moves; InputError is
    raised for others. If the question was about reaching states, the game ends where they are
    reached or can no longer be reached. The shorter of two certain ways to the end:

    >>> from exactdice.solve.questions import optimum
    >>> table = {0: [Choice("round", 0, point_mass(1)), Choice("on", 0, point_mass(2))],
    ...          1: point_mass(2), 2: End(1)}
    >>> safe = optimum(Game(0, table.__getitem__))
    >>> fast = optimum(paying(best_play(safe), lambda state: 1), least=True)
    >>> safe.optimal_actions(0), fast.action(0), fast.value
    (('round', 'on'), 'on', Enclosure(mpq(1,1)))
    """
    require_answer(best)
    if not best.is_exact or best.arena.is_owned(BOTH):
        raise InputError(
            "best",
            Unquoted("bounds, or strategies"),
            "an exact answer to a game with alternating moves",
        )
    return Game(best.model.game.initial, partial(_best_moves, best))


def _best_moves(best: Optimum[State], state: State) -> Any:
    model, over = best.model, (best.closed or best.arena).owners
    turn = turn_of(model.game, state)
    player, choices = choosing(turn)
    is_end = turn is None or isinstance(turn, End)
    if not is_end and over[model.number(state)] == END:
        return End(0)
    if not player:
        return turn
    # after fixing a policy, or for the least, owners differ from those of the rules
    kept = best.optimal_actions(state)
    return Turn(player, [choice for choice in choices if choice.action in kept])
