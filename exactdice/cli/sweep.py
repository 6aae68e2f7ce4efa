"""`exactdice sweep`: thousands of questions, answered in parallel into a store.

These commands are not questions, because their output depends on the content of a store.
"""

import secrets
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from exactdice.arithmetic import natural
from exactdice.cli.presenting import (
    Output,
    click_option,
    digits_option,
    limit_options,
    output_options,
    quiet_option,
    read_run,
    shown_progress,
)
from exactdice.errors import CheckFailedError, ConflictError, InputError, OutputError, exit_status
from exactdice.question.domains import File, Flag, Text, Whole
from exactdice.question.words import Command
from exactdice.run import Run
from exactdice.sweeps.catalogue import BUILT_IN, define, reducer_of
from exactdice.sweeps.engine import Cluster, Processes, Workforce, run_sweep
from exactdice.sweeps.model import Sweep
from exactdice.sweeps.reports import progress_report, standing_of, status_report, verify_sweep
from exactdice.sweeps.store import Store

_FOLDER = "sweeps"


def _run(**options: Any) -> int:
    output = Output.read(options)
    run = read_run(options)
    with _progress(run) as watched:
        asked = define(options["sweep"], options["over"], options["reduce"] or "", watched)
    return _compute(asked, _store(options), options, run, output)


def _resume(**options: Any) -> int:
    output = Output.read(options)
    return _compute(*_stored(options), options, read_run(options), output)


def _compute(asked: Sweep, store: Store, options: dict[str, Any], run: Run, output: Output) -> int:
    others = sum(count for made_by, count in store.makers().items() if made_by != store.made_by)
    if others:
        _note(f"ignored {others} answers of other code in {store.folder}")
    store.enter(asked)
    try:
        with _progress(run) as watched:
            run_sweep(asked, store, _workforce(options, run), watched, again=options["again"])
    except KeyboardInterrupt as ending:
        _note(f"interrupted; {_so_far(asked, store)}")
        return exit_status(ending)
    except OutputError as problem:
        raise OutputError(f"{problem}; {_so_far(asked, store)}") from problem
    report = progress_report(asked, store)
    output.write(report)
    if report.failure:
        raise CheckFailedError(f"{report.failure}; retry errors with resume --again")
    return 0


def _status(**options: Any) -> None:
    Output.read(options).write(status_report(_store(options, must_exist=True)))


def _export(**options: Any) -> None:
    output = Output.read(options)
    asked, store = _stored(options)
    standing = standing_of(asked, store)
    if standing.stored < standing.units and not options["partial"]:
        count = f"{standing.stored} of {standing.units} answers"
        resume = _resuming(asked, store)
        raise ConflictError("sweep", f'has {count}; run "{resume}" or add --partial')
    output.write(reducer_of(asked)(asked, store))


def _verify(**options: Any) -> int:
    output, run = Output.read(options), read_run(options)
    asked, store = _stored(options)
    sample = 10 if options["sample"] is None else options["sample"]
    seed = secrets.randbits(32) if options["seed"] is None else natural(options["seed"], "seed")
    with _progress(run) as watched:
        report = verify_sweep(asked, store, _workforce(options, run), sample, seed, watched)
    output.write(report)
    if report.failure:
        raise CheckFailedError(report.failure)
    return 0


def _store(options: dict[str, Any], *, must_exist: bool = False) -> Store:
    folder = File().read(options["store"] or _FOLDER, "store")
    if (must_exist or folder.exists()) and not folder.is_dir():
        wanted = 'the folder of a sweep store; create one with "exactdice sweep run"'
        raise InputError("store", str(folder), wanted)
    return Store(folder)


def _stored(options: dict[str, Any]) -> tuple[Sweep, Store]:
    store = _store(options, must_exist=True)
    return store.sweep_named(options["sweep"] or ""), store


def _workforce(options: dict[str, Any], run: Run) -> Workforce:
    if options["scheduler"] is None:
        return Processes(run.workers, run.memory)
    address = Text().read(options["scheduler"], "scheduler")
    return Cluster("" if address == "local" else address, run.workers)


