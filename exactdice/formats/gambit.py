r"""Gambit's files: zero-sum games of two players in strategic (.nfg) and extensive form (.efg).

A .nfg file in its payoff version lists, the first player's choice running fastest, what each player
gets. Read here are games whose two payoffs sum to 0. A .efg file is a tree: it is written from a
model in which nothing comes again, each state as often as play can come to it, with what is paid on
the way added up at the leaves. Where both choose at once the second player moves after the first in
one information set. Formats: https://gambitproject.readthedocs.io, "Game representation formats".
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exactdice.arithmetic import RationalLike, mpq, rational, text
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.formats.explicit import FormatError, read_text
from exactdice.solve.arena import BOTH, CHANCE, END, MAX
from exactdice.solve.components import components
from exactdice.solve.game import Game, Model
from exactdice.solve.turns import Both, End

_MAX_NODES = 1_000_000
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)|,')


def nfg_lines(payoff: "Sequence[Sequence[RationalLike]]", title: str = "") -> Iterator[str]:
    """Lines of the .nfg file of a zero-sum matrix game.

    >>> list(nfg_lines([[1, -1], ["-1/2", 1]]))[2:]
    ['1 -1 -1/2 1/2', '-1 1 1 -1']
    """
    exact = [[rational(entry, "payoff") for entry in row] for row in payoff]
    if not exact or not exact[0] or any(len(row) != len(exact[0]) for row in exact):
        raise InputError("payoff", payoff, "rows of equal length, at least one entry")
    yield f'NFG 1 R {quoted(title)} {{ "first" "second" }} {{ {len(exact)} {len(exact[0])} }}'
    yield ""
    for column in zip(*exact, strict=True):
        yield " ".join(f"{text(paid)} {text(-paid)}" for paid in column)


def read_nfg(path: Path | str) -> Game[str]:
    """Read a zero-sum game of two players from a .nfg file in its payoff version.

    Raises FormatError if it is no such file, holds another number of payoffs than it says, or is
    not zero-sum.
    """
    return _Strategic(path).game()


def _tokens(whole: str) -> list[tuple[str, str]]:
    """Pairs of a kind (quoted, brace, word) and a text; anything odd is a word of its own."""
    tokens = []
    for match in _TOKEN.finditer(whole):
        if match[1] is not None:
            tokens.append(("quoted", match[1]))
        elif match[2] is not None:
            tokens.append(("brace", match[2]))
        elif match[3] is not None:
            tokens.append(("word", match[3]))
    return tokens


class Words:
    """The words of a file of Gambit's, read one after another."""

    def __init__(self, path: Path | str) -> None:
        self.path, self.at, self.tokens = str(path), 0, _tokens(read_text(path))

    def opening(self, kind: str, version: str) -> None:
        """Read how every file begins, up to the names of two players."""
        for word in (kind, version):
            self.expect("word", word)
        if self.next("R or D")[1] not in ("R", "D"):
            raise self.wrong("R or D")
        self.expect("quoted")
        players = self.braced("the names of two players")
        if len(players) != 2:
            raise self.wrong(f"two players instead of {len(players)}")

    def comment(self) -> None:
        """Pass over a text that may stand here."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "quoted":
            self.at += 1

    def payoff(self) -> mpq:
        """Read a payoff."""
        kind, word = self.next("a payoff")
        try:
            return rational(word if kind == "word" else "")
        except InputError:
            raise self.wrong("a payoff") from None

    def braced(self, wanted: str) -> list[tuple[str, str]]:
        """Read what stands between braces."""
        self.expect("brace", "{")
        entries = []
        while self.peek() != ("brace", "}"):
            entries.append(self.next(wanted))
        self.at += 1
        return entries

    def peek(self) -> tuple[str, str]:
        """Return the next word without passing over it."""
        if self.at == len(self.tokens):
            raise FormatError(f"{self.path}: ends after word {self.at}; give a whole game")
        return self.tokens[self.at]

    def next(self, wanted: str) -> tuple[str, str]:
        """Pass over the next word."""
        if self.at == len(self.tokens):
            raise FormatError(f"{self.path}: ends after word {self.at}; give {wanted}")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, kind: str, word: str | None = None) -> None:
        """Pass over one kind of word."""
        token = self.next(word or f"a {kind} text")
        if token[0] != kind or (word is not None and token[1] != word):
            raise self.wrong(word or f"a {kind} text")

    def wrong(self, wanted: str) -> FormatError:
        """Return the error of a word that was not wanted, with its place."""
        got = repr(self.tokens[self.at - 1][1]) if self.at else "nothing"
        return FormatError(f"{self.path}: got {got} as word {self.at}; give {wanted}")


class _Strategic(Words):
    """A reader of the payoff version."""

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
            raise self.wrong(f"{2 * len(outcomes)} payoffs in all, as the sizes say")
        both: Both[str] = Both({(r, c): End(outcomes[r, c]) for r in rows for c in columns})
        return Game("start", lambda state: both)

    def _choices(self) -> list[list[str]]:
        """The names of both players' choices: numbers where the file has how many there are."""
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
            raise self.wrong("choices of two players, each named once")
        return choices


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
    yield f'EFG 2 R {quoted(title)} {{ "first" "second" }}'
    yield '""'
    yield from _Tree(model, most_nodes).lines()


