r"""Maxims: what the game's README says about optimal play, so that it can be checked.

A maxim names an action for each state that it is about, and holds at a state if that action is
among the optimal ones. `exactdice.studies.swe.judging` checks it at all states that play
can reach.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from exactdice.games.swe.laws.players import lowest_promotion
from exactdice.games.swe.optimum.envelope import Candidates
from exactdice.games.swe.optimum.reachable import scores_between
from exactdice.games.swe.rules import Action, ActionKind, State

_CREATE = Action(ActionKind.CREATE)


class Departure(NamedTuple):
    """Scores from `low` to `high` at which the claimed action is worse than another."""

    low: int
    high: int
    claimed: Action
    better: Action

    @property
    def scores(self) -> int:
        """The scores as bits of an integer."""
        return scores_between(self.low, self.high)


Departures: TypeAlias = Callable[[State, Candidates], Iterator[Departure]]


@dataclass(frozen=True)
class Maxim:
    """An action named for each state of some kind."""

    # name, statement: what it is called and what it says
    name: str
    statement: str
    # whether it says anything about states with these dice, at any score
    applies: Callable[[State], bool]
    # where, as a function of the score, the actions open at a state contradict it; a skip is among
    # the actions where there is no legacy
    departures: Departures
    # whether it is about states with legacy, and then it says that the first action in the
    # canonical order is optimal; otherwise it is about states without
    legacy: bool = False
    # the number of rounds of the only game that it is about; None for all games
    rounds: int | None = None


def _no_legacy(state: State) -> bool:
    return not any(state.legacy)


def _several_promotions(state: State) -> bool:
    return _no_legacy(state) and sum(map(bool, state.revenue[:-1])) > 1


def _unless(
    candidates: Candidates, fails: Callable[[tuple[Action, ...]], bool], claimed: Action
) -> Iterator[Departure]:
    """Depart where the optimal actions among the candidates fail a test."""
    for low, high, optimal in candidates.choices():
        if fails(optimal):
            yield Departure(low, high, claimed, optimal[0])


def _from_first(_: State, candidates: Candidates) -> Iterator[Departure]:
    """Depart where the first action in the canonical order is not optimal."""
    first = next(iter(candidates.envelopes))
    return _unless(candidates.legal(), lambda optimal: first not in optimal, first)


def _from_lowest_promotion(state: State, candidates: Candidates) -> Iterator[Departure]:
    """Depart where the lowest promotion is not the best of the promotions."""
    promotions = {a: e for a, e in candidates.envelopes.items() if a.kind is ActionKind.PROMOTE}
    return _from_first(state, candidates._replace(envelopes=promotions))


def _from_lowest_when_promoting(_: State, candidates: Candidates) -> Iterator[Departure]:
    """Depart where some promotion is optimal, but not the lowest."""
    lowest = next(action for action in candidates.envelopes if action.kind is ActionKind.PROMOTE)

    def fails(optimal: tuple[Action, ...]) -> bool:
        return lowest not in optimal and any(a.kind is ActionKind.PROMOTE for a in optimal)

    return _unless(candidates.legal(), fails, lowest)


def _to_skip(_: State, candidates: Candidates) -> Iterator[Departure]:
    """Depart where skipping is better than all legal actions; the claimed one is the first best."""
    skip = Action(ActionKind.SKIP)
    for low, high, optimal in candidates.choices():
        if optimal == (skip,):
            for choice in candidates.legal()._replace(low=low, high=high).choices():
                yield Departure(choice.low, choice.high, choice.actions[0], skip)


def _from_rule(prefers: Callable[[State], Action]) -> "Departures":
    """Depart where the action that a rule prefers is not optimal."""

    def departures(state: State, candidates: Candidates) -> Iterator[Departure]:
        action = prefers(state)
        return _unless(candidates.legal(), lambda optimal: action not in optimal, action)

    return departures


FIX_MOST_ROBUST = Maxim(
    "fix the most robust",
    "with legacy dice on several rungs, fixing one on the highest rung is optimal",
    lambda state: sum(map(bool, state.legacy)) > 1,
    _from_first,
    legacy=True,
)
PROMOTE_LOWEST = Maxim(
    "promote the lowest",
    "among the promotions, that of a die on the lowest rung is the best",
    _several_promotions,
    _from_lowest_promotion,
)
PROMOTE_LOWEST_IF_ANY = Maxim(
    "promote the lowest, where promoting",
    "where a promotion is optimal, that of a die on the lowest rung is",
    _several_promotions,
    _from_lowest_when_promoting,
)
NEVER_SKIP = Maxim(
    "never skip",
    "rolling without creating or promoting is never better than all legal actions",
    _no_legacy,
    _to_skip,
)
ALWAYS_CREATE = Maxim(
    "10 rounds: always create",
    "in the game of 10 rounds creating is optimal whenever there is no legacy",
    _no_legacy,
    _from_rule(lambda state: _CREATE),
    rounds=10,
)
PROMOTE_ONCE = Maxim(
    "30 rounds: promote to the second rung, else create",
    "in the game of 30 rounds promoting a die from the lowest rung is optimal if there is one, "
    "and creating if not",
    _no_legacy,
    _from_rule(lambda state: lowest_promotion(state.revenue) if state.revenue[0] else _CREATE),
    rounds=30,
)
PROMOTE_ALWAYS = Maxim(
    "100 rounds: promote if possible, else create",
    "in the game of 100 rounds promoting a die from the lowest rung that has one is optimal, and "
    "creating only if all are on the highest",
    _no_legacy,
    _from_rule(lambda state: lowest_promotion(state.revenue)),
    rounds=100,
)

#: All maxims of the README about optimal play.
MAXIMS = (
    FIX_MOST_ROBUST,
    PROMOTE_LOWEST,
    PROMOTE_LOWEST_IF_ANY,
    NEVER_SKIP,
    ALWAYS_CREATE,
    PROMOTE_ONCE,
    PROMOTE_ALWAYS,
)
