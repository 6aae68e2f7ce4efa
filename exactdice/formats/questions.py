"""What can be asked about files of models: one class a command.

`model solve` answers a query about a file; its certificate is checked against the rules that the
file holds before the answer is given. `model convert` writes another format.

A reward is the expected total until play ends, over the policies under which it ends. Storm's
``Rmax=? [F "done"]`` is infinite where some policy need not end, as in the reroll game; on chains,
and where every policy ends, the two agree.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar

from exactdice.arithmetic import mpq, rational
from exactdice.errors import InputError
from exactdice.formats.explicit import ExplicitModel
from exactdice.formats.files import EXPLICIT, READ, SOLVED, check_ending, read_model, write_model
from exactdice.formats.gambit_trees import read_efg, read_line
from exactdice.hidden.equilibrium import equilibrium, value_bounds
from exactdice.hidden.reports import bracket_report
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, File, Flag, Rational
from exactdice.report.model import Report, listing, whole
from exactdice.run import Run
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.optimum import Optimum
from exactdice.solve.questions import optimum, reach
from exactdice.solve.reports import MOST_LISTED, endless_report, optimum_report
from exactdice.storage import check_writable, write_whole

# Nanoseconds a transition, with the certificate, where fractions are short. Measured.
_SOLVING = 10_000


@dataclass(frozen=True)
class Query:
    """The greatest or least expected reward, or chance to reach states with a label."""

    least: bool  # whether the least is asked for
    label: str | None  # of the states to be reached; None for the reward

    def __str__(self) -> str:
        aim = "reward" if self.label is None else f"reach {self.label}"
        return f"{'min' if self.least else 'max'} {aim}"


class Queries(Domain[Query]):
    """Queries, as `max reward` or `min reach LABEL`.

    >>> Queries().read("min reach done", "query")
    Query(least=True, label='done')
    >>> Queries().read("max fun", "query")
    Traceback (most recent call last):
    exactdice.errors.InputError: query: got 'max fun'; expected max reward, min reward, \
