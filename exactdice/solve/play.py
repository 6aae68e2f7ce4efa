"""Play a game to its end, with every choice judged: the one program for it, whatever the game.

The values of some states lead by the rules, a move at a time, to those of the others (`Lookahead`).
The *regret* of a choice is its expected loss against the best choice, if all play after it is
optimal; luck plays no part in it. If both players choose at once, a choice is judged against the
optimal mixture of the other player.

A game is played with dice of its own seed by players, who are functions (`Player`): `optimally`
plays best, and a `person` is asked. A game says by its `Words` how states and choices are shown.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, NamedTuple, TypeAlias

from exactdice.arithmetic import decimal, mpq, natural, rational
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError
from exactdice.report.model import Quantity, Report, Table, column_for, exact, text_column, whole
from exactdice.run import Run
from exactdice.solve.game import Game
from exactdice.solve.optimum import Optimum
from exactdice.solve.simulation import drawn, played
from exactdice.solve.turns import Both, End, Other, named
from exactdice.solve.variants import choosing, turn_of

At: TypeAlias = "Callable[[Any], Enclosure | None]"

_NOTHING, _ONE = Enclosure.of(0), mpq(1)


class Lookahead:
    """Values of the states and choices of a game, from those states whose values are known.

    Parameters
    ----------
    game
        The rules.
    at
        The value of a state; None if it is to be found from the states that follow.
    best
        An answer with the mixtures of players who choose at once; it breaks ties, too.
    scale
        What regrets are multiplied by; below 0 if the least is best.
    """

    def __init__(
        self, game: Game[Any], at: At, best: Optimum[Any] | None = None, scale: mpq = _ONE
    ) -> None:
        self.game, self.at, self.best, self.scale = game, at, best, scale
        self._worths: dict[Any, Enclosure] = {}

    def worth(self, state: Any) -> Enclosure:
        """Return the value of a state, as the player sees it who sees the state."""
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
        """Return the expected value of a choice, or of a turn without one."""
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
        """Return the value of each choice to the player who moves; nothing if no player does.

        If both choose at once, these are the choices of player 1 or 2.
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
        """Return the optimal mixed strategies of both players who choose at once."""
        if self.best is None:
            raise InputError("state", state, "one in which players choose in turn")
        row, column = self.best.action(state)
        return row, column

    def regrets(self, state: Any, player: int = 1) -> dict[Any, Enclosure]:
        """Return the regret of each choice against the best of the others, the best choice first.

        The order is that of the lower bounds of their values. Of several best choices that of the
        answer comes first: with it play ends. The regret of a single choice is 0, and its value
        need not be known.
        """
        ways = choosing(turn_of(self.game, state))[1]
        if len(ways) == 1:
            return {ways[0].action: _NOTHING}
        worths = self.choices(state, player)
        tops = sorted((worth.upper for worth in worths.values()), reverse=True)
        best = largest(worths.values()) if worths else _NOTHING

        def loss(worth: Enclosure) -> Enclosure:
            rival = tops[1:][:1] if worth.upper == tops[0] else tops
            most = rival[0] - worth.lower if rival else mpq(0)
            least = best.lower - worth.upper
            return Enclosure(max(least, mpq(0)), max(most, mpq(0))) * abs(self.scale)

        losses = {action: loss(worth) for action, worth in worths.items()}
        answer = self.best
        chosen = answer.action(state) if answer and state in answer.model.index else None

        def order(item: tuple[Any, Enclosure]) -> tuple[bool, mpq]:
            action, lost = item
            return action != chosen or lost.lower > 0, -worths[action].lower

        return dict(sorted(losses.items(), key=order))


class JudgedStep(NamedTuple):
    """A choice that was made: the player, the state, the action, and the regrets of all choices."""

    player: int
    state: Any
    action: Any
    regrets: Mapping[Any, Enclosure]

    @property
    def regret(self) -> Enclosure:
        """The regret of the choice."""
        return self.regrets[self.action]

    @property
    def best(self) -> Any:
        """The first best choice."""
        return next(iter(self.regrets))


