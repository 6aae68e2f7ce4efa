r"""Gambit's files of zero-sum games of two players in strategic form (.nfg), and their words.

A .nfg file in its payoff version lists, the first player's choice running fastest, what each player
gets. Read here are games whose two payoffs sum to 0. Trees (.efg) are in
`exactdice.formats.gambit_trees`. Formats: https://gambitproject.readthedocs.io, "Game
representation formats".
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from exactdice.arithmetic import RationalLike, amount, mpq, rational, text
from exactdice.errors import InputError, shortened
from exactdice.formats.explicit import FormatError, read_text
from exactdice.solve.game import Game
from exactdice.solve.turns import Both, End

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*+)"|([{}])|("(?:[^"\\]|\\.)*+|[^\s{}",]+)|,')


def nfg_lines(payoff: "Sequence[Sequence[RationalLike]]", title: str = "") -> Iterator[str]:
    """Lines of the .nfg file of a zero-sum matrix game.

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


class FileWords:
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
        got = shortened(repr(self.tokens[self.at - 1][1])) if self.at else "nothing"
        return FormatError(f"{self.path}: got {got} as word {self.at}; expected {wanted}")


class _Strategic(FileWords):
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


def quoted(words: str) -> str:
    """Text between quotation marks."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
