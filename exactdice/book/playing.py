"""What a choice costs: advice in a state of a variant, its policy as a file, and games played.

The values that an answer knows lead to those of the states around them by the rules, a move at a
time (`Lookahead`). The *regret* of a choice is what it loses against the best one, all play after
it being best; where the value is a chance to win, in that chance. Where both choose at once, a
choice meets the other one's optimal mixture.
"""

import ast
import csv
import io
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeAlias

from exactdice.arithmetic import decimal, mpq, natural, rational, text
from exactdice.book.page import PageAnswer, Variant
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, Unquoted
from exactdice.hidden.reports import bracket_report
from exactdice.models import Both, End, Game, Model, Optimum, Other
from exactdice.report.model import Quantity, Report, Table, column_for, exact, text_column, whole
from exactdice.run import Run
from exactdice.solve.simulation import drawn, played
from exactdice.solve.turns import named, ordered
from exactdice.solve.variants import choosing, turn_of

At: TypeAlias = "Callable[[Any], Enclosure | None]"

_NOTHING, _ONE = Enclosure.of(0), mpq(1)
#: Within how much values are looked for that are to lead from state to state.
ADVICE = mpq(1, 10**9)


class Lookahead:
    """Values of states and choices of a game, from those that are known.

    `at` gives the value of a state, or None; `best` the mixtures of those who choose at once;
    regrets are multiplied by `scale`, which is below 0 where the least is best.
    """

    def __init__(
        self, game: Game[Any], at: At, best: Optimum[Any] | None = None, scale: mpq = _ONE
    ) -> None:
        self.game, self.at, self.best, self.scale = game, at, best, scale
        self._worths: dict[Any, Enclosure] = {}

    @classmethod
    def into(cls, variant: Variant, answer: PageAnswer) -> "Lookahead":
        """Look into a variant with its answer."""
        game = variant.game()
        if answer.at is None or not isinstance(game, Game):
            got = Unquoted("the value of the first state alone")
            raise InputError("answer", got, "a game that is solved for all states")
        scale = mpq(1, 2) if variant.wins else _ONE
        scale = -scale if variant.least else scale
        return cls(game, answer.at, answer.optimum, scale)

    def worth(self, state: Any) -> Enclosure:
        """The value of a state, as the player who moves there sees it."""
        if type(state) is Other:
            return -self.worth(state.state)
        known = self._worths.get(state) or self.at(state)
        if known is None:
            turn = turn_of(self.game, state)
            if isinstance(turn, Both):
                raise InputError("state", state, "one in which players choose in turn")
            mover, choices = choosing(turn)
            sign = -1 if (mover == 2) is (self.scale > 0) else 1
            ways = [sign * self.outcome(choice) for choice in choices]
            known = sign * largest(ways) if ways else self.outcome(turn)
        self._worths[state] = known
        return known

    def outcome(self, turn: Any) -> Enclosure:
        """What a turn, or a choice, is worth in which nobody chooses any more."""
        if turn is None or isinstance(turn, End):
            return Enclosure.of(turn.payoff if turn else 0)
        law = turn if isinstance(turn, Distribution) else turn.successors
        low = high = mpq(0)
        for state, ways in law.items():
            value = self.worth(state)
            low, high = low + ways * value.lower, high + ways * value.upper
        reward = mpq(0) if law is turn else rational(turn.reward)
        return reward + Enclosure(low, high) / law.denominator

    def choices(self, state: Any, player: int = 1) -> dict[Any, Enclosure]:
        """What each choice of a state is worth to the player who moves; none where none does.

        Where both choose at once, what each choice of a player, 1 or 2, is worth to that one.
        """
        turn = turn_of(self.game, state)
        if not isinstance(turn, Both):
            mover, choices = choosing(turn)
            worths = {choice.action: self.outcome(choice) for choice in choices}
            is_most = (mover == 1) is (self.scale > 0)
            return worths if is_most else {action: -w for action, w in worths.items()}
        mixture = self.mixtures(state)[2 - player].probabilities()
        against: dict[Any, Enclosure] = {}
        for pair, outcome in turn.outcomes.items():
            mine, theirs = pair if player == 1 else pair[::-1]
            value = self.outcome(outcome) * mixture.get(theirs, mpq(0))
            against[mine] = against.get(mine, _NOTHING) + (value if player == 1 else -value)
        return against

    def mixtures(self, state: Any) -> tuple[Distribution[Any], Distribution[Any]]:
        """The optimal mixtures of both players who choose at once."""
        if self.best is None:
            raise InputError("state", state, "one in which players choose in turn")
        row, column = self.best.action(state)
        return row, column

    def regrets(self, state: Any, player: int = 1) -> dict[Any, Enclosure]:
        """What each choice loses against the best one, the first best choice first.

        Of several best choices the first one is that of the answer, by which play ends.
        """
        worths = self.choices(state, player)
        best = largest(worths.values()) if worths else _NOTHING
        losses = {
            action: largest((_NOTHING, best - worth)) * abs(self.scale)
            for action, worth in worths.items()
        }
        answer = self.best
        chosen = answer.action(state) if answer and state in answer.model.index else None

        def order(item: tuple[Any, Enclosure]) -> tuple[bool, mpq]:
            action, lost = item
            return action != chosen or lost.lower > 0, lost.upper

        return dict(sorted(losses.items(), key=order))


