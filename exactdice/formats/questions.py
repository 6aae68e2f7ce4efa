"""Questions about model files.

`model solve` answers a query about a file and checks the certificate against the rules in the file;
`model convert` writes another format.

A reward is the expected total until play ends, over policies under which it ends. Storm's
``Rmax=? [F "done"]`` is infinite if some policy need not end, as in the reroll game. The two agree
on chains, and if every policy ends. `reward until LABEL` stops at the label, and `reach LABEL
through LABEL` is Storm's ``"through" U "label"``.
"""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from exactdice.arithmetic import mpq
from exactdice.errors import ConflictError, InputError, choices
from exactdice.formats.explicit import ExplicitModel
from exactdice.formats.files import (
    EXPLICIT,
    READ,
    SOLVED,
    check_ending,
    ending,
    read_model,
    write_model,
)
from exactdice.formats.gambit import read_efg
from exactdice.formats.reading import Reading, read_text
from exactdice.hidden.equilibrium import equilibrium, value_bounds
from exactdice.hidden.reports import bracket_report
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, File, Flag, Rational, Text, Whole
from exactdice.report.model import Report, listing, whole
from exactdice.run import Run
from exactdice.solve.arena import END, NoValueError
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import optimum, reach
from exactdice.solve.reports import MOST_LISTED, endless_report, optimum_report
from exactdice.storage import check_writable, write_whole

Labels = Mapping[str, frozenset[int]]  # sets of states by name

_SOLVING = 10_000  # nanoseconds for a transition with short fractions and the certificate, measured


@dataclass(frozen=True)
class Query:
    """The largest or smallest expected reward, or probability of reaching states with a label."""

    least: bool
    label: str | None  # of the target states; None for the reward until play ends
    is_reward: bool = False  # the reward until a state with the label is reached
    through: str | None = None  # the label of all states before the target

    def __str__(self) -> str:
        aim = f"reach {self.label}" + (f" through {self.through}" if self.through else "")
        if self.label is None or self.is_reward:
            aim = "reward" if self.label is None else f"reward until {self.label}"
        return f"{'min' if self.least else 'max'} {aim}"


_AIMS = "reward, reward until LABEL, reach LABEL or reach LABEL through LABEL"
_MAX_REWARD = Query(least=False, label=None)
_WORDS = re.compile(
    r"(max|min)\s+(?:reward(?:\s+until\s+(.+))?|reach\s+(.+?)(?:\s+through\s+(.+))?)"
)
# The same in PRISM's language of properties: P=? ["A" U "B"], Rmin=? [F "B"]
_PROPERTY = re.compile(
    r'(?:(P)|R)(max|min)?=\?\s*\[\s*(?(1)(?:"([^"]+)"\s*U|F)|F)\s*"([^"]+)"\s*\]'
)


class Queries(Domain[Query]):
    """Queries, such as `max reward` or `min reach LABEL`, or properties of PRISM."""

    metavar = "QUERY"

    def read(self, value: Any, name: str) -> Query:
        if isinstance(value, Query):
            return value
        words = value.strip() if isinstance(value, str) else ""
        if match := _WORDS.fullmatch(words):
            return Query(match[1] == "min", match[2] or match[3], bool(match[2]), match[4])
        if match := _PROPERTY.fullmatch(words):
            return Query(match[2] == "min", match[4], not match[1], match[3])
        raise InputError(name, value, f"max or min, then {_AIMS}")


_FILES = ".umb, .drn, .tra, .nfg, .prism or .jani"


class FromFile(Question):
    file: Path = argument(File(), f"A {_FILES} file.")
    _: KW_ONLY
    reward: str | None = option(Text(metavar="NAME"), "Reward structure, if there are several.")
    initial: int | None = option(Whole(), "Initial state, if there are several.", metavar="STATE")
    normalize: bool = option(Flag(), "Scale rounded probabilities to a sum of 1.")

    endings: ClassVar[tuple[str, ...]] = READ

    def check(self) -> None:
        check_ending(self.file, self.endings, "file", ending(self.file))

    def reading(self) -> Reading:
        return Reading(self.reward, self.initial, self.normalize)


class OnFile(FromFile):
    _: KW_ONLY
    query: Query = option(Queries(), f"max or min, then {_AIMS}.", default=_MAX_REWARD)

    def content(self, run: Run) -> tuple[Model[Any], Labels, Mapping[str, str]]:
        """Return the model, which ends where the query does, its labels and notes on the file."""
        query, how = self.query, self.reading()
        how.rewards = query.label is None or query.is_reward
        content = read_model(self.file, how)
        labels = content.labels if isinstance(content, ExplicitModel) else {}
        goal = frozenset[int]() if query.label is None else self._goal(labels)
        if isinstance(content, ExplicitModel):
            if query.is_reward:
                content = content.ending(goal, surely=True)
            elif query.through is not None:
                allowed = goal | self._goal(labels, query.through)
                owners = enumerate(content.arena.owners)
                ends = (s for s, owner in owners if owner == END or s not in allowed)
                content = content.ending(frozenset(ends))
            model: Model[Any] = content.model()
        else:
            model = content.explored(run)
        transitions = model.arena.transitions
        run.expect(_SOLVING * transitions, f"a model of {transitions} transitions")
        return model, labels, how.notes

    def _goal(self, labels: Labels, label: str | None = None) -> frozenset[int]:
        label = label or str(self.query.label)
        if label not in labels:
            wanted = f"as label {choices(sorted(labels), label)}" if labels else "max reward"
            raise InputError("query", str(self.query), f"{wanted}, for {self.file}")
        return labels[label]

    def answered(
        self, model: Model[Any] | Game[Any], labels: Labels, width: mpq | None, run: Run
    ) -> Optimum[Any]:
        model, query = as_model(model, run), self.query
        if query.least and model.players == 2:
            wanted = str(replace(query, least=False))
            raise InputError("query", str(query), f"{wanted}, for a game of two players")
        if query.label is None or query.is_reward:
            try:
                return optimum(model, least=query.least, width=width, run=run)
            except NoValueError as wrong:
                until = next((n for n in sorted(labels) if n not in ("init", "deadlock")), "LABEL")
                hint = (
                    f"; to stop at a label, query '{replace(query, label=until, is_reward=True)}'"
                )
                raise NoValueError(
                    f"{wrong}{hint * (query.label is None and bool(labels))}"
                ) from None
        goal = self._goal(labels)
        return reach(model, lambda state: state in goal, least=query.least, width=width, run=run)


