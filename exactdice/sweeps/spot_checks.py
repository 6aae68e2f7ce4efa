"""Spot checks: a random sample of stored answers, computed again elsewhere, byte for byte."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from exactdice.arithmetic import natural
from exactdice.errors import InputError, Unquoted
from exactdice.report.model import Report
from exactdice.rooms import ask
from exactdice.run import DEFAULT, Run
from exactdice.sweeps.engine import Ask, run_sweep
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.reports import verification_report
from exactdice.sweeps.store import Store
from exactdice.sweeps.workforce import Workforce


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
    answered = [unit for unit in asked.units if _has_report(store, unit)]
    if not answered:
        raise InputError("sweep", Unquoted(f"{asked.name} without answers"), "one that has run")
    count = min(natural(sample, "sample", least=1), len(answered))
    drawn = Random(seed).sample(answered, count)  # noqa: S311 - a reproducible draw, no secret
    with TemporaryDirectory() as home:
        other = Store(Path(home) / "store")
        run_sweep(Sweep(asked.name, tuple(drawn)), other, workforce, run, asking=asking)
        compared = list(_compared(drawn, store, other))
    return verification_report(asked, seed, compared, len(answered))


def _has_report(store: Store, unit: str) -> bool:
    outcome = store.outcome(unit)
    return outcome is not None and outcome.is_answer


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
