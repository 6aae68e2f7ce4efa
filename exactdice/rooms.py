"""The door to every question: by its command, by its JSON, or by its class.

A room of questions is one or more modules with a tuple ``QUESTIONS`` of classes. Of the room that a
command names, modules are imported until one has it, so that one game's question does not wait for
the libraries of all others.
"""

import importlib
import json
import shlex
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

from exactdice.errors import InputError, MissingExtraError, told
from exactdice.games import GAMES
from exactdice.linked import LoadedOnUse
from exactdice.question.model import Question
from exactdice.question.words import read_fields
from exactdice.report.model import Report
from exactdice.run import DEFAULT, Run

__all__ = ["ROOMS", "Room", "ask", "classes", "fields_in", "question", "question_class"]


@dataclass(frozen=True)
class Room:
    """The questions whose commands begin with one word.

    Parameters
    ----------
    description
        One line about them.
    modules
        Where their classes are: each has a tuple ``QUESTIONS``.
    is_command
        Whether the word alone is the command of the one question.
    """

    description: str
    modules: tuple[str, ...]
    is_command: bool = False


# The rooms that are no game.
_OTHERS = {
    "book": Room(
        "The book of dice: famous games, their values, and what was printed of them.",
        ("exactdice.book.questions",),
        is_command=True,
    ),
    "dice": Room(
        "Dice by themselves: exact distributions of sums, kept dice, comparisons and explosions.",
        ("exactdice.dice.questions",),
    ),
    "symbolic": Room(
        "Closed forms: lattice points, Risk rounds, catastrophes.",
        ("exactdice.symbolic.questions",),
    ),
    "model": Room(
        "Models from files: solve them with a certificate, convert them, and write our games out.",
        ("exactdice.formats.questions", "exactdice.jobs.export"),
    ),
    "certify": Room(
        "Certify or refute another program's value of a model, and its policy.",
        ("exactdice.formats.certify",),
        is_command=True,
    ),
    "claims": Room(
        "What is claimed of the games, with verdicts, certificates and theorems.",
        ("exactdice.jobs.claims",),
        is_command=True,
    ),
    "verify": Room(
        "Compute claims again and compare their certificates byte for byte.",
        ("exactdice.jobs.verification",),
        is_command=True,
    ),
    "project": Room(
        "What the project makes and checks of itself: all tables, the C++ solvers.",
        ("exactdice.jobs.crosscheck",),
    ),
}


def _room(name: str) -> Room:
    """Describe a room; of the games only those that it needs are imported."""
    if name in GAMES:
        return Room(GAMES[name].description, GAMES[name].modules())
    room = _OTHERS[name]
    if name != "symbolic":
        return room
    of_games = (module for game in GAMES.values() for module in game.symbolic)
    return replace(room, modules=(*room.modules, *of_games))


#: The rooms of questions by the first word of their commands, in the order of the help.
ROOMS: MutableMapping[str, Room] = LoadedOnUse([*GAMES, *_OTHERS], _room)


#: Commands with another name, which remain until 1.0, and their names now.
FORMER = {"dice law": "dice distribution", "swe laws": "swe distributions"}


def current(command: str) -> str:
    """Return a command, or the words that begin with it, by its name of now.

    >>> current("dice law 3d6"), current("dice laws"), current("risk win 4 2")
    ('dice distribution 3d6', 'dice laws', 'risk win 4 2')
    """
    for former, name in FORMER.items():
        if f"{command} ".startswith(f"{former} "):
            return name + command.removeprefix(former)
    return command


def classes(room: str) -> tuple[type[Question], ...]:
    """List the questions of a room.

    Examples
    --------
    >>> [question.command for question in classes("risk")][:2]
    ['risk round', 'risk win']
    """
    return tuple(_found(room))


def _found(room: str) -> Iterator[type[Question]]:
    """Go through the questions of a room, importing a module when its turn comes."""
    for module in map(importlib.import_module, ROOMS[room].modules):
        yield from module.QUESTIONS


def question_class(command: str) -> type[Question]:
    """Return the question with that command.

    Raises
    ------
    InputError
        If there is none; the text lists what there is.

    Examples
    --------
    >>> question_class("risk win").example
    'risk win 4 2'
    >>> question_class("risk chess")
    Traceback (most recent call last):
    exactdice.errors.InputError: question: got 'risk chess'; expected one of risk round, risk win, \
risk table, risk least, risk survivors, risk campaign, risk plan, risk blitz, risk dice
    """
    command = current(command)
    room = command.split()[0] if command.split() else ""
    if room not in ROOMS:
        raise InputError("question", command, f"a command of {', '.join(ROOMS)}")
    for offered in _found(room):
        if offered.command == command:
            return offered
    known = ", ".join(offered.command for offered in classes(room))
    raise InputError("question", command, f"one of {known}")


def question(asked: str | Mapping[str, Any] | Question) -> Question:
    """Read a question from its command or from its JSON.

    Parameters
    ----------
    asked
        A command without the program's name, or what `Question.to_json` wrote, as an object or as
        text; a question is returned as it is.

    Raises
    ------
    InputError
        If there is no such question, or one of its fields is outside its domain.

    Examples
    --------
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
            asked = json.loads(asked)
        except (ValueError, RecursionError) as problem:
            raise InputError("question", asked, "the JSON of a question") from problem
    if not isinstance(asked, Mapping) or not isinstance(asked.get("question"), str):
        raise InputError("question", asked, 'an object with "question": such as "risk win"')
    return question_class(asked["question"]).from_json(asked)


def ask(asked: str | Mapping[str, Any] | Question, run: Run = DEFAULT) -> Report:
    """Answer a question.

    Parameters
    ----------
    asked
        As for `question`.
    run
        Limits, progress and workers.

    Raises
    ------
    MissingExtraError
        If a library is missing; the text says how to install it.

    Examples
    --------
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


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise InputError("question", command, "a command whose quotation marks match") from problem


def fields_in(command: str) -> tuple[type[Question], dict[str, Any]]:
    """Read a command as far as its question's class and the texts of its fields.

    No domain has read the texts, so nothing that they name was opened.

    Raises
    ------
    InputError
        If there is no such question, or words are missing, unknown or left over.

    Examples
    --------
    >>> asked, fields = fields_in("risk win 4 2 --ties us")
    >>> asked.command, fields
    ('risk win', {'attackers': '4', 'defenders': '2', 'ties': 'us'})
    """
    words = _split(command)
    words[:2] = current(" ".join(words[:2])).split()
    room = words[0] if words else ""
    if room not in ROOMS:
        raise InputError("question", " ".join(words), f"a command of {', '.join(ROOMS)}")
    for offered in _found(room):
        verb = offered.command.split()
        if list(words[: len(verb)]) == verb:
            return offered, read_fields(offered, words[len(verb) :])
    return question_class(" ".join(words[:2])), {}  # there is none: this says what there is
