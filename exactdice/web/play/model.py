"""Pages of play, and how they get their answers; each has a headline."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.errors import ExactDiceError, InputError
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.rooms import question_class
from exactdice.web.desk import Job
from exactdice.web.forms import canonical, question_from
from exactdice.web.pieces import report_itself
from exactdice.web.views import asked_by, is_foreign, page, told_of
from exactdice.web.workers import Problem


@dataclass(frozen=True)
class PlayPage:
    path: str
    tab: str
    name: str
    about: str
    show: Callable[[Request], Awaitable[Response]]


def value_in(request: Request, name: str, default: str = "") -> str:
    return request.query_params.get(name, "").strip() or default


def asked(command: str, **fields: object) -> Question:
    """Make a question from the fields of a page; its room is imported when needed."""
    query = {name: [str(value)] for name, value in fields.items()}
    return question_from(question_class(command), query)


async def played(request: Request, template: str, ask: Callable[[], list[Question]],
                 show: Callable[..., dict[str, Any]], labels: Mapping[str, str] | None = None,
                 **context: Any) -> Response:  # fmt: skip
    """Show a page of play: `show` returns the template's variables, errors have field labels."""
    problem: Problem | None = None
    job: Job | None = None
    answer: dict[str, Any] | None = None
    questions: list[Question] = []
    outcomes: list[Any] = []
    is_led_here = False
    try:
        questions = ask()
        is_led_here = bool(questions) and is_foreign(request.headers)
        back, piece = f"{request.url.path}?{request.url.query}", (report_itself,)
        outcomes = [] if is_led_here else await asyncio.gather(
            *(asked_by(request, one, piece, back) for one in questions)
        )  # fmt: skip
        obstacle = next((one for one in outcomes if isinstance(one, Problem | Job)), None)
        if isinstance(obstacle, Job):
            job = obstacle
        elif isinstance(obstacle, Problem):
            problem = obstacle
        elif not is_led_here:
            answer = show(*outcomes)
    except ExactDiceError as wrong:
        problem = Problem(str(wrong), wrong.argument if isinstance(wrong, InputError) else "")
    line, argument = (problem.line, problem.argument) if problem else ("", "")
    if label := (labels or {}).get(argument):
        line = label + line.removeprefix(argument)
    known = [one for one in questions if one.example]  # those that are commands
    return page(request, template, problem.status if problem else 200, **context,
                line=line, argument=argument, told=told_of(request, job) if job else None,
                answer=answer, is_led_here=is_led_here, is_first=not request.url.query,
                commands=[(f"exactdice {one}", canonical(one)) for one in known],
                files=_files(known[0], outcomes) if known else [])  # fmt: skip


def _files(asked: Question, outcomes: list[Any]) -> list[tuple[str, str]]:
    addresses = {kind: canonical(asked, suffix=f".{kind}") for kind in ("csv", "tex", "json")}
    if outcomes and isinstance(outcomes[0], Report) and outcomes[0].tables:
        addresses["csv"] += f"&table={outcomes[0].tables[0].name}"
    return list(addresses.items())
