"""`exactdice serve`: the questions in a browser."""

import os
from typing import Any

from exactdice.cli.presenting import click_option, read_memory
from exactdice.errors import InputError, MissingExtraError
from exactdice.memory import MEMORY_LIMIT
from exactdice.question.domains import Listed, Memory, Text, Whole
from exactdice.question.words import Command

_PORT = Whole(least=0, most=65535)
_WORKERS = Whole(least=1, most=64)
_TIME = Whole(least=1, most=86_400)
_HOSTS = Listed(Text(), "NAME,NAME,…")


def _serve(**options: Any) -> None:
    for name, value in options.items():
        if value == "":
            raise InputError(name.replace("_", "-"), "", "a value, or leave the option out")
    port = _PORT.read(options["port"] or 8000, "port")
    workers = _WORKERS.read(options["workers"] or max(2, os.cpu_count() or 2), "workers")
    seconds = _TIME.read(options["time"] or 120, "time")
    memory = read_memory(options)
    if memory is None or memory < _LEAST:
        raise InputError(
            "memory", options["memory"], "at least 256MiB: a worker takes 100MiB itself"
        )
    allowed = _HOSTS.read(options["allow_host"], "allow-host") if options["allow_host"] else ()
    try:
        from exactdice.web.serving import serve
        from exactdice.web.workers import Limits
    except ImportError as problem:
        name = str(problem.name).partition(".")[0]
        raise MissingExtraError.of("serve", name, "web") from problem
    limits = Limits(workers=workers, seconds=seconds, memory=memory)
    serve(options["host"] or "127.0.0.1", port, allowed, limits)


_LEAST = 256 << 20

command = Command(
    "serve",
    help="Serve every question to browsers on this machine: forms, answers, JSON.\n\n"
    "The page /about says what to change before others can reach it.\n\n"
    "\b\nExample:\n  exactdice serve --port 8000 --time 60",
    callback=_serve,
    params=[
        click_option("port", _PORT, "Port; 0 for any that is free.", default=8000),
        click_option("host", Text(metavar="HOST"), "Address to listen at.", default="127.0.0.1"),
        click_option("allow_host", _HOSTS, "Other names by which it may be called."),
        click_option(
            "workers", _WORKERS, "Worker processes; one a processor, at least 2, if not said."
        ),
        click_option(
            "time", _TIME, "Seconds of processor time that a question may take.", default=120
        ),
        click_option("memory", Memory(), "Memory that a worker may keep.", default=MEMORY_LIMIT),
    ],
)
