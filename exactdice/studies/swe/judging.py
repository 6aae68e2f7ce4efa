r"""Maxims about optimal play, judged at every state that play can reach.

A maxim is checked whoever plays, in every game of at most R rounds (or in the one game that it is
about). A maxim that fails comes with its smallest counterexample in this order: fewest rounds in
the game, fewest rounds played, least weight of the dice, then the dice and then the revenue dice in
lexicographic order with the lowest rung first, lowest score. A second counterexample, the smallest
on the *path of optimal play*, is a state that occurs with positive probability while all actions
chosen are optimal ones, ties either way.

Values depend on the rounds left and not on the rounds played, so one solution for R rounds settles
all shorter games with it. Of a game that is longer than that, one state can still be judged towards
the end: a *lone die*, on the lowest rung and with a score of 1. Any play runs into it, after any
number of rounds, with positive probability: the first move must create a die, and as long as it
shows 1 it must be fixed. Such a maxim comes with the smallest counterexample among these few
states; earlier rounds, where more rounds are left than were solved, may hold smaller ones.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from exactdice.arithmetic import mpq, natural
from exactdice.games.swe.optimum.block import BlockRound
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.optimum.reachable import Layer, OptimalPlay, layers, splits_of
from exactdice.games.swe.rules import STANDARD, Action, Dice, Ladder, State, weight
from exactdice.run import DEFAULT, Run
from exactdice.studies.swe.maxims import MAXIMS, Departure, Maxim


@dataclass(frozen=True)
class Counterexample:
    """A state that play can reach at which the claimed action is not optimal."""

    # rounds, played: rounds of the game, and rounds played before the state
    rounds: int
    played: int
    state: State  # the state
    # claimed, better: the claimed action, and the action that the maxim is refuted by
    claimed: Action
    better: Action
    loss: mpq  # how much less the claimed action is worth


@dataclass(frozen=True)
class Judgement:
    """What holds of a maxim."""

    # maxim, ladder, rounds: the maxim, the dice, and the most rounds for which it was checked
    maxim: Maxim
    ladder: Ladder
    rounds: int
    # whether it was checked at all states; if not, at the lone die alone, with fewer rounds left
    # than were solved
    complete: bool
    # cases, exceptions: how many states it was checked at, and at how many of them it fails; a
    # state counts once for every game and every round in which play can reach it
    cases: int
    exceptions: int
    occurs: bool  # whether any of the states occurs with positive probability under optimal play
    # the smallest one among the states that it was checked at, if any: the smallest of all only
    # where `complete`
    counterexample: Counterexample | None
    on_path: Counterexample | None  # the same on the path of optimal play

    @property
    def holds(self) -> bool | None:
        """Whether there are cases and none is a counterexample.

        None where that is open, and where the games checked have no state that the maxim is about.
        """
        if self.counterexample is None:
            return True if self.complete and self.cases else None
        return False

    @property
    def holds_on_path(self) -> bool | None:
        """The same for the states that occur under optimal play."""
        if self.on_path is None:
            return True if self.complete and self.occurs else None
        return False


def settle(
    rounds: int,
    ladder: Ladder = STANDARD,
    maxims: Sequence[Maxim] = MAXIMS,
    run: Run = DEFAULT,
) -> list[Judgement]:
    """Judge maxims in all games of at most some rounds, from an empty table."""
    rounds = natural(rounds, "rounds", least=1)
    tell = run.counter("rounds, four times")

    def tell_solved(_: str, done: int, blocks: int | None) -> None:
        tell(rounds * done // (blocks or 1), 4 * rounds)

    solution = solve(rounds, ladder, run=replace(run, progress=tell_solved))
    searches = [_Search(maxim, solution) for maxim in maxims if (maxim.rounds or 1) <= rounds]
    for dice, block_rounds in solution.blocks():
        for now in block_rounds:
            _ask(searches, solution, dice, now)
        tell(rounds + weight(dice), 4 * rounds)
    for played, layer in enumerate(layers(rounds - 1, solution.start)):
        for search in searches:
            search.count(played, layer)
        tell(2 * rounds + played, 4 * rounds)
    optimal_play = OptimalPlay(solution)
    for game in range(1, rounds + 1):
        waiting = [search for search in searches if search.wants_path(game)]
        for played, layer in enumerate(optimal_play.layers(game)) if waiting else ():
            for search in waiting:
                search.follow(game, played, layer)
        tell(3 * rounds + game, 4 * rounds)
    judgements = {search.maxim: search.judgement() for search in searches}
    return [judgements.get(maxim) or _at_lone_die(maxim, solution) for maxim in maxims]


def _at_lone_die(maxim: Maxim, solution: Solution) -> Judgement:
    """Judge a maxim about a longer game at the lone die, for the last rounds of that game."""
    nothing = (0,) * len(solution.ladder)
    state = State((1, *nothing[1:]), nothing, 1)
    game = maxim.rounds or solution.rounds
    examples = [
        _counterexample(solution, game, game - left, state, departure)
        for left in range(1, solution.rounds)
        for departure in maxim.departures(state, solution.candidates(state, left, skip=True))
        if departure.low <= state.score <= departure.high
    ]
    smallest = min(examples, key=lambda example: example.played, default=None)
    return Judgement(
        maxim,
        solution.ladder,
        game,
        complete=False,
        cases=solution.rounds - 1,
        exceptions=len(examples),
        occurs=solution.rounds > 1,
        counterexample=smallest,
        on_path=smallest,
    )


def _counterexample(
    solution: Solution, game: int, played: int, state: State, departure: Departure
) -> Counterexample:
    values = {a.action: a.value for a in solution.actions(state, game - played, skip=True)}
    claimed, better = departure.claimed, departure.better
    return Counterexample(game, played, state, claimed, better, values[better] - values[claimed])


def _ask(searches: Iterable["_Search"], solution: Solution, dice: Dice, now: BlockRound) -> None:
    """Collect what contradicts the maxims in a block with some rounds left."""
    splits = splits_of(dice)
    about = {
        True: [search for search in searches if search.maxim.legacy],
        False: [search for search in searches if not search.maxim.legacy],
    }
    suspects = {True: _perhaps_not_first(now) if about[True] else [], False: [splits.number - 1]}
    for legacy, asked in about.items():
        for cell in suspects[legacy]:
            state = solution.with_least_score(splits.state(cell), now.left)
            candidates = None
            for search in asked:
                if search.maxim.applies(state):
                    candidates = candidates or solution.candidates(state, now.left, skip=True)
                    if departures := list(search.maxim.departures(state, candidates)):
                        search.departures[dice, cell].append((now.left, departures))


def _perhaps_not_first(now: BlockRound) -> list[int]:
    """List the cells in which fixing on the highest rung is not surely optimal, or not possible."""
    box = now.block.box
    cells = set(box.differing(box.highest_fix(now.rolled), now.chosen)) | set(now.several_chosen)
    for cell in now.several_rolled:
        split = box.split(cell)
        cells.update(cell - axis.cells for k, axis in zip(split, box.axes, strict=True) if k)
    return sorted(cells)


class _Contradiction(NamedTuple):
    """Contradictions at several scores; they compare in the order of counterexamples."""

    game: int
    played: int
    weight: int
    dice: Dice
    state: State  # with the lowest of the scores
    scores: int
    departure: Departure


class _Search:
    """The search for counterexamples to one maxim, with the solution of the longest game."""

    def __init__(self, maxim: Maxim, solution: Solution) -> None:
        self.maxim = maxim
        self.solution = solution
        self.departures: dict[tuple[Dice, int], list[tuple[int, list[Departure]]]]
        self.departures = defaultdict(list)
        self.cases = 0
        self.exceptions = 0
        self._occurs = False
        self._smallest: _Contradiction | None = None
        self._on_path: _Contradiction | None = None

    def games(self, played: int) -> range:
        """Return the lengths of the games in which a state after so many rounds is checked."""
        if self.maxim.rounds is None:
            return range(played + 1, self.solution.rounds + 1)
        return range(max(played + 1, self.maxim.rounds), self.maxim.rounds + 1)

    def count(self, played: int, layer: Layer) -> None:
        """Count the states of a layer and those that contradict the maxim; keep the smallest."""
        games = self.games(played)
        self.cases += sum(scores.bit_count() for scores in self._asked(layer)) * len(games)
        for each in self._contradictions(played, layer, games):
            self.exceptions += each.scores.bit_count()
            self._smallest = min(self._smallest or each, each)

    def _asked(self, layer: Layer) -> Iterator[int]:
        """Yield the scores, as bits, of each split of a layer that the maxim is about."""
        for dice, scores in layer.items():
            splits = splits_of(dice)
            for cell in range(splits.number) if self.maxim.legacy else [splits.number - 1]:
                if scores[cell] and self.maxim.applies(splits.state(cell)):
                    yield scores[cell]

    def wants_path(self, game: int) -> bool:
        """Tell whether a case or a counterexample under optimal play is looked for in a game."""
        if game not in self.games(0):
            return False
        fails = self._smallest is not None and game >= self._smallest.game and not self._on_path
        return fails or not self._occurs

    def follow(self, game: int, played: int, layer: Layer) -> None:
        """Look for cases and contradictions in a layer of optimal play; keep the smallest."""
        self._occurs = self._occurs or any(self._asked(layer))
        for each in self._contradictions(played, layer, range(game, game + 1)):
            self._on_path = min(self._on_path or each, each)

    def _contradictions(self, played: int, layer: Layer, games: range) -> Iterator[_Contradiction]:
        for (dice, cell), several in self.departures.items():
            scores = layer[dice][cell] if dice in layer else 0
            for left, departures in several if scores else ():
                for departure in departures if played + left in games else ():
                    common = scores & departure.scores
                    if common:
                        state = splits_of(dice).state(cell, (common & -common).bit_length() - 1)
                        game = played + left
                        yield _Contradiction(
                            game, played, weight(dice), dice, state, common, departure
                        )

    def judgement(self) -> Judgement:
        """Return what the search has shown."""
        return Judgement(
            self.maxim,
            self.solution.ladder,
            self.maxim.rounds or self.solution.rounds,
            complete=True,
            cases=self.cases,
            exceptions=self.exceptions,
            occurs=self._occurs,
            counterexample=self._example(self._smallest),
            on_path=self._example(self._on_path),
        )

    def _example(self, first: _Contradiction | None) -> Counterexample | None:
        if first is None:
            return None
        return _counterexample(
            self.solution, first.game, first.played, first.state, first.departure
        )
