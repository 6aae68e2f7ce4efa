"""Explicit formats of model checkers: Storm's .drn, and PRISM's .tra, .lab and .trew.

*Storm's DRN* holds chains (DTMC) and decision processes (MDP). The
rewards of a state and of an action, in brackets, add up. Probabilities are fractions.
Format: https://www.stormchecker.org/documentation/usage/ (explicit formats).

*PRISM's explicit files.* A .tra file begins with the numbers of states, choices and transitions (of
a chain: of states and transitions), and has a line ``state choice successor probability action``
for each transition (of a chain: ``state successor probability``). A .lab file begins with
``0="init" 1="done"`` and has a line ``state: label label`` for each labelled state. A .trew file is
like a .tra file with rewards instead of probabilities; it lists those that are not 0, and repeats
the reward of a choice for each successor.
Format: https://www.prismmodelchecker.org/manual/Appendices/ExplicitModelFiles.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.errors import InputError
from exactdice.formats.explicit import (
    ExplicitModel,
    FileLines,
    FormatError,
    Row,
    explicit,
    told_apart,
)
from exactdice.solve.game import Model

_LABEL = re.compile(r'([0-9]{1,18})="([^"]*)"\s*')
_Choice = tuple[int, int]
_Values = Mapping[int, mpq]  # by successor


def transition_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    """Yield the lines of the .tra file of a model with chance and one player.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game
    >>> list(transition_lines(Game(0, lambda s: fair(2) if s == 0 else None).explored()))
    ['4 5', '0 1 1/2', '0 2 1/2', '1 3 1', '2 3 1', '3 3 1']
    """
    return _entry_lines(model, lambda row: row.chances, are_named=True)


def reward_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    return _entry_lines(model, _paid, are_named=False)


def _entry_lines(
    model: Model[Any] | ExplicitModel, values: Callable[[Row], _Values], *, are_named: bool
) -> Iterator[str]:
    """Yield a header, and a line for each value of a row by successor."""
    table, lines = explicit(model), []
    for state, rows in enumerate(table.rows):
        names = told_apart([re.sub(r"\W+", "_", row.action).strip("_") or "_" for row in rows])
        for number, row in enumerate(rows):
            choice = f"{state} {number}" if table.players else f"{state}"
            name = f" {names[number]}" if table.players and are_named else ""
            for target, value in sorted(values(row).items()):
                lines.append(f"{choice} {target} {text(value)}{name}")
    choices = [sum(map(len, table.rows))] if table.players else []
    yield " ".join(map(str, [len(table.rows), *choices, len(lines)]))
    yield from lines


def _paid(row: Row) -> _Values:
    paid = row.paid or dict.fromkeys(row.chances, row.reward)
    return {target: reward for target, reward in paid.items() if reward}


def label_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    labels = sorted(explicit(model).labels.items())
    yield " ".join(f'{i}="{name}"' for i, (name, _) in enumerate(labels))
    for state in sorted(set().union(*(states for _, states in labels))):
        numbers = [str(i) for i, (_, states) in enumerate(labels) if state in states]
        yield f"{state}: {' '.join(numbers)}"


def read_prism(
    transitions: Path | str, labels: Path | str | None = None, rewards: Path | str | None = None
) -> ExplicitModel:
    lines = FileLines(transitions)
    header = lines.next("numbers of states, choices and transitions").split()
    if len(header) not in (2, 3):
        raise lines.wrong(f"{len(header)} numbers", "states, choices and transitions")
    states, entries = lines.whole_from(header[0]), lines.whole_from(header[-1])
    has_choices = len(header) == 3
    chances: dict[_Choice, dict[int, mpq]] = {}
    names: dict[_Choice, str] = {}
    for choice, target, chance, name in _entries(lines, states, entries, has_choices=has_choices):
        row = chances.setdefault(choice, {})
        if target in row:
            raise lines.wrong(f"successor {target} again", "each successor of a choice once")
        row[target] = chance
        names[choice] = name or str(choice[1])
    _check_choices(lines, chances, states, lines.whole_from(header[1]) if has_choices else states)
    paid = {} if rewards is None else _read_rewards(FileLines(rewards), chances, header[:-1])
    known = {} if labels is None else _read_labels(FileLines(labels), states)
    initial = known.get("init", frozenset([0]))
    if len(initial) != 1:
        raise FormatError(f"{labels}: got {len(initial)} states labelled init; expected one")
    rows: list[list[Row]] = [[] for _ in range(states)]
    for choice in sorted(chances):
        rows[choice[0]].append(_row(names[choice], chances[choice], paid.get(choice, {})))
    return ExplicitModel.of_rows(rows, next(iter(initial)), known, players=int(has_choices))


def _row(name: str, chances: _Values, listed: _Values) -> Row:
    paid = {target: listed.get(target, mpq(0)) for target in chances}
    mean = sum((chance * paid[target] for target, chance in chances.items()), mpq(0))
    return Row(name, mean, chances, paid if len(set(paid.values())) > 1 else None)


def _entries(
    lines: FileLines, states: int, count: int, *, has_choices: bool
) -> Iterator[tuple[_Choice, int, mpq, str]]:
    """Yield choice, successor, number and name of each line, and check their count."""
    fixed = 4 if has_choices else 3
    seen = 0
    while (line := lines.after()) is not None:
        words = line.split()
        if not fixed <= len(words) <= fixed + 1:
            raise lines.wrong(f"{len(words)} words", f"{fixed} words, and optionally a name")
        state = lines.whole_from(words[0], states)
        number = lines.whole_from(words[1]) if has_choices else 0
        target = lines.whole_from(words[fixed - 2], states)
        seen += 1
        value, name = lines.number_from(words[fixed - 1]), "".join(words[fixed:])
        yield (state, number), target, value, name
    if seen != count:
        raise lines.wrong(f"{seen} entries in all", f"{count}, from the first line")


def _check_choices(
    lines: FileLines, chances: Mapping[_Choice, _Values], states: int, count: int
) -> None:
    if len(chances) != count:
        raise lines.wrong(f"{len(chances)} choices in all", f"{count}, from the first line")
    offered = {state for state, _ in chances}
    for state in range(states):
        if state not in offered:
            raise lines.wrong(f"state {state} without a transition", "at least one")
    for (state, number), row in chances.items():
        lines.require_sum(row, f"for choice {number} of state {state}")


def _read_rewards(
    lines: FileLines, chances: dict[_Choice, dict[int, mpq]], counts: list[str]
) -> dict[_Choice, dict[int, mpq]]:
    header = lines.next("numbers of states, choices and rewards").split()
    if header[:-1] != counts:
        raise lines.wrong(" ".join(header[:-1]), f"{' '.join(counts)}, like the transitions")
    entries, states = lines.whole_from(header[-1]), int(counts[0])
    paid: dict[_Choice, dict[int, mpq]] = {}
    for choice, target, reward, _ in _entries(lines, states, entries, has_choices=len(header) == 3):
        if target not in chances.get(choice, {}):
            raise lines.wrong(f"a reward from {choice[0]} to {target}", "one of a transition")
        rewards = paid.setdefault(choice, {})
        rewards[target] = rewards.get(target, mpq(0)) + reward
    return paid


def _read_labels(lines: FileLines, states: int) -> dict[str, frozenset[int]]:
    header = lines.next('labels such as 0="init"')
    names, at = dict[int, str](), 0
    while (match := _LABEL.match(header, at)) and int(match[1]) not in names:
        names[int(match[1])], at = match[2], match.end()
    if at < len(header):
        raise lines.wrong(repr(header[at:]), 'labels such as 0="init", each with its own number')
    labelled: dict[str, set[int]] = {name: set() for name in names.values()}
    while (line := lines.after()) is not None:
        word, colon, numbers = line.partition(":")
        if not colon:
            raise lines.wrong(repr(line), "a state, a colon and its labels")
        state = lines.whole_from(word.strip(), states)
        for number in numbers.split():
            name = names.get(lines.whole_from(number))
            if name is None:
                raise lines.wrong(f"label {number}", "a label from the first line")
            labelled[name].add(state)
    return {name: frozenset(members) for name, members in labelled.items()}


_STATE = re.compile(r"state\s+(\d+)(?:\s+\[([^\]]*)\])?\s*(.*)")
_ACTION = re.compile(r"action\s+(\S+)(?:\s+\[([^\]]*)\])?")
_BRANCH = re.compile(r"(\d+)\s*:\s*(\S+)")


def drn_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    r"""Yield the lines of the .drn file of a model.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game
    >>> list(drn_lines(Game(0, lambda s: fair(2) if s == 0 else None).explored()))[9:14]
    ['@model', 'state 0 [0] init', '\taction 0 [0]', '\t\t1 : 1/2', '\t\t2 : 1/2']
    """
    table = explicit(model)
    for name in table.labels:
        if not re.fullmatch(r"[^\s\[\]]+", name):
            raise InputError("label", name, "labels without spaces and brackets")
    yield f"@type: {'MDP' if table.players else 'DTMC'}"
    yield from ("@parameters", "", "@reward_models", "reward", "@nr_states", str(len(table.rows)))
    yield from ("@nr_choices", str(sum(map(len, table.rows))), "@model")
    for state, rows in enumerate(table.rows):
        labels = [name for name, states in sorted(table.labels.items()) if state in states]
        yield " ".join([f"state {state} [0]", *labels])
        for number, row in enumerate(rows):
            yield f"\taction {number} [{text(row.reward)}]"
            for target, chance in sorted(row.chances.items()):
                yield f"\t\t{target} : {text(chance)}"


def read_drn(path: Path | str) -> ExplicitModel:
    return _Reader(FileLines(path)).model()


class _Reader:
    def __init__(self, lines: FileLines) -> None:
        self.lines = lines
        self.labels: dict[str, set[int]] = {}

    def model(self) -> ExplicitModel:
        lines, states, choices, kind, rewards = self.lines, None, None, None, 0
        while True:
            line = lines.next("a line @model")
            if line.startswith("@type:"):
                kind = line.removeprefix("@type:").strip().upper()
                if kind not in ("DTMC", "MDP"):
                    raise lines.wrong(kind, "DTMC or MDP")
            elif line == "@nr_states":
                states = lines.whole_from(lines.next("the number of states"))
            elif line == "@nr_choices":
                choices = lines.whole_from(lines.next("the number of choices"))
            elif line == "@reward_models":
                rewards = self._rewards()
            elif line == "@model":
                break
            elif line not in ("@parameters", "@placeholders", "@value_type: rational"):
                raise lines.wrong(repr(line), "@type, @reward_models, @nr_states or @model")
        if kind is None or states is None:
            raise lines.wrong("@model", "@type and @nr_states before it")
        rows = self._states(states, rewards)
        total = sum(map(len, rows))
        if choices is not None and total != choices:
            raise lines.wrong(f"{total} choices in all", f"{choices}, from @nr_choices")
        initial = self.labels.get("init", {0})
        if len(initial) != 1:
            raise lines.wrong(f"{len(initial)} states labelled init", "one")
        labels = {name: frozenset(members) for name, members in self.labels.items()}
        return ExplicitModel.of_rows(rows, next(iter(initial)), labels, players=int(kind == "MDP"))

    def _rewards(self) -> int:
        """Return the number of rewards; their names are on one line, possibly empty."""
        lines = self.lines
        line = lines.next("the names of the rewards, or @nr_states")
        if line.startswith("@"):
            lines.number -= 1
            return 0
        if len(line.split()) > 1:
            raise lines.wrong(f"{len(line.split())} rewards", "at most one")
        return 1

    def _states(self, count: int, rewards: int) -> tuple[tuple[Row, ...], ...]:
        lines = self.lines
        table: list[list[tuple[str, mpq, dict[int, mpq]]]] = []
        paid = mpq(0)  # by the state itself, for each of its actions
        while (line := lines.after()) is not None:
            if match := _STATE.fullmatch(line):
                self._check_finished(table)
                if lines.whole_from(match[1]) != len(table) or len(table) == count:
                    raise lines.wrong(f"state {match[1]}", f"state {len(table)} of {count}")
                paid = self._reward(match[2], rewards)
                for label in match[3].split():
                    self.labels.setdefault(label, set()).add(len(table))
                table.append([])
            elif (match := _ACTION.fullmatch(line)) and table:
                table[-1].append((match[1], paid + self._reward(match[2], rewards), {}))
            elif (match := _BRANCH.fullmatch(line)) and table and table[-1]:
                target = lines.whole_from(match[1], count)
                chances = table[-1][-1][2]
                chance = lines.number_from(match[2], "a probability as a fraction")
                chances[target] = chances.get(target, mpq(0)) + chance
            else:
                raise lines.wrong(repr(line), "a state, an action, or a successor : probability")
        self._check_finished(table)
        if len(table) != count:
            raise lines.wrong(f"{len(table)} states in all", f"{count}, from @nr_states")
        return tuple(tuple(Row(*row) for row in rows) for rows in table)

    def _reward(self, words: str | None, rewards: int) -> mpq:
        if not rewards or words is None or not words.strip():
            return mpq(0)
        return self.lines.number_from(words.split(",")[0].strip())

    def _check_finished(self, table: list[list[tuple[str, mpq, dict[int, mpq]]]]) -> None:
        for _, _, chances in table[-1] if table else ():
            self.lines.require_sum(chances, f"in state {len(table) - 1} before this line")
        if table and not table[-1]:
            raise self.lines.wrong(f"state {len(table) - 1} without an action", "at least one")
