"""The application: every address, and what stands there."""

import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from exactdice.report.html import SCRIPT, STYLE
from exactdice.rooms import ROOMS
from exactdice.web.asking import any_question, cancel, certificate, events, job_page, one_question
from exactdice.web.desk import Desk, Kept
from exactdice.web.forms import offered, path_of
from exactdice.web.guard import Guard
from exactdice.web.openapi import description
from exactdice.web.play import PLAY
from exactdice.web.views import page, problem_answer
from exactdice.web.workers import Problem


def application(desk: Desk, hosts: Iterable[str], *, is_open: bool = False) -> ASGIApp:
    """Make the application."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        desk.open()
        # Rooms are imported while nobody waits, not when the first page is asked for.
        threading.Thread(target=_offered_rooms, daemon=True).start()
        try:
            yield
        finally:
            desk.close()

    app = Starlette(
        routes=[
            Route("/", _start),
            Route("/rooms/{room}", _room),
            Route("/ask", any_question),
            Route("/ask/{path:path}", one_question),
            Route("/jobs/{name}", job_page),
            Route("/jobs/{name}/events", events),
            Route("/jobs/{name}/cancel", cancel, methods=["POST"]),
            *(Route(game.path, game.show) for game in PLAY),
            Route("/certificates/{name}", certificate),
            Route("/openapi.json", _openapi),
            Route("/about", _about),
            Route("/static/report.css", _of_reports),
            Route("/static/report.js", _of_reports),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ],
        exception_handlers={HTTPException: _no_such, Exception: _fault},
        lifespan=lifespan,
    )
    app.state.desk = desk
    app.state.is_open = is_open
    app.state.pages = Kept()
    return Guard(app, hosts)


def _start(request: Request) -> Response:
    return page("start.html", rooms=ROOMS, offered=_offered_rooms())


def _offered_rooms() -> list[str]:
    return [room for room in ROOMS if offered(room)]


def _room(request: Request) -> Response:
    room = request.path_params["room"]
    if room not in ROOMS or not offered(room):
        raise HTTPException(404)
    questions = [(asked, path_of(asked)) for asked in offered(room)]
    return page("room.html", room=room, about=ROOMS[room].description, questions=questions)


def _openapi(request: Request) -> Response:
    return JSONResponse(description())


def _about(request: Request) -> Response:
    state = request.app.state
    return page("about.html", limits=state.desk.limits, is_open=state.is_open)


def _of_reports(request: Request) -> Response:
    """Send the style or the script of reports."""
    content, kind = (STYLE, "css") if request.url.path.endswith(".css") else (SCRIPT, "javascript")
    return Response(content, media_type=f"text/{kind}", headers={"cache-control": "max-age=600"})


def _no_such(request: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 404
    path = request.url.path
    line = f"address: got {path[:60]!r}; give one that the first page leads to"
    if status == 405:
        line = f"method: got {request.method!r}; give GET"
    return problem_answer(request, Problem(line, "", status))


def _fault(request: Request, problem: Exception) -> Response:
    line = f"exactdice has a fault here: {type(problem).__name__}"
    return problem_answer(request, Problem(line, "", 500))
