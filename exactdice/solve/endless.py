r"""Games in which play may go on for ever, and endless play is a draw that pays nothing.

Payoffs are paid at the ends alone. A last move that is paid for and surely ends play counts as an
end, as files of models have no other. If play surely ended the value would be the one solution of
:math:`v(s) = \max, \min` or mean of :math:`v` after the moves of :math:`s`; where it need not,
there are many. What is sought is the value in fixed moves of both, which exists:

* *Found* by a game that ends with a draw after each move with a chance of :math:`2^{-k}`. Its best
  moves are best in the game itself once :math:`k` is large enough: with fixed moves of both, its
  values tend to those of the game, and there are finitely many fixed moves.
* *Proved* without looking at :math:`k`. Let :math:`v` be what the moves found are worth, which
  solves the equations above. Hold MAX to these moves, and let MIN do anything: :math:`v` never
  falls on average. Play that ends is paid what :math:`v` has become. In endless play MIN makes
  moves that let :math:`v` rise on average finitely often, as it is bounded, and then keeps play for
  ever, for certain, in states in which :math:`v` is the same. If MIN cannot do so where
  :math:`v > 0`, endless play pays no less than :math:`v`, and MAX is sure of it. So is MIN, the
  other way round.

Where the proof fails, :math:`k` is doubled.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from exactdice.arithmetic import mpq
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.run import Run
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena, Solved, Tell
from exactdice.solve.certificate import Certificate
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.laws import WinDrawLoss
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import MAX_BITS
from exactdice.solve.stopping import ranks_along
from exactdice.solve.turn_games import exact_values
from exactdice.solve.variants import choosing, require_result, turn_of

State = TypeVar("State", bound=Hashable)

_MOST_BITS = 1 << 12  # of the chance that a move ends the game that is solved instead


@dataclass(frozen=True, eq=False, repr=False)
class EndlessValues(Solved):
    """Values where endless play is a draw, and fixed moves that are sure of them."""

    # states from which play never ends when both make these moves
    endless: frozenset[int] = frozenset()


def endless_values(
    arena: Arena,
    *,
    names: Sequence[Any] | None = None,
    most_bits: int | None = None,
    tell: Tell | None = None,
) -> EndlessValues:
    """Solve an arena in which endless play pays nothing.

    Raises TooLargeError if a denominator grows longer than `most_bits`, or payoffs are so close
    that moves that are best with a chance of 1/2^4096 to stop at each are not best without.

    Both can go on for ever, and whoever stops loses 1:

    >>> arena = Arena()
    >>> arena.open(MAX); arena.move(mpq(0), (1,), (1,)); arena.move(mpq(0), (1,), (2,))
    >>> arena.open(MIN); arena.move(mpq(0), (1,), (0,)); arena.move(mpq(0), (1,), (3,))
    >>> arena.end(mpq(-1)); arena.end(mpq(1))
    >>> solved = endless_values(arena)
    >>> solved.values, sorted(solved.endless)
    ([mpq(0,1), mpq(0,1), mpq(-1,1), mpq(1,1)], [0, 1])

    A few games that surely end, of the same size; the proof takes at most one pass over all moves
    for each state.
    """
    if arena.is_owned(BOTH):
        raise InputError("arena", Unquoted("choices at once"), "players who choose in turn")
    if any(arena.rewards[number] for number in set(arena.reward)):
        raise InputError("arena", Unquoted("rewards on the way"), "payoffs at the ends alone")
    n, plain = len(arena), arena.unfolded()
    named = None if names is None else [*names, *names][: len(plain)]
    bits = 8
    while bits <= _MOST_BITS:
        moves = exact_values(_ending(plain, bits), most_bits=most_bits, tell=tell).chosen
        chosen = arena.moves_of_both(moves[:n])
        ends = {state: mpq(0) for state in _never_ending(plain, chosen)}
        chain = plain.following(chosen).with_ends(ends)
        values = list(exact_values(chain, names=named, most_bits=most_bits, tell=tell).values)
        if holds_endlessly(plain, values, chosen):
            kept = _keeping(plain, values, chosen) or {}
            ties = {s: tuple(kept[s]) for s in kept if s < n and len(kept[s]) > 1}
            endless = frozenset(s for s in ends if s < n)
            return EndlessValues(values[:n], values[:n], chosen[:n], ties, endless=endless)
        bits *= 2
    raise TooLargeError(
        f"endless play: no moves are proved to be best with chances of 1/2^{_MOST_BITS} to stop; "
        "give a game with fewer states"
    )


def _ending(arena: Arena, bits: int) -> Arena:
    """Give the arena in which each move ends play with a chance of 2 to the power of −bits."""
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


def _never_ending(arena: Arena, chosen: Sequence[int]) -> set[int]:
    """States from which no end is reached with the chosen moves."""
    ranks = ranks_along(arena, lambda state: (_fixed(arena, state, chosen),))
    return {state for state, rank in enumerate(ranks) if rank < 0}


def _fixed(arena: Arena, state: int, chosen: Sequence[int]) -> int:
    return arena.first_move[state] if arena.owners[state] == CHANCE else chosen[state]


def holds_endlessly(arena: Arena, values: Sequence[mpq], chosen: Sequence[int]) -> bool:
    """Whether values are proved by fixed moves, as the module says; the arena keeps its sides."""
    kept = _keeping(arena, values, chosen)
    if kept is None:
        return False
    return all(-1 not in leaving_ranks(arena, values, chosen, free) for free in (MAX, MIN))


def _keeping(
    arena: Arena, values: Sequence[mpq], chosen: Sequence[int]
) -> dict[int, list[int]] | None:
    """Moves that keep the value, of each state; None where values and moves do not fit."""
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
    """Ranks that prove that a free side cannot keep play for ever where that would be a gain."""
    kept = _keeping(arena, values, chosen) or {}
    ends = {
        state: value for state, value in enumerate(values) if state not in kept or value * free >= 0
    }
    return ranks_along(
        arena.with_ends(ends),
        lambda s: kept[s] if arena.owners[s] == free else (_fixed(arena, s, chosen),),
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EndlessOptimum(EndlessValues, Optimum[State]):
    """Values and best play of a game in which endless play is a draw; exact.

    Parameters
    ----------
    model
        The model that was asked about.
    arena
        The same in flat arrays, last moves that are paid for being ends.
    endless
        States, by number, from which best play never ends.
    """

    reported_by: ClassVar = "exactdice.solve.reports:endless_report"

    def is_endless(self, state: State) -> bool:
        """Whether best play from a state never ends."""
        return self.model.number(state) in self.endless

    def certificate(self) -> Certificate[State]:
        """Write down what a stranger needs to check the values and the actions by the rules."""
        states = self.model.states
        arena = self.arena.unfolded()
        chosen = self.arena.moves_of_both(self.chosen)
        mirrored = [-value for value in self.values] if self.arena.changes_sides else []
        values = [*self.values, *mirrored]
        ranks = {side: leaving_ranks(arena, values, chosen, side) for side in (MAX, MIN)}
        bounds = dict(zip(states, self.values, strict=True))
        return Certificate(
            initial=states[0],
            lower=bounds,
            upper=bounds,
            policy=self.policy,
            mixed={},
            ranks_first_free=dict(zip(states, ranks[MAX], strict=False)),
            ranks_second_free=dict(zip(states, ranks[MIN], strict=False)),
            draws=True,
        )

    def win_draw_loss(self) -> WinDrawLoss:
        """Chances of a win, a draw and a loss when both play so; endless play is a draw.

        As in `exactdice.solve.laws.win_draw_loss`, for the player who moves first.
        """
        arena = self.arena
        plain, n = arena.unfolded(), len(arena)
        ends = {s: mpq(0) for s in range(len(plain)) if s % n in self.endless}
        chain = plain.following(arena.moves_of_both(self.chosen)).with_ends(ends)
        won = chain.paying(lambda _: mpq(0), lambda paid: mpq(paid > 0))
        lost = chain.paying(lambda _: mpq(0), lambda paid: mpq(paid < 0))
        win, loss = exact_values(won).values[0], exact_values(lost).values[0]
        chances = (win, 1 - win - loss, loss)
        return WinDrawLoss(*(Enclosure(chance, chance) for chance in chances))


def drawn_optimum(model: Model[State] | Game[State], run: Run) -> EndlessOptimum[State]:
    """Answer `optimum` with infinite play as a draw."""
    model, tell = as_model(model, run), run.counter("states")
    _require_ends_apart(model)
    arena = _paid_at_ends(model.arena)
    solved = endless_values(arena, names=model.states, most_bits=MAX_BITS, tell=tell)
    question = "value of the game, endless play being a draw"
    return EndlessOptimum(**vars(solved), model=model, question=question, arena=arena)


def _require_ends_apart(model: Model[Any]) -> None:
    """Refuse ends that pay a mean, and last moves that pay by their outcome."""
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
    """The same arena in which a last move that is paid for and surely ends play is an end."""
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
