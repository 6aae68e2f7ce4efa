"""Games of two that need not end, where endless play is a draw.

Payoffs are paid at the ends alone, and play that never ends pays nothing;
`exactdice.solve.endless_values` says how the value is found, and proved. A last move that is paid
for and surely ends play counts as an end, as files of models have no other.

An `EndlessCertificate` is checked against the rules, state by state. It proves values v when

1. where play has ended v is the payoff;
2. *lower*: no action of the second player, nor the first's fixed one, returns less than v;
3. *upper*: no action of the first player, nor the second's fixed one, returns more than v;
4. where v > 0 the state has a rank with the second player free: each action of the second that
   returns v, and the first's fixed action, leads with some chance to a state of lower rank, or to
   one where play has ended or v ≤ 0; and the other way round where v < 0.

With the first player's actions fixed, v never falls on average by 2, and by 4 the second cannot
keep play for ever where it is worth more than a draw to the first.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from exactdice.arithmetic import mpq, rational, text
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, END, MAX, MIN, Arena
from exactdice.solve.certificate import require_known, require_ranks, require_rationals
from exactdice.solve.endless_values import (
    EndlessValues,
    endless_values,
    leaving_ranks,
    moves_of_both,
    unfolded,
)
from exactdice.solve.errors import CertificateError
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.laws import WinDrawLoss
from exactdice.solve.questions import MAX_BITS
from exactdice.solve.turn_games import exact_values
from exactdice.solve.turns import Both, Chance, Choice, End, Other, Turn

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, eq=False)
class EndlessOptimum(Reported, Generic[State]):
    """Values and best play of a game in which endless play is a draw; exact.

    Parameters
    ----------
    model
        The model that was asked about.
    arena
        The same in flat arrays, last moves that are paid for being ends.
    solved
        Values, moves, and the states from which these go on for ever.
    """

    reported_by: ClassVar = "exactdice.solve.reports:endless_report"

    model: Model[State] = field(repr=False)
    arena: Arena = field(repr=False)
    solved: EndlessValues = field(repr=False)

    @property
    def value(self) -> mpq:
        """The value of the initial state."""
        return self.solved.values[0]

    def value_of(self, state: State) -> mpq:
        """The value of a state, to the player who moves first, or to the mover who sees it."""
        return self.solved.values[self.model.number(state)]

    def is_endless(self, state: State) -> bool:
        """Whether best play from a state never ends."""
        return self.model.number(state) in self.solved.endless

    def action(self, state: State) -> Any:
        """A best action of a state; None where nobody chooses."""
        number = self.model.number(state)
        names = self.model.actions[number]
        if names is None or self.arena.owners[number] == END:
            return None
        return names[self.solved.chosen[number] - self.arena.first_move[number]]

    @property
    def policy(self) -> dict[State, Any]:
        """A best action of every state in which a player chooses."""
        chosen = {state: self.action(state) for _, state in self.model.deciding()}
        return {state: action for state, action in chosen.items() if action is not None}

    def certificate(self) -> "EndlessCertificate[State]":
        """Write down what a stranger needs to check the values and the actions by the rules."""
        solved, states = self.solved, self.model.states
        arena = unfolded(self.arena)
        chosen = moves_of_both(self.arena, solved.chosen)
        mirrored = [-value for value in solved.values] if self.arena.changes_sides else []
        values = [*solved.values, *mirrored]
        ranks = {side: leaving_ranks(arena, values, chosen, side) for side in (MAX, MIN)}
        return EndlessCertificate(
            initial=states[0],
            values=dict(zip(states, solved.values, strict=True)),
            policy=self.policy,
            ranks_first_free=dict(zip(states, ranks[MAX], strict=False)),
            ranks_second_free=dict(zip(states, ranks[MIN], strict=False)),
        )

    def win_draw_loss(self) -> WinDrawLoss:
        """Chances of a win, a draw and a loss when both play so; endless play is a draw.

        As in `exactdice.solve.laws.win_draw_loss`, for the player who moves first.
        """
        arena = self.arena
        plain, n = unfolded(arena), len(arena)
        ends = {s: mpq(0) for s in range(len(plain)) if s % n in self.solved.endless}
        chain = plain.following(moves_of_both(arena, self.solved.chosen)).with_ends(ends)
        won = chain.paying(lambda _: mpq(0), lambda paid: mpq(paid > 0))
        lost = chain.paying(lambda _: mpq(0), lambda paid: mpq(paid < 0))
        win, loss = exact_values(won).values[0], exact_values(lost).values[0]
        chances = (win, 1 - win - loss, loss)
        return WinDrawLoss(*(Enclosure(chance, chance) for chance in chances))


def optimum_with_draws(
    model: Model[State] | Game[State], *, run: Run = DEFAULT
) -> EndlessOptimum[State]:
    """Value of a game in which play that never ends is a draw and pays nothing.

    Parameters
    ----------
    model
        A model, or game, whose players choose in turn, with payoffs at its ends, or for last moves,
        alone.
    run
        Hears now and then how many states are solved.

    Raises
    ------
    InputError
        If both choose at once, or there are rewards on the way.
    TooLargeError
        If fractions outgrow their use.

    Examples
    --------
    Both may pass for ever; to try one's luck wins with 1/3 only:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Choice, End, Game, Other, point_mass
    >>> luck = Distribution({1: 1, -1: 2})
    >>> def moves(state):
    ...     if state != "turn":
    ...         return End(state)
    ...     return [Choice("try", 0, luck), Choice("pass", 0, point_mass(Other("turn")))]
    >>> best = optimum_with_draws(Game("turn", moves).explored())
    >>> best.value, best.action("turn"), best.is_endless("turn"), best.win_draw_loss().draw.point
    (mpq(0,1), 'pass', True, mpq(1,1))
    """
    model, tell = as_model(model, run), run.counter("states")
    arena = _paid_at_ends(model.arena)
    solved = endless_values(arena, names=model.states, most_bits=MAX_BITS, tell=tell)
    return EndlessOptimum(model, arena, solved)


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
            heads = arena.targets[arena.first_target[move] : arena.first_target[move + 1]]
            reward = arena.rewards[arena.reward[move]]
            other.move(reward, arena.weights[arena.law[move]], heads)
    return other


@dataclass(frozen=True, eq=False)
class EndlessCertificate(Generic[State]):
    """Values, actions and ranks of a game in which endless play is a draw.

    Parameters
    ----------
    initial
        The state whose value is asked for.
    values
        The value of each state.
    policy
        The fixed action of each state in which a player chooses.
    ranks_first_free, ranks_second_free
        Ranks of each state where the first, or second, player is free.
    """

    initial: State
    values: Mapping[State, mpq] = field(repr=False)
    policy: Mapping[State, Any] = field(repr=False)
    ranks_first_free: Mapping[State, int] = field(repr=False)
    ranks_second_free: Mapping[State, int] = field(repr=False)

    def check(self, game: Game[State]) -> None:
        """Check every condition against the rules of a game, one pass over its transitions.

        Raises
        ------
        CertificateError
            If a condition fails; the text names the first one and where.
        """
        if game.initial != self.initial or game.initial not in self.values:
            raise CertificateError("certificate: is of a game with another initial state")
        require_rationals("value", self.values)
        require_ranks(self.ranks_first_free)
        require_ranks(self.ranks_second_free)
        require_known(game.initial, self._states, "value")
        for state, value in self.values.items():
            payoff, player, choices = _rules_of(game, state)
            if payoff is None:
                self._check_state(game, state, player, choices)
            elif payoff != value:
                raise CertificateError(
                    f"certificate: {state!r} pays {text(payoff)}, and is given as {text(value)}"
                )

    @cached_property
    def _states(self) -> dict[State, State]:
        """The states, each by itself and by whatever is equal to it."""
        return {state: state for state in self.values}

    def _check_state(
        self, game: Game[State], state: State, player: int, choices: list[Choice[State]]
    ) -> None:
        value, fixed = self.values[state], None
        keeping = []
        for choice in choices:
            if choice.reward:
                raise CertificateError(f"certificate: {state!r} is paid for before play has ended")
            returned = sum((w * self._seen(t)[0] for t, w in choice.successors.items()), mpq(0))
            gain = returned / choice.successors.denominator - value
            if (gain > 0 and player != 2) or (gain < 0 and player != 1):
                raise CertificateError(
                    f"certificate: {state!r} is given as {text(value)}, but {choice.action!r} "
                    f"returns {text(value + gain)}"
                )
            if not gain:
                keeping.append(choice)
            if not player or choice.action == self.policy.get(state):
                fixed = choice
        if fixed not in keeping:
            raise CertificateError(f"certificate: {state!r} has no action that returns its value")
        for free in (1, 2) if value else ():
            if (value > 0) == (free == 2):
                for choice in keeping if player == free else [fixed]:
                    self._check_leaves(game, state, choice, free)

    def _check_leaves(
        self, game: Game[State], state: State, choice: Choice[State], free: int
    ) -> None:
        """Whether an action can lead to lower rank, to an end, or to where a draw is no loss."""
        rank = (self.ranks_first_free if free == 1 else self.ranks_second_free).get(state, -1)
        sign = 1 if free == 2 else -1
        seen: Any
        for seen in choice.successors:
            value, turned = self._seen(seen)
            after = seen.state if turned else seen
            ranks = self.ranks_first_free if (free == 1) != turned else self.ranks_second_free
            if value * sign <= 0 or _rules_of(game, after)[0] is not None:
                return
            if 0 < ranks.get(after, -1) < rank:
                return
        raise CertificateError(
            f"certificate: {choice.action!r} in {state!r} may keep play for ever"
        )

    def _seen(self, successor: Any) -> tuple[mpq, bool]:
        """The value of a successor, and whether the other side sees it."""
        turned = type(successor) is Other
        state = successor.state if turned else successor
        require_known(state, self._states, "value")
        return (-self.values[state] if turned else self.values[state]), turned


def _rules_of(game: Game[Any], state: Any) -> tuple[mpq | None, int, list[Choice[Any]]]:
    """What an end pays, None where it is none; who chooses, 0 for nobody; and the choices."""
    turn = game.moves(state)
    if turn is None or isinstance(turn, End):
        return rational(turn.payoff) if isinstance(turn, End) else mpq(0), 0, []
    if isinstance(turn, Both):
        raise CertificateError(f"certificate: {state!r} is a choice at once")
    if isinstance(turn, Distribution):
        turn = Chance(0, turn)
    if isinstance(turn, Chance):
        player, choices = 0, [Choice("chance", turn.reward, turn.successors)]
    elif isinstance(turn, Turn):
        player, choices = turn.player, list(turn.choices)
    else:
        player, choices = 1, list(turn)
    if len(choices) == 1 and choices[0].reward:  # a last move that is paid for
        ends = [
            None if type(after) is Other else _rules_of_end(game, after)
            for after in choices[0].successors
        ]
        if ends[0] is not None and len(set(ends)) == 1:
            return rational(choices[0].reward) + ends[0], 0, []
    return None, player, choices


def _rules_of_end(game: Game[Any], state: Any) -> mpq | None:
    """What an end pays; None where a state is none."""
    turn = game.moves(state)
    if turn is None:
        return mpq(0)
    return rational(turn.payoff) if isinstance(turn, End) else None