#: Returns an action for a state, the player who moves, and the regrets of all choices.
Player = Callable[[Any, int, Mapping[Any, Enclosure]], Any]


def play(look: Lookahead, choose: Player, draw: Random) -> tuple[list[JudgedStep], mpq]:
    """Play a game to its end; return the choices and what the first player receives."""
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
    """Return the player who takes the first best choice, or draws it if both choose at once."""

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        if isinstance(turn_of(look.game, state), Both):
            return drawn(look.mixtures(state)[player - 1], draw)
        return next(iter(regrets))

    return choose


class Words(NamedTuple):
    """How a game is shown to a person: its states, its choices, and choices made without asking.

    Choices are listed in the order of `order`. `unasked` describes a choice of the other player, or
    the only choice that there is, by player, state and action; if it is empty, nothing is shown.
    """

    intro: str = "You play first. "
    state: Callable[[Any], str] = str
    action: Callable[[Any, Any], str] = lambda state, action: str(action)
    unasked: Callable[[int, Any, Any], str] = lambda player, state, action: ""
    order: Callable[[Any], Any] = str


PLAIN = Words()


def person(other: Player, run: Run, words: Words = PLAIN, you: int = 1) -> Player:
    """Return the player 1 or 2 that is a person, who is asked; `other` plays for the other one."""
    run.say(f"{words.intro}Choose an action by its number or its name.")

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        if player != you or len(regrets) == 1:
            action = other(state, player, regrets)
            if said := words.unasked(player, state, action):
                run.say(said)
            return action
        actions = sorted(regrets, key=words.order)
        shown = {action: words.action(state, action) for action in actions}
        run.say(f"\n{words.state(state)}")
        wide = len(str(len(actions)))
        for place, name in enumerate(shown.values(), 1):
            run.say(f"  {place:{wide}}  {name}")

        def read(line: str) -> Any:
            """Find a choice by its number, else by its name or the beginning of that."""
            named = [a for a in actions if shown[a] == line]
            named = named or [a for a in actions if shown[a].startswith(line)]
            if line and not line.isdecimal() and len(named) == 1:
                return named[0]
            return actions[natural(line, "choice", least=1, most=len(actions)) - 1]

        action = run.choose("choice? ", read)
        lost, best = regrets[action], shown[next(iter(regrets))]
        said = "That was best." if not lost.upper else "That may be best, as far as bounds tell."
        run.say(said if not lost.lower else f"That cost {decimal(lost.lower, 6)}; best was {best}.")
        return action

    return choose


def played_by_seed(
    look: Lookahead, seed: int, run: Run | None, words: Words = PLAIN, you: int = 1
) -> tuple[list[JudgedStep], mpq]:
    """Play a game with the dice of a seed: best, or a person if there is a run to ask by."""
    draw = Random(seed)  # noqa: S311 - dice of a game
    best = optimally(look, draw)
    return play(look, best if run is None else person(best, run, words, you), draw)


def total_regret(steps: Iterable[JudgedStep], player: int = 1) -> Enclosure:
    """Add up the regrets of a player."""
    return sum((step.regret for step in steps if step.player == player), _NOTHING)


def play_report(look: Lookahead, seed: int, run: Run | None) -> Report:
    """Play a game, a person first if there is a run to ask by, and report each choice."""
    steps, result = played_by_seed(look, seed, run)
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
        (step.player, named(step.state), named(step.action), step.regret, named(step.best))
        for step in steps
    ]
    quantities = [
        Quantity(exact("result", "what the first player received"), result),
        Quantity.of("lost", "regrets of the first player", total_regret(steps)),
        Quantity(whole("seed", "which dice were drawn"), seed),
    ]
    return Report("A game played", quantities, [Table("decisions", "Choices", columns, rows)])
