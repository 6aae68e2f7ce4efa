"""Which requests are accepted, and what all handlers share: pages from templates, errors.

A request must name a host of this server, or the address at which it arrived, which blocks pages
whose own host name points here. It must not come from another site, except for a link to a page of
its own (`is_foreign`), which starts no computation; and it must be small. Only GET, HEAD and POST
without a body, which cancels, are accepted. Pages may load nothing from elsewhere and run only the
server's own scripts.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exactdice import __version__
from exactdice.errors import InputError
from exactdice.linked import linked
from exactdice.question import Question
from exactdice.report.html import SCRIPT, STYLE
from exactdice.typed import EXAMPLES
from exactdice.web.desk import Desk, Job, Piece
from exactdice.web.workers import Problem

LONGEST_ADDRESS, LONGEST_BODY = 16_384, 1024  # bytes; an address may contain a program
_MOST_DIGITS = 20  # of a Content-Length, with leading zeros

_STATIC = files("exactdice.web") / "static"
#: The style of all pages, inside each: a page is drawn without waiting for another file.
_STYLE = STYLE + (_STATIC / "pages.css").read_text("utf-8")
_DIGEST = b64encode(sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; script-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with none, browsers omit the origin of a POST
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Rejects requests that are not for this server (`hosts`), and sets security headers."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
        answer.headers["connection"] = "close"  # the rest of a rejected request is not read
        await answer(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        here = (scope.get("server") or ("",))[0]  # other sites have host names
        if len(headers.getlist("host")) != 1 or _name_of(host) not in {*self._hosts, here}:
            return 421, "host: unknown host name; allow it with --allow-host"
        fetched = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
        is_link = scope["method"] == "GET" and fetched == ("navigate", "document")
        if is_foreign(headers) and not is_link:
            return 403, "origin: requests from other sites are rejected"
        if headers.get("origin") not in (None, f"http://{host}", f"https://{host}"):
            return 403, "origin: requests from other sites are rejected"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "method: expected GET or POST"
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return 414, f"address: expected at most {LONGEST_ADDRESS} bytes"
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdecimal():
            return 411, "body: expected a Content-Length"
        if len(length) > _MOST_DIGITS or int(length) > LONGEST_BODY:
            return 413, f"body: expected at most {LONGEST_BODY} bytes"
        return None


def listed(headers: Headers, name: str) -> set[str]:
    """Return the members of a header that is a list, without their parameters.

    Quoted members are split at commas and semicolons, too, and then match nothing.
    """
    members = ",".join(headers.getlist(name)).split(",")
    return {member.partition(";")[0].strip() for member in members}


def wants_json(headers: Headers) -> bool:
    accepted = listed(headers, "accept")
    return "application/json" in accepted and "text/html" not in accepted


def is_foreign(headers: Headers) -> bool:
    """Whether a browser reports a request from another site, or a link there."""
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")


_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::[0-9]*)?")


def _name_of(host: str) -> str:
    """Return the name in a Host header, without the port; empty if it is invalid."""
    name = _HOST.fullmatch(host)
    return (name[1] or name[2]).lower() if name else ""


PATIENCE = 1  # seconds that a page waits for its answer before it shows progress

#: Static files by name, with the script of reports.
FILES: dict[str, bytes] = {
    name: (_STATIC / name).read_bytes() for name in sorted(one.name for one in _STATIC.iterdir())
} | {"report.js": SCRIPT.encode()}
#: Identifies their content in addresses, so that browsers may cache them.
_EDITION = sha256(b"".join(FILES.values())).hexdigest()[:12]

_PAGES = Environment(
    loader=PackageLoader("exactdice.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.globals |= {
    "version": __version__,
    "typed": EXAMPLES,
    "year": date.today().year,
    "style": _STYLE,
}
_PAGES.globals["static"] = lambda name: f"/static/{_EDITION}/{name}"


def page(request: Request, template: str, code: int = 200, /, **context: Any) -> Response:
    play = linked("exactdice.web.play:PLAY")
    return tagged(_PAGES.get_template(template).render(context, request=request, play=play), code)


def tagged(content: Any, code: int = 200) -> Response:
    """Send a page with an ETag, by which a browser checks whether it has changed."""
    made = HTMLResponse(content, code)
    made.headers["etag"] = f'W/"{sha256(made.body).hexdigest()[:20]}"'
    return made


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def asked_by(
    request: Request, question: Question, piece: Piece, back: str, patience: float = PATIENCE
) -> Any:
    client = request.client.host if request.client else ""
    return await desk_of(request).ask(question, piece, back, patience, client)


def given_in(request: Request) -> dict[str, list[str]]:
    query = request.query_params
    return {name: query.getlist(name) for name in query}


def problem_answer(request: Request, problem: Problem | Exception, status: int = 422) -> Response:
    if isinstance(problem, Problem):
        line, argument, status = problem.line, problem.argument, problem.status
    else:
        line = str(problem)
        argument = problem.argument if isinstance(problem, InputError) else ""
    if wants_json(request.headers) or request.url.path.endswith(".json"):
        return JSONResponse({"error": line, "field": argument.replace("-", "_")}, status)
    return page(request, "error.html", status, line=line, status=status)


def waiting(request: Request, job: Job, *, as_json: bool) -> Response:
    address = f"/jobs/{job.name}"
    if not as_json:
        return RedirectResponse(address, 303)
    return JSONResponse(told_of(request, job), 202, {"retry-after": "1", "location": address})


def told_of(request: Request, job: Job) -> Mapping[str, Any]:
    what, done, total = job.work.progress
    state = "computing"
    before = desk_of(request).before(job)
    if job.outcome is True:
        state = "done"
    elif isinstance(job.outcome, Problem):
        state = "failed" if job.outcome.status != 410 else "cancelled"
    elif before is not None:
        state = "waiting"
    return {"job": f"/jobs/{job.name}", "cancel": f"/jobs/{job.name}/cancel", "answer": job.back,
            "question": str(job.work.question), "state": state, "before": before, "counted": what,
            "done": done, "total": total,
            "error": job.outcome.line if isinstance(job.outcome, Problem) else None}  # fmt: skip
