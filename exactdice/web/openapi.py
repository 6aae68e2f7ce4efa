"""The OpenAPI description of the JSON at every question's address, made from the questions.

What does not depend on them stands in ``static/openapi.json``.
"""

import json
from typing import Any

from exactdice import __version__
from exactdice.question import Question
from exactdice.question.domains import Flag, OneOf, Text, Whole
from exactdice.question.model import Parameter
from exactdice.rooms import ROOMS
from exactdice.web.forms import example_of, offered, path_of
from exactdice.web.views import FILES

_RESPONSES = {
    code: {"$ref": f"#/components/responses/{name}"}
    for code, name in {"200": "Report", "202": "Job", "422": "Error", "503": "Error"}.items()
}


def description() -> dict[str, Any]:
    """Describe every question that is offered."""
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
        return {"type": "string", "description": "several with spaces between"}
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
