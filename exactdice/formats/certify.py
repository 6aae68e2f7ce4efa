"""`certify`: check another program's value of a model, and optionally its policy.

The claim: the value at the initial state is V, or within W of it, and the policy reaches it. A true
claim is certified. A false one is refuted by the correct value, whose certificate excludes V, and
by the states in which another action is better than the policy's. `model solve` defines values.

A policy file has lines ``STATE:ACTION`` or ``STATE ACTION``: the number of a state, and the name or
position (from 0) of an action. States that are not listed keep an optimal action.
"""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, significant
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, InputError
from exactdice.formats.questions import OnFile
from exactdice.formats.reading import FileLines
from exactdice.question import option
from exactdice.question.domains import File, Rational
from exactdice.report.model import Quantity, Report, Table, column_for, exact, flag, text_column
from exactdice.run import Run
from exactdice.solve.arena import MAX, MIN, NoValueError
from exactdice.solve.game import Model
from exactdice.solve.optimum import Optimum
from exactdice.solve.variants import following
from exactdice.storage import check_writable

_DIGITS = 12  # of numbers in messages
_CHOICE = re.compile(r"([^\s:]++)(?:\s*+:|\s)\s*+(.++)")


class Certify(
    OnFile,
    example="game.drn --query 'max reach done' --value 1/3 --within 1/1000",
    takes="as long as model solve; twice as long with a policy",
):
    """Certify or refute another program's value of a model from a file, and its policy."""

    _: KW_ONLY
    value: mpq | None = option(Rational(), "The claimed value.", metavar="V")
    within: mpq = option(
        Rational(), "Tolerance: the value may differ from V by W.", default=mpq(0), metavar="W"
    )
    policy: Path | None = option(File(), "Policy that reaches the value, in lines STATE:ACTION.")
    certificate: Path | None = option(File(), "Write a certificate of the value to FILE.")

    def check(self) -> None:
        super().check()
        if self.value is None and self.policy is None:
            raise ConflictError("value", "is missing; add the claimed value, or --policy")
        if self.within < 0:
            raise InputError("within", self.within, "a number of at least 0")

    def report(self, run: Run) -> Report:
        if self.certificate is not None:
            check_writable(self.certificate)
        model, labels, notes = self.content(run)
        chosen = None if self.policy is None else _read_policy(self.policy, model)
        best = self.answered(model, labels, None, run)
        best.certificate().check(model.game)
        value = best.value
        quantities, problems = [Quantity.of("value", best.question, value)], []
        if self.value is not None:
            low, high = self.value - self.within, self.value + self.within
            quantities.append(exact("claimed", "claimed value")(self.value))
            if value.upper < low or value.lower > high:
                problems.append(f"value: is {_shown(value)}, not the claimed value")
            elif value.lower < low or value.upper > high:
                problems.append("value: is only known up to bounds; use --within")
        tables = []
        if chosen is not None:
            complete = best.policy | chosen
            for side in (MAX, MIN):
                if not model.arena.is_owned(side):
                    continue
                number = 1 if side == MAX else 2
                try:
                    fixed = following(model.game, {number: complete})
                    own = self.answered(fixed, labels, None, run).value
                except NoValueError as endless:
                    problems.append(f"policy: has no value; {endless}")
                    continue
                player = "" if model.players == 1 else f"_{number}"
                meaning = "expected payoff of the policy against a best response"
                quantities.append(Quantity.of(f"policy_value{player}", meaning, own))
                if max(own.upper - value.lower, value.upper - own.lower) > self.within:
                    reached = f"policy: reaches {_shown(own)}; the value is {_shown(value)}"
                    problems.append(reached)
            if any(problem.startswith("policy") for problem in problems):
                tables = [_losses(best, complete, model)]
        if self.certificate is not None:
            best.write_certificate(self.certificate)
        quantities.insert(0, flag("holds", "whether the claim is certified")(not problems))
        return Report.of(
            f"{self.file.name}: a claim about the {best.question}",
            {"query": str(self.query), "within": str(self.within), **notes},
            *quantities,
            *tables,
            failure="; ".join(problems),
            says=(
                "Not certified" if problems else "Certified",
                f"{self.file.name}: {best.question}",
            ),
        )


def _shown(number: Enclosure) -> str:
    return significant(number.middle, _DIGITS)


def _read_policy(path: Path, model: Model[Any]) -> dict[Any, Any]:
    lines, chosen = FileLines(path), dict[Any, Any]()
    while (line := lines.after()) is not None:
        match = _CHOICE.fullmatch(line)
        if match is None:
            raise lines.wrong(repr(line), "STATE:ACTION")
        state = lines.whole_from(match, 1)
        if state not in model.index:
            continue
        number = model.number(state)
        names = model.actions[number] if model.arena.owners[number] in (MAX, MIN) else None
        if names is None:
            continue
        action = match[2]
        if action not in names:
            if not action.isdecimal():
                wanted = f"an action of state {state}, such as {names[0]!r}"
                raise lines.wrong(repr(action), wanted, match.start(2))
            action = names[lines.whole_from(match, 2, len(names))]
        chosen[state] = action
    return chosen


def _losses(best: Optimum[Any], policy: Mapping[Any, Any], model: Model[Any]) -> Table:
    """Return the states in which another action is certainly better, as counterexamples."""
    rows = []
    for _, state in model.deciding():
        if best.action(state) is not None:
            lost = best.regret(state)[policy[state]]
            if lost.lower > 0:
                better = str(best.action(state))
                rows.append((str(state), str(policy[state]), better, lost))
    columns = [
        text_column("state", "state with a mistake"),
        text_column("action", "its action"),
        text_column("better", "a better action"),
        column_for([row[-1] for row in rows])("loss", "cost if play is optimal afterwards"),
    ]
    return Table.of("losses", "Mistakes of the policy", rows, *columns)
