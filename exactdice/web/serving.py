"""Starting the server: its socket, its names, and what it says when it is ready."""

import errno
import os
import socket
import sys

import uvicorn

from exactdice.errors import InputError
from exactdice.web.application import application
from exactdice.web.desk import Desk
from exactdice.web.guard import LONGEST_ADDRESS
from exactdice.web.workers import Limits

__all__ = ["serve"]

_ANY = ("0.0.0.0", "::", "")  # noqa: S104 - named to be told apart


def serve(host: str, port: int, allowed: tuple[str, ...], limits: Limits) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    host, port
        Where to listen; port 0 takes a free one.
    allowed
        More names by which the server may be called.
    limits
        What answers may take.

    Raises
    ------
    InputError
        If the host is none of this machine, or the port is taken.
    """
    listening = _bound(host, port)
    names = {"127.0.0.1", "localhost", "::1", *allowed}
    if host not in _ANY:
        names.add(host)
    taken = listening.getsockname()[1]
    shown = "127.0.0.1" if host in _ANY else f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        application(Desk(limits), names),
        log_level="warning",
        access_log=False,
        http="h11",
        ws="none",
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=4 * LONGEST_ADDRESS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
    )
    server = _Told(config, f"http://{shown}:{taken}/")
    server.run(sockets=[listening])


class _Told(uvicorn.Server):
    """A server that says where it is once it answers."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        print(f"exactdice: serving {self._address} until interrupted", file=sys.stderr, flush=True)


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