def read_state(variant: Variant, written: str) -> Any:
    """Read a state, written as a policy lists it, in which the rules say what can happen.

    Where states are no literals of Python, as those of a dataclass, it is the text, which
    `advice_report` looks for among those that play comes to. Raises InputError if it is none.
    """
    game, state = variant.game(), None
    try:
        try:
            state = ast.literal_eval(written)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            state = written  # a text whose quotation marks the shell has taken
        if isinstance(game, Game):
            turn_of(game, state)
    except InputError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as problem:
        if state != written or variant.solve:
            raise InputError("state", written, _form(game)) from problem
    return state


def _form(game: Any) -> str:
    return f"a state as {getattr(game, 'initial', '')!r}, or another that play can come to"


def _met(model: Model[Any], state: Any) -> Any:
    """A state of a model, or the one that is written so."""
    try:
        model.number(state)
    except InputError:
        for known in model.states:
            if state in (repr(known), repr(ordered(known))):
                return known
        raise InputError("state", state, _form(model.game)) from None
    return state


def advice_report(variant: Variant, answer: PageAnswer, state: Any) -> Report:
    """Report what a state is worth, and each choice's regret.

    Raises InputError if it is no state that play can come to, as far as that is known.
    """
    look = Lookahead.into(variant, answer)
    if answer.optimum:
        state = _met(answer.optimum.model, state)
    value, both = variant.as_asked(look.worth(state)), isinstance(turn_of(look.game, state), Both)
    rows: list[tuple[Any, ...]] = []
    for player in (1, 2) if both else (1,):
        mixture = look.mixtures(state)[player - 1].probabilities() if both else {}
        for action, lost in look.regrets(state, player).items():
            rows.append((player, named(action), lost, mixture.get(action, mpq(0))))
    columns = [
        whole("player", "who chooses"),
        text_column("action", "choice, the best one first"),
        column_for([row[2] for row in rows])("regret", "what it loses against the best choice"),
        exact("probability", "how often best play makes the choice"),
    ]
    shown = slice(4) if both else slice(1, 3)
    table = Table("choices", "Choices", columns[shown], [row[shown] for row in rows])
    worth = Quantity.of("value", "value of the state, to the player who moves", value)
    quantities = [
        worth,
        Quantity(text_column("state", "state that is judged"), repr(ordered(state))),
    ]
    return Report("Advice", quantities, [table] if rows else [])


def policy_text(variant: Variant, answer: PageAnswer) -> str:
    """Write the best choice and the value of every state that is listed, as CSV.

    Where both choose at once, each choice of each player's mixture has a row with its probability.
    """
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    if answer.bracket:
        most = sum(side.sequences for side in answer.bracket.form.sides)
        for table in bracket_report(answer.bracket, most).tables:
            rows.writerow([table.name, *(column.name for column in table.columns)])
            rows.writerows([table.name, *map(str, row)] for row in table.rows)
        return lines.getvalue()
    if answer.listed is None:
        raise InputError("answer", Unquoted("one that lists no states"), "one that does")
    look = Lookahead.into(variant, answer)
    value = "value_at_least" if answer.value.point is None else "value"
    rows.writerow(["state", "player", "best", "probability", "ties", value])
    for state in answer.listed():
        worth = text(variant.as_asked(look.worth(state)).lower)
        rows.writerows([repr(ordered(state)), *best, worth] for best in _best(look, state))
    return lines.getvalue()