max reach LABEL or min reach LABEL
    """

    metavar = "QUERY"

    def read(self, value: Any, name: str) -> Query:
        if isinstance(value, Query):
            return value
        words = value.split(maxsplit=2) if isinstance(value, str) else []
        if words[:1] in (["max"], ["min"]):
            if words[1:] == ["reward"]:
                return Query(words[0] == "min", None)
            if words[1:2] == ["reach"] and len(words) == 3:
                return Query(words[0] == "min", words[2].strip())
        raise InputError(name, value, "max reward, min reward, max reach LABEL or min reach LABEL")


class _Width(Rational):
    """Widths of enclosures."""

    def read(self, value: Any, name: str) -> mpq:
        width = rational(value, name)
        if width <= 0:
            raise InputError(name, value, "a number above 0")
        return width


@dataclass(frozen=True)
class OnFile(Question):
    """A model from a file, and what is asked about it."""

    file: Path = argument(File(), "A .umb, .drn, .tra or .nfg file.")
    _: KW_ONLY
    query: Query = option(
        Queries(),
        "What is asked: max|min reward, or max|min reach LABEL.",
        default=Query(least=False, label=None),
    )

    def check(self) -> None:
        check_ending(self.file, READ, "file")

    def content(self, run: Run) -> tuple[Model[Any], Mapping[str, frozenset[int]]]:
        """Read the model and its labels."""
        content = read_model(self.file, rewards=self.query.label is None)
        if isinstance(content, ExplicitModel):
            model: Model[Any] = content.model()
            labels = content.labels
        else:
            model, labels = content.explored(run), {}
        transitions = model.arena.transitions
        run.expect(_SOLVING * transitions, f"a model of {transitions} transitions")
        return model, labels

    def answered(
        self,
        model: Model[Any] | Game[Any],
        labels: Mapping[str, frozenset[int]],
        width: mpq | None,
        run: Run,
    ) -> Optimum[Any]:
        """Answer the query."""
        model = as_model(model, run)
        least, label = self.query.least, self.query.label
        if least and model.players == 2:
            wanted = "max reward or max reach LABEL" if labels else "max reward"
            raise InputError("query", str(self.query), f"{wanted} for a game of two players")
        if label is None:
            return optimum(model, least=least, width=width, run=run)
        if label not in labels:
            wanted = f"one of the labels {', '.join(sorted(labels))}" if labels else "max reward"
            raise InputError("query", str(self.query), f"{wanted}, as {self.file} has them")
        goal = labels[label]
        return reach(model, lambda state: state in goal, least=least, width=width, run=run)


@dataclass(frozen=True)
class ModelSolve(
    OnFile,
    command="model solve",
    example="model solve game.drn --query 'max reach done'",
    takes="1 s for 100000 transitions, more where fractions are long",
):
    """Solve a model from a file: its value at the initial state, exact or enclosed."""

    file: Path = argument(File(), "A .umb, .drn, .tra, .nfg or .efg file.")
    _: KW_ONLY
    width: mpq | None = option(
        _Width(), "Enclose the value within W instead of looking for the exact one.", metavar="W"
    )
    policy: bool = option(Flag(), "List best actions and regrets, however many there are.")
    draws: bool = option(Flag(), "Let endless play be a draw; payoffs are paid at the end alone.")
    certificate: Path | None = option(
        File(), "Write what proves the value into FILE, to be checked."
    )
    profile: Path | None = option(
        File(), "For a .efg file: what the strategies in a line of Gambit's prove.", metavar="FILE"
    )

    def check(self) -> None:
        """Refuse a file of no known format, and what does not go with draws or trees."""
        check_ending(self.file, SOLVED, "file")
        if self.file.suffix == ".efg":
            if self.draws or self.query != Query(least=False, label=None):
                raise InputError("query", str(self.query), "max reward for a .efg file, no draws")
        elif self.profile is not None:
            raise InputError("profile", str(self.profile), "it with a .efg file alone")
        if self.draws and (self.query != Query(least=False, label=None) or self.width is not None):
            raise InputError("draws", self.draws, "it with max reward and without a width")

    def report(self, run: Run) -> Report:
        """Solve it, and check the certificate by the rules of the file."""
        if self.certificate is not None:
            check_writable(self.certificate)
        if self.file.suffix == ".efg":
            return self._of_tree(run)
        model, labels = self.content(run)
        if self.draws:
            best: Optimum[Any] = optimum(model, run=run, infinite="draw")
        else:
            best = self.answered(model, labels, self.width, run)
        best.certificate().check(model.game)
        if self.certificate is not None:
            best.write_certificate(self.certificate)
        reported: Any = endless_report if self.draws else optimum_report
        report = reported(best, len(model.states) if self.policy else MOST_LISTED)
        is_paid = self.query.label is not None or self.file.suffix == ".nfg"
        is_paid = is_paid or any(model.arena.rewards)
        return self._from_file(report, {} if is_paid else {"rewards": "none in the file"})

    def _of_tree(self, run: Run) -> Report:
        """Solve a tree with information sets, or prove what a profile is worth."""
        tree = read_efg(self.file)
        form = tree.game.sequence_form(run)
        most = len(form.payoffs) + sum(side.sequences for side in form.sides)
        most = most if self.policy else MOST_LISTED
        if self.profile is None:
            proved = equilibrium(form, width=self.width, run=run)
        else:
            proved = value_bounds(form, *tree.profile(read_line(self.profile)))
        if self.certificate is not None:
            write_whole(self.certificate, proved.certificate_text())
        return bracket_report(proved, most)

    def _from_file(self, report: Report, rewards: Mapping[str, str]) -> Report:
        conventions = {
            "query": str(self.query),
            **rewards,
            **report.provenance.conventions,
            "certificate": "checked against the rules of the file, without solving",
        }
        return Report.of(report.title, conventions, *report.quantities, *report.tables)


def written(title: str, files: tuple[Path, ...], table: ExplicitModel | None) -> Report:
    """Report the files that were written, and the size of what they hold."""
    quantities = [listing("files", "files that were written")(tuple(map(str, files)))]
    if table is not None:
        arena = table.arena
        counts = {
            "states": (len(arena), "states, with the one in which play has ended"),
            "moves": (len(arena.law), "moves of all states"),
            "transitions": (arena.transitions, "transitions of all moves"),
        }
        quantities += [whole(n, meaning, n)(count) for n, (count, meaning) in counts.items()]
    return Report.of(title, {}, *quantities)


@dataclass(frozen=True)
class ModelConvert(
    Question,
    command="model convert",
    example="model convert game.drn game.umb",
    takes="0.3 s for 100000 transitions from a .umb file, 1 s from others",
):
    """Write a model into a file of another format."""

    has_tables: ClassVar[bool] = False

    file: Path = argument(File(), "A .umb, .drn, .tra or .nfg file.")
    target: Path = argument(
        File(), "The file to write: .umb, .drn, .tra, .efg or .nfg.", metavar="TARGET"
    )

    def check(self) -> None:
        check_ending(self.file, READ, "file")
        check_ending(self.target, (*EXPLICIT, ".efg", ".nfg"), "target")

    def report(self, run: Run) -> Report:
        """Read the one file whole, then write the other."""
        check_writable(self.target)
        model = read_model(self.file)
        files = write_model(model, self.target, run)
        table = model if isinstance(model, ExplicitModel) else None
        return written(f"{self.file.name} as {self.target.name}", files, table)


#: Questions about files, in the order in which help lists them.
QUESTIONS = (ModelSolve, ModelConvert)
