"""Rules of Farkle that a user writes down, in JSON or TOML.

A file names the rules and lists what scores; everything else may be left out. Faces are written one
after another, so that ``111`` is three ones. In TOML::

    name = "house"
    dice = 6              # the most dice of a player, at most 7
    minimum_bank = 300    # points needed to bank, 0 by default
    hot_dice = true       # whether all dice are rolled again after all have scored, true by default
    penalty = 0           # points that a bust costs besides, 0 by default
    entry_minimum = 0     # points needed to bank with a score of 0, 0 by default
    streak_penalty = 0    # points that every third bust in a row costs, 0 by default
    floor = 0             # how far below 0 that can bring a score, 0 by default
    target = 4000         # points that end a turn; no target by default

    [scores]
    1 = 100
    5 = 50
    111 = 1000

In JSON the same keys stand in one object, with ``scores`` an object within it. Rules on a command
line are a name, a file, or the JSON itself; a question holds what the file said, not its name.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.combinations import Combination
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.tables import RULE_SETS, rule_set

_OPTIONAL = tuple(f.name for f in fields(RuleSet) if f.name not in ("name", "combinations"))
_MAX_FILE = 1 << 20  # bytes
_READERS: Mapping[str, Callable[[str], Any]] = {".json": json.loads, ".toml": tomllib.loads}


def rules_from(document: Any, argument: str = "rules") -> RuleSet:
    """Make the rules that a document, as the module says, describes.

    >>> rules_from({"name": "ones", "scores": {"1": 100, "111": 1000}}).score([1, 1, 1])
    1000
    """
    if not isinstance(document, Mapping):
        raise InputError(argument, document, "an object with name and scores")
    known = ("name", "scores", *_OPTIONAL)
    for key in document:
        if key not in known:
            raise InputError(argument, Unquoted(f"the key {key}"), f"one of {', '.join(known)}")
    name, scores = document.get("name"), document.get("scores")
    if not isinstance(name, str) or not name.strip() or name in RULE_SETS:
        raise InputError(f"{argument}: name", name, "a name of its own")
    if not isinstance(scores, Mapping):
        raise InputError(f"{argument}: scores", scores, "the score of each combination of faces")
    if len({"".join(sorted(str(faces))) for faces in scores}) < len(scores):
        raise InputError(f"{argument}: scores", Unquoted("the same faces twice"), "them once")
    for faces, score in scores.items():
        if not re.fullmatch("[1-6]{1,7}", str(faces)):
            raise InputError(f"{argument}: scores", faces, "faces from 1 to 6, such as 111")
        if type(score) is not int or score < 1:
            raise InputError(f"{argument}: scores", score, f"a number of points for {faces}")
    options = {key: document[key] for key in _OPTIONAL if key in document}
    for key, value in options.items():
        wanted: type = bool if key == "hot_dice" else int
        if type(value) is not wanted and not (key == "target" and value is None):
            described = "true or false" if wanted is bool else "a whole number"
            raise InputError(f"{argument}: {key}", value, described)
    scoring = (Combination(tuple(map(int, faces)), score) for faces, score in scores.items())
    try:
        return RuleSet(name, tuple(sorted(scoring, key=lambda one: one.faces)), **options)
    except InputError as problem:
        raise InputError(
            argument, Unquoted(f"{name} with a wrong {problem.argument}"), problem.wanted
        ) from problem


def rules_text(rules: RuleSet) -> str:
    """Write rules: the name of known ones, else JSON that `read_rules` reads.

    >>> rules_text(RULE_SETS["kcd"]), rules_text(RuleSet("ones", (Combination((1, 1), 9),)))
    ('kcd', '{"name":"ones","scores":{"11":9}}')
    """
    if RULE_SETS.get(rules.name) == rules:
        return rules.name
    document: dict[str, Any] = {"name": rules.name, "scores": {}}
    for combination in sorted(rules.combinations, key=lambda one: one.faces):
        faces = "".join(map(str, combination.faces))
        document["scores"][faces] = max(combination.score, document["scores"].get(faces, 0))
    for field in fields(RuleSet):
        value = getattr(rules, field.name)
        if field.name in _OPTIONAL and value != field.default:
            document[field.name] = value
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def read_rules(text: str, argument: str = "rules") -> RuleSet:
    """Read rules: their name, the name of a file that ends in .json or .toml, or JSON itself.

    >>> read_rules("patch").minimum_bank
    500
    >>> read_rules("poker")
    Traceback (most recent call last):
    exactdice.errors.InputError: rules: got 'poker'; give one of kcd, patch, facebook, zilch, \
ten-thousand, or a file of rules that ends in .json or .toml
    """
    if text in RULE_SETS:
        return rule_set(text)
    try:
        document = _document(text, argument)
    except OSError as problem:
        wanted = f"a file that can be read: {problem.strerror}"
        raise InputError(argument, text, wanted) from problem
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, InputError):
            raise
        words = " ".join(str(problem).split())[:100]
        raise InputError(argument, text, f"JSON or TOML of rules: {words}") from problem
    return rules_from(document, argument)


def names_rules_file(text: str) -> bool:
    """Whether `read_rules` takes this for the name of a file."""
    return text not in RULE_SETS and not text.lstrip().startswith("{")


def _document(text: str, argument: str) -> Any:
    """Read JSON, or a file of JSON or TOML."""
    if not names_rules_file(text):
        return json.loads(text)
    path = Path(text)
    if path.suffix.lower() not in _READERS:
        known = ", ".join(RULE_SETS)
        wanted = f"one of {known}, or a file of rules that ends in {' or '.join(_READERS)}"
        raise InputError(argument, text, wanted)
    with path.open("rb") as file:
        written = file.read(_MAX_FILE + 1)
    if len(written) > _MAX_FILE:
        raise InputError(argument, text, f"a file of at most {_MAX_FILE} bytes")
    return _READERS[path.suffix.lower()](written.decode("utf-8"))
