r"""Gambit's trees (.efg) with information sets, and profiles of behaviour for them.

A tree of two players whose payoffs sum to 0 is read as a `HiddenGame`: its states are the nodes by
number, and what a player knows is the number of the information set, with its name if it has one.
What a node pays on the way counts too. A profile is a line as Gambit's programs print it, ``NE,``
and the chance of each action, by players, by numbers of their information sets, and in the order
of the actions.

A model is written so, too, if nothing comes again in it: each state as often as play can come to
it, with what is paid on the way added up at the leaves. Where both choose at once the second
player moves after the first in one information set.
Format: https://gambitproject.readthedocs.io, "Game representation formats".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, rational, text
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.formats.explicit import read_text
from exactdice.formats.gambit import FileWords, quoted
from exactdice.hidden.game import HiddenGame, choices_of
from exactdice.solve.game import Game, Model
from exactdice.solve.stopping import components
from exactdice.solve.turns import Both, Chance, Choice, End, Turn, named, point_mass

_MAX_NODES = 1_000_000

Sets = tuple[dict[Any, tuple[Any, ...]], dict[Any, tuple[Any, ...]]]


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree that was read or written."""

    game: HiddenGame[Any]
    sets: Sets  # of each player what can be known, in the order of their numbers, and the actions

    def profile(self, line: str) -> tuple[dict[Any, dict[Any, mpq]], dict[Any, dict[Any, mpq]]]:
        """Read the strategies of a profile."""
        words = [word for word in line.strip().removeprefix("NE").split(",") if word.strip()]
        wanted = sum(len(actions) for sets in self.sets for actions in sets.values())
        if len(words) != wanted:
            raise InputError("profile", Unquoted(f"{len(words)} chances"), f"{wanted} of them")
        chances = iter([rational(word, f"profile, chance {n}") for n, word in enumerate(words, 1)])
        one, two = (
            {
                known: {action: next(chances) for action in actions}
                for known, actions in sets.items()
            }
            for sets in self.sets
        )
        return one, two

    def line(self, *strategies: Mapping[Any, Mapping[Any, mpq]]) -> str:
        """Write a profile; where a strategy says nothing, the first action is certain."""
        words = ["NE"]
        for sets, strategy in zip(self.sets, strategies, strict=True):
            for known, actions in sets.items():
                chances = strategy.get(known, {actions[0]: mpq(1)})
                words += [text(chances.get(action, mpq(0))) for action in actions]
        return ",".join(words)


def read_line(path: Path | str) -> str:
    """Read the first line of a file.

    Raises FormatError if it cannot be read.
    """
    return next(iter(read_text(path).splitlines()), "")


def read_efg(path: Path | str) -> Tree:
    """Read a zero-sum tree of two players.

    Raises FormatError if it is no such file, its chances do not sum to 1, or it is not zero-sum.
    """
    return _Reader(path).tree()


@dataclass
class _Node:
    """A node: what kind, who moves, the names of the branches, their chances, what is paid."""

    kind: str
    paid: mpq
    known: Any = None
    player: int = 0
    actions: tuple[str, ...] = ()
    chances: tuple[mpq, ...] = ()
    after: list[int] = field(default_factory=list)


