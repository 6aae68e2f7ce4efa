"""Gambit's files of zero-sum games of two players: matrices (.nfg), trees (.efg), and profiles.

*Matrices* are read and written in the payoff version of the format.

*Trees* with information sets are read as a `HiddenGame`. States are the numbers of nodes; a player
knows the number of the information set, and its name if it has one. Payoffs at inner nodes count.
A model without repeated states is written as a tree: each state as often as play can reach it, with
all payments added up at the leaves. If both players move simultaneously, the second moves after the
first in one information set.

*Profiles* are lines as Gambit prints them: ``NE,`` and the probability of each action, ordered by
player, number of the information set, and action.

Formats: https://gambitproject.readthedocs.io, "Game representation formats".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactdice.arithmetic import RationalLike, amount, mpq, rational, text
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError, Unquoted, shortened
from exactdice.formats.explicit import FormatError, read_text
from exactdice.hidden.game import HiddenGame, choices_of
from exactdice.solve.game import Game, Model
from exactdice.solve.stopping import components
from exactdice.solve.turns import Both, Chance, Choice, End, Turn, named, point_mass

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*+)"|([{}])|("(?:[^"\\]|\\.)*+|[^\s{}",]+)|,')


def nfg_lines(payoff: "Sequence[Sequence[RationalLike]]", title: str = "") -> Iterator[str]:
    """Yield the lines of the .nfg file of a zero-sum matrix game.

    >>> list(nfg_lines([[1, -1], ["-1/2", 1]]))[2:]
    ['1 -1 -1/2 1/2', '-1 1 1 -1']
    """
    exact = [[amount(entry, "payoff") for entry in row] for row in payoff]
    if not exact or not exact[0] or any(len(row) != len(exact[0]) for row in exact):
        raise InputError("payoff", payoff, "rows of equal length, at least one entry")
    yield f'NFG 1 R {quoted(title)} {{ "first" "second" }} {{ {len(exact)} {len(exact[0])} }}'
    yield ""
    for column in zip(*exact, strict=True):
        yield " ".join(f"{text(paid)} {text(-paid)}" for paid in column)


def read_nfg(path: Path | str) -> Game[str]:
    return _Strategic(path).game()


def _tokens(whole: str) -> list[tuple[str, str]]:
    """Return pairs of kind (quoted, brace, word) and text."""
    tokens = []
    for match in _TOKEN.finditer(whole):
        if match[1] is not None:
            tokens.append(("quoted", match[1]))
        elif match[2] is not None:
            tokens.append(("brace", match[2]))
        elif match[3] is not None:
            tokens.append(("word", match[3]))
    return tokens


class FileWords:
    def __init__(self, path: Path | str) -> None:
        self.path, self.at, self.tokens = str(path), 0, _tokens(read_text(path))

    def opening(self, kind: str, version: str) -> None:
        """Read the start of a file, up to the names of two players."""
        for word in (kind, version):
            self.expect("word", word)
        if self.next("R or D")[1] not in ("R", "D"):
            raise self.wrong("R or D")
        self.expect("quoted")
        players = self.braced("the names of two players")
        if len(players) != 2:
            raise self.wrong(f"two players instead of {len(players)}")

    def comment(self) -> None:
        """Skip an optional quoted text."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "quoted":
            self.at += 1

    def payoff(self) -> mpq:
        kind, word = self.next("a payoff")
        try:
            return rational(word if kind == "word" else "")
        except InputError:
            raise self.wrong("a payoff") from None

    def braced(self, wanted: str) -> list[tuple[str, str]]:
        self.expect("brace", "{")
        entries = []
        while self.peek() != ("brace", "}"):
            entries.append(self.next(wanted))
        self.at += 1
        return entries

    def peek(self) -> tuple[str, str]:
        if self.at == len(self.tokens):
            raise FormatError(f"{self.path}: ends after word {self.at}; expected a complete game")
        return self.tokens[self.at]

    def next(self, wanted: str) -> tuple[str, str]:
        if self.at == len(self.tokens):
            raise FormatError(f"{self.path}: ends after word {self.at}; expected {wanted}")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, kind: str, word: str | None = None) -> None:
        token = self.next(word or f"a {kind} text")
        if token[0] != kind or (word is not None and token[1] != word):
            raise self.wrong(word or f"a {kind} text")

    def wrong(self, wanted: str) -> FormatError:
        got = shortened(repr(self.tokens[self.at - 1][1])) if self.at else "nothing"
        return FormatError(f"{self.path}: got {got} as word {self.at}; expected {wanted}")


