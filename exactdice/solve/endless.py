r"""Games in which play may never end; infinite play is a draw that pays nothing.

Only ends pay. A last move that is paid for and surely ends play counts as an end, because model
files have no other form. If play surely ended, the value would be the one solution of :math:`v(s) =
\max, \min` or mean of :math:`v` after the moves of :math:`s`; otherwise there are many. The value
in fixed moves of both exists, and is

* *found* by a game that ends with a draw after each move with probability :math:`2^{-k}`. Its
  optimal moves are optimal in the game itself if :math:`k` is large enough: with fixed moves of
  both, its values tend to those of the game, and there are finitely many fixed moves.
* *proved* without :math:`k`. Let :math:`v` be the values of the moves found, which solve the
  equations above. Fix the moves of MAX and leave MIN free: :math:`v` never falls on average. Play
  that ends pays what :math:`v` has become. In infinite play, MIN makes moves that let :math:`v`
  rise on average only finitely often, as it is bounded, and then keeps play forever, with
  certainty, in states with the same :math:`v`. If MIN cannot do so where :math:`v > 0`, infinite
  play pays no less than :math:`v`, and MAX can guarantee it. The same holds for MIN, the other way
  round.

If the proof fails, :math:`k` is doubled.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena, Solved, Tell
from exactdice.solve.game import Game, Model, as_model, turn_of
from exactdice.solve.laws import WinDrawLoss, chances_of
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import MAX_BITS
from exactdice.solve.stopping import ranks_along
from exactdice.solve.turn_games import exact_values
from exactdice.solve.turns import choosing
from exactdice.solve.variants import require_result

State = TypeVar("State", bound=Hashable)

_MOST_BITS = 1 << 12  # of the chance that a move ends the game that is solved instead


@dataclass(frozen=True, eq=False, repr=False)
class EndlessValues(Solved):
    """Values with infinite play as a draw, and fixed moves that guarantee them."""

    # states whose play never ends under these moves
    endless: frozenset[int] = frozenset()


def endless_values(
    arena: Arena,
    *,
    names: Sequence[Any] | None = None,
    most_bits: int | None = None,
    tell: Tell | None = None,
) -> EndlessValues:
    """Solve an arena in which infinite play pays nothing.

    Raises TooLargeError if a denominator is longer than `most_bits`, or payoffs are so close that
    the optimal moves with probability 1/2^4096 to stop at each move are not optimal without. The
    time is that of a few games of the same size that surely end; the proof takes at most one pass
    over all moves for each state.
    """
    if arena.is_owned(BOTH):
        raise InputError("arena", Unquoted("simultaneous moves"), "alternating moves")
    if any(arena.rewards[number] for number in set(arena.reward)):
        raise InputError("arena", Unquoted("rewards on the way"), "payoffs only at the ends")
    n, plain = len(arena), arena.unfolded()
    named = None if names is None else [*names, *names][: len(plain)]
    bits = 8
    while bits <= _MOST_BITS:
        moves = exact_values(_ending(plain, bits), most_bits=most_bits, tell=tell).chosen
        chosen = arena.moves_of_both(moves[:n])
        fixed = [_fixed(plain, state, chosen) for state in range(len(plain))]
        ranks = ranks_along(plain, lambda state: fixed[state : state + 1])  # noqa: B023
        ends = {state: mpq(0) for state, rank in enumerate(ranks) if rank < 0}
        chain = plain.following(chosen).with_ends(ends)
        values = list(exact_values(chain, names=named, most_bits=most_bits, tell=tell).values)
        if holds_endlessly(plain, values, chosen):
            kept = _keeping(plain, values, chosen) or {}
            ties = {s: tuple(kept[s]) for s in kept if s < n and len(kept[s]) > 1}
            endless = frozenset(s for s in ends if s < n)
            return EndlessValues(values[:n], values[:n], chosen[:n], ties, endless=endless)
        bits *= 2
    raise TooLargeError(
        f"infinite play: no moves are proved to be optimal with probability 1/2^{_MOST_BITS} to "
        "stop; use a game with fewer states"
    )


def _ending(arena: Arena, bits: int) -> Arena:
    """The arena in which each move ends play with probability 2 to the power of −bits."""
    other, whole = Arena(), 1 << bits
    for state, owner in enumerate(arena.owners):
        if owner == END:
            other.end(arena.payoffs[state])
            continue
        other.open(owner)
        for move in arena.moves(state):
            law = arena.law[move]
            weights = [weight * (whole - 1) for weight in arena.weights[law]]
            heads = [target for target, _ in arena.leads(move)]
            stopping = arena.denominators[law]
            other.move(mpq(0), (*weights, stopping), [*heads, len(arena)])
    other.end(mpq(0))
    return other


def _fixed(arena: Arena, state: int, chosen: Sequence[int]) -> int:
    return arena.first_move[state] if arena.owners[state] == CHANCE else chosen[state]


def holds_endlessly(arena: Arena, values: Sequence[mpq], chosen: Sequence[int]) -> bool:
    kept = _keeping(arena, values, chosen)
    if kept is None:
        return False
    return all(-1 not in leaving_ranks(arena, values, chosen, free) for free in (MAX, MIN))


def _keeping(
    arena: Arena, values: Sequence[mpq], chosen: Sequence[int]
) -> dict[int, list[int]] | None:
    """The moves of each state that keep the value; None if values and moves do not fit."""
    kept: dict[int, list[int]] = {}
    for state, owner in enumerate(arena.owners):
        if owner == END:
            if values[state] != arena.payoffs[state]:
                return None
            continue
        kept[state] = []
        for move in arena.moves(state):
            gain = arena.returned(move, values) - values[state]
            if (gain > 0 and owner != MIN) or (gain < 0 and owner != MAX):
                return None
            if not gain:
                kept[state].append(move)
        if _fixed(arena, state, chosen) not in kept[state]:
            return None
    return kept


def leaving_ranks(
    arena: Arena, values: Sequence[mpq], chosen: Sequence[int], free: int
) -> list[int]:
    """Return ranks that prove that a free side cannot keep play up forever where it would gain."""
    kept = _keeping(arena, values, chosen) or {}
    ends = {s: value for s, value in enumerate(values) if s not in kept or value * free >= 0}
    return ranks_along(
        arena.with_ends(ends),
        lambda s: kept[s] if arena.owners[s] == free else (_fixed(arena, s, chosen),),
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EndlessOptimum(EndlessValues, Optimum[State], by="exactdice.solve.reports:endless_report"):
    """Values and optimal play of a game in which infinite play is a draw; exact.

    `arena` is the model in flat arrays, in which last moves that are paid for are ends, and
    `endless` has the numbers of the states whose optimal play never ends.
    """

    draws: ClassVar = True

    def is_endless(self, state: State) -> bool:
        """Whether optimal play from a state never ends."""
        return self.model.number(state) in self.endless

    def _ranks(self) -> Sequence[Sequence[int]]:
        arena, chosen = self.arena.unfolded(), self.arena.moves_of_both(self.chosen)
        mirrored = [-value for value in self.values] if self.arena.changes_sides else []
        values = [*self.values, *mirrored]
        return [leaving_ranks(arena, values, chosen, side) for side in (MAX, MIN)]

    def win_draw_loss(self) -> WinDrawLoss:
        """Return the probabilities for the player who moves first under optimal play of both.

        Infinite play is a draw.
        """
        ends = dict.fromkeys(self.endless, mpq(0))
        return chances_of(self.arena.following(self.chosen).with_ends(ends), None, DEFAULT)


def drawn_optimum(model: Model[State] | Game[State], run: Run) -> EndlessOptimum[State]:
    model, tell = as_model(model, run), run.counter("states")
    _require_ends_apart(model)
    arena = _paid_at_ends(model.arena)
    solved = endless_values(arena, names=model.states, most_bits=MAX_BITS, tell=tell)
    question = "value of the game, infinite play being a draw"
    return EndlessOptimum(**vars(solved), model=model, question=question, arena=arena)


def _require_ends_apart(model: Model[Any]) -> None:
    arena, n = model.arena, len(model.arena)
    for _, state in model.ended():
        require_result(turn_of(model.game, state), state)
    for number, state in enumerate(model.states):
        if len(arena.moves(number)) == 1 and all(
            arena.owners[target % n] == END for target in arena.successors(number)
        ):
            turn = model.game.moves(state)
            (move,) = choosing(turn)[1] or (turn,)
            if getattr(move, "paid", None) is not None:
                got = Unquoted(f"a last move from {state!r} that pays by its outcome")
                raise InputError("model", got, "an end with a payoff for each outcome")


def _paid_at_ends(arena: Arena) -> Arena:
    """The arena in which a last move that is paid for and surely ends play is an end."""
    if arena.is_owned(BOTH):
        return arena
    other = Arena()
    other.changes_sides = arena.changes_sides
    for state, owner in enumerate(arena.owners):
        payoff = arena.payoffs.get(state)
        moves = arena.moves(state) if payoff is None else ()
        if len(moves) == 1:
            paid = arena.rewards[arena.reward[moves[0]]]
            last = {arena.payoffs.get(target) for target in arena.successors(state)}
            if paid and len(last) == 1 and None not in last:
                payoff = paid + (last.pop() or 0)
        if payoff is not None:
            other.end(payoff)
            continue
        other.open(owner)
        for move in moves:
            reward = arena.rewards[arena.reward[move]]
            other.move(reward, arena.weights[arena.law[move]], arena.heads(move))
    return other