class _Reader(FileWords):
    """A reader of trees, node by node from the root down."""

    def tree(self) -> Tree:
        self.opening("EFG", "2")
        self.comment()
        self.outcomes: dict[str, mpq] = {"0": mpq(0)}
        self.sets: dict[tuple[int, int], tuple[Any, Any]] = {}
        nodes: list[_Node] = []
        open_nodes: list[int] = []
        while not nodes or open_nodes:
            node = self._node()
            if open_nodes:
                above = nodes[open_nodes[-1]]
                above.after.append(len(nodes))
                if len(above.after) == len(above.actions):
                    open_nodes.pop()
            if node.kind != "t":
                open_nodes.append(len(nodes))
            nodes.append(node)
        if self.at < len(self.tokens):
            self.next("")
            raise self.wrong("no more nodes: all branches have ended")
        return Tree(_game_of(nodes), self._numbered())

    def _numbered(self) -> Sets:
        one, two = (
            {
                known: actions
                for (owner, _), (known, actions) in sorted(self.sets.items())
                if owner == p
            }
            for p in (1, 2)
        )
        return one, two

    def _node(self) -> _Node:
        kind = self.next("a node")[1]
        if kind not in ("c", "p", "t"):
            raise self.wrong("a node: c, p or t")
        self.expect("quoted")
        if kind == "t":
            return _Node(kind, self._outcome())
        player = self._number("player 1 or 2", 2) if kind == "p" else 0
        number = self._number("the number of an information set")
        name = ""
        if self.peek()[0] == "quoted":
            name = self.next("")[1]
        if self.peek() == ("brace", "{"):
            words = [word for _, word in self.braced("names of actions")]
            known = f"{number} {name}".strip()
            content = known, tuple(words)
            if self.sets.setdefault((player, number), content)[1] != content[1]:
                raise self.wrong(f"the actions that information set {number} had before")
        elif (player, number) not in self.sets:
            raise self.wrong(f"the actions of information set {number}")
        known, words = self.sets[player, number]
        if player:
            return _Node(kind, self._outcome(), known, player, words)
        return self._chance(words)

    def _chance(self, words: tuple[str, ...]) -> _Node:
        try:
            chances = tuple(rational(word) for word in words[1::2])
        except InputError:
            chances = ()
        if 2 * len(chances) != len(words) or not words:
            raise self.wrong("a chance behind each name")
        if min(chances) < 0:
            raise self.wrong("chances of 0 or more")
        if sum(chances) != 1:
            raise self.wrong(f"chances that sum to 1, not to {text(sum(chances, mpq(0)))}")
        return _Node("c", self._outcome(), actions=words[::2], chances=chances)

    def _number(self, wanted: str, most: int = 10**9) -> int:
        word = self.next(wanted)[1]
        if not (word.isascii() and word.isdigit() and len(word) < 10 and 0 < int(word) <= most):
            raise self.wrong(wanted)
        return int(word)

    def _outcome(self) -> mpq:
        number = self.next("the number of an outcome")[1]
        if self.at < len(self.tokens):
            self.comment()
        if self.at < len(self.tokens) and self.peek() == ("brace", "{"):
            self.at += 1
            first, second = self.payoff(), self.payoff()
            if first + second:
                raise self.wrong("payoffs that sum to 0")
            self.expect("brace", "}")
            self.outcomes[number] = first
        if number not in self.outcomes:
            raise self.wrong("an outcome with its payoffs")
        return self.outcomes[number]


def _game_of(nodes: list[_Node]) -> HiddenGame[int]:
    def moves(state: int) -> Any:
        node = nodes[state]
        if node.kind == "t":
            return End(node.paid)
        if node.kind == "c":
            drawn = dict(zip(node.after, node.chances, strict=True))
            return Chance(node.paid, Distribution.from_probabilities(drawn))
        branches = zip(node.actions, node.after, strict=True)
        return Turn(node.player, [Choice(a, node.paid, point_mass(n)) for a, n in branches])

    return HiddenGame(0, moves, lambda state: nodes[state].known)


def efg_lines(model: Model[Any], title: str = "", *, most_nodes: int = _MAX_NODES) -> Iterator[str]:
    """Lines of the .efg file of a model in which no state can come again.

    Raises TooLargeError if the tree has more nodes.

    >>> from exactdice.dice import fair
    >>> model = Game(0, lambda s: fair(2) if s == 0 else End(s)).explored()
    >>> for line in efg_lines(model, "coin"):
    ...     print(line)
    EFG 2 R "coin" { "first" "second" }
    ""
    c "0" 1 "" { "1" 1/2 "2" 1/2 } 0
    t "1" 1 "" { 1, -1 }
    t "2" 2 "" { 2, -2 }
    """
    if model.arena.changes_sides:
        raise InputError("model", Unquoted("changes of side"), "states seen by one side throughout")
    for component in components(model.arena):
        if component.is_cyclic:
            again = model.states[component.states[-1]]
            raise InputError("model", again, "a model in which no state can come again")
    return _OpenWriter(model.game, most_nodes).lines(title)


def hidden_lines(game: HiddenGame[Any], title: str = "") -> tuple[Tree, list[str]]:
    """Lines of the .efg file of a game of hidden information, and the tree that they hold.

    Raises TooLargeError if the tree has more than a million nodes.

    >>> game = HiddenGame(0, lambda s: End(s) if s else [Choice("go", 0, point_mass(1))], str)
    >>> for line in hidden_lines(game, "walk")[1]:
    ...     print(line)
    EFG 2 R "walk" { "first" "second" }
    ""
    p "" 1 1 "0" { "go" } 0
    t "" 1 "" { 1, -1 }
    """
    writer = _Writer(game)
    lines = list(writer.lines(title))
    return Tree(game, writer.sets), lines


