"""A page for each question, made from its class: fields, domains, defaults, run time, example.

The example is answered when the page is built, except for questions that are interactive, that read
or write files, or that check the package itself.
"""

import json
from collections.abc import Iterator

from exactdice.question.model import Parameter, Question
from exactdice.rooms import ROOMS, classes, question

__all__ = ["page", "pages", "slug"]

# Commands that take minutes, or check the package itself.
_NOT_ANSWERED = ("project", "verify")


def slug(command: str) -> str:
    """Name the page of a command.

    Examples
    --------
    >>> slug("risk win")
    'risk-win'
    """
    return command.replace(" ", "-")


def pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of every page, the index first."""
    yield "questions/index.md", _index()
    for room in ROOMS:
        for asked in classes(room):
            yield f"questions/{slug(asked.command)}.md", page(asked)


def _index() -> str:
    lines = [
        "# Questions",
        "",
        "Every command is a question, and you can ask every question in Python, too. Each page",
        "lists the fields of a question with their domains and defaults.",
        "",
    ]
    for room, described in ROOMS.items():
        lines += [f"## {room}", "", described.description, ""]
        lines += ["| question | result | run time |", "|---|---|---|"]
        lines += [
            f"| [exactdice {one.command}]({slug(one.command)}.md) | {_cell(one.summary())} "
            f"| {_cell(one.takes)} |"
            for one in classes(room)
        ]
        lines.append("")
    lines += ["```{toctree}", ":hidden:", ""]
    lines += [slug(one.command) for room in ROOMS for one in classes(room)]
    return "\n".join([*lines, "```", ""])


def page(asked: type[Question]) -> str:
    """Write the page of a question in Markdown.

    Examples
    --------
    >>> from exactdice.games import risk
    >>> "| `--sides` " in page(risk.RiskWin)
    True
    """
    return "\n".join(_lines(asked)) + "\n"


def _lines(asked: type[Question]) -> Iterator[str]:
    yield f"# exactdice {asked.command}"
    yield ""
    yield asked.summary()
    yield ""
    yield "```text"
    yield _usage(asked)
    yield "```"
    yield ""
    if asked.parameters():
        yield "| field | domain | default | meaning |"
        yield "|---|---|---|---|"
        yield from map(_row, asked.parameters())
    else:
        yield "This question has no fields."
    yield ""
    yield (
        "Options of all commands: `--format`, `--output`, `--digits` and `--memory`"
        + (", and `--workers` for parallel computation." if asked.shares_work else ".")
    )
    yield ""
    if asked.takes:
        yield f"Run time: {asked.takes}."
        yield ""
    yield "## Example"
    yield ""
    example = question(asked.example)
    unanswered = asked.command.split()[0] in _NOT_ANSWERED
    if example.is_interactive or example.uses_files or unanswered:
        yield "```sh"
        yield f"exactdice {asked.example}"
        yield "```"
    else:
        yield f"```{{answer}} {asked.example}"
        yield ":as: table"
        yield "```"
    yield ""
    yield "The same in Python, and as JSON:"
    yield ""
    yield "```python"
    yield "import exactdice as xd"
    yield ""
    yield f"report = xd.ask({asked.example!r})"
    yield "```"
    yield ""
    yield "```json"
    yield json.dumps(example.to_json(), ensure_ascii=False)
    yield "```"
    yield ""
    yield f"Its class is `{asked.__module__}.{asked.__qualname__}`."


def _usage(asked: type[Question]) -> str:
    words = ["exactdice", asked.command]
    for parameter in asked.parameters():
        if parameter.is_argument:
            words.append(parameter.usage)
    return " ".join([*words, "[options]"])


def _row(parameter: Parameter) -> str:
    name = parameter.metavar if parameter.is_argument else f"--{parameter.name}"
    domain = parameter.domain
    described = domain.describe() if not domain.words else ""
    names_it = parameter.is_flag or (parameter.is_argument and described)
    kind = "" if names_it else f"`{parameter.metavar}`"
    shown = ", ".join(part for part in (kind, described) if part) or "flag"
    if parameter.is_many and "…" not in parameter.metavar:
        shown += ", several"
    cells = [f"`{name}`", shown, _default(parameter), parameter.help]
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _default(parameter: Parameter) -> str:
    if parameter.is_required:
        return "required"
    if parameter.is_drawn:
        return "random"
    if parameter.is_flag:
        return "off"
    if parameter.default is None or parameter.default == ():
        return "not set"
    several = parameter.default if parameter.is_many else (parameter.default,)
    return f"`{' '.join(map(parameter.domain.write, several))}`"


def _cell(content: str) -> str:
    """Escape a cell: a bar or a line break would end it."""
    return content.replace("|", r"\|").replace("\n", " ")
