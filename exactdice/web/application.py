"""The application: all addresses and their handlers, and the OpenAPI description."""

import json
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from exactdice import __version__
from exactdice.question import Question
from exactdice.question.domains import Flag, OneOf, Text, Whole
from exactdice.question.model import Parameter
from exactdice.rooms import ROOMS
from exactdice.web.asking import any_question, cancel, certificate, events, job_page, one_question
from exactdice.web.desk import MOST_OF_ONE, AnswerCache, Desk
from exactdice.web.forms import example_of, heading_of, offered, path_of
from exactdice.web.play import PLAY
from exactdice.web.play.games import cards, certificate_of, show_game
from exactdice.web.views import FILES, Guard, page, problem_answer
from exactdice.web.workers import Problem

_RESPONSES = {
    code: {"$ref": f"#/components/responses/{name}"}
    for code, name in {"200": "Report", "202": "Job", "422": "Error", "503": "Error"}.items()
}


def description() -> dict[str, Any]:
    """Describe every available question; other parts are in ``static/openapi.json``."""
    described: dict[str, Any] = json.loads(FILES["openapi.json"])
    described["info"]["version"] = __version__
    described["tags"] = [{"name": n, "description": r.description} for n, r in ROOMS.items()]
    described["paths"] |= {f"{path_of(asked)}.json": {"get": _operation(room, asked)}
                           for room in ROOMS for asked in offered(room)}  # fmt: skip
    return described


def _operation(room: str, asked: type[Question]) -> dict[str, Any]:
    fields = [p for p in asked.parameters() if not p.domain.is_file]
    return {"operationId": asked.command.replace(" ", "_").replace("-", "_"), "tags": [room],
            "summary": asked.summary(), "responses": _RESPONSES,
            "description": f"As `exactdice {asked.example}`. Takes {asked.takes}.",
            "parameters": [_parameter(p, example_of(asked).get(p.field))
                           for p in fields]}  # fmt: skip


def _parameter(parameter: Parameter, example: str | None) -> dict[str, Any]:
    described = {"name": parameter.field, "in": "query", "required": parameter.is_required,
                 "description": parameter.help, "schema": _schema(parameter)}  # fmt: skip
    return described if example is None else described | {"example": example}


def _schema(parameter: Parameter) -> dict[str, Any]:
    domain = parameter.domain
    if parameter.is_many:
        return {"type": "string", "description": "several, separated by spaces"}
    if isinstance(domain, Flag):
        return {"type": "boolean", "default": False}
    schema: dict[str, Any] = {"type": "string"}
    if type(domain) is Whole:
        schema = {"type": "integer", "minimum": domain.least}
        if domain.most is not None:
            schema["maximum"] = domain.most
    elif isinstance(domain, OneOf) or (type(domain) is Text and domain.words):
        schema["enum"] = list(map(str, domain.words))
    if parameter.default is not None and not parameter.is_drawn:
        value = parameter.default
        schema["default"] = value if type(domain) is Whole else domain.write(value)
    return schema


def application(desk: Desk, hosts: Iterable[str], *, is_open: bool = False) -> ASGIApp:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        desk.open()
        # Import all rooms before the first request.
        threading.Thread(target=lambda: (_offered_rooms(), cards()), daemon=True).start()
        try:
            yield
        finally:
            desk.close()

    app = Starlette(
        routes=[
            Route("/", _start),
            Route("/rooms/{room}", _room),
            Route("/games/{name}", show_game),
            Route("/games/{name}/certificate", certificate_of),
            Route("/ask", any_question),
            Route("/ask/{path:path}", one_question),
            Route("/jobs/{name}", job_page),
            Route("/jobs/{name}/events", events),
            Route("/jobs/{name}/cancel", cancel, methods=["POST"]),
            *(Route(game.path, game.show) for game in PLAY),
            Route("/certificates/{name}", certificate),
            Route("/openapi.json", lambda _: JSONResponse(description())),
            Route("/about", _about),
            Route("/static/{edition}/{name}", _file),
        ],
        exception_handlers={HTTPException: _no_such, Exception: _fault},
        lifespan=lifespan,
    )
    app.state.desk = desk
    app.state.is_open = is_open
    app.state.pages = AnswerCache()
    return Guard(GZipMiddleware(app, minimum_size=1000, compresslevel=5), hosts)


def _start(request: Request) -> Response:
    titles = {room: heading_of(room) for room in _offered_rooms()}
    return page(request, "start.html", titles=titles, cards=cards())


def _offered_rooms() -> list[str]:
    return [room for room in ROOMS if offered(room)]


def _room(request: Request) -> Response:
    room = request.path_params["room"]
    if room not in ROOMS or not offered(room):
        raise HTTPException(404)
    questions = [(asked, path_of(asked)) for asked in offered(room)]
    title, about = heading_of(room)
    return page(request, "room.html", title=title, about=about, questions=questions)


def _about(request: Request) -> Response:
    state = request.app.state
    has_parquet = find_spec("pyarrow") is not None
    return page(request, "about.html", limits=state.desk.limits, is_open=state.is_open,
                most_of_one=MOST_OF_ONE, parquet=has_parquet)  # fmt: skip


def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404)
    kept = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(FILES[name], media_type=_KINDS[name.rpartition(".")[2]], headers=kept)


_KINDS = {"json": "application/json", "css": "text/css", "js": "text/javascript",
          "svg": "image/svg+xml"}  # fmt: skip


def _no_such(request: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 404
    path = request.url.path
    line = f"{path[:60]}: there is no page at this address; start from the home page"
    if status == 405:
        line = f"method: got {request.method!r}; expected GET"
    return problem_answer(request, Problem(line, "", status))


def _fault(request: Request, problem: Exception) -> Response:
    line = f"this is a bug in exactdice: {type(problem).__name__}"
    return problem_answer(request, Problem(line, "", 500))
