"""Who may ask, and what an answer may do in a browser.

Before a request is read it must name a host that is this server's, or the address at which it came
in, which keeps out pages that let their own name point here; must not come from another site, but
for a link that somebody follows to a page of its own (`is_foreign`), which starts no work; and must
be small. Only GET and HEAD are taken, and POST without a body, which cancels. What is sent
may load nothing from elsewhere and run no script but the server's own files.
"""

import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The longest address, and the longest body, in bytes.
LONGEST_ADDRESS = 4096
LONGEST_BODY = 1024
_MOST_DIGITS = 20  # of the length of a body, leading zeros included

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

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

    `app`: what is guarded. `hosts`: the names by which the server is called, without ports.
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
        known = {tag.removeprefix("W/") for tag in listed(Headers(scope=scope), "if-none-match")}
        is_known = False

        async def send_guarded(message: Message) -> None:
            nonlocal is_known
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                tag = headers.get("etag", "").removeprefix("W/")
                if is_known := message["status"] == 200 and tag != "" and tag in known:
                    message["status"] = 304
                    del headers["content-length"], headers["content-encoding"]
                headers["content-security-policy"] = _POLICY
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-cache")
            elif is_known:
                message["body"] = b""
            await send(message)

        if refused is None:
            await self._app(scope, receive, send_guarded)
            return
        status, line = refused
        if wants_json(Headers(scope=scope)):
            answer: Response = JSONResponse({"error": line}, status)
        else:
            answer = PlainTextResponse(line + "\n", status)
        answer.headers["connection"] = "close"  # what was refused unread is not read later either
        await answer(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        here = (scope.get("server") or ("",))[0]  # no page of elsewhere is called by an address
        if len(headers.getlist("host")) != 1 or _name_of(host) not in {*self._hosts, here}:
            return 421, "host: this server is not called so; see --allow-host"
        if is_foreign(headers) and not _is_link(scope["method"], headers):
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
        if len(length) > _MOST_DIGITS or int(length) > LONGEST_BODY:
            return 413, f"body: give one of at most {LONGEST_BODY} bytes"
        return None


def listed(headers: Headers, name: str) -> set[str]:
    """Return the members of a header that is a list, without their parameters.

    A quoted member with a comma or a semicolon is cut there, and is then equal to no whole one.

    >>> sorted(listed(Headers({"accept": "text/html, application/json;q=0.9"}), "accept"))
    ['application/json', 'text/html']
    """
    members = ",".join(headers.getlist(name)).split(",")
    return {member.partition(";")[0].strip() for member in members}


def wants_json(headers: Headers) -> bool:
    """Whether JSON is asked for rather than a page: `Accept` names it, and not HTML."""
    accepted = listed(headers, "accept")
    return "application/json" in accepted and "text/html" not in accepted


def is_foreign(headers: Headers) -> bool:
    """Whether a browser says that another site asks, or has led here.

    >>> is_foreign(Headers({"sec-fetch-site": "cross-site"})), is_foreign(Headers({}))
    (True, False)
    """
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")


def _is_link(method: str, headers: Headers) -> bool:
    """Whether somebody followed a link to a page of its own, which no frame is."""
    fetched = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return method == "GET" and fetched == ("navigate", "document")


_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::[0-9]*)?")


def _name_of(host: str) -> str:
    """Name in a Host header, without the port; empty where it is no name with or without one.

    >>> _name_of("127.0.0.1:8000"), _name_of("[::1]:8000"), _name_of("Localhost")
    ('127.0.0.1', '::1', 'localhost')
    >>> _name_of("x@127.0.0.1")
    ''
    """
    name = _HOST.fullmatch(host)
    return (name[1] or name[2]).lower() if name else ""


def _is_own(origin: str | None, host: str) -> bool:
    return origin is None or origin in (f"http://{host}", f"https://{host}")
