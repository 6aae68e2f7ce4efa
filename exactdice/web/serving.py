"""The command ``exactdice serve``: its socket, host names, start-up message and connections.

uvicorn closes idle connections, but waits without limit for the rest of an incomplete request. Here
a request must be complete within some seconds, or its connection is closed. If there are too many
connections, the client with the most loses its oldest idle one, otherwise its oldest. So no client
can lock out others. On loopback, and behind a proxy, all users share one address: there new
connections are served, and the oldest pending answers are dropped.
"""

import asyncio
import errno
import os
import socket
import sys
from collections import Counter
from dataclasses import replace
from ipaddress import ip_address
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from exactdice.errors import InputError
from exactdice.posix import resource
from exactdice.web.application import application
from exactdice.web.desk import Desk
from exactdice.web.views import LONGEST_ADDRESS
from exactdice.web.workers import Limits

_BACKLOG = 64  # connections accepted at a time, before they are counted
_WHOLE = 10  # seconds until a request must be complete
_USUAL = 1  # seconds until it usually is
_MOST = 512  # connections, if the system allows four times as many open files
_ANY = ("0.0.0.0", "::", "")  # noqa: S104 - recognised, not bound


def serve(host: str, port: int, allowed: tuple[str, ...], limits: Limits) -> None:
    listening = _bound(host, port)
    names = {"127.0.0.1", "localhost", "::1", host, *allowed} - {*_ANY}
    is_open = not ip_address(listening.getsockname()[0]).is_loopback
    app = application(Desk(replace(limits, short_lane=True)), names, is_open=is_open)
    config = uvicorn.Config(app, http=PromptConnection, backlog=_BACKLOG, ws="none",
                            log_level="warning", access_log=False, server_header=False,
                            proxy_headers=False, h11_max_incomplete_event_size=4 * LONGEST_ADDRESS,
                            timeout_keep_alive=15, timeout_graceful_shutdown=2)  # fmt: skip
    _Told(config, _line(host, listening.getsockname()[1], is_open=is_open)).run(sockets=[listening])


def _line(host: str, port: int, *, is_open: bool) -> str:
    """Return the start-up message."""
    shown = "127.0.0.1" if host in _ANY else f"[{host}]" if ":" in host else host
    others = "; other machines that reach this one can use it" if is_open else ""
    return f"serving http://{shown}:{port}/ until interrupted{others}"


class _Told(uvicorn.Server):
    """A server that prints its address once it answers."""

    def __init__(self, config: uvicorn.Config, line: str) -> None:
        super().__init__(config)
        self._line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        without_floods(asyncio.get_running_loop())
        print(f"exactdice: {self._line}", file=sys.stderr)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=256)
    except OSError as problem:
        code = problem.errno or 0
        if code < 0 or code in (errno.EADDRNOTAVAIL, errno.ENETUNREACH):  # < 0: names
            raise InputError(
                "host", host, "an address of this machine, such as 127.0.0.1"
            ) from problem
        wanted = f"a free port, or 0 for any ({os.strerror(code).lower()})"
        raise InputError("port", port, wanted) from problem
    # Inherited by each connection; without it an answer waits 40 ms for the client.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _most() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else min(_MOST, max(1, soft // 4))


def _number(client: tuple[str, int] | None) -> int:
    """Return the address of a client as a number; of IPv6 the first half."""
    address = ip_address(client[0] if client else "::")
    return int(address) >> (64 if address.version == 6 else 0)


class PromptConnection(H11Protocol):
    """A connection that is closed if its request is not complete in time, or to make room."""

    #: The client of each connection, the oldest connection first.
    clients: ClassVar[dict["PromptConnection", int]] = {}
    #: Connections that wait for a request.
    waiting: ClassVar[dict["PromptConnection", asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.clients[self] = _number(self.client)
        self._wait()
        if len(self.clients) > _most():
            self._other_of_the_largest()._close()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_longer()
        self.clients.pop(self, None)

    def _other_of_the_largest(self) -> "PromptConnection":
        """Choose another connection of a client that has the most: its oldest idle, or oldest."""
        counts = Counter(self.clients.values())
        most = max(counts.values())
        largest = [
            one for one, of in self.clients.items() if counts[of] == most and one is not self
        ]
        return next((one for one in largest if one._is_idle()), largest[0])

    def _is_idle(self) -> bool:
        """Whether the last answer is complete, or no request has arrived in the usual time."""
        if timer := self.waiting.get(self):
            return timer.when() - self.loop.time() < _WHOLE - _USUAL
        return self.cycle.response_complete

    def _wait(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_longer()
        elif self not in self.waiting:
            self.waiting[self] = self.loop.call_later(_WHOLE, self._close)

    def _wait_no_longer(self) -> None:
        if timer := self.waiting.pop(self, None):
            timer.cancel()

    def _close(self) -> None:
        self._wait_no_longer()
        self.clients.pop(self, None)
        self.transport.abort()


def without_floods(loop: asyncio.AbstractEventLoop) -> None:
    """Report only once that no more files can be opened, not at every accept as asyncio does."""
    is_said = False

    def tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal is_said
        problem = context.get("exception")
        if not (isinstance(problem, OSError) and problem.errno in (errno.EMFILE, errno.ENFILE)):
            loop.default_exception_handler(context)
        elif not is_said:
            is_said = True
            print("exactdice: too many connections; some must wait", file=sys.stderr)

    loop.set_exception_handler(tell)
