"""Shared by all handlers: pages from templates, and errors in one line."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from exactdice import __version__
from exactdice.errors import InputError
from exactdice.linked import linked
from exactdice.question import Question
from exactdice.report.html import SCRIPT, STYLE
from exactdice.web.desk import Desk, Job, Piece
from exactdice.web.guard import wants_json
from exactdice.web.workers import Problem

PATIENCE = 1  # seconds that a page waits for its answer before it shows progress

_FOLDER = Path(__file__).parent

#: Static files by name, with the style and script of reports.
FILES: dict[str, bytes] = {
    path.name: path.read_bytes() for path in sorted((_FOLDER / "static").iterdir())
} | {"report.js": SCRIPT.encode()}
FILES |= {"pages.css": STYLE.encode() + FILES["pages.css"]}
#: Identifies their content in addresses, so that browsers may cache them.
_EDITION = hashlib.sha256(b"".join(FILES.values())).hexdigest()[:12]

_PAGES = Environment(
    loader=FileSystemLoader(_FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.globals["version"] = __version__
_PAGES.globals["static"] = lambda name: f"/static/{_EDITION}/{name}"


def page(template: str, code: int = 200, /, **context: Any) -> Response:
    play = linked("exactdice.web.play:PLAY")
    return tagged(_PAGES.get_template(template).render(context, play=play), code)


def tagged(content: Any, code: int = 200) -> Response:
    """Send a page with an ETag, by which a browser checks whether it has changed."""
    made = HTMLResponse(content, code)
    made.headers["etag"] = f'W/"{hashlib.sha256(made.body).hexdigest()[:20]}"'
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


def problem_answer(
    request: Request,
    problem: Problem | Exception,
    status: int = 422,
    near: Sequence[tuple[str, str]] = (),
) -> Response:
    if isinstance(problem, Problem):
        line, argument, status = problem.line, problem.argument, problem.status
    else:
        line = str(problem)
        argument = problem.argument if isinstance(problem, InputError) else ""
    if wants_json(request.headers) or request.url.path.endswith(".json"):
        return JSONResponse({"error": line, "field": argument.replace("-", "_")}, status)
    return page("error.html", status, line=line, status=status, near=near)


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
