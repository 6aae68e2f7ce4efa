"""Explicit formats of model checkers: Storm's .drn, and PRISM's .tra, .lab, .srew and .trew.

*Storm's DRN* holds chains (DTMC) and decision processes (MDP). The rewards of a state and of an
action, in brackets, add up; rewards of several structures are separated by commas. Probabilities
are decimals or fractions. Labels with blanks are in quotation marks.
Format: https://www.stormchecker.org/documentation/usage/ (explicit formats).

*PRISM's explicit files.* A .tra file begins with the numbers of states, choices and transitions (of
a chain: of states and transitions), and has a line ``state choice successor probability action``
for each transition (of a chain: ``state successor probability``). A .lab file begins with
``0="init" 1="done"`` and has a line ``state: label label`` for each labelled state. A .trew file is
like a .tra file with rewards instead of probabilities; it lists those that are not 0, and repeats
the reward of a choice for each successor. A .srew file has lines ``state reward``.
Format: https://www.prismmodelchecker.org/manual/Appendices/ExplicitModelFiles.

*Older files of Storm.* A .tra file begins with ``dtmc`` or ``mdp``, and its rewards have no first
line. A .lab file lists its labels between ``#DECLARATION`` and ``#END``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.errors import InputError
from exactdice.formats.explicit import ExplicitModel, Row, explicit, told_apart
from exactdice.formats.reading import FileLines, Reading
from exactdice.solve.game import Model

_LABEL = re.compile(r'([0-9]{1,18})="([^"]*)"\s*')
_WORD = re.compile(r"[^\s:]+")
_Choice = tuple[int, int]
_Values = Mapping[int, mpq]  # by successor
_Rewards = dict[tuple[int, int, int], mpq]  # by state, choice and successor; -1 for all
# The words of a line: state, choice, successor, number and name.
_OF_CHOICES = re.compile(r"(\S++)\s++(\S++)\s++(\S++)\s++(\S++)(?:\s++(\S++))?")
_OF_CHAINS = re.compile(r"(\S++)()\s++(\S++)\s++(\S++)(?:\s++(\S++))?")
_OF_STATES = re.compile(r"(\S++)()()\s++(\S++)")
_NUMBERS = "intervals and parameters are not supported"


def transition_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    """Yield the lines of the .tra file of a model with chance and one player."""
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
    transitions: Path | str,
    labels: Path | str | None = None,
    rewards: Sequence[Path] = (),
    how: Reading | None = None,
) -> ExplicitModel:
    how, lines = how or Reading(), FileLines(transitions)
    header = lines.next("numbers of states, choices and transitions")
    is_old = header.lower() in ("dtmc", "mdp")
    counts = [] if is_old else lines.wholes_from(header)
    if len(counts) not in (0, 2, 3):
        raise lines.wrong(f"{len(counts)} numbers", "states, choices and transitions")
    kind = re.search(r"^# Transitions \((.*)\)", lines.text, re.MULTILINE)
    if kind and kind[1] not in ("DTMC", "MDP"):
        raise lines.wrong(f"a {kind[1]}", "a DTMC or MDP")
    players = int(len(counts) == 3 or header.lower() == "mdp")
    form = _OF_CHOICES if players else _OF_CHAINS
    chances: dict[_Choice, dict[int, mpq]] = {}
    names: dict[_Choice, str] = {}
    for word, choice, target in _entries(lines, form, counts):
        if target in chances.setdefault(choice, {}):
            got, wanted = f"successor {target} again", "each successor of a choice once"
            raise lines.wrong(got, wanted, word.start(3))
        chances[choice][target] = lines.number_from(word, 4)
        names[choice] = word[5] or str(choice[1])
    if players and counts and len(chances) != counts[1]:
        raise lines.wrong(f"{len(chances)} choices in all", f"{counts[1]}, from the first line")
    last = max((max(state, *row) for (state, _), row in chances.items()), default=0)
    states, offered = counts[0] if counts else last + 1, {state for state, _ in chances}
    for state in range(states):
        if state not in offered:
            raise lines.wrong(f"state {state} without a transition", "at least one")
    paid: _Rewards = {}
    for path in rewards:
        _read_rewards(FileLines(path), paid, form, counts[:-1], chances)
    known = {} if labels is None else _read_labels(FileLines(labels), states)
    initial = how.start(labels or transitions, known, states)
    rows: list[list[Row]] = [[] for _ in range(states)]
    for (state, number), row in sorted(chances.items()):
        shares = how.distribution(row, lines.wrong, f"for choice {number} of state {state}")
        own = paid.get((state, -1, -1), mpq(0))
        listed = {to: own + paid.get((state, number, to), mpq(0)) for to in row}
        rows[state].append(Row.of(names[state, number], shares, listed))
    return ExplicitModel.of_rows(rows, initial, known, players=players)


def _entries(
    lines: FileLines, form: "re.Pattern[str]", counts: Sequence[int]
) -> Iterator[tuple["re.Match[str]", _Choice, int]]:
    """Yield words, choice and successor of each line, and check the number of lines."""
    seen, below = 0, counts[0] if counts else None
    while (line := lines.after()) is not None:
        word = form.fullmatch(line)
        if word is None:
            fixed = {_OF_CHOICES: 4, _OF_CHAINS: 3, _OF_STATES: 2}[form]
            named = "" if form is _OF_STATES else ", and optionally a name"
            raise lines.wrong(f"{len(line.split())} words", f"{fixed} words{named}")
        seen += 1
        choice = lines.whole_from(word, 1, below), lines.whole_from(word, 2) if word[2] else 0
        yield word, choice, lines.whole_from(word, 3, below) if word[3] else 0
    if counts and seen != counts[-1]:
        raise lines.wrong(f"{seen} entries in all", f"{counts[-1]}, from the first line")


def _read_rewards(
    lines: FileLines,
    paid: _Rewards,
    form: "re.Pattern[str]",
    wanted: Sequence[int],
    chances: Mapping[_Choice, _Values],
) -> None:
    """Add the rewards of a file, whose first line has the `wanted` counts if there are any."""
    counts = list[int]()
    if lines.path.name.endswith((".srew", ".state.rew")):
        form, wanted = _OF_STATES, wanted[:1]
    if wanted:
        counts = lines.wholes_from(lines.next("numbers of states, choices and rewards"))
        if counts[:-1] != wanted:
            raise lines.wrong(f"{counts[:-1]}", f"{wanted}, like the transitions")
    for word, choice, target in _entries(lines, form, counts):
        key = (*choice, target) if word[3] else (choice[0], -1, -1)
        if word[3] and target not in chances.get(choice, {}):
            raise lines.wrong(f"a reward from {choice[0]} to {target}", "one of a transition")
        paid[key] = paid.get(key, mpq(0)) + lines.number_from(word, 4)


def _read_labels(lines: FileLines, states: int) -> dict[str, frozenset[int]]:
    header, is_old = lines.next('labels such as 0="init"'), "#DECLARATION" in lines.text
    names, at = {name: name for name in header.split() if is_old}, 0
    while not is_old and at < len(header):
        match = _LABEL.match(header, at)
        if match is None or match[1] in names:
            wanted = 'labels such as 0="init", each with its own number'
            raise lines.wrong(repr(header[at:]), wanted, at)
        names[match[1]], at = match[2], match.end()
    labelled: dict[str, set[int]] = {name: set() for name in names.values()}
    while (line := lines.after()) is not None:
        words = list(_WORD.finditer(line))
        if not words or is_old == (":" in line):
            raise lines.wrong(repr(line), "a state, a colon and its labels")
        state = lines.whole_from(words[0], 0, states)
        for word in words[1:]:
            if word[0] not in names:
                raise lines.wrong(f"label {word[0]}", "a label from the first line", word.start())
            labelled[names[word[0]]].add(state)
    return {name: frozenset(members) for name, members in labelled.items()}


_STATE = re.compile(r"state\s+(\d+)\s*(?:\[([^\]]*+)\])?\s*(.*+)")
_ACTION = re.compile(r"action\s+(\S+)(?:\s+\[([^\]]*+)\])?")
_BRANCH = re.compile(r"(\d+)\s*:\s*(\S.*+)")
_REWARD = re.compile(r"[^\s,\]]+")
_QUOTED = re.compile(r'"([^"]++)"|(\S++)')


def drn_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    table = explicit(model)
    for name in table.labels:
        if '"' in name or len(name.splitlines()) != 1:
            raise InputError("label", name, "labels of one line without quotation marks")
    yield f"@type: {'MDP' if table.players else 'DTMC'}"
    yield from ("@parameters", "", "@reward_models", "reward", "@nr_states", str(len(table.rows)))
    yield from ("@nr_choices", str(sum(map(len, table.rows))), "@model")
    for state, rows in enumerate(table.rows):
        held = [name for name, states in sorted(table.labels.items()) if state in states]
        labels = [f'"{name}"' if re.search(r"[\s\[]", name) else name for name in held]
        yield " ".join([f"state {state} [0]", *labels])
        for number, row in enumerate(rows):
            yield f"\taction {number} [{text(row.reward)}]"
            for target, chance in sorted(row.chances.items()):
                yield f"\t\t{target} : {text(chance)}"


def read_drn(path: Path | str, how: Reading | None = None) -> ExplicitModel:
    return _Reader(FileLines(path), how or Reading()).model()


class _Reader:
    def __init__(self, lines: FileLines, how: Reading) -> None:
        self.lines, self.how = lines, how
        self.labels: dict[str, set[int]] = {}
        self.reward: int | None = None  # the place of the reward in each list

    def model(self) -> ExplicitModel:
        lines, counts, kind = self.lines, dict[str, int](), ""
        while (line := lines.next("a line @model")) != "@model":
            key, _, value = (part.strip() for part in line.partition(":"))
            if key == "@type":
                kind = value.upper()
                if kind not in ("DTMC", "MDP"):
                    raise lines.wrong(kind, "DTMC or MDP", line.find(value))
            elif key == "@value_type":
                if value not in ("double", "rational"):
                    raise lines.wrong(value, f"double or rational; {_NUMBERS}", line.find(value))
            elif line in ("@nr_states", "@nr_choices"):
                counts[line] = lines.wholes_from(lines.next("a whole number"))[0]
            elif line == "@parameters" and (names := self._names()):
                raise lines.wrong(f"parameters {', '.join(names)}", f"none; {_NUMBERS}")
            elif line == "@reward_models":
                self.reward = self.how.structure(self._names())
            elif line != "@parameters":
                raise lines.wrong(repr(line), "@type, @reward_models, @nr_states or @model")
        if not kind or "@nr_states" not in counts:
            raise lines.wrong("@model", "@type and @nr_states before it")
        rows = self._states(counts["@nr_states"])
        total = sum(map(len, rows))
        if counts.setdefault("@nr_choices", total) != total:
            wanted = f"{counts['@nr_choices']}, from @nr_choices"
            raise lines.wrong(f"{total} choices in all", wanted)
        labels = {name: frozenset(members) for name, members in self.labels.items()}
        initial = self.how.start(lines.path, labels, len(rows))
        return ExplicitModel.of_rows(rows, initial, labels, players=int(kind == "MDP"))

    def _names(self) -> list[str]:
        """Return the names on the next line; if there are none, it may be missing."""
        line = self.lines.next("names, or @nr_states")
        if line.startswith("@"):
            self.lines.number -= 1
            return []
        return line.split()

    def _states(self, count: int) -> list[list[Row]]:
        lines = self.lines
        table: list[list[tuple[str, mpq, dict[int, mpq], int]]] = []  # with numbers of lines
        paid = mpq(0)  # by the state itself, for each of its actions
        while (line := lines.after()) is not None:
            if match := _STATE.fullmatch(line):
                self._check_finished(table)
                if lines.whole_from(match, 1) != len(table) or len(table) == count:
                    raise lines.wrong(f"state {match[1]}", f"state {len(table)} of {count}")
                paid = self._reward(match)
                for quoted, word in _QUOTED.findall(match[3]):
                    self.labels.setdefault(quoted or word, set()).add(len(table))
                table.append([])
            elif (match := _ACTION.fullmatch(line)) and table:
                table[-1].append((match[1], paid + self._reward(match), {}, lines.number))
            elif (match := _BRANCH.fullmatch(line)) and table and table[-1]:
                target = lines.whole_from(match, 1, count)
                chances = table[-1][-1][2]
                chance = lines.number_from(match, 2, f"a decimal or fraction; {_NUMBERS}")
                chances[target] = chances.get(target, mpq(0)) + chance
            else:
                raise lines.wrong(repr(line), "a state, an action, or a successor : probability")
        self._check_finished(table)
        if len(table) != count:
            raise lines.wrong(f"{len(table)} states in all", f"{count}, from @nr_states")
        return [[self._row(state, *row) for row in rows] for state, rows in enumerate(table)]

    def _row(self, state: int, name: str, paid: mpq, chances: dict[int, mpq], line: int) -> Row:
        self.lines.number = line
        whose = f"in state {state}"
        return Row(name, paid, self.how.distribution(chances, self.lines.wrong, whose))

    def _reward(self, match: "re.Match[str]") -> mpq:
        if self.reward is None or not match[2]:
            return mpq(0)
        rewards = _REWARD.finditer(match.string, match.start(2), match.end(2))
        reward = next(islice(rewards, self.reward, None), None)  # none is 0, as in Storm
        return self.lines.number_from(reward) if reward else mpq(0)

    def _check_finished(self, table: list[list[Any]]) -> None:
        if table and not table[-1]:
            raise self.lines.wrong(f"state {len(table) - 1} without an action", "at least one")
