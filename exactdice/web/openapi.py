"""The OpenAPI description of the JSON at every question's address, made from the questions."""

from typing import Any

from exactdice import __version__
from exactdice.question import Question
from exactdice.question.domains import Choice, Flag, Whole, Words
from exactdice.question.model import Parameter
from exactdice.rooms import ROOMS
from exactdice.web.forms import example_of, offered, path_of

_ERROR = {
    "description": "What is wrong, in one line, and the field that it is about",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}


def description() -> dict[str, Any]:
    """Describe every question that is offered."""
    paths: dict[str, Any] = {}
    for room in ROOMS:
        for asked in offered(room):
            paths[f"{path_of(asked)}.json"] = {"get": _operation(room, asked)}
    paths["/jobs/{name}"] = {"get": _job("how far it is"), "parameters": [_NAME]}
    paths["/jobs/{name}/cancel"] = {"post": _job("end it"), "parameters": [_NAME]}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "exactdice",
            "version": __version__,
            "description": "Exact answers about dice games. An exact number is the text p/q under "
            "its name, with its nearest double under name_float.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [{"name": name, "description": room.description} for name, room in ROOMS.items()],
        "paths": paths,
        "components": {"schemas": _SCHEMAS},
    }


_NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}

_TEXT, _COUNT = {"type": "string"}, {"type": ["integer", "null"]}
_STATES = ["waiting", "computing", "done", "failed", "cancelled"]


def _object(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


_SCHEMAS = {
    "Error": _object("error field", error=_TEXT, field=_TEXT),
    "Job": _object(
        "job state question",
        **dict.fromkeys(("job", "question", "answer", "counted", "cancel"), _TEXT),
        **dict.fromkeys(("before", "total"), _COUNT),
        state={"enum": _STATES},
        done={"type": "integer"},
        error={"type": ["string", "null"]},
    ),
    "Report": {
        "type": "object",
        "description": "Quantities and tables under their names, and where they came from",
    },
}


def _job(does: str) -> dict[str, Any]:
    return {
        "summary": f"A long answer that is being computed: {does}",
        "responses": {
            "200": {"description": "The job", "content": _content("Job")},
            "404": {"description": "There is no such job", "content": _content("Error")},
        },
    }


def _content(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _operation(room: str, asked: type[Question]) -> dict[str, Any]:
    example = example_of(asked)
    fields = [p for p in asked.parameters() if not p.domain.is_file]
    return {
        "operationId": asked.command.replace(" ", "_").replace("-", "_"),
        "tags": [room],
        "summary": asked.summary(),
        "description": f"As `exactdice {asked.example}`. Takes {asked.takes}.",
        "parameters": [_parameter(p, example.get(p.field)) for p in fields],
        "responses": {
            "200": {"description": "The answer", "content": _content("Report")},
            "202": {
                "description": "It is being computed: ask again, or look at the job",
                "content": _content("Job"),
            },
            "422": _ERROR,
            "503": _ERROR,
        },
    }


def _parameter(parameter: Parameter, example: str | None) -> dict[str, Any]:
    described = {
        "name": parameter.field,
        "in": "query",
        "required": parameter.is_required,
        "description": parameter.help,
        "schema": _schema(parameter),
    }
    if example is not None:
        described["example"] = example
    return described


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
    elif isinstance(domain, Choice) or (type(domain) is Words and domain.words):
        schema["enum"] = list(map(str, domain.words))
    if parameter.default is not None and not parameter.is_drawn:
        value = parameter.default
        schema["default"] = value if type(domain) is Whole else domain.write(value)
    return schema