def _best(look: Lookahead, state: Any) -> Iterator[tuple[Any, ...]]:
    """Who chooses in a state, what, with what probability, and all that is as good."""
    turn = turn_of(look.game, state)
    if isinstance(turn, Both):
        for player, mixture in enumerate(look.mixtures(state), 1):
            for action, share in mixture.probabilities().items():
                yield player, named(action), text(share), ""
    elif regrets := look.regrets(state):
        best = [named(action) for action, lost in regrets.items() if not lost.lower]
        yield choosing(turn)[0], best[0], 1, " | ".join(best)
    else:
        yield "", "", "", ""


class JudgedStep(NamedTuple):
    """A choice: of whom, where, which, and what each would lose, the best one first."""

    player: int
    state: Any
    action: Any
    regrets: Mapping[Any, Enclosure]

    @property
    def regret(self) -> Enclosure:
        """What was lost against the best choice."""
        return self.regrets[self.action]


#: Chooses in a state, for a player, given the regrets of all choices.
Player = Callable[[Any, int, Mapping[Any, Enclosure]], Any]


def play(look: Lookahead, choose: Player, draw: Random) -> tuple[list[JudgedStep], mpq]:
    """Play a game to its end, and give the steps and what the first player receives."""
    steps: list[JudgedStep] = []

    def decided(state: Any, player: int, seen: int) -> Any:
        regrets = look.regrets(state, seen)
        action = choose(state, player, regrets)
        steps.append(JudgedStep(player, state, action, regrets))
        return action

    def chosen(state: Any, turn: Any, side: int) -> Any:
        if isinstance(turn, Both):
            return decided(state, 1, 1), decided(state, 2, 2)
        return decided(state, side if choosing(turn)[0] == 1 else 3 - side, 1)

    result = played(look.game, chosen, draw)
    return steps, result


def optimally(look: Lookahead, draw: Random) -> Player:
    """The player who takes the first best choice; where both choose at once, draws it."""

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        if isinstance(turn_of(look.game, state), Both):
            return drawn(look.mixtures(state)[player - 1], draw)
        return next(iter(regrets))

    return choose


def person(other: Player, run: Run) -> Player:
    """Someone who plays first and is asked, against another player."""
    run.say("You play first. Choose an action by its number or its name.")

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        if player == 2 or len(regrets) == 1:
            return other(state, player, regrets)
        actions = sorted(regrets, key=str)
        run.say(f"\n{state}")
        for place, action in enumerate(actions, 1):
            run.say(f"  {place}  {action}")
        # a number is one of the list, whatever actions are called
        named = {str(a): n for n, a in enumerate(actions, 1) if not str(a).isdecimal()}
        number = partial(natural, name="choice", least=1, most=len(actions))
        asked = run.choose("choice? ", lambda line: named.get(line.strip()) or number(line))
        action = actions[asked - 1]
        lost, best = regrets[action], next(iter(regrets))
        said = "That was best." if not lost.upper else "That may be best, as far as bounds tell."
        run.say(said if not lost.lower else f"That cost {decimal(lost.lower, 6)}; best was {best}.")
        return action

    return choose


def play_report(variant: Variant, answer: PageAnswer, seed: int, run: Run | None) -> Report:
    """Play a game, a person first where there is a run to ask, and judge each choice."""
    look, draw = Lookahead.into(variant, answer), Random(seed)  # noqa: S311 - dice of a game
    best = optimally(look, draw)
    steps, result = play(look, best if run is None else person(best, run), draw)
    columns = [
        whole("player", "who chose, 1 being the one who begins"),
        text_column("state", "state in which that was"),
        text_column("action", "choice"),
        column_for([step.regret for step in steps])(
            "regret", "what it lost against the best choice"
        ),
        text_column("best", "best choice"),
    ]
    rows = [
        (player, named(state), named(action), regrets[action], named(next(iter(regrets))))
        for player, state, action, regrets in steps
    ]
    lost = sum((step.regret for step in steps if step.player == 1), _NOTHING)
    quantities = [
        Quantity(exact("result", "what the first player received"), result),
        Quantity.of("lost", "regrets of the first player", lost),
        Quantity(whole("seed", "which dice were drawn"), seed),
    ]
    return Report("A game played", quantities, [Table("decisions", "Choices", columns, rows)])