class ModelSolve(
    OnFile,
    example="game.drn --query 'max reach done'",
    takes="1 s for 100000 transitions, more if fractions are long",
):
    """Solve a model from a file: its value at the initial state, exact or between bounds."""

    endings = SOLVED

    file: Path = argument(File(), f"A .efg, {_FILES} file.")
    _: KW_ONLY
    width: mpq | None = option(
        Rational(),
        "Find bounds of the value at most W apart instead of the exact value.",
        metavar="W",
    )
    policy: bool = option(Flag(), "List optimal actions and regrets in all states.")
    draws: bool = option(
        Flag(), "Treat infinite play as a draw; all rewards must be payoffs at the end."
    )
    certificate: Path | None = option(File(), "Write a certificate of the value to FILE.")
    profile: Path | None = option(
        File(),
        "For .efg files: bounds proved by the strategy profile in FILE (Gambit format).",
        metavar="FILE",
    )

    def check(self) -> None:
        super().check()
        if self.width is not None and self.width <= 0:
            raise InputError("width", self.width, "a number above 0")
        if ending(self.file) == ".efg":
            if self.draws:
                raise ConflictError("draws", "does not apply to .efg files")
            if self.query != _MAX_REWARD:
                raise InputError("query", str(self.query), "max reward, for a .efg file")
        elif self.profile is not None:
            raise ConflictError("profile", "applies only to .efg files")
        if self.draws and (self.query != _MAX_REWARD or self.width is not None):
            raise ConflictError("draws", "needs the query max reward, without --width")

    def report(self, run: Run) -> Report:
        if self.certificate is not None:
            check_writable(self.certificate)
        if ending(self.file) == ".efg":
            return self._of_tree(run)
        model, labels, notes = self.content(run)
        if self.draws:
            best: Optimum[Any] = optimum(model, run=run, infinite="draw")
        else:
            best = self.answered(model, labels, self.width, run)
        best.certificate().check(model.game)
        if self.certificate is not None:
            best.write_certificate(self.certificate)
        reported: Any = endless_report if self.draws else optimum_report
        report = reported(best, len(model.states) if self.policy else MOST_LISTED)
        is_paid = self.query.label is not None or ending(self.file) == ".nfg"
        is_paid = is_paid or any(model.arena.rewards)
        conventions = {
            "query": str(self.query),
            **notes,
            **({} if is_paid else {"rewards": "none in the file"}),
            **report.provenance.conventions,
            "certificate": "checked against the rules in the file",
        }
        said = f"{best.question} from the initial state of {self.file.name}"
        return Report.of(report.title, conventions, *report.quantities, *report.tables, says=said)

    def _of_tree(self, run: Run) -> Report:
        how = self.reading()
        tree = read_efg(self.file, how)
        form = tree.game.sequence_form(run)
        most = len(form.payoffs) + sum(side.sequences for side in form.sides)
        most = most if self.policy else MOST_LISTED
        if self.profile is None:
            proved = equilibrium(form, width=self.width, run=run)
        else:
            proved = value_bounds(form, *tree.profile(read_text(self.profile).partition("\n")[0]))
        if self.certificate is not None:
            write_whole(self.certificate, proved.certificate_text())
        report = bracket_report(proved, most)
        conventions = {**how.notes, **report.provenance.conventions}
        return Report.of(report.title, conventions, *report.quantities, *report.tables)


def written(
    title: str,
    files: tuple[Path, ...],
    table: ExplicitModel | None,
    notes: Mapping[str, str] | None = None,
) -> Report:
    quantities = [listing("files", "files written")(tuple(map(str, files)))]
    if table is not None:
        for name, meaning, count in (
            ("states", "states, including the terminal one", len(table.arena)),
            ("moves", "moves of all states", len(table.arena.law)),
            ("transitions", "transitions of all moves", table.arena.transitions),
        ):
            quantities.append(whole(name, meaning, name)(count))
    return Report.of(title, notes or {}, *quantities)


class ModelConvert(
    FromFile,
    example="game.drn game.umb",
    takes="0.3 s for 100000 transitions from a .umb file, 1 s from others",
):
    """Write a model to a file of another format."""

    has_tables: ClassVar[bool] = False

    target: Path = argument(File(), "A .umb, .drn, .tra, .efg or .nfg file.")

    def check(self) -> None:
        super().check()
        check_ending(self.target, (*EXPLICIT, ".efg", ".nfg"), "target")

    def report(self, run: Run) -> Report:
        check_writable(self.target)
        how = self.reading()
        model = read_model(self.file, how)
        files = write_model(model, self.target, run)
        table = model if isinstance(model, ExplicitModel) else None
        return written(f"{self.file.name} as {self.target.name}", files, table, how.notes)
