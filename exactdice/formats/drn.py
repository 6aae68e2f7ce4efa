"""Storm's explicit format DRN: chains (DTMC) and decision processes (MDP), with one reward.

    @type: MDP
    @parameters

    @reward_models
    reward
    @nr_states
    2
    @nr_choices
    3
    @model
    state 0 [0] init
        action roll [-1]
            0 : 5/6
            1 : 1/6
    …

In brackets stand the rewards of a state and of an action, which add up. Probabilities are written
as fractions. Format: https://www.stormchecker.org/documentation/usage/ (explicit formats).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.errors import InputError
from exactdice.formats.explicit import ExplicitModel, FileLines, Row, explicit
from exactdice.solve.game import Model

_STATE = re.compile(r"state\s+(\d+)(?:\s+\[([^\]]*)\])?\s*(.*)")
_ACTION = re.compile(r"action\s+(\S+)(?:\s+\[([^\]]*)\])?")
_BRANCH = re.compile(r"(\d+)\s*:\s*(\S+)")


def drn_lines(model: Model[Any] | ExplicitModel) -> Iterator[str]:
    r"""Lines of the file of a model, in order, each without its end.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game
    >>> list(drn_lines(Game(0, lambda s: fair(2) if s == 0 else None).explored()))[9:14]
    ['@model', 'state 0 [0] init', '\taction 0 [0]', '\t\t1 : 1/2', '\t\t2 : 1/2']
    """
    table = explicit(model)
    for name in table.labels:
        if not re.fullmatch(r"[^\s\[\]]+", name):
            raise InputError("label", name, "labels without spaces and brackets for this format")
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
    """Read a file of Storm's explicit format.

    Raises FormatError if it is none, is cut short, or its counts are wrong; the text names the
    line.
    """
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
            raise lines.wrong(f"{total} choices in all", f"{choices}, as @nr_choices says")
        initial = self.labels.get("init", {0})
        if len(initial) != 1:
            raise lines.wrong(f"{len(initial)} states labelled init", "one")
        labels = {name: frozenset(members) for name, members in self.labels.items()}
        return ExplicitModel.of_rows(rows, next(iter(initial)), labels, players=int(kind == "MDP"))

    def _rewards(self) -> int:
        """How many rewards there are; their names stand on one line, which may be empty."""
        lines = self.lines
        line = lines.next("the names of the rewards, or @nr_states")
        if line.startswith("@"):
            lines.number -= 1
            return 0
        if len(line.split()) > 1:
            raise lines.wrong(f"{len(line.split())} rewards", "one at most")
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
                raise lines.wrong(repr(line), "a state, an action or a successor : probability")
        self._check_finished(table)
        if len(table) != count:
            raise lines.wrong(f"{len(table)} states in all", f"{count}, as @nr_states says")
        return tuple(tuple(Row(*row) for row in rows) for rows in table)

    def _reward(self, words: str | None, rewards: int) -> mpq:
        if not rewards or words is None or not words.strip():
            return mpq(0)
        return self.lines.number_from(words.split(",")[0].strip())

    def _check_finished(self, table: list[list[tuple[str, mpq, dict[int, mpq]]]]) -> None:
        """Every state has an action, and the chances of each sum to 1."""
        for _, _, chances in table[-1] if table else ():
            self.lines.require_law(chances, f"in state {len(table) - 1} before this line")
        if table and not table[-1]:
            raise self.lines.wrong(f"state {len(table) - 1} without an action", "one at least")