class _Writer:
    """A walk down a game, writing the nodes in the order in which they are reached."""

    def __init__(self, game: Any, most_nodes: int = _MAX_NODES) -> None:
        self.game, self.most_nodes = game, most_nodes
        self.sets: Sets = ({}, {})
        self.numbers: dict[Any, int] = {}
        self.outcomes: dict[mpq, int] = {}
        self.draws = 0

    def lines(self, title: str) -> Iterator[str]:
        yield f'EFG 2 R {quoted(title)} {{ "first" "second" }}'
        yield '""'
        # What is still to be written, the next on top: where, what happens there, what is paid.
        waiting = [self._at(self.game.initial, mpq(0))]
        written = 0
        while waiting:
            state, turn, paid = waiting.pop()
            if written == self.most_nodes:
                raise TooLargeError(
                    f"efg: more than {self.most_nodes} nodes; ask for a smaller game"
                )
            written += 1
            if isinstance(turn, Chance | Distribution):
                reward, drawn = _law(turn)
                if len(drawn) > 1:
                    yield self._draw(state, drawn)
                waiting.extend(self._at(after, paid + reward) for after in reversed(list(drawn)))
            elif turn is None or isinstance(turn, End):
                total = paid + (rational(turn.payoff) if turn else 0)
                number = self.outcomes.setdefault(total, len(self.outcomes) + 1)
                yield f't {self.label(state)} {number} "" {{ {text(total)}, {text(-total)} }}'
            elif isinstance(turn, Both):
                first, second = self.knows(state, turn)
                yield self._set(state, 1, first, turn.rows)
                for row in reversed(turn.rows):
                    replies = {c: turn.outcomes[row, c] for c in turn.columns}
                    waiting.append((state, _Reply(second, replies), paid))
            elif isinstance(turn, _Reply):
                yield self._set(state, 2, turn.known, tuple(turn.outcomes))
                after = reversed(turn.outcomes.values())
                waiting.extend(self._after(state, what, paid) for what in after)
            else:
                player, choices = choices_of(turn)
                names = tuple(choice.action for choice in choices)
                yield self._set(state, player, self.knows(state, turn), names)
                for choice in reversed(choices):
                    what = Chance(choice.reward, choice.successors)
                    waiting.append(self._after(state, what, paid))

    def label(self, state: Any) -> str:
        """The text of a node, which need not have any."""
        return '""'

    def knows(self, state: Any, turn: Any) -> Any:
        """What the player who moves knows; of both, where both do."""
        return self.game.knows(state)

    def _at(self, state: Any, paid: mpq) -> tuple[Any, Any, mpq]:
        return state, self.game.moves(state), paid

    def _after(self, state: Any, what: Any, paid: mpq) -> tuple[Any, Any, mpq]:
        """What follows a choice: nothing is drawn where one state alone can follow."""
        if isinstance(what, Chance | Distribution):
            reward, drawn = _law(what)
            if len(drawn) == 1:
                return self._at(next(iter(drawn)), paid + reward)
        return state, what, paid

    def _draw(self, state: Any, drawn: Distribution[Any]) -> str:
        self.draws += 1
        branches = " ".join(
            f"{quoted(named(after))} {text(drawn.probability(after))}" for after in drawn
        )
        return f'c {self.label(state)} {self.draws} "" {{ {branches} }} 0'

    def _set(self, state: Any, player: int, known: Any, actions: tuple[Any, ...]) -> str:
        self.sets[player - 1].setdefault(known, actions)
        number = self.numbers.setdefault((player, known), len(self.sets[player - 1]))
        names = " ".join(quoted(named(action)) for action in actions)
        return f"p {self.label(state)} {player} {number} {quoted(named(known))} {{ {names} }} 0"


class _OpenWriter(_Writer):
    """A writer where both see all: a node is an information set of its own, and says its state."""

    def __init__(self, game: Game[Any], most_nodes: int) -> None:
        super().__init__(game, most_nodes)
        self.times: dict[str, int] = {}  # how often each label was asked for

    def label(self, state: Any) -> str:
        """The text of a state; numbered where it came before, since Gambit has each label once."""
        name = label = named(state)
        while label in self.times:
            self.times[name] += 1
            label = f"{name} ({self.times[name]})"
        self.times[label] = 1
        return quoted(label)

    def knows(self, state: Any, turn: Any) -> Any:
        """Something new: all."""
        return (_All(), _All()) if isinstance(turn, Both) else _All()


class _All:
    """What a player knows who sees all, at one node; it has no name."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True)
class _Reply:
    """The second player's choice where both choose at once."""

    known: Any
    outcomes: dict[Any, Any]


def _law(turn: Chance[Any] | Distribution[Any]) -> tuple[mpq, Distribution[Any]]:
    """What is paid before something is drawn, and its law."""
    if isinstance(turn, Chance):
        return rational(turn.reward), turn.successors
    return mpq(0), turn
