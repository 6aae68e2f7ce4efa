"""Reports about sweeps: how far they are, what went wrong, and what a second computation gave.

A spot check computes a random sample of the stored answers again elsewhere, byte for byte.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted
from exactdice.report.model import Report, Table, flag, text_column, whole
from exactdice.rooms import ask
from exactdice.run import DEFAULT, Run
from exactdice.sweeps.engine import Ask, run_sweep
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.store import Store, UnitStatus
from exactdice.sweeps.workforce import Workforce

_SHOWN = 20  # problems that a report lists


@dataclass(frozen=True)
class Standing:
    """How far a sweep is."""

    units: int  # its questions
    outcomes: dict[UnitStatus, int]  # how many there are of each outcome
    took: int  # milliseconds that all of them took

    @property
    def stored(self) -> int:
        """Questions whose outcome is stored."""
        return sum(self.outcomes.values())

    @property
    def problem(self) -> str:
        """What is wrong, in a line; empty where nothing is."""
        bad = [
            f"{self.outcomes[outcome]} {outcome}"
            for outcome in (UnitStatus.FAILED, UnitStatus.RAISED, UnitStatus.DIED)
            if self.outcomes[outcome]
        ]
        return f"of {self.units} questions {', '.join(bad)}" if bad else ""


def standing_of(asked: Sweep, store: Store) -> Standing:
    """Count what the store holds of a sweep."""
    outcomes = dict.fromkeys(UnitStatus, 0)
    took = 0
    for unit in asked.units:
        outcome = store.outcome(unit)
        if outcome is not None:
            outcomes[outcome] += 1
            took += store.took(unit)
    return Standing(len(asked.units), outcomes, took)


def progress_report(asked: Sweep, store: Store) -> Report:
    """Report how far one sweep is, and what went wrong; a failure where something did."""
    standing = standing_of(asked, store)
    wrong = [
        (unit, str(outcome), _problem(store, unit))
        for unit in asked.units
        if (outcome := store.outcome(unit)) not in (None, UnitStatus.ANSWERED)
    ]
    columns = [
        text_column("question", "the question"),
        text_column("outcome", "what became of it"),
        text_column("problem", "the error that it raised, or how it ended"),
    ]
    title = "What went wrong" + (f": the first {_SHOWN}" if len(wrong) > _SHOWN else "")
    return Report.of(
        f"Sweep: {asked.name}",
        {"key": asked.key, "code": store.made_by},
        whole("questions", "questions of the sweep")(standing.units),
        *(
            whole(outcome.value, meaning)(standing.outcomes[outcome])
            for outcome, meaning in _MEANINGS.items()
        ),
        whole("missing", "questions not yet computed")(standing.units - standing.stored),
        whole("took", "time of all of them together", "ms")(standing.took),
        Table.of("problems", title, wrong[:_SHOWN], *columns) if wrong else None,
        failure=standing.problem,
    )


_MEANINGS = {
    UnitStatus.ANSWERED: "questions answered",
    UnitStatus.FAILED: "checks that failed",
    UnitStatus.RAISED: "questions that raised an error",
    UnitStatus.DIED: "questions whose worker ended",
}


def _problem(store: Store, unit: str) -> str:
    answer = store.answer(unit)
    if answer.outcome.is_answer:
        return store.report(unit).failure
    return answer.document.decode()


def status_report(store: Store) -> Report:
    """Report the sweeps of a store, and by which code its answers are."""
    rows = []
    for asked in store.sweeps():
        standing = standing_of(asked, store)
        wrong = standing.stored - standing.outcomes[UnitStatus.ANSWERED]
        missing = standing.units - standing.stored
        counts = (standing.units, standing.outcomes[UnitStatus.ANSWERED], wrong, missing)
        rows.append((asked.key[:12], asked.name, asked.reducer, *counts, standing.took))
    sweeps = Table.of(
        "sweeps",
        "Sweeps",
        rows,
        text_column("key", "the beginning of its key"),
        text_column("sweep", "what was asked for"),
        text_column("reducer", "what makes one report of the answers"),
        whole("questions", "questions"),
        whole("answered", "questions answered"),
        whole("wrong", "checks that failed, errors, and workers that ended"),
        whole("missing", "questions not yet computed"),
        whole("took", "time of all of them together", "ms"),
    )
    makers = Table.of(
        "code",
        "Whose answers they are",
        ((made_by, count, made_by == store.made_by) for made_by, count in store.makers().items()),
        text_column("code", "version and SHA-256 of the files of the package"),
        whole("answers", "answers in the store"),
        flag("at_hand", "whether that is the code at hand"),
    )
    return Report.of(f"Store: {store.folder}", {}, sweeps, makers)


def verify_sweep(
    asked: Sweep,
    store: Store,
    workforce: Workforce,
    sample: int,
    seed: int,
    run: Run = DEFAULT,
    *,
    asking: Ask = ask,
) -> Report:
    """Compute a sample of the answers again, in other processes and another store, and compare."""
    outcomes = {unit: store.outcome(unit) for unit in asked.units}
    answered = [unit for unit, outcome in outcomes.items() if outcome and outcome.is_answer]
    if not answered:
        raise InputError("sweep", Unquoted(f"{asked.name} without answers"), "one that has run")
    count = min(natural(sample, "sample", least=1), len(answered))
    drawn = Random(seed).sample(answered, count)  # noqa: S311 - a reproducible draw, no secret
    with TemporaryDirectory() as home:
        other = Store(Path(home) / "store")
        run_sweep(Sweep(asked.name, tuple(drawn)), other, workforce, run, asking=asking)
        compared = list(_compared(drawn, store, other))
    wrong = [unit for unit, problem in compared if problem]
    return Report.of(
        f"Verification of the sweep {asked.name}",
        {"seed": str(seed)},
        whole("stored", "answers in the store")(len(answered)),
        whole("compared", "answers computed again")(len(compared)),
        whole("different", "answers that differ")(len(wrong)),
        Table.of(
            "answers",
            "Answers computed again",
            ((unit, not problem, problem) for unit, problem in compared),
            text_column("question", "the question"),
            flag("same", "whether both answers are the same bytes"),
            text_column("problem", "how they differ"),
        ),
        failure=f"{len(wrong)} of {len(compared)} answers differ; the first: {wrong[0]}"
        if wrong
        else "",
    )


def _compared(units: list[str], store: Store, other: Store) -> Iterator[tuple[str, str]]:
    for unit in units:
        ours, theirs = store.answer(unit), other.answer(unit)
        if ours.outcome is not theirs.outcome:
            yield unit, f"{ours.outcome} and now {theirs.outcome}"
            continue
        pairs = enumerate(zip(ours.document, theirs.document, strict=False))
        first = min(len(ours.document), len(theirs.document))
        place = next((i for i, (a, b) in pairs if a != b), first)
        same = ours.document == theirs.document
        yield unit, "" if same else f"the bytes differ from byte {place} on"
