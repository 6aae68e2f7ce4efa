"""What a page of play is, and how it gets the answers that it shows."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq
from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import decimal
from exactdice.errors import ExactDiceError, InputError
from exactdice.question import Question
from exactdice.report.model import Report
from exactdice.rooms import question_class
from exactdice.web.desk import Job
from exactdice.web.forms import canonical, question_from
from exactdice.web.pieces import report_itself
from exactdice.web.views import PATIENCE, desk_of, page, told_of
from exactdice.web.workers import Problem

__all__ = ["Game", "asked", "percent", "played", "reports_of", "value_in"]


@dataclass(frozen=True)
class Game:
    """A page of play: its address, its name, a line about it, and what shows it."""

    path: str
    name: str
    about: str
    show: Callable[[Request], Awaitable[Response]]


def value_in(request: Request, name: str, default: str = "") -> str:
    """The text of a field in the query, or its default where it is empty."""
    return request.query_params.get(name, "").strip() or default


def asked(command: str, **fields: object) -> Question:
    """Make a question from what a page gives its fields; its room is imported when it is needed.

    Examples
    --------
    >>> print(asked("risk win", attackers="4", defenders=2))
    risk win 4 2
    """
    given = {name: [str(value)] for name, value in fields.items()}
    return question_from(question_class(command), given)


def percent(chance: Any, places: int = 1) -> str:
    """Write a chance in percent.

    Examples
    --------
    >>> percent(mpq(1, 3))
    '33.3 %'
    """
    return f"{decimal(mpq(chance) * 100, places)} %"


async def reports_of(
    request: Request, *questions: Question
) -> tuple[list[Report], Job | Problem | None]:
    """Answer questions for a page: all reports, or none and what is in the way."""
    back = f"{request.url.path}?{request.url.query}"
    desk = desk_of(request)
    found = await asyncio.gather(
        *(desk.ask(asked, (report_itself,), back, PATIENCE) for asked in questions)
    )
    for one in found:
        if isinstance(one, Problem | Job):
            return [], one
    return list(found), None


async def played(
    request: Request,
    template: str,
    ask: Callable[[], list[Question]],
    show: Callable[..., dict[str, Any]],
    **context: Any,
) -> Response:
    """Show a page of play.

    Parameters
    ----------
    request, template, context
        What was asked for, and what the page is made of in any case.
    ask
        Makes the questions whose answers the page shows; none while something is left to be said.
    show
        Makes what is shown of their reports.
    """
    problem: Problem | None = None
    job: Job | None = None
    answer: dict[str, Any] | None = None
    questions: list[Question] = []
    try:
        questions = ask()
        reports, obstacle = await reports_of(request, *questions)
        if isinstance(obstacle, Job):
            job = obstacle
        elif isinstance(obstacle, Problem):
            problem = obstacle
        elif reports:
            answer = show(*reports)
    except ExactDiceError as wrong:
        problem = Problem(str(wrong), wrong.argument if isinstance(wrong, InputError) else "")
    return page(
        template,
        problem.status if problem else 200,
        **context,
        line=problem.line if problem else "",
        argument=problem.argument if problem else "",
        told=told_of(request, job) if job else None,
        answer=answer,
        sources=[(f"exactdice {one}", canonical(one)) for one in questions],
    )
