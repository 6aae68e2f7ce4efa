"""Gambit's files of games of two players: matrices (.nfg), trees (.efg), and profiles.

Payoffs must have a constant sum; the value is the first player's payoff.

*Matrices* are read with payoffs or with outcomes, and written with payoffs.

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, amount, mpq, rational, text
from exactdice.dice import Distribution
from exactdice.errors import InputError, TooLargeError, Unquoted, shortened
from exactdice.formats.explicit import told_apart
from exactdice.formats.reading import FormatError, Reading, read_text
from exactdice.hidden.game import HiddenGame, choices_of
from exactdice.solve.game import Game, Model
from exactdice.solve.stopping import components
from exactdice.solve.turns import Both, Chance, Choice, End, Turn, named, point_mass

Item = TypeVar("Item")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}]|[^\s{}",]+')


def nfg_lines(payoff: "Sequence[Sequence[RationalLike]]", title: str = "") -> Iterator[str]:
    """Yield the lines of the .nfg file of a zero-sum matrix game."""
    exact = [[amount(entry, "payoff") for entry in row] for row in payoff]
    if not exact or not exact[0] or any(len(row) != len(exact[0]) for row in exact):
        raise InputError("payoff", payoff, "rows of equal length, at least one entry")
    yield f'NFG 1 R {quoted(title)} {{ "first" "second" }} {{ {len(exact)} {len(exact[0])} }}'
    yield ""
    for column in zip(*exact, strict=True):
        yield " ".join(f"{text(paid)} {text(-paid)}" for paid in column)


def read_nfg(path: Path | str, how: Reading | None = None) -> Game[str]:
    return _Strategic(path, how).game()


class FileWords:
    def __init__(self, path: Path | str, how: Reading | None = None) -> None:
        self.path, self.at, self.text = str(path), 0, read_text(path)
        self.tokens = [(match[0], match.start()) for match in _TOKEN.finditer(self.text)]
        self.tokens.append(("", len(self.text)))
        self.how = how or Reading()
        self.total: mpq | None = None  # the sum of both players' payoffs

    def opening(self, kind: str, version: str) -> None:
        """Read the start of a file, up to the names of two players."""
        self.how.structure(())
        self.how.start(self.path, {}, 1)
        self.expect(kind)
        self.expect(version)
        if self.next("R or D") not in ("R", "D"):
            raise self.wrong("R or D")
        self.name()
        players = len(self.braced(self.name))
        if players != 2:
            more = f"; for {players} run gambit-logit {self.path}" if players > 2 else ""
            raise self.wrong(f"two players instead of {players}{more}")

    def name(self) -> str:
        word = self.next("a name in quotation marks")
        if word[0] != '"' or word[-1] != '"':
            raise self.wrong("a name in quotation marks")
        return word[1:-1]

    def comment(self) -> None:
        """Skip an optional quoted text."""
        self.at += self.peek().startswith('"')

    def payoffs(self) -> tuple[mpq, mpq]:
        """Return the first player's payoff, and the sum of both."""
        first, second = self.exact("a payoff"), self.exact("a payoff")
        return first, first + second

    def exact(self, wanted: str) -> mpq:
        try:
            return rational(self.next(wanted))
        except InputError:
            raise self.wrong(wanted) from None

    def require_total(self, total: mpq) -> None:
        """Raise FormatError if the payoffs do not always have the same sum."""
        if self.total not in (None, total):
            same = "payoffs that sum to 0, or always to the same number"
            raise self.wrong(f"{same}; for other games of two run gambit-lcp {self.path}")
        self.total = total
        if total:
            said = f"sum to {text(total)}; the value is the first player's payoff"
            self.how.notes["payoffs"] = said

    def braced(self, read: Callable[[], Item]) -> list[Item]:
        self.expect("{")
        entries = []
        while self.peek() != "}":
            entries.append(read())
        self.at += 1
        return entries

    def peek(self) -> str:
        return self.tokens[self.at][0]

    def next(self, wanted: str) -> str:
        self.at += 1
        if self.at == len(self.tokens):
            raise self.wrong(wanted)
        return self.tokens[self.at - 1][0]

    def expect(self, word: str) -> None:
        if self.next(word) != word:
            raise self.wrong(word)

    def number(self, wanted: str, most: int, least: int = 1) -> int:
        word = self.next(wanted)
        if word.isascii() and word.isdigit() and len(word) < 10 and least <= int(word) <= most:
            return int(word)
        raise self.wrong(wanted)

    def finish(self, wanted: str) -> None:
        if self.peek():
            self.at += 1
            raise self.wrong(wanted)

    def wrong(self, wanted: str, got: str = "") -> FormatError:
        """Return the error at the token that was read last."""
        word, start = self.tokens[max(self.at - 1, 0)]
        got = got or (repr(word.strip('"')) if word else "the end of the file")
        before = self.text[:start]
        place = f"{before.count(chr(10)) + 1}:{start - before.rfind(chr(10))}"
        return FormatError(f"{self.path}:{place}: got {shortened(got)}; expected {wanted}")


