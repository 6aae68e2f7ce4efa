"""Questions about model files.

`model solve` answers a query about a file and checks the certificate against the rules in the file;
`model convert` writes another format.

A reward is the expected total until play ends, over policies under which it ends. Storm's
``Rmax=? [F "done"]`` is infinite if some policy need not end, as in the reroll game. The two agree
on chains, and if every policy ends.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar

from exactdice.arithmetic import mpq, rational
from exactdice.errors import ConflictError, InputError, choices
from exactdice.formats.explicit import ExplicitModel
from exactdice.formats.files import EXPLICIT, READ, SOLVED, check_ending, read_model, write_model
from exactdice.formats.gambit import read_efg, read_line
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

_SOLVING = 10_000  # nanoseconds for a transition with short fractions and the certificate, measured


@dataclass(frozen=True)
class Query:
    """The largest or smallest expected reward, or probability of reaching states with a label."""

    least: bool
    label: str | None  # of the target states; None for the reward

    def __str__(self) -> str:
        aim = "reward" if self.label is None else f"reach {self.label}"
        return f"{'min' if self.least else 'max'} {aim}"


_MAX_REWARD = Query(least=False, label=None)


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
    def read(self, value: Any, name: str) -> mpq:
        width = rational(value, name)
        if width <= 0:
            raise InputError(name, value, "a number above 0")
        return width


class OnFile(Question):
    file: Path = argument(File(), "A .umb, .drn, .tra or .nfg file.")
    _: KW_ONLY
    query: Query = option(
        Queries(), "max|min reward, or max|min reach LABEL (a probability).", default=_MAX_REWARD
    )

    def check(self) -> None:
        check_ending(self.file, READ, "file")

    def content(self, run: Run) -> tuple[Model[Any], Mapping[str, frozenset[int]]]:
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
        model = as_model(model, run)
        least, label = self.query.least, self.query.label
        if least and model.players == 2:
            wanted = "max reward or max reach LABEL" if labels else "max reward"
            raise InputError("query", str(self.query), f"{wanted} for a game of two players")
        if label is None:
            return optimum(model, least=least, width=width, run=run)
        if label not in labels:
            wanted = f"as label {choices(sorted(labels), label)}" if labels else "max reward"
            raise InputError("query", str(self.query), f"{wanted}, for {self.file}")
        goal = labels[label]
        return reach(model, lambda state: state in goal, least=least, width=width, run=run)


class ModelSolve(
    OnFile,
    example="game.drn --query 'max reach done'",
    takes="1 s for 100000 transitions, more if fractions are long",
):
    """Solve a model from a file: its value at the initial state, exact or between bounds."""

    file: Path = argument(File(), "A .umb, .drn, .tra, .nfg or .efg file.")
    _: KW_ONLY
    width: mpq | None = option(
        _Width(),
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
        check_ending(self.file, SOLVED, "file")
        if self.file.suffix == ".efg":
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
        conventions = {
            "query": str(self.query),
            **({} if is_paid else {"rewards": "none in the file"}),
            **report.provenance.conventions,
            "certificate": "checked against the rules in the file",
        }
        return Report.of(report.title, conventions, *report.quantities, *report.tables)

    def _of_tree(self, run: Run) -> Report:
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


def written(title: str, files: tuple[Path, ...], table: ExplicitModel | None) -> Report:
    quantities = [listing("files", "files written")(tuple(map(str, files)))]
    if table is not None:
        arena = table.arena
        counts = {
            "states": (len(arena), "states, including the terminal one"),
            "moves": (len(arena.law), "moves of all states"),
            "transitions": (arena.transitions, "transitions of all moves"),
        }
        quantities += [whole(n, meaning, n)(count) for n, (count, meaning) in counts.items()]
    return Report.of(title, {}, *quantities)


class ModelConvert(
    Question,
    example="game.drn game.umb",
    takes="0.3 s for 100000 transitions from a .umb file, 1 s from others",
):
    """Write a model to a file of another format."""

    has_tables: ClassVar[bool] = False

    file: Path = argument(File(), "A .umb, .drn, .tra or .nfg file.")
    target: Path = argument(File(), "A .umb, .drn, .tra, .efg or .nfg file.")

    def check(self) -> None:
        check_ending(self.file, READ, "file")
        check_ending(self.target, (*EXPLICIT, ".efg", ".nfg"), "target")

    def report(self, run: Run) -> Report:
        check_writable(self.target)
        model = read_model(self.file)
        files = write_model(model, self.target, run)
        table = model if isinstance(model, ExplicitModel) else None
        return written(f"{self.file.name} as {self.target.name}", files, table)
