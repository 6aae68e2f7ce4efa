r"""Exact solution of the reroll game.

The value of a reroll depends only on the values held, so the Markov decision process has two kinds
of nonterminal states: the *rolls*, in which you choose, and the *partial holds*, in which one more
die is rolled and its value added. With V(x) the value of a roll and W(h) that of a hold,

.. math::

   V(x) = \max\bigl(\text{score}(x),\; \max_{h \subset x} W(h) - \text{penalty}\bigr),
   \qquad W(h) = \sum_v p_v\,W(h + v),

where a hold of all dice is a roll: W(x) = V(x). The value of the game is W(()), as the first roll
is free. For n dice of s sides there are C(n+s-1, n) rolls and C(n+s-1, s) partial holds with s
transitions each, instead of a transition for every roll, action and outcome. The points scored so
far are not part of the state: they add the same number to the value of every action. The general
solver solves this process (`as_model`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import comb
from typing import Any

from exactdice.arithmetic import RationalLike, mpq, natural, significant, text
from exactdice.games.reroll.rules import STANDARD, Hold, Number, Positions, RerollRules, Roll
from exactdice.report import Reported
from exactdice.run import DEFAULT, Run
from exactdice.solve.certificate import Certificate
from exactdice.solve.game import Game, Model
from exactdice.solve.optimum import Optimum
from exactdice.solve.play import Lookahead, Words
from exactdice.solve.questions import valued
from exactdice.solve.turn_games import exact_values
from exactdice.solve.turns import Choice, End, point_mass

END = "end"
_TO_END = point_mass(END)

# Measured, with policy and certificate: 80 for 8 dice, 360 for 20 of 2 sides, 510 for one of 3,000.
_BYTES_A_CHOICE = 500
_NANOSECONDS_A_CHOICE = 20_000  # measured: 7,000 for 8 dice, 20,000 for one die of 20,000 sides
_BYTES_A_TRANSITION = 20  # including sweeps; measured: 17 to 24
_BYTES_OF_A_TIE = 200  # measured: 160 to 190 for a tuple, its places in lists and its sort key


def memory_estimate(rules: RerollRules) -> int:
    return rules.choices * _BYTES_A_CHOICE


def as_game(rules: RerollRules) -> Game[Any]:
    """Return the game on rolls, partial holds and the terminal state.

    The actions of a roll are tuples of held positions, one for each different hold. A partial hold
    has the single action "roll", which adds one die.
    """
    die, cost = rules.die, -rules.penalty
    toward: dict[Hold, Any] = {hold: point_mass(hold) for hold in rules.partial_holds}

    def moves(state: Any) -> Any:
        if state == END:
            return End(0)
        if len(state) < rules.dice:
            return [Choice("roll", 0, die.map(lambda value: tuple(sorted((*state, value)))))]
        return _choices_of_roll(rules, state, cost, toward)

    return Game((), moves)


def as_model(rules: RerollRules, run: Run = DEFAULT) -> Model[Any]:
    """Explore the game, including rolls of probability 0."""
    foresee(rules, run)
    states: tuple[Any, ...] = (*rules.rolls, *rules.partial_holds, END)
    return as_game(rules).explored(Run(memory=None), also=states)


def _choices_of_roll(
    rules: RerollRules, roll: Roll, cost: mpq, after: Mapping[Hold, Any]
) -> list[Choice[Any]]:
    *rerolls, (sticking, _) = rules.holds(roll)
    choices = [Choice(action, cost, after[hold]) for action, hold in rerolls]
    return [*choices, Choice(sticking, rules.stick_score(roll), _TO_END)]


def direct_model(rules: RerollRules, run: Run = DEFAULT) -> Model[Any]:
    """Explore the game as in the coursework: rolls, the end, every outcome of every action.

    One sweep of value iteration is one sweep of the coursework's. States are in the order of
    `RerollRules.rolls`; only the first of the actions that hold the same values is kept, which
    changes no maximum and no tie-breaking rule.
    """
    states = comb(rules.dice + rules.sides - 1, rules.dice)
    transitions = rules.choices * states // 4  # a choice leads to a quarter of them or fewer
    run.require(memory_estimate(rules) + transitions * _BYTES_A_TRANSITION, _named(rules))
    outcomes: dict[Hold, Any] = {hold: rules.outcomes(hold) for hold in rules.partial_holds}

    def moves(state: Any) -> Any:
        return End(0) if state == END else _choices_of_roll(rules, state, -rules.penalty, outcomes)

    return Game(rules.rolls[0], moves).explored(Run(memory=None), also=rules.rolls)


def foresee(rules: RerollRules, run: Run) -> None:
    run.require(memory_estimate(rules), _named(rules))
    run.expect(rules.choices * _NANOSECONDS_A_CHOICE, _named(rules))


def _named(rules: RerollRules) -> str:
    return f"a game of {rules.dice} dice of {rules.sides} sides"


@dataclass(frozen=True)
class RerollOptimum(Reported, by="exactdice.games.reroll.questions:policy_report"):
    """Exact values and optimal play of one reroll game."""

    rules: RerollRules  # the game
    value: mpq  # the expected score of optimal play, before the first roll
    # the solution of the model: all values and optimal actions, and the certificate
    optimum: Optimum[Any] = field(repr=False, compare=False)
    run: Run = field(default=DEFAULT, repr=False, compare=False)  # limits the memory of `ties`

    @cached_property
    def values(self) -> Mapping[Roll, mpq]:
        return {roll: self.optimum.value_of(roll).exact for roll in self.rules.rolls}

    @cached_property
    def holds(self) -> Mapping[Hold, mpq]:
        return {hold: self.optimum.value_of(hold).exact for hold in self.rules.partial_holds}

    @cached_property
    def policy(self) -> Mapping[Roll, Positions]:
        """The first optimal action of each roll: a tuple of held positions."""
        return {roll: self.optimum.action(roll) for roll in self.values}

    @cached_property
    def ties(self) -> Mapping[Roll, tuple[Positions, ...]]:
        """All optimal actions of each roll, in order, including those that differ in equal dice."""
        optimal = {roll: self.optimum.optimal_actions(roll) for roll in self.values}
        ways = [
            (self.rules.ways(roll, action), len(action))
            for roll, actions in optimal.items()
            for action in actions
        ]
        needed = sum(count * (_BYTES_OF_A_TIE + 8 * held) for count, held in ways)
        self.run.require(needed, f"a list of {sum(count for count, _ in ways)} optimal actions")
        return {
            roll: tuple(
                sorted(
                    (same for action in actions for same in self.rules.equivalent(roll, action)),
                    key=lambda action: (len(action), action),
                )
            )
            for roll, actions in optimal.items()
        }

    def certificate(self) -> Certificate[Any]:
        return self.optimum.certificate()

    def sticks(self, roll: Roll) -> bool:
        """Whether optimal play ends on a roll."""
        return self.policy[roll] == self.rules.sticking

    @property
    def sticking_states(self) -> int:
        return sum(map(self.sticks, self.values))

    def __str__(self) -> str:
        return (
            f"worth {significant(self.value, 10)} "
            f"({len(self.values)} states, {self.sticking_states} of them stick)"
        )


def solve(rules: RerollRules = STANDARD, run: Run = DEFAULT) -> RerollOptimum:
    """Solve a reroll game exactly.

    Raises TooLargeError if the memory limit is too small.

    Time is proportional to the C(n+2s-1, n) choices: 0.02 s for 5 dice, 0.13 s for 7; without the
    C++ solvers 0.1 s and 0.5 s.

    >>> solved = solve()
    >>> solved.value
    mpq(103369,7744)
    >>> print(solved)
    worth 13.34826963 (56 states, 14 of them stick)
    >>> solved.policy[(1, 1, 1)], solved.policy[(4, 4, 4)], solved.policy[(3, 4, 5)]
    ((0, 1, 2), (), ())
    """
    best = solved_exactly(as_model(rules, run))
    return RerollOptimum(rules, best.value.exact, best, run)


def solved_exactly(model: Model[Any]) -> Optimum[Any]:
    return valued(model, exact_values(model.arena, names=model.states).values)


def lookahead(solved: RerollOptimum) -> Lookahead:
    best = solved.optimum
    return Lookahead(as_game(solved.rules), best.value_of, best)


def action_text(rules: RerollRules, roll: Roll, action: Positions) -> str:
    """Describe an action by the values held."""
    if action == rules.sticking:
        return f"stick, for {text(rules.stick_score(roll))} points"
    held = " ".join(text(roll[place]) for place in action)
    return f"hold {held}" if held else "roll all again"


def words(rules: RerollRules) -> Words:
    def shown(roll: Roll) -> str:
        return f"You have rolled {' '.join(map(text, roll))}."

    return Words("", shown, partial(action_text, rules), order=tuple)


def best_score(rules: RerollRules = STANDARD) -> tuple[Number, tuple[Roll, ...]]:
    """Return the best possible score and the first rolls that earn it.

    Rerolls cost points, so the best score needs no reroll. Only rolls of positive probability
    count.

    >>> best_score()
    (18, ((1, 1, 1), (1, 1, 6)))
    >>> best_score(RerollRules(dice=1))
    (6, ((6,),))
    """
    die = rules.die
    possible = [roll for roll in rules.rolls if all(value in die for value in roll)]
    best = max(rules.stick_score(roll) for roll in possible)
    return best, tuple(roll for roll in possible if rules.stick_score(roll) == best)


@dataclass(frozen=True)
class ValueTable(Reported, by="exactdice.games.reroll.questions:table_report"):
    """Values of all games of fair dice up to a number of dice and of sides."""

    largest: RerollRules  # the rules of the largest game
    # for each game: dice, sides, value, best score, states, states that stick
    rows: tuple[tuple[int, int, mpq, mpq, int, int], ...] = field(repr=False)

    @property
    def value(self) -> mpq:
        return self.rows[-1][2]


def value_table(dice: int, sides: int, penalty: RationalLike = 1, run: Run = DEFAULT) -> ValueTable:
    """Solve every game of fair dice up to a size."""
    largest = RerollRules(dice, natural(sides, "sides", least=1), penalty=penalty)
    run.require(memory_estimate(largest), _named(largest))
    rows = []
    for n in range(1, largest.dice + 1):
        for s in range(1, largest.sides + 1):
            game = solve(RerollRules(n, s, penalty=largest.penalty), run)
            best, _ = best_score(game.rules)
            rows.append((n, s, game.value, mpq(best), len(game.values), game.sticking_states))
            run.tell("games", len(rows), largest.dice * largest.sides)
    return ValueTable(largest, tuple(rows))