@contextmanager
def _progress(run: Run) -> Iterator[Run]:
    with shown_progress() as tell:
        yield Run(run.memory, run.workers, progress=tell, seconds=run.seconds)


def _so_far(asked: Sweep, store: Store) -> str:
    standing = standing_of(asked, store)
    stored = f"{standing.stored} of {standing.units} questions are in {store.folder}"
    return f"{stored}; resume with: {_resuming(asked, store)}"


def _resuming(asked: Sweep, store: Store) -> str:
    words = ["exactdice", "sweep", "resume", asked.key[:12]]
    if str(store.folder) != _FOLDER:
        words += ["--store", str(store.folder)]
    return shlex.join(words)


def _note(words: str) -> None:
    print(f"exactdice: {words}", file=sys.stderr)


def _stores() -> click.Option:
    return click_option("store", File("FOLDER"), f"Folder of the store. Default: {_FOLDER}.")


def _computing() -> list[click.Parameter]:
    return [
        _stores(),
        click_option("workers", Whole(), "Processes that share the work.", default=1),
        click_option(
            "scheduler",
            Text(metavar="ADDRESS|local"),
            "Dask scheduler, for example tcp://10.0.0.1:8786; local starts one here.",
        ),
        *limit_options(
            "Memory limit per question, for example 8GiB.", "Time limit per question in seconds."
        ),
    ]


_AGAIN = ("again", Flag(), "Retry questions that failed or crashed their worker.")


def _named() -> click.Argument:
    return click.Argument(["sweep"], metavar="[SWEEP]", required=False)


def _command(
    name: str, callback: Callable[..., Any], help_text: str, params: list[click.Parameter]
) -> Command:
    shared = [*output_options(), digits_option(), quiet_option()]
    return Command(name, help=help_text, callback=callback, params=[*params, *shared])


class _Sweeps(click.Group):
    """The commands; any other first word is a sweep to run."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None:
            args = ["run", *args]
        return super().resolve_command(ctx, args)


_WIDTH = max(map(len, BUILT_IN))

_COMMANDS = (
    _command(
        "run",
        _run,
        "Answer every question of a sweep that has no answer in the store.\n\n"
        "SWEEP is a file with one question per line, a question with variables in braces, or one "
        "of:\n\n\b\n"
        + "\n".join(f"  {name:{_WIDTH}}  {one.description}" for name, one in BUILT_IN.items())
        + "\n\n\b\nExample:\n  exactdice sweep run 'risk win {a} {d}' --over a=2..50 "
        "--over d=1..50",
        [
            click.Argument(["sweep"], metavar="SWEEP"),
            click.Option(
                ["--over"],
                multiple=True,
                metavar="V=VALUES",
                help="Values of a variable: 2..500, or words separated by commas.",
            ),
            click_option(
                "reduce",
                Text(metavar="REDUCER"),
                "Order of the answers: rows, greatest NAME or least NAME.",
            ),
            click_option(*_AGAIN),
            *_computing(),
        ],
    ),
    _command("status", _status, "Show the progress of all sweeps of a store.", [_stores()]),
    _command(
        "resume",
        _resume,
        "Continue a sweep of a store.\n\nSWEEP is its name or the beginning of its key.",
        [_named(), click_option(*_AGAIN), *_computing()],
    ),
    _command(
        "export",
        _export,
        "Write the report of all answers.",
        [
            _named(),
            _stores(),
            click_option("partial", Flag(), "Write the present answers of an unfinished sweep."),
        ],
    ),
    _command(
        "verify",
        _verify,
        "Compute a random sample of the answers again.\n\nThey are compared byte for byte.",
        [
            _named(),
            click_option("sample", Whole(), "Size of the sample.", default=10),
            click_option("seed", Whole(), "Random seed. Default: drawn at random."),
            *_computing(),
        ],
    ),
)

command = _Sweeps(
    "sweep",
    help="Answer many questions in parallel; interrupted runs can be resumed.",
    no_args_is_help=True,
    commands={subcommand.name or "": subcommand for subcommand in _COMMANDS},
)