class _Strategic(FileWords):
    def game(self) -> Game[str]:
        self.opening("NFG", "1")
        choices = self._choices()
        self.comment()
        rows, columns = choices
        outcomes = {}
        for column in columns:
            for row in rows:
                first, second = self.payoff(), self.payoff()
                if first + second:
                    raise self.wrong("payoffs that sum to 0")
                outcomes[row, column] = first
        if self.at < len(self.tokens):
            raise self.wrong(f"{2 * len(outcomes)} payoffs in all, from the sizes")
        both: Both[str] = Both({(r, c): End(outcomes[r, c]) for r in rows for c in columns})
        return Game("start", lambda state: both)

    def _choices(self) -> list[list[str]]:
        """Return the names of both players' choices; numbers if the file only counts them."""
        self.expect("brace", "{")
        choices: list[list[str]] = []
        while self.peek() != ("brace", "}"):
            if self.peek() == ("brace", "{"):
                choices.append([text for _, text in self.braced("names of choices")])
            else:
                kind, word = self.next("a number of choices")
                if kind != "word" or not word.isascii() or not word.isdigit() or len(word) > 6:
                    raise self.wrong("a number of choices")
                choices.append([str(number) for number in range(1, int(word) + 1)])
        self.at += 1
        if len(choices) != 2 or any(not names or len(set(names)) < len(names) for names in choices):
            raise self.wrong("choices of two players with different names")
        return choices


def quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_MAX_NODES = 1_000_000

Sets = tuple[dict[Any, tuple[Any, ...]], dict[Any, tuple[Any, ...]]]


@dataclass(frozen=True, eq=False)
class Tree:
    game: HiddenGame[Any]
    sets: Sets  # per player: actions by knowledge, in the order of the sets

    def profile(self, line: str) -> tuple[dict[Any, dict[Any, mpq]], dict[Any, dict[Any, mpq]]]:
        words = [word for word in line.strip().removeprefix("NE").split(",") if word.strip()]
        wanted = sum(len(actions) for sets in self.sets for actions in sets.values())
        if len(words) != wanted:
            raise InputError("profile", Unquoted(f"{len(words)} probabilities"), str(wanted))
        named = [(word, f"profile, probability {n}") for n, word in enumerate(words, 1)]
        chances = iter([rational(word, name) for word, name in named])
        one, two = (
            {known: {a: next(chances) for a in actions} for known, actions in sets.items()}
            for sets in self.sets
        )
        return one, two

    def line(self, *strategies: Mapping[Any, Mapping[Any, mpq]]) -> str:
        """Write a profile; if a strategy omits an information set, its first action is certain."""
        words = ["NE"]
        for sets, strategy in zip(self.sets, strategies, strict=True):
            for known, actions in sets.items():
                chances = strategy.get(known, {actions[0]: mpq(1)})
                words += [text(chances.get(action, mpq(0))) for action in actions]
        return ",".join(words)


def read_line(path: Path | str) -> str:
    return next(iter(read_text(path).splitlines()), "")


def read_efg(path: Path | str) -> Tree:
    return _Reader(path).tree()


@dataclass
class _Node:
    kind: str
    paid: mpq
    known: Any = None
    player: int = 0
    actions: tuple[str, ...] = ()
    chances: tuple[mpq, ...] = ()
    after: list[int] = field(default_factory=list)


