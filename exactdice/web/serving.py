"""Starting the server: its socket, its names, and what it says when it is ready."""

import asyncio
import errno
import os
import socket
import sys
from ipaddress import ip_address

import uvicorn

from exactdice.errors import InputError
from exactdice.web.application import application
from exactdice.web.connections import PromptConnection, without_floods
from exactdice.web.desk import Desk
from exactdice.web.guard import LONGEST_ADDRESS
from exactdice.web.workers import Limits

_BACKLOG = 64  # connections that are taken at once, before their number is looked at
_ANY = ("0.0.0.0", "::", "")  # noqa: S104 - named to be told apart


def serve(host: str, port: int, allowed: tuple[str, ...], limits: Limits) -> None:
    """Serve until interrupted."""
    listening = _bound(host, port)
    names = {"127.0.0.1", "localhost", "::1", host, *allowed} - {*_ANY}
    is_open = not ip_address(listening.getsockname()[0]).is_loopback
    config = uvicorn.Config(
        application(Desk(limits), names, is_open=is_open),
        log_level="warning",
        access_log=False,
        http=PromptConnection,
        backlog=_BACKLOG,
        ws="none",
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=4 * LONGEST_ADDRESS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
    )
    _Told(config, _line(host, listening.getsockname()[1], is_open=is_open)).run(sockets=[listening])


def _line(host: str, port: int, *, is_open: bool) -> str:
    """What is said once the server answers.

    >>> _line("::1", 8000, is_open=False)
    'serving http://[::1]:8000/ until interrupted'
    >>> _line("0.0.0.0", 80, is_open=True)
    'serving http://127.0.0.1:80/ until interrupted, and all who reach this machine by its address'
    """
    shown = "127.0.0.1" if host in _ANY else f"[{host}]" if ":" in host else host
    others = ", and all who reach this machine by its address" if is_open else ""
    return f"serving http://{shown}:{port}/ until interrupted{others}"


class _Told(uvicorn.Server):
    """A server that says where it is once it answers."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self._line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        without_floods(asyncio.get_running_loop())
        print(f"exactdice: {self._line}", file=sys.stderr, flush=True)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=256)
    except OSError as problem:
        code = problem.errno or 0
        if code < 0 or code in (errno.EADDRNOTAVAIL, errno.ENETUNREACH):  # those of names are below
            raise InputError("host", host, "an address of this machine, as 127.0.0.1") from problem
        wanted = f"a port that can be taken, or 0 for any: {os.strerror(code).lower()}"
        raise InputError("port", port, wanted) from problem
    # Each connection has this from the socket; without it an answer waits 40 ms for the client.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made
