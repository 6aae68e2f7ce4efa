"""Addresses of questions: the form, the answer in every format; and jobs.

An answer links to the certificates of the claims that it shows, in ``proofs/certificates`` of a
checkout; without a checkout it has none.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)

from exactdice import typed
from exactdice.arithmetic import natural
from exactdice.claims.certificates import checkout
from exactdice.claims.model import Claim
from exactdice.errors import ConflictError, ExactDiceError, InputError, OutputError, shortened
from exactdice.jobs.claims import CLAIMS
from exactdice.question import Question
from exactdice.report.writers import Format
from exactdice.rooms import ROOMS, fields_in, question
from exactdice.web import forms, views
from exactdice.web.desk import Job
from exactdice.web.pieces import ReportView, as_file, shown
from exactdice.web.workers import Problem

MAX_DIGITS = 1000  # of decimals

_BETWEEN_EVENTS = 0.25  # seconds

_TYPES = {Format.TEXT: "text/plain", Format.JSON: "application/json", Format.CSV: "text/csv",
          Format.MD: "text/markdown", Format.LATEX: "application/x-tex",
          Format.HTML: "text/html", Format.PARQUET: "application/vnd.apache.parquet"}  # fmt: skip
_SUFFIXES = {form.suffix: form for form in Format}
#: Formats with links; Parquet only if its library is installed.
_OFFERED = [form for form in Format if form is not Format.PARQUET or find_spec("pyarrow")]


async def any_question(request: Request) -> Response:
    """Redirect from the text of a question, ``/ask?q=risk win 4 2``, to its address."""
    text = request.query_params.get("q", "").strip()
    if not text:
        return RedirectResponse("/", 303)
    if text.lower() in ("help", "?"):
        return views.page(request, "typed.html", text="", line="", near=(), rooms=())
    is_json = views.wants_json(request.headers)
    try:
        return RedirectResponse(address_of(text, ".json" if is_json else ""), 303)
    except ExactDiceError as problem:
        if (address := forms.address_for(text)) and not is_json:
            return RedirectResponse(address, 303)
        if is_json:
            return views.problem_answer(request, problem)
        room, known = text.split()[0].lower(), str(problem).removeprefix("question: ")
    rooms = forms.offered(room) if room in ROOMS else ()
    line = known if room in ROOMS else f"This is neither dice nor a game: {shortened(text)}"
    return views.page(request, "typed.html", 422, text=text, line=line, near=list(_near(text)),
                      rooms=[(one.command, forms.path_of(one)) for one in rooms])  # fmt: skip


def _near(text: str) -> Iterator[tuple[str, str]]:
    for one in typed.near(text):
        with suppress(ExactDiceError):  # it is not available in a browser
            yield one, forms.address_for(one) or address_of(one)


def address_of(text: str, suffix: str = "") -> str:
    """Return the address of a question from its text; no file is opened."""
    asked, fields = fields_in(text.removeprefix("exactdice ").strip())
    if forms.find("/".join(asked.command.split())) is None:
        raise ConflictError("question", "is not available in a browser; use the command line")
    several = {name: str(value).lower() if value is True else value
               for name, value in fields.items()}  # fmt: skip
    query = urlencode(several or {"ask": "all defaults"}, doseq=True)
    return f"{forms.path_of(asked)}{suffix}?{query}"


async def one_question(request: Request) -> Response:
    path: str = request.path_params["path"]
    stem, dot, ending = path.rpartition(".")
    suffix = f".{ending}" if dot else ""
    asked = forms.find(stem if dot else path)
    if asked is None or (suffix and suffix not in _SUFFIXES):
        raise HTTPException(404)
    if not suffix and views.wants_json(request.headers):
        suffix = ".json"
    query = views.given_in(request)
    if not suffix and not query:
        return _form(request, asked, {n: [value] for n, value in forms.example_of(asked).items()})
    asked_for = f"{request.scope['path']}?{request.scope['query_string'].decode('latin-1')}"
    if not suffix and (kept := request.app.state.pages.get(asked_for)):
        return views.tagged(kept)
    try:
        digits = natural(query.get("digits", ["10"])[-1], "digits", least=1, most=MAX_DIGITS)
        made = forms.question_from(asked, query)
    except ExactDiceError as problem:
        if suffix:
            return views.problem_answer(request, problem)
        argument = problem.argument if isinstance(problem, InputError) else ""
        return _form(request, asked, query, Problem(str(problem), argument))
    if views.is_foreign(request.headers) and not suffix:  # a link computes nothing
        return _form(request, asked, query, is_led_here=True)
    if views.is_foreign(request.headers):
        return RedirectResponse(forms.canonical(made, digits), 303)
    if suffix:
        return await _file(request, made, _SUFFIXES[suffix], digits, query.get("table", [""])[-1])
    address = forms.canonical(made, digits)
    if asked_for != address:
        return RedirectResponse(address, 303)
    return await _answer(request, made, digits, address)


async def _answer(request: Request, asked: Question, digits: int, address: str) -> Response:
    outcome = await views.asked_by(request, asked, (shown, digits), address)
    if isinstance(outcome, Job):
        return views.waiting(request, outcome, as_json=False)
    if isinstance(outcome, Problem):
        return _form(request, type(asked), views.given_in(request), outcome)
    more = _more(asked, digits, sum(bool(one.name) for one in outcome.tables))
    answer = _form(request, type(asked), views.given_in(request), answer=outcome, more=more)
    request.app.state.pages.put(address, bytes(answer.body))
    return answer


def _form(request: Request, asked: type[Question], query: dict[str, list[str]],
          problem: Problem | None = None, answer: ReportView | None = None, *,
          more: Mapping[str, Any] = {}, is_led_here: bool = False) -> Response:  # fmt: skip
    argument, line = (problem.argument, problem.line) if problem else ("", "")
    fields = forms.fields_of(asked, query, argument, line)
    is_beside = any(field.problem for field in fields)
    return views.page(request, "question.html", problem.status if problem else 200, asked=asked,
                path=forms.path_of(asked), room=(room := asked.command.split()[0]),
                heading=forms.heading_of(room)[0],
                example=forms.canonical(question(asked.example)), fields=fields,
                open_options=any(f.problem or f.name in query for f in fields if not f.is_required),
                line="" if is_beside else line, is_led_here=is_led_here, answer=answer,
                **{"downloads": [], "certificates": [], "text": "", **more})  # fmt: skip


def _more(made: Question, digits: int, tables: int) -> dict[str, Any]:
    text = str(made)
    # If there are several tables, each has its own CSV link; an archive is not useful.
    downloads = [(form.value, forms.canonical(made, digits, form.suffix)) for form in _OFFERED
                 if form is not Format.CSV or tables < 2]  # fmt: skip
    certificates = [(claim.id, f"/certificates/{claim.id}.json") for claim in CLAIMS
                    if text in claim.shown_by and _certificate_of(claim)]  # fmt: skip
    one_table = f"{forms.canonical(made, digits, '.csv')}&table="
    return {"downloads": downloads, "certificates": certificates, "text": text,
            "one_table": one_table, "python": repr(text)}  # fmt: skip


def _certificate_of(claim: Claim) -> Path | None:
    try:
        path = checkout() / "proofs" / "certificates" / f"{claim.id}.json"
    except OutputError:
        return None
    return path if claim.shown_by and path.is_file() else None


def certificate(request: Request) -> Response:
    name: str = request.path_params["name"]
    for claim in CLAIMS:
        if name == f"{claim.id}.json" and (path := _certificate_of(claim)):
            return FileResponse(path, media_type="application/json")
    raise HTTPException(404)


async def _file(
    request: Request, asked: Question, form: Format, digits: int, table: str
) -> Response:
    piece = (as_file, form, asked.command.replace(" ", "-"), digits, table)
    address = forms.canonical(asked, digits, form.suffix)
    as_json = views.wants_json(request.headers) or form is Format.JSON
    while True:  # until the client disconnects: downloads have no waiting page
        outcome = await views.asked_by(request, asked, piece, address)
        if as_json or not isinstance(outcome, Job) or await request.is_disconnected():
            break
    if isinstance(outcome, Problem):
        return views.problem_answer(request, outcome)
    if isinstance(outcome, Job):
        return views.waiting(request, outcome, as_json=True)
    file, content = outcome
    headers = {"content-disposition": f'attachment; filename="{file}"'}
    media = "application/zip" if file.endswith(".zip") else _TYPES[form]
    return Response(content, media_type=media, headers={} if form is Format.JSON else headers)


def _job(request: Request) -> Job:
    job = views.desk_of(request).job(request.path_params["name"])
    if job is None:
        raise HTTPException(404)
    return job


async def job_page(request: Request) -> Response:
    job = _job(request)
    if views.wants_json(request.headers):
        return JSONResponse(views.told_of(request, job))
    if job.outcome is True:
        return RedirectResponse(job.back, 303)
    limits = views.desk_of(request).limits
    problem = job.outcome if isinstance(job.outcome, Problem) else None
    return views.page(request, "job.html", problem.status if problem else 200, job=job,
                told=views.told_of(request, job), limits=limits, problem=problem)  # fmt: skip


async def cancel(request: Request) -> Response:
    job = _job(request)
    views.desk_of(request).cancel(job)
    await asyncio.wait_for(job.ended.wait(), 10)
    if views.wants_json(request.headers):
        return JSONResponse(views.told_of(request, job))
    return RedirectResponse(f"/jobs/{job.name}", 303)


async def events(request: Request) -> Response:
    job = _job(request)

    async def told() -> AsyncIterator[str]:
        last = None
        with job.watched():
            while True:
                now = json.dumps(views.told_of(request, job))
                if now != last:
                    yield f"data: {now}\n\n"
                    last = now
                if job.outcome is not None:
                    return
                await asyncio.sleep(_BETWEEN_EVENTS)

    return StreamingResponse(told(), media_type="text/event-stream")