class _Reader(FileWords):
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
            raise self.wrong("the end of the file")
        return Tree(_game_of(nodes), self._numbered())

    def _numbered(self) -> Sets:
        sets: Sets = ({}, {})
        for (player, _), (known, actions) in sorted(self.sets.items()):
            if player:
                sets[player - 1][known] = actions
        return sets

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
                raise self.wrong(f"the same actions for information set {number} as before")
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
            raise self.wrong("a probability after each name")
        if min(chances) < 0:
            raise self.wrong("probabilities of at least 0")
        if sum(chances) != 1:
            raise self.wrong(f"probabilities that sum to 1, not {text(sum(chances, mpq(0)))}")
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
    """Yield the lines of the .efg file of a model in which no state can be repeated.

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
        raise InputError("model", Unquoted("changes of side"), "states seen from one side")
    for component in components(model.arena):
        if component.is_cyclic:
            again = model.states[component.states[-1]]
            raise InputError("model", again, "a model without repeated states")
    return _OpenWriter(model.game, most_nodes).lines(title)


def hidden_lines(game: HiddenGame[Any], title: str = "") -> tuple[Tree, list[str]]:
    """Return the tree of a game of hidden information, and the lines of its .efg file.

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
    def __init__(self, game: Any, most_nodes: int = _MAX_NODES) -> None:
        self.game, self.most_nodes = game, most_nodes
        self.sets: Sets = ({}, {})
        self.numbers: dict[Any, int] = {}
        self.outcomes: dict[mpq, int] = {}
        self.draws = 0

    def lines(self, title: str) -> Iterator[str]:
        yield f'EFG 2 R {quoted(title)} {{ "first" "second" }}'
        yield '""'
        # A stack of states, what happens there, and what was paid before.
        waiting = [self._at(self.game.initial, mpq(0))]
        written = 0
        while waiting:
            state, turn, paid = waiting.pop()
            if written == self.most_nodes:
                raise TooLargeError(f"efg: more than {self.most_nodes} nodes; use a smaller game")
            written += 1
            if isinstance(turn, Chance | Distribution):
                reward, drawn = _drawn(turn)
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
        """Return the text of a node; empty here."""
        return '""'

    def knows(self, state: Any, turn: Any) -> Any:
        return self.game.knows(state)

    def _at(self, state: Any, paid: mpq) -> tuple[Any, Any, mpq]:
        return state, self.game.moves(state), paid

    def _after(self, state: Any, what: Any, paid: mpq) -> tuple[Any, Any, mpq]:
        """Return the next node; without a draw if only one state can follow."""
        if isinstance(what, Chance | Distribution):
            reward, drawn = _drawn(what)
            if len(drawn) == 1:
                return self._at(next(iter(drawn)), paid + reward)
        return state, what, paid

    def _draw(self, state: Any, drawn: Distribution[Any]) -> str:
        self.draws += 1
        chances = drawn.probabilities().items()
        branches = " ".join(f"{quoted(named(after))} {text(chance)}" for after, chance in chances)
        return f'c {self.label(state)} {self.draws} "" {{ {branches} }} 0'

    def _set(self, state: Any, player: int, known: Any, actions: tuple[Any, ...]) -> str:
        self.sets[player - 1].setdefault(known, actions)
        number = self.numbers.setdefault((player, known), len(self.sets[player - 1]))
        names = " ".join(quoted(named(action)) for action in actions)
        return f"p {self.label(state)} {player} {number} {quoted(named(known))} {{ {names} }} 0"


class _OpenWriter(_Writer):
    """Writes games of perfect information: each node is an information set with a label."""

    def __init__(self, game: Game[Any], most_nodes: int) -> None:
        super().__init__(game, most_nodes)
        self.times: dict[str, int] = {}  # uses of each label

    def label(self, state: Any) -> str:
        """Return the text of a state, numbered if repeated, because Gambit's labels are unique."""
        name = label = named(state)
        while label in self.times:
            self.times[name] += 1
            label = f"{name} ({self.times[name]})"
        self.times[label] = 1
        return quoted(label)

    def knows(self, state: Any, turn: Any) -> Any:
        return (_All(), _All()) if isinstance(turn, Both) else _All()


class _All:
    """Perfect information at one node; it has no name."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True)
class _Reply:
    """The second player's part of a simultaneous move."""

    known: Any
    outcomes: dict[Any, Any]


def _drawn(turn: Chance[Any] | Distribution[Any]) -> tuple[mpq, Distribution[Any]]:
    if isinstance(turn, Chance):
        return rational(turn.reward), turn.successors
    return mpq(0), turn
