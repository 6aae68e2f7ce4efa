"""`certify`: another program's number, and perhaps its policy, held against the exact answer.

What is claimed is that the value at the initial state is V, or within W of it, and that the policy
reaches it. If both hold they are certified; if not, what refutes them is named: the value, whose
certificate excludes V, and a state in which another action returns more than the policy's. Values
are those of `model solve`, its conventions included.

A policy is a file of lines ``STATE:ACTION``, or with a blank between: the number of a state in the
model, and the name of the action there or else its place from 0. States that are not named keep a
best action.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, significant
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.formats.explicit import FileLines
from exactdice.formats.questions import OnFile
from exactdice.question import option
from exactdice.question.domains import File, Rational
from exactdice.report.model import Quantity, Report, Table, column_for, exact, flag, text_column
from exactdice.run import Run
from exactdice.solve.arena import MAX, MIN, NoValueError
from exactdice.solve.game import Model
from exactdice.solve.optimum import Optimum
from exactdice.solve.variants import following
from exactdice.storage import check_writable

_DIGITS = 12  # of numbers in a sentence


@dataclass(frozen=True)
class Certify(
    OnFile,
    command="certify",
    example="certify game.drn --query 'max reach done' --value 1/3 --within 1/1000",
    takes="as long as model solve, twice with a policy",
):
    """Certify or refute another program's value of a model from a file, and its policy."""

    _: KW_ONLY
    value: mpq | None = option(Rational(), "The value that is claimed.", metavar="V")
    within: mpq = option(
        Rational(), "How far from V the value may be.", default=mpq(0), metavar="W"
    )
    policy: Path | None = option(File(), "Lines STATE:ACTION of a policy that reaches the value.")
    certificate: Path | None = option(File(), "Write what proves the value into FILE.")

    def check(self) -> None:
        """Refuse no claim at all, and a width below 0."""
        super().check()
        if self.value is None and self.policy is None:
            raise InputError("value", Unquoted("nothing"), "the value that is claimed, or a policy")
        if self.within < 0:
            raise InputError("within", self.within, "a number of at least 0")

    def report(self, run: Run) -> Report:
        """Solve the model, check the certificate by the rules, and compare."""
        if self.certificate is not None:
            check_writable(self.certificate)
        model, labels = self.content(run)
        chosen = None if self.policy is None else _read_policy(self.policy, model)
        best = self.answered(model, labels, None, run)
        best.certificate().check(model.game)
        value = best.enclosure()
        quantities, problems = [Quantity.of("value", best.question, value)], []
        if self.value is not None:
            low, high = self.value - self.within, self.value + self.within
            quantities.append(exact("claimed", "the value that is claimed")(self.value))
            if value.upper < low or value.lower > high:
                problems.append(f"value: is {_shown(value)}, which is not what is claimed")
            elif value.lower < low or value.upper > high:
                problems.append("value: is only enclosed, and the claim is open; give --within")
        tables = []
        if chosen is not None:
            complete = best.policy | chosen
            for side in (MAX, MIN):
                if not model.arena.is_owned(side):
                    continue
                number = 1 if side == MAX else 2
                try:
                    fixed = following(model.game, {number: complete})
                    own = self.answered(fixed, labels, None, run).enclosure()
                except NoValueError as endless:
                    problems.append(f"policy: proves nothing; {endless}")
                    continue
                player = "" if model.players == 1 else f"_{number}"
                meaning = "what the policy is sure of against the best reply"
                quantities.append(Quantity.of(f"policy_value{player}", meaning, own))
                if max(own.upper - value.lower, value.upper - own.lower) > self.within:
                    reached = f"policy: reaches {_shown(own)}, the value being {_shown(value)}"
                    problems.append(reached)
            if any(problem.startswith("policy") for problem in problems):
                tables = [_losses(best, complete, model)]
        if self.certificate is not None:
            best.write_certificate(self.certificate)
        quantities.insert(0, flag("holds", "whether the claim is certified")(not problems))
        return Report.of(
            f"{self.file.name}: a claim about the {best.question}",
            {"query": str(self.query), "within": str(self.within)},
            *quantities,
            *tables,
            failure="; ".join(problems),
        )


#: What this module asks.
QUESTIONS = (Certify,)


def _shown(number: Enclosure) -> str:
    return significant(number.middle, _DIGITS)


def _read_policy(path: Path, model: Model[Any]) -> dict[Any, Any]:
    """Read the actions of a policy by state; states that play cannot come to are left out."""
    lines, chosen = FileLines(path), dict[Any, Any]()
    while (line := lines.after()) is not None:
        words = line.replace(":", " ", 1).split(maxsplit=1)
        if len(words) != 2:
            raise lines.wrong(repr(line), "STATE:ACTION")
        state = lines.whole_from(words[0])
        if state not in model.index:
            continue
        number = model.number(state)
        names = model.actions[number] if model.arena.owners[number] in (MAX, MIN) else None
        if names is None:
            continue
        action = words[1].strip()
        if action not in names:
            if not action.isdecimal():
                raise lines.wrong(repr(action), f"an action of state {state}, as {names[0]!r}")
            action = names[lines.whole_from(action, len(names))]
        chosen[state] = action
    return chosen


def _losses(best: Optimum[Any], policy: Mapping[Any, Any], model: Model[Any]) -> Table:
    """States in which the policy's action surely loses against another: the counterexample."""
    rows = []
    for _, state in model.deciding():
        if best.action(state) is not None:
            lost = best.regret(state)[policy[state]]
            if lost.lower > 0:
                better = str(best.action(state))
                rows.append((str(state), str(policy[state]), better, lost))
    columns = [
        text_column("state", "state in which the policy loses"),
        text_column("action", "its action"),
        text_column("better", "an action that is better"),
        column_for([row[-1] for row in rows])("loss", "what is lost, all play after it being best"),
    ]
    return Table.of("losses", "Where the policy loses", rows, *columns)
