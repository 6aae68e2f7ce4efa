"""Play of games with hidden information under the strategies of an answer; choices are rated.

The *belief* of a player who moves gives each possible state the probability that the dice and the
other player's strategy lead there. The regret of a choice is its expected loss against that
strategy, given what the player knows: the loss of `ValueBounds.losses` divided by the sum of the
belief. If the answer is between bounds, that strategy may not be quite optimal.
"""

from collections.abc import Iterator, Mapping
from math import prod
from random import Random
from typing import Any, TypeAlias

from exactdice.arithmetic import mpq
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.hidden.dealt import DealtGame
from exactdice.hidden.equilibrium import ValueBounds
from exactdice.hidden.game import HiddenGame
from exactdice.report.model import Report
from exactdice.run import Run
from exactdice.solve.game import Game, turn_of
from exactdice.solve.play import JudgedStep, drawn, person, played, steps_report
from exactdice.solve.turns import Both, Chance, End, Moves, Paid, Stopped, choosing

_ZERO = mpq(0)
_Weighed: TypeAlias = list[tuple[Any, mpq]]


class StrategyPair:
    """A game, and optimal strategies of both players."""

    def __init__(self, game: "HiddenGame[Any] | DealtGame[Any]", best: ValueBounds) -> None:
        self.game: Any = game.as_hidden() if isinstance(game, DealtGame) else game
        self.best, self.mixed = best, (best.strategy(1), best.strategy(2))

    def known(self, state: Any) -> dict[int, Any]:
        """Return the knowledge of the players who choose in a state, 1 or 2."""
        turn = turn_of(self.game, state)
        if isinstance(turn, Both):
            return dict(enumerate(self.game.knows(state), 1))
        player, _ = choosing(turn)
        return {player: self.game.knows(state)} if player else {}

    def _after(self, state: Any, free: int = 0, action: Any = None) -> Iterator[tuple[Any, mpq]]:
        """Yield `Paid` successors with probabilities, given the action of player `free`."""
        turn = turn_of(self.game, state)
        pairs: Any = [((way.action, way.action), way) for way in choosing(turn)[1]]
        if isinstance(turn, Both):
            pairs = turn.outcomes.items()
        chances = {p: self.mixed[p - 1].get(k, {}) for p, k in self.known(state).items()}
        for pair, outcome in pairs or [((action, action), turn)]:
            others = (mixed.get(pair[p - 1], _ZERO) for p, mixed in chances.items() if p != free)
            share = prod(others, start=mpq(1))
            if not share or (free and pair[free - 1] != action):
                continue
            if isinstance(outcome, End):
                yield Paid(0, Stopped(outcome.payoff, mean=outcome.mean)), share
            else:
                law = Chance(0, outcome) if isinstance(outcome, Distribution) else outcome
                for each, chance in law.outcomes.probabilities().items():
                    yield each, share * chance

    def chain(self) -> Game[Any]:
        """Return the game in which both players follow their strategies, and nobody chooses."""

        def moves(state: Any) -> Moves:
            turn = turn_of(self.game, state)
            if not self.known(state):
                return turn  # type: ignore[no-any-return]
            shares: dict[Any, mpq] = {}
            for each, share in self._after(state):
                shares[each] = shares.get(each, _ZERO) + share
            return Chance(0, Distribution.from_probabilities(shares))

        return Game(self.game.initial, moves)

    def _beliefs(self, player: int, waiting: _Weighed) -> dict[Any, dict[Any, mpq]]:
        """Return the beliefs by what the player knows at the next choice."""
        found: dict[Any, dict[Any, mpq]] = {}
        while waiting:
            state, weight = waiting.pop()
            known = self.known(state)
            if player in known:
                states = found.setdefault(known[player], {})
                states[state] = states.get(state, _ZERO) + weight
            elif not isinstance(turn_of(self.game, state), End | None):
                waiting += [(each.state, weight * share) for each, share in self._after(state)]
        return found

    def play(self, seed: int, run: Run | None) -> Report:
        """Play a game, player 1 by a person if a run is given; rate the choices."""
        draw = Random(seed)  # noqa: S311 - dice of a game
        losses = [dict(self.best.losses(player)) for player in (1, 2)]
        steps: list[JudgedStep] = []
        waiting: dict[int, _Weighed] = {p: [(self.game.initial, mpq(1))] for p in (1, 2)}

        def follow(known: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
            mixed = self.mixed[player - 1].get(known) or {next(iter(regrets)): mpq(1)}
            return drawn(Distribution.from_probabilities(mixed), draw)

        choose = follow if run is None else person(follow, run)

        def decided(player: int, known: Any) -> Any:
            belief = self._beliefs(player, waiting[player]).get(known, {})
            reach, lost = sum(belief.values(), _ZERO), losses[player - 1][known]
            regrets = {
                action: Enclosure.of(lost[action] / (reach or 1))
                for action in sorted(lost, key=lost.__getitem__)
            }
            action = choose(known, player, regrets)
            if reach:  # otherwise the other player has left the strategy
                steps.append(JudgedStep(player, known, action, regrets))
            waiting[player] = [
                (each.state, weight * share)
                for state, weight in belief.items()
                for each, share in self._after(state, player, action)
            ]
            return action

        def chosen(state: Any, turn: Any, _side: int) -> Any:
            actions = tuple(decided(*pair) for pair in self.known(state).items())
            return actions if isinstance(turn, Both) else actions[0]

        result = played(self.game, chosen, draw)
        return steps_report(steps, result, seed)