class _Strategic(FileWords):
    def game(self) -> Game[str]:
        self.opening("NFG", "1")
        choices = self.braced(self._choices)
        if len(choices) != 2 or not all(choices):
            raise self.wrong("choices of two players")
        self.comment()
        listed, (rows, columns) = [(mpq(0), mpq(0))], choices  # outcome 0 pays nothing
        has_outcomes = self.peek() == "{"
        if has_outcomes:
            listed += self.braced(self._outcome)
        outcomes: dict[tuple[str, str], End] = {}
        for column, row in product(columns, rows):
            number = self.number("an outcome", len(listed) - 1, 0) if has_outcomes else 0
            paid, total = listed[number] if has_outcomes else self.payoffs()
            self.require_total(total)
            outcomes[row, column] = End(paid)
        count = f"{len(outcomes)} outcomes" if has_outcomes else f"{2 * len(outcomes)} payoffs"
        self.finish(f"{count} in all, from the sizes")
        both: Both[str] = Both({pair: outcomes[pair] for pair in product(rows, columns)})
        return Game("start", lambda state: both)

    def _outcome(self) -> tuple[mpq, mpq]:
        self.expect("{")
        self.name()
        paid = self.payoffs()
        self.expect("}")
        return paid

    def _choices(self) -> list[str]:
        """Return the names of a player's choices; numbers if the file only counts them."""
        if self.peek() == "{":
            return told_apart(self.braced(self.name))
        count = self.number("a number of choices", 10**6 - 1, 0)
        return [str(number) for number in range(1, count + 1)]


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


def read_efg(path: Path | str, how: Reading | None = None) -> Tree:
    return _Reader(path, how).tree()


@dataclass
class _Node:
    paid: mpq  # to the first player
    total: mpq  # to both
    player: int = 0
    known: str = ""
    actions: tuple[str, ...] = ()
    chances: tuple[mpq, ...] = ()
    after: list[int] = field(default_factory=list)


class _Reader(FileWords):
    def tree(self) -> Tree:
        self.opening("EFG", "2")
        self.comment()
        self.outcomes = {"0": (mpq(0), mpq(0))}
        self.sets: dict[tuple[int, int], tuple[str, tuple[Any, ...]]] = {}
        nodes = [self._node()]
        pending = [(nodes[0], len(nodes[0].actions))]  # with the number of nodes to follow
        while pending:
            above, lacking = pending.pop()
            if not above.actions:
                self.require_total(above.total)
            elif lacking:
                above.after.append(len(nodes))
                nodes.append(node := self._node())
                node.total += above.total
                pending += [(above, lacking - 1), (node, len(node.actions))]
        self.finish("the end of the file")
        sets: Sets = ({}, {})
        for (player, _), (known, actions) in sorted(self.sets.items()):
            if player:
                sets[player - 1][known] = actions
        return Tree(_game_of(nodes), sets)

    def _node(self) -> _Node:
        kind = self.next("a node")
        if kind not in ("c", "p", "t"):
            raise self.wrong("a node: c, p or t")
        self.name()
        if kind == "t":
            return _Node(*self._paid())
        player = self.number("player 1 or 2", 2) if kind == "p" else 0
        number = self.number("the number of an information set", 10**9)
        name = self.name() if self.peek().startswith('"') else ""
        if self.peek() == "{":
            actions: tuple[Any, ...] = tuple(self.braced(self.name if player else self._branch))
            actions = tuple(told_apart(actions)) if player else actions
            content = f"{number} {name}".strip(), actions
            if not actions or self.sets.setdefault((player, number), content)[1] != actions:
                raise self.wrong(f"actions for information set {number}, the same each time")
        elif (player, number) not in self.sets:
            self.next(wanted := f"the actions of information set {number}")
            raise self.wrong(wanted)
        known, actions = self.sets[player, number]
        if player:
            return _Node(*self._paid(), player, known, actions)
        listed = dict(enumerate(chance for _, chance in actions))
        chances = self.how.distribution(listed, lambda got, wanted: self.wrong(wanted, got), "here")
        names = tuple(name for name, _ in actions)
        return _Node(*self._paid(), actions=names, chances=tuple(chances.values()))

    def _branch(self) -> tuple[str, mpq]:
        return self.name(), self.exact("a probability after each name")

    def _paid(self) -> tuple[mpq, mpq]:
        """Return the first player's payoff at a node, and the sum of both."""
        number = self.next("the number of an outcome")
        self.comment()
        if self.peek() == "{":
            self.expect("{")
            self.outcomes[number] = self.payoffs()
            self.expect("}")
        if number not in self.outcomes:
            raise self.wrong("an outcome with its payoffs")
        return self.outcomes[number]


def _game_of(nodes: list[_Node]) -> HiddenGame[int]:
    def moves(state: int) -> Any:
        node = nodes[state]
        if not node.after:
            return End(node.paid)
        if node.chances:
            drawn = dict(zip(node.after, node.chances, strict=True))
            return Chance(node.paid, Distribution.from_probabilities(drawn))
        branches = zip(node.actions, node.after, strict=True)
        return Turn(node.player, [Choice(a, node.paid, point_mass(n)) for a, n in branches])

    return HiddenGame(0, moves, lambda state: nodes[state].known)


def efg_lines(model: Model[Any], title: str = "", *, most_nodes: int = _MAX_NODES) -> Iterator[str]:
    """Yield the lines of the .efg file of a model in which no state can be repeated."""
    if model.arena.changes_sides:
        raise InputError("model", Unquoted("changes of side"), "states seen from one side")
    for component in components(model.arena):
        if component.is_cyclic:
            again = model.states[component.states[-1]]
            raise InputError("model", again, "a model without repeated states")
    return _OpenWriter(model.game, most_nodes).lines(title)


def hidden_lines(game: HiddenGame[Any], title: str = "") -> tuple[Tree, list[str]]:
    """Return the tree of a game of hidden information, and the lines of its .efg file."""
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
