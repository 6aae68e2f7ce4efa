"""`exactdice serve`: the questions in a browser."""

import os
from typing import Any

from exactdice.cli.presenting import click_option, read_memory
from exactdice.errors import InputError, MissingExtraError
from exactdice.memory import MEMORY_LIMIT
from exactdice.question.domains import Listed, Memory, Text, Whole
from exactdice.question.words import Command, refuse_empty

_PORT = Whole(least=0, most=65535)
_WORKERS = Whole(least=1, most=64)
_TIME = Whole(least=1, most=86_400)
_HOSTS = Listed(Text(), "NAME,NAME,…")
_LEAST = 256 << 20


def _serve(**options: Any) -> None:
    for name, value in options.items():
        refuse_empty(name.replace("_", "-"), value)
    port = _PORT.read(options["port"] or 8000, "port")
    workers = _WORKERS.read(options["workers"] or max(2, os.cpu_count() or 2), "workers")
    seconds = _TIME.read(options["time"] or 120, "time")
    memory = read_memory(options)
    if memory is None or memory < _LEAST:
        wanted = "at least 256MiB (a worker takes 100MiB before any question)"
        raise InputError("memory", options["memory"], wanted)
    allowed = _HOSTS.read(options["allow_host"], "allow-host") if options["allow_host"] else ()
    try:
        from exactdice.web.serving import serve
        from exactdice.web.workers import Limits
    except ImportError as problem:
        name = str(problem.name).partition(".")[0]
        raise MissingExtraError.of("serve", name, "web") from problem
    limits = Limits(workers=workers, seconds=seconds, memory=memory)
    serve(options["host"] or "127.0.0.1", port, allowed, limits)


command = Command(
    "serve",
    help="Start a web server on this machine that answers all questions, as pages and JSON.\n\n"
    "Before you let other machines connect, read its page /about.\n\n"
    "\b\nExample:\n  exactdice serve --port 8000 --time 60",
    callback=_serve,
    params=[
        click_option("port", _PORT, "Port; 0 for any free one.", default=8000),
        click_option("host", Text(metavar="HOST"), "Address to listen on.", default="127.0.0.1"),
        click_option("allow_host", _HOSTS, "Additional host names to accept in requests."),
        click_option("workers", _WORKERS, "Worker processes. Default: number of CPUs, at least 2."),
        click_option("time", _TIME, "Limit of CPU seconds per question.", default=120),
        click_option("memory", Memory(), "Memory limit per worker.", default=MEMORY_LIMIT),
    ],
)
