"""The variant of a game for a question: the player, fixed policies, and the steps that count.

With payments of their own, the player of the question is the first of two, against all players
without a fixed policy together. With policies for all others this is a game of one player, and with
all policies a chain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from exactdice.arithmetic import RationalLike, mpq, natural, rational
from exactdice.errors import ConflictError, InputError
from exactdice.run import Run
from exactdice.solve import variants
from exactdice.solve.arena import BOTH, MAX, MIN
from exactdice.solve.game import Game, Model, as_model, turn_of
from exactdice.solve.questions import Policy
from exactdice.solve.turns import Both, Chance, Choice, End, choosing

Event: TypeAlias = Callable[[Any], bool]


@dataclass(frozen=True)
class Asked:
    """The player of a question, fixed policies, and the steps that count."""

    game: Game[Any] | Model[Any]
    player: int
    policies: Mapping[int, Policy] | None
    within: int | None
    counts: Event | None
    least: bool
    run: Run

    def variant(
        self,
        *,
        sided: bool = False,
        of: "Callable[[Any], RationalLike] | None" = None,
        until: Event | None = None,
        utility: "Callable[[mpq], RationalLike] | None" = None,
        cut: Callable[[Game[Any]], Callable[[mpq], mpq]] | None = None,
        factor: mpq | None = None,
    ) -> tuple[Game[Any], Model[Any], bool]:
        """The variant without a bound on steps, its model, and whether the least is wanted."""
        rules = self.game.game if isinstance(self.game, Model) else self.game
        own = rules.players if isinstance(rules, Game) else None
        seats = [*range(1, (own or 2) + 1)]
        numbers, player = " or ".join(map(str, seats)), self.player
        if player not in seats:
            raise InputError("player", player, numbers)
        known = {} if self.policies is None else self.policies
        if not isinstance(known, Mapping) or not set(known) <= set(seats):
            wanted = f"a mapping from players, {numbers}, to policies"
            raise InputError("policies", self.policies, wanted)
        if self.counts is not None and self.within is None:
            raise ConflictError("counts", "applies only with within")
        if utility is not None and factor is not None:
            raise ConflictError("utility", "cannot be combined with discount")
        functions = {"counts": self.counts, "until": until, "utility": utility}
        for name, function in functions.items():
            if not (function is None or callable(function)):
                raise InputError(name, function, "a function of a state")
        changes = (of, until, utility, factor, self.within, own)
        if player == 1 and not known and all(change is None for change in changes):
            model = as_model(self.game, self.run)
            two_least = self.least and model.players == 2
            if (sided or not model.arena.changes_sides) and not two_least:
                return rules, model, self.least
        if not isinstance(rules, Game):
            raise InputError("game", self.game, "a Model or a Game")
        rules = variants.seat(rules, player)
        if known:
            rules = variants.following(rules, known)
        if own is not None or player == 2:
            rules = variants.against(rules, player)
        if of is not None:
            rules = variants.paying(rules, partial(of_bare, of))
        if until is not None:
            rules = variants.stopping(rules, until)
        if utility is not None:
            rules = self._bounded(rules)
            rules = variants.totalled(rules, utility, *([cut(rules)] if cut else []))
        if factor is not None:
            rules = variants.discounted(rules, factor)
        whole = rules if utility else self._bounded(rules)
        model = whole.explored(self.run)
        if self.least and model.players == 2:  # then the other one wants much
            rules, whole = variants.against(rules, 2), variants.against(whole, 2)
            if model.arena.is_owned(BOTH):
                return rules, whole.explored(self.run), False
            turned = model.arena.owned_as(lambda owner: -owner if owner in (MAX, MIN) else owner)
            return rules, replace(model, game=whole, arena=turned), False
        return rules, model, self.least

    def _bounded(self, rules: Game[Any]) -> Game[Any]:
        if self.within is None:
            return rules
        step = partial(of_bare, self.counts or _always)
        return variants.bounded(rules, natural(self.within, "within"), step)


def of_bare(function: Callable[[Any], Any], state: Any) -> Any:
    return function(variants.bare(state))


def _always(_state: Any) -> bool:
    return True


def payments(rules: Game[Any], run: Run) -> set[mpq]:
    """The different rewards and payoffs of a game, as they are paid."""
    paid = {mpq(0)}

    def moves(state: Any) -> Any:
        turn = turn_of(rules, state)
        ways = turn.outcomes.values() if isinstance(turn, Both) else choosing(turn)[1] or [turn]
        for part in ways:
            if isinstance(part, End):
                paid.add(rational(part.payoff))
            elif isinstance(part, Chance | Choice):
                paid.update(rational(each.reward) for each in part.outcomes)
        return turn

    Game(rules.initial, moves).explored(run)
    return paid
