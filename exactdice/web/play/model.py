"""What a page of play is, and how it gets the answers that it shows."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from exactdice.arithmetic import decimal, mpq
from exactdice.errors import ExactDiceError, InputError
from exactdice.question import Question
from exactdice.rooms import question_class
from exactdice.web.desk import Job
from exactdice.web.forms import canonical, question_from
from exactdice.web.guard import is_foreign
from exactdice.web.pieces import report_itself
from exactdice.web.views import PATIENCE, desk_of, page, told_of
from exactdice.web.workers import Problem


@dataclass(frozen=True)
class Game:
    """A page of play: its address, its tab above every page, its name, a line, what shows it."""

    path: str
    tab: str
    name: str
    about: str
    show: Callable[[Request], Awaitable[Response]]


def value_in(request: Request, name: str, default: str = "") -> str:
    """The text of a field in the query, or its default where it is empty."""
    return request.query_params.get(name, "").strip() or default


def asked(command: str, **fields: object) -> Question:
    """Make a question from what a page gives its fields; its room is imported when it is needed.

    >>> print(asked("risk win", attackers="4", defenders=2))
    risk win 4 2
    """
    query = {name: [str(value)] for name, value in fields.items()}
    return question_from(question_class(command), query)


def percent(chance: Any, places: int = 1) -> str:
    """Write a chance in percent.

    >>> percent(mpq(1, 3))
    '33.3 %'
    """
    return f"{decimal(mpq(chance) * 100, places)} %"


async def played(
    request: Request,
    template: str,
    ask: Callable[[], list[Question]],
    show: Callable[..., dict[str, Any]],
    **context: Any,
) -> Response:
    """Show a page of play."""
    problem: Problem | None = None
    job: Job | None = None
    answer: dict[str, Any] | None = None
    questions: list[Question] = []
    is_led_here = False
    try:
        questions = ask()
        is_led_here = bool(questions) and is_foreign(request.headers)
        back, desk = f"{request.url.path}?{request.url.query}", desk_of(request)
        outcomes = await asyncio.gather(
            *(
                desk.ask(one, (report_itself,), back, PATIENCE)
                for one in questions
                if not is_led_here
            )
        )
        obstacle = next((one for one in outcomes if isinstance(one, Problem | Job)), None)
        if isinstance(obstacle, Job):
            job = obstacle
        elif isinstance(obstacle, Problem):
            problem = obstacle
        elif outcomes:
            answer = show(*outcomes)
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
        is_led_here=is_led_here,
        sources=[(f"exactdice {question}", canonical(question)) for question in questions],
    )
