"""Find a question by its command, its JSON or its class.

The questions of a room are the classes with a command that its modules define. Modules are imported
until one contains the command, so that one game does not load the libraries of others.
"""

import importlib
import shlex
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from exactdice import NAMES_OF_GAMES
from exactdice.errors import InputError, MissingExtraError, choices, told
from exactdice.linked import LoadedOnUse, linked
from exactdice.question.model import Question
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run

__all__ = ["ROOMS", "Room", "ask", "classes", "fields_in", "question", "question_class"]


@dataclass(frozen=True)
class Room:
    """The questions whose commands begin with one word.

    `modules` define them; `is_command` tells whether the word itself is the command of the only
    question.
    """

    description: str
    modules: tuple[str, ...]
    is_command: bool = False


# The rooms that are not games, with their modules; some are a command themselves.
_OTHERS = {
    "book": ("The book of dice: exact and published values of famous games.", "book.questions"),
    "dice": (
        "Dice: exact distributions of sums, kept dice, comparisons and explosions.",
        "dice.questions",
    ),
    "anydice": ("Run AnyDice programs exactly.", "anydice.questions"),
    "symbolic": ("Closed forms: lattice points, Risk rounds, catastrophes.", "symbolic.questions"),
    "model": (
        "Models from files: solve them with a certificate, convert them, export games.",
        *("formats.questions", "jobs.export"),
    ),
    "certify": (
        "Certify or refute a value or policy that another program computed.",
        "formats.certify",
    ),
    "claims": ("Claims about the games, with verdicts, certificates and theorems.", "jobs.claims"),
    "verify": ("Compute claims again and compare their certificates byte for byte.", "jobs.claims"),
    "project": (
        "Maintainer commands: build all tables, cross-check the C++ solvers.",
        "jobs.crosscheck",
    ),
}
_COMMANDS = ("book", "anydice", "certify", "claims", "verify")


def _room(name: str) -> Room:
    modules: tuple[str, ...] = ()
    if name not in _OTHERS or name == "symbolic":
        from exactdice.games import GAMES

        if name in GAMES:
            return Room(GAMES[name].description, GAMES[name].modules())
        modules = tuple(module for game in GAMES.values() for module in game.symbolic)
    description, *own = _OTHERS[name]
    modules = (*(f"exactdice.{module}" for module in own), *modules)
    return Room(description, modules, name in _COMMANDS)


#: The rooms of questions by the first word of their commands, in the order of the help.
ROOMS: MutableMapping[str, Room] = LoadedOnUse([*NAMES_OF_GAMES, *_OTHERS], _room)


def classes(room: str) -> tuple[type[Question], ...]:
    """List the questions of a room.

    >>> [question.command for question in classes("risk")][:2]
    ['risk round', 'risk win']
    """
    return tuple(_found(room))


def _found(room: str) -> Iterator[type[Question]]:
    """Yield the questions of a room, importing each of its modules only when needed."""
    for module in map(importlib.import_module, ROOMS[room].modules):
        own = (each for each in vars(module).values() if getattr(each, "command", ""))
        own = (asked for asked in own if asked.__module__ == module.__name__)
        yield from (asked for asked in own if asked.command.split()[0] == room)


def question_class(command: str) -> type[Question]:
    """Return the question with that command; raises InputError if there is none.

    >>> question_class("risk win").example
    'risk win 4 2'
    >>> question_class("risk chess")
    Traceback (most recent call last):
    exactdice.errors.InputError: question: got 'risk chess'; expected one of 9 names (did you mean \
risk dice or risk least or risk table?); list them with "exactdice risk --help"
    """
    room = _room_of(command.split())
    for offered in _found(room):
        if offered.command == command:
            return offered
    names = [offered.command for offered in _found(room)]
    known = choices(names, command, f"exactdice {room} --help")
    raise InputError("question", command, known)


def _room_of(words: list[str]) -> str:
    room = words[0] if words else ""
    if room not in ROOMS:
        known = choices(tuple(ROOMS), room, "exactdice --help")
        raise InputError("question", " ".join(words), f"a command that begins with {known}")
    return room


def question(asked: str | Mapping[str, Any] | Question) -> Question:
    """Read a question from its command or from its JSON.

    `asked` is a command without the program's name, or the output of `Question.to_json` as an
    object or as text; a question is returned unchanged. Raises InputError if there is no such
    question, or one of its fields is invalid.

    >>> from exactdice.games import risk
    >>> question("risk win 4 2") == risk.RiskWin(4, 2)
    True
    >>> str(question({"question": "risk win", "attackers": 4, "defenders": 2, "units": "total"}))
    'risk win 4 2'
    """
    if isinstance(asked, Question):
        return asked
    if isinstance(asked, str):
        if not asked.lstrip().startswith("{"):
            question_type, fields = fields_in(asked)
            return question_type(**fields)
        try:
            asked = linked("json").loads(asked)
        except (ValueError, RecursionError) as problem:
            raise InputError("question", asked, "valid JSON") from problem
    if not isinstance(asked, Mapping) or not isinstance(asked.get("question"), str):
        raise InputError("question", asked, 'an object with a command under "question"')
    return question_class(asked["question"]).from_json(asked)


def ask(asked: str | Mapping[str, Any] | Question, run: Run = DEFAULT) -> Report:
    """Answer a question, given as for `question`, within the limits of `run`.

    Raises MissingExtraError if a library is missing.

    The value that the Risk post prints for (4, 2):

    >>> ask("risk win 4 2").value("value")
    mpq(6610505,10077696)
    """
    try:
        return question(asked).answer(run)
    except ModuleNotFoundError as problem:
        line = told(problem)
        if line is None:
            raise
        raise MissingExtraError(line) from None


def fields_in(command: str) -> tuple[type[Question], dict[str, Any]]:
    """Read a command as its question's class and the unread texts of its fields.

    No file named in the texts is opened. Raises InputError if there is no such question, or words
    are missing, unknown or superfluous.

    >>> asked, fields = fields_in("risk win 4 2 --ties us")
    >>> asked.command, fields
    ('risk win', {'attackers': '4', 'defenders': '2', 'ties': 'us'})
    """
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise InputError("question", command, "matching quotation marks") from problem
    room = _room_of(words)
    for offered in _found(room):
        verb = offered.command.split()
        if list(words[: len(verb)]) == verb:
            read_fields = linked("exactdice.question.words:read_fields")
            return offered, read_fields(offered, words[len(verb) :])
    return question_class(" ".join(words[:2])), {}  # raises the error