class _Tree:
    """A walk down a model, writing the nodes in the order in which they are reached."""

    def __init__(self, model: Model[Any], most_nodes: int) -> None:
        self.model, self.most_nodes = model, most_nodes
        self.nodes = 0
        self.outcomes: dict[mpq, int] = {}
        self.labels: set[str] = set()
        self.sets = {CHANCE: 0, 1: 0, 2: 0}  # information sets of chance and of the players

    def lines(self) -> Iterator[str]:
        arena = self.model.arena
        # What is still to be written, the next on top: a state, or a line that was prepared.
        waiting: list[tuple[int, mpq] | tuple[str, list[Any]]] = [(0, mpq(0))]
        while waiting:
            item = waiting.pop()
            self.nodes += 1
            if self.nodes > self.most_nodes:
                raise TooLargeError(
                    f"efg: more than {self.most_nodes} nodes; ask for a smaller game"
                )
            if isinstance(item[0], str):
                yield item[0]
                waiting.extend(reversed(item[1]))
                continue
            state, paid = item
            owner = arena.owners[state]
            if owner == CHANCE:
                waiting.append(self._after(arena.moves(state)[0], paid))
                self.nodes -= 1
                continue
            name = self._label(state)
            if owner == END:
                yield self._leaf(name, paid + arena.payoffs[state])
                continue
            after = [self._after(move, paid) for move in arena.moves(state)]
            if owner == BOTH:
                width = arena.columns[state]
                rows, columns = self.model.actions[state]
                self.sets[2] += 1
                reply = f"2 {self.sets[2]} {_named(columns)} 0"
                parts = [after[k : k + width] for k in range(0, len(after), width)]
                after = [(f"p {self._label(state)} {reply}", part) for part in parts]
                player, names = 1, rows
            else:
                player, names = (1 if owner == MAX else 2), self.model.actions[state]
            self.sets[player] += 1
            yield f"p {name} {player} {self.sets[player]} {_named(names)} 0"
            waiting.extend(reversed(after))

    def _after(self, move: int, paid: mpq) -> Any:
        """What follows a move: a state, or a node of chance."""
        arena, states = self.model.arena, self.model.states
        total = paid + arena.rewards[arena.reward[move]]
        branches = list(arena.leads(move))
        if len(branches) == 1:
            return branches[0][0], total
        self.sets[CHANCE] += 1
        denominator = arena.denominators[arena.law[move]]
        drawn = " ".join(
            f"{quoted(str(states[target]))} {text(mpq(weight, denominator))}"
            for target, weight in branches
        )
        owner = _owner_of(arena.first_move, move)
        line = f'c {self._label(owner)} {self.sets[CHANCE]} "" {{ {drawn} }} 0'
        return line, [(target, total) for target, _ in branches]

    def _label(self, state: int) -> str:
        """The text of a state; numbered where it came before, since Gambit has each label once."""
        name = label = str(self.model.states[state])
        times = 1
        while label in self.labels:
            times += 1
            label = f"{name} ({times})"
        self.labels.add(label)
        return quoted(label)

    def _leaf(self, name: str, paid: mpq) -> str:
        number = self.outcomes.setdefault(paid, len(self.outcomes) + 1)
        return f't {name} {number} "" {{ {text(paid)}, {text(-paid)} }}'


def _owner_of(first_move: Sequence[int], move: int) -> int:
    return bisect_right(first_move, move) - 1


def _named(actions: Sequence[Any]) -> str:
    return '"" { ' + " ".join(quoted(str(action)) for action in actions) + " }"


def quoted(words: str) -> str:
    """Text between quotation marks."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
