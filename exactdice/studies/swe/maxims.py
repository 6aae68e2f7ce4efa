r"""Maxims about optimal play from the game's README, checked at every reachable state.

A maxim names an action for certain states, and holds at a state if that action is optimal. It is
checked in every game of at most R rounds (or in the one game that it is about). The smallest
counterexample is the first by rounds of the game, rounds played, weight of the dice, dice and
revenue dice in lexicographic order with the lowest rung first, and score. A second one, the
smallest on the *path of optimal play*, has a positive probability under optimal actions, with ties
broken in all ways.

Values depend only on the rounds left, so one solution for R rounds judges all shorter games. Of a
longer game, one state can be judged towards the end: a *lone die* on the lowest rung with a score
of 1. Every policy reaches it after any number of rounds with positive probability, because the
first move creates a die, and a die that shows 1 must be fixed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from exactdice.arithmetic import mpq, natural
from exactdice.games.swe.distributions.players import lowest_promotion
from exactdice.games.swe.optimum.block import BlockRound
from exactdice.games.swe.optimum.envelope import Candidates
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.optimum.reachable import (
    Layer,
    OptimalPlay,
    layers,
    scores_between,
    splits_of,
)
from exactdice.games.swe.reports import LEGACY, REVENUE, ROUND, conventions_of, rounds_text
from exactdice.games.swe.rules import (
    CREATE,
    STANDARD,
    Action,
    ActionKind,
    Dice,
    Ladder,
    State,
    weight,
)
from exactdice.report.model import Cell, Report, Table, exact, flag, text_column, whole
from exactdice.run import DEFAULT, Run


class Departure(NamedTuple):
    """Scores from `low` to `high` at which the claimed action is worse than another."""

    low: int
    high: int
    claimed: Action
    better: Action

    @property
    def scores(self) -> int:
        return scores_between(self.low, self.high)


Departures: TypeAlias = Callable[[State, Candidates], Iterator[Departure]]


@dataclass(frozen=True)
class Maxim:
    """A claim that names an action for each state of some kind."""

    name: str
    statement: str
    applies: Callable[[State], bool]  # whether it is about states with these dice, at any score
    departures: Departures  # contradictions, from the actions at a state, including a skip
    legacy: bool = False  # if so, it is about states with legacy and names the first action
    rounds: int | None = None  # of the only game that it is about


def _no_legacy(state: State) -> bool:
    return not any(state.legacy)


def _several_promotions(state: State) -> bool:
    return _no_legacy(state) and sum(map(bool, state.revenue[:-1])) > 1


def _unless(
    candidates: Candidates, fails: Callable[[tuple[Action, ...]], bool], claimed: Action
) -> Iterator[Departure]:
    """Depart at scores whose optimal actions fail a test."""
    for low, high, optimal in candidates.choices():
        if fails(optimal):
            yield Departure(low, high, claimed, optimal[0])


def _from_first(_: State, candidates: Candidates) -> Iterator[Departure]:
    first = next(iter(candidates.envelopes))
    return _unless(candidates.legal(), lambda optimal: first not in optimal, first)


def _from_lowest_promotion(state: State, candidates: Candidates) -> Iterator[Departure]:
    promotions = {a: e for a, e in candidates.envelopes.items() if a.kind is ActionKind.PROMOTE}
    return _from_first(state, candidates._replace(envelopes=promotions))


def _from_lowest_when_promoting(_: State, candidates: Candidates) -> Iterator[Departure]:
    lowest = next(action for action in candidates.envelopes if action.kind is ActionKind.PROMOTE)

    def fails(optimal: tuple[Action, ...]) -> bool:
        return lowest not in optimal and any(a.kind is ActionKind.PROMOTE for a in optimal)

    return _unless(candidates.legal(), fails, lowest)


def _to_skip(_: State, candidates: Candidates) -> Iterator[Departure]:
    """Depart if skipping is better than all legal actions; the claimed one is the best of them."""
    skip = Action(ActionKind.SKIP)
    for low, high, optimal in candidates.choices():
        if optimal == (skip,):
            for choice in candidates.legal()._replace(low=low, high=high).choices():
                yield Departure(choice.low, choice.high, choice.actions[0], skip)


def _from_rule(prefers: Callable[[State], Action]) -> "Departures":
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
    "if a promotion is optimal, that of a die on the lowest rung is",
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
    _from_rule(lambda state: CREATE),
    rounds=10,
)
PROMOTE_ONCE = Maxim(
    "30 rounds: promote to the second rung, else create",
    "in the game of 30 rounds promoting a die from the lowest rung is optimal if there is one, "
    "and creating if not",
    _no_legacy,
    _from_rule(lambda state: lowest_promotion(state.revenue) if state.revenue[0] else CREATE),
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

MAXIMS = (
    FIX_MOST_ROBUST,
    PROMOTE_LOWEST,
    PROMOTE_LOWEST_IF_ANY,
    NEVER_SKIP,
    ALWAYS_CREATE,
    PROMOTE_ONCE,
    PROMOTE_ALWAYS,
)


@dataclass(frozen=True)
class Counterexample:
    """A reachable state at which the claimed action is not optimal."""

    rounds: int  # of the game
    played: int  # before the state
    state: State
    claimed: Action
    better: Action
    loss: mpq  # value of the better action minus that of the claimed one


@dataclass(frozen=True)
class Judgement:
    maxim: Maxim
    ladder: Ladder
    rounds: int  # of the longest game
    complete: bool  # checked at all states, not only at the lone die
    cases: int  # states, once for every game and round in which they are reachable
    exceptions: int  # of the cases
    occurs: bool  # whether any case is on the path of optimal play
    counterexample: Counterexample | None  # the smallest of the cases
    on_path: Counterexample | None  # the smallest on the path of optimal play

    @property
    def holds(self) -> bool | None:
        if self.counterexample is None and not (self.complete and self.cases):
            return None
        return self.counterexample is None

    @property
    def holds_on_path(self) -> bool | None:
        if self.on_path is None and not (self.complete and self.occurs):
            return None
        return self.on_path is None


def settle(
    rounds: int, ladder: Ladder = STANDARD, maxims: Sequence[Maxim] = MAXIMS, run: Run = DEFAULT
) -> list[Judgement]:
    """Judge maxims in all games of at most some rounds from an empty table."""
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
    """Judge a maxim about a longer game at the lone die in the last rounds of that game."""
    nothing = (0,) * len(solution.ladder)
    state, game = State((1, *nothing[1:]), nothing, 1), maxim.rounds or solution.rounds
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
    splits = splits_of(dice)
    for legacy in (True, False):
        asked = [search for search in searches if search.maxim.legacy == legacy]
        cells = _perhaps_not_first(now) if legacy and asked else [splits.number - 1]
        for cell in cells if asked else ():
            state = solution.with_least_score(splits.state(cell), now.left)
            candidates = None
            for search in asked:
                if search.maxim.applies(state):
                    candidates = candidates or solution.candidates(state, now.left, skip=True)
                    if departures := list(search.maxim.departures(state, candidates)):
                        search.departures[dice, cell].append((now.left, departures))


def _perhaps_not_first(now: BlockRound) -> list[int]:
    box = now.block.box
    differing = box.differing(box.highest_fix(now.rolled), now.chosen)
    return sorted({*differing, *now.several_chosen, *box.before_fix(now.several_rolled)})


class _Contradiction(NamedTuple):
    """Contradictions at several scores, in the order of counterexamples."""

    game: int
    played: int
    weight: int
    dice: Dice
    state: State  # with the lowest of the scores
    scores: int
    departure: Departure


class _Search:
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
        last = self.maxim.rounds or self.solution.rounds
        return range(max(played + 1, self.maxim.rounds or 1), last + 1)

    def count(self, played: int, layer: Layer) -> None:
        """Count the cases and the contradictions of a layer; keep the smallest."""
        games = self.games(played)
        self.cases += sum(scores.bit_count() for scores in self._asked(layer)) * len(games)
        for each in self._contradictions(played, layer, games):
            self.exceptions += each.scores.bit_count()
            self._smallest = min(self._smallest or each, each)

    def _asked(self, layer: Layer) -> Iterator[int]:
        for dice, scores in layer.items():
            splits = splits_of(dice)
            for cell in range(splits.number) if self.maxim.legacy else [splits.number - 1]:
                if scores[cell] and self.maxim.applies(splits.state(cell)):
                    yield scores[cell]

    def wants_path(self, game: int) -> bool:
        """Whether to search a game for a case or a counterexample under optimal play."""
        if game not in self.games(0):
            return False
        fails = self._smallest is not None and game >= self._smallest.game and not self._on_path
        return fails or not self._occurs

    def follow(self, game: int, played: int, layer: Layer) -> None:
        """Find cases and contradictions in a layer of optimal play; keep the smallest."""
        self._occurs = self._occurs or any(self._asked(layer))
        for each in self._contradictions(played, layer, range(game, game + 1)):
            self._on_path = min(self._on_path or each, each)

    def _contradictions(self, played: int, layer: Layer, games: range) -> Iterator[_Contradiction]:
        for (dice, cell), several in self.departures.items():
            scores = layer[dice][cell] if dice in layer else 0
            for left, departures in several if scores else ():
                for departure in departures if played + left in games else ():
                    if common := scores & departure.scores:
                        state = splits_of(dice).state(cell, (common & -common).bit_length() - 1)
                        key = played + left, played, weight(dice), dice, state
                        yield _Contradiction(*key, common, departure)

    def judgement(self) -> Judgement:
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
        where = first.game, first.played, first.state
        return _counterexample(self.solution, *where, first.departure)


def maxims_report(rounds: int, ladder: Ladder, judgements: list[Judgement]) -> Report:
    claims = Table.of(
        "claims",
        "Claims about optimal play",
        judgements,
        text_column("claim", "name").by(lambda judgement: judgement.maxim.name),
        text_column("statement", "wording").by(lambda judgement: judgement.maxim.statement),
        whole("rounds", "rounds of the longest game checked, or of the only one"),
        flag("complete", "whether all reachable states were checked"),
        flag("holds", "whether it is true in all states checked; empty if open or without cases"),
        flag("holds_on_path", "the same for states that occur under optimal play"),
        whole("cases", "states checked, once for each game and round", "states"),
        whole("exceptions", "states in which it fails", "states"),
        flag("occurs", "whether any state checked occurs under optimal play"),
    )
    examples = Table.of(
        "counterexamples",
        "Smallest counterexamples among the states checked",
        (row for judgement in judgements for row in _example_rows(judgement)),
        text_column("claim", "name"),
        flag("on_path", "whether it is the smallest under optimal play, or of all states checked"),
        whole("rounds", "rounds of the game", "rounds"),
        ROUND,
        REVENUE,
        LEGACY,
        whole("score", "score before the round", "points"),
        text_column("claimed", "action of the claim"),
        text_column("better", "better action"),
        exact("loss", "regret of the claimed action", "points"),
    )
    title = f"SWE: claims about optimal play, games of at most {rounds_text(rounds)}"
    return Report.of(title, conventions_of(ladder), claims, examples)


def _example_rows(judgement: Judgement) -> Iterator[tuple[Cell, ...]]:
    for on_path, example in ((False, judgement.counterexample), (True, judgement.on_path)):
        if example is not None:
            yield (
                judgement.maxim.name,
                on_path,
                example.rounds,
                example.played + 1,
                *example.state,
                example.claimed.describe(judgement.ladder),
                example.better.describe(judgement.ladder),
                example.loss,
            )
