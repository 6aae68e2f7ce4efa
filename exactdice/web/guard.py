"""Who may ask, and what an answer may do in a browser.

Before a request is read it must name a host that is this server's, which keeps out pages that let
their own name point here; must not come from another site, but for a link that somebody follows;
and must be small. Only GET and HEAD are taken, and POST without a body, which cancels. What is sent
may load nothing from elsewhere and run no script but the server's own files.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LONGEST_ADDRESS", "LONGEST_BODY", "Guard"]

#: The longest address, and the longest body, in bytes.
LONGEST_ADDRESS = 4096
LONGEST_BODY = 1024

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: A figure is an image of its own, with its style inside; it can load nothing.
_POLICY_OF_FIGURES = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without any, browsers leave the origin out of a POST
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Refuses what is not for this server, and says of every answer what it may do.

    Parameters
    ----------
    app
        What is guarded.
    hosts
        The names by which the server is called, without ports.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_figure = headers.get("content-type", "").startswith("image/svg")
                headers["content-security-policy"] = _POLICY_OF_FIGURES if is_figure else _POLICY
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        if refused is None:
            await self._app(scope, receive, send_guarded)
            return
        status, line = refused
        wants_json = "json" in Headers(scope=scope).get("accept", "")
        answer = JSONResponse({"error": line}, status) if wants_json else PlainTextResponse(
            line + "\n", status
        )  # fmt: skip
        answer.headers["connection"] = "close"  # what was refused unread is not read later either
        await answer(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or _name_of(host) not in self._hosts:
            return 421, "host: this server is not called so; see --allow-host"
        site = headers.get("sec-fetch-site", "none")
        is_link = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET"
        if site not in ("same-origin", "none") and not is_link:
            return 403, "origin: requests of other sites are refused"
        if not _is_own(headers.get("origin"), host):
            return 403, "origin: requests of other sites are refused"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "method: give GET or POST"
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return 414, f"address: give one of at most {LONGEST_ADDRESS} bytes"
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdecimal():
            return 411, "body: give its length"
        if int(length[:9]) > LONGEST_BODY:
            return 413, f"body: give one of at most {LONGEST_BODY} bytes"
        return None


def _name_of(host: str) -> str:
    """Name in a Host header, without the port.

    Examples
    --------
    >>> _name_of("127.0.0.1:8000"), _name_of("[::1]:8000"), _name_of("Localhost")
    ('127.0.0.1', '::1', 'localhost')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_own(origin: str | None, host: str) -> bool:
    return origin is None or origin in (f"http://{host}", f"https://{host}")
