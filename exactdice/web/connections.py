"""Connections: how long one may take over a request, and how many there may be.

uvicorn closes a connection on which nothing has come since the last answer, and waits without end
for the rest of a request that has begun. Here a request is whole in so many seconds or its
connection is closed; and where there are too many connections, the one that has kept the server
waiting for longest makes room.
"""

import asyncio
import errno
import sys
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from exactdice.posix import resource

_WHOLE = 10  # seconds in which a request is whole
_MOST = 512  # connections at a time, where the system lets a process open four times as many files


def _most() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else min(_MOST, max(1, soft // 4))


class PromptConnection(H11Protocol):
    """A connection that is closed where its request does not become whole in time."""

    #: Those of which the server waits for a request, the one that has waited for longest first.
    waiting: ClassVar[dict["PromptConnection", asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait; make room where there are too many."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > _most():
            next(iter(self.waiting))._close()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request, and wait for the rest of it."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._wait_no_longer()

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
        self.transport.abort()


def without_floods(loop: asyncio.AbstractEventLoop) -> None:
    """Say once that no more files can be opened, which asyncio tells at each look at the socket."""
    is_said = False

    def tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal is_said
        problem = context.get("exception")
        if not (isinstance(problem, OSError) and problem.errno in (errno.EMFILE, errno.ENFILE)):
            loop.default_exception_handler(context)
        elif not is_said:
            is_said = True
            print("exactdice: too many connections at once; some wait", file=sys.stderr, flush=True)

    loop.set_exception_handler(tell)
