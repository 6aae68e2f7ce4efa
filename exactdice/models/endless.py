"""Games of two that need not end, where endless play is a draw.

Payoffs are paid at the ends alone, and play that never ends pays nothing;
`exactdice.solvers.endless` says how the value is found, and proved.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.models.game import Model
from exactdice.models.laws import WinDrawLoss
from exactdice.models.questions import MAX_BITS
from exactdice.run import DEFAULT, Run
from exactdice.solvers.arena import END
from exactdice.solvers.endless import EndlessValues, endless_values, moves_of_both, unfolded
from exactdice.solvers.turn_games import exact_values

__all__ = ["EndlessOptimum", "optimum_with_draws"]

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, eq=False)
class EndlessOptimum(Generic[State]):
    """Values and best play of a game in which endless play is a draw; exact.

    Parameters
    ----------
    model
        The model that was asked about.
    found
        Values, moves, and the states from which these go on for ever.
    """

    model: Model[State] = field(repr=False)
    found: EndlessValues = field(repr=False)

    @property
    def value(self) -> mpq:
        """The value of the initial state."""
        return self.found.values[0]

    def value_of(self, state: State) -> mpq:
        """The value of a state, to the player who moves first, or to the mover who sees it."""
        return self.found.values[self.model.number(state)]

    def is_endless(self, state: State) -> bool:
        """Whether best play from a state never ends."""
        return self.model.number(state) in self.found.endless

    def action(self, state: State) -> Any:
        """A best action of a state; None where nobody chooses."""
        number = self.model.number(state)
        names = self.model.actions[number]
        if names is None or self.model.arena.owners[number] == END:
            return None
        return names[self.found.chosen[number] - self.model.arena.first_move[number]]

    @property
    def policy(self) -> dict[State, Any]:
        """A best action of every state in which a player chooses."""
        return {state: self.action(state) for _, state in self.model.deciding()}

    def win_draw_loss(self) -> WinDrawLoss:
        """Chances of a win, a draw and a loss when both play so; endless play is a draw.

        As in `exactdice.models.laws.win_draw_loss`, for the player who moves first.
        """
        arena = self.model.arena
        plain, n = unfolded(arena), len(arena)
        ends = {s: mpq(0) for s in range(len(plain)) if s % n in self.found.endless}
        chain = plain.following(moves_of_both(arena, self.found.chosen)).with_ends(ends)
        won = chain.paying(lambda _: mpq(0), lambda paid: mpq(paid > 0))
        lost = chain.paying(lambda _: mpq(0), lambda paid: mpq(paid < 0))
        win, loss = exact_values(won).values[0], exact_values(lost).values[0]
        chances = (win, 1 - win - loss, loss)
        return WinDrawLoss(*(Enclosure(chance, chance) for chance in chances))


def optimum_with_draws(model: Model[State], *, run: Run = DEFAULT) -> EndlessOptimum[State]:
    """Value of a game in which play that never ends is a draw and pays nothing.

    Parameters
    ----------
    model
        A model whose players choose in turn, with payoffs at its ends alone.
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
    tell = run.counter("states")
    found = endless_values(model.arena, names=model.states, most_bits=MAX_BITS, tell=tell)
    return EndlessOptimum(model, found)
