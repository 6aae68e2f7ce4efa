"""The rules of known games of Farkle, with their sources, and files of rules.

`KCD` is the dice game of Kingdom Come: Deliverance, by the KCD Farkle README and the game's scoring
table; `PATCH` is the boxed game of Patch Products (now PlayMonster), whose rule sheet is quoted at
possiblywrong.wordpress.com/2013/04/07/analysis-of-farkle and
howdoyouplayit.com/farkle-dice-game-rules. The other sources follow their tables.

A file of rules has a name and a table of scores; the rest is optional. Faces are written without
separators: ``111`` is three ones. In TOML::

    name = "house"
    dice = 6              # the most dice of a player, at most 7
    minimum_bank = 300    # points needed to bank, 0 by default
    hot_dice = true       # whether all dice are rolled again after all have scored, true by default
    penalty = 0           # further points that a bust costs, 0 by default
    entry_minimum = 0     # points needed to bank with a score of 0, 0 by default
    streak_penalty = 0    # points that every third bust in a row costs, 0 by default
    floor = 0             # furthest that this takes the score below 0, 0 by default
    target = 4000         # points that end a turn; no target by default

    [scores]
    1 = 100
    5 = 50
    111 = 1000

In JSON the same keys are in one object, with ``scores`` an object within it. Rules on a command
line are a name, a file, or the JSON itself; a question stores the contents of the file.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, Final

from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.games.farkle.rules.rule_set import FACES, Combination, RuleSet


def _shape(counts: tuple[int, ...], score: int) -> list[Combination]:
    return [
        Combination(faces, score)
        for faces in combinations_with_replacement(FACES, sum(counts))
        if sorted(Counter(faces).values()) == sorted(counts)
    ]


def _kinds(triples: Mapping[int, int], growth: Sequence[int]) -> list[Combination]:
    return [
        Combination((face,) * count, score * times)
        for face, score in triples.items()
        for count, times in enumerate(growth, 3)
    ]


_SINGLES: Final = (Combination((1,), 100), Combination((5,), 50))
_RISING: Final = (1, 2, 3, 4)
_DOUBLING: Final = (1, 2, 4, 8)
_HUNDREDS: Final = {face: 100 * face for face in FACES}

KCD: Final = RuleSet(
    name="kcd",
    combinations=(
        *_SINGLES,
        *_kinds(_HUNDREDS | {1: 1000}, _DOUBLING),
        Combination((1, 2, 3, 4, 5), 500),
        Combination((2, 3, 4, 5, 6), 750),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    target=6000,
)
"""Kingdom Come: Deliverance; the target is that of the KCD Farkle README."""

PATCH: Final = RuleSet(
    name="patch",
    combinations=(
        *_SINGLES,
        *_kinds(_HUNDREDS | {1: 300}, (1,)),
        *_shape((4,), 1000),
        *_shape((5,), 2000),
        *_shape((6,), 3000),
        *_shape((2, 2, 2), 1500),
        *_shape((4, 2), 1500),
        *_shape((3, 3), 2500),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    minimum_bank=500,
    target=10000,
)
"""The boxed game of Patch Products; 500 points are needed to bank (there: to open the account)."""

FACEBOOK: Final = RuleSet(
    name="facebook",
    combinations=(
        *_SINGLES,
        *_kinds(_HUNDREDS | {1: 1000}, _RISING),
        *_shape((2, 2, 2), 750),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    minimum_bank=300,
    target=10000,
    streak_penalty=500,
    floor=2500,
)
"""Facebook Farkle as M. Busche analysed it (mattbusche.org/blog/article/optimal_farkle, 2016).

The scores are the settings of his strategy generator (mattbusche.org/projects/farkle): three of a
kind, and as much again for each further die; three pairs 750, not four of a kind and a pair. 300
points are needed to bank, by its tutorial. The accessible part of the article does not state the
cost of the third bust in a row: here 500, as in Zilch. This reproduces his figure that the first of
two optimal players wins with 53.487 % with a floor of −2500; 1000 would give 53.444 %.
"""

ZILCH: Final = RuleSet(
    name="zilch",
    combinations=(
        *_SINGLES,
        *_kinds(_HUNDREDS | {1: 1000}, _DOUBLING),
        *_shape((2, 2, 2), 1500),
        *(c for c in _shape((2, 2, 1, 1), 500) if not {1, 5} & set(c.faces)),
        Combination((1, 2, 3, 4, 5, 6), 1500),
    ),
    minimum_bank=300,
    target=10000,
    streak_penalty=500,
)
"""Zilch as played at zilch.playr.co.uk, by its rules: six dice that score nothing count 500.

Conventions that the page leaves open: the target, here 10000; three pairs are of three different
faces; and no score falls below 0."""

TEN_THOUSAND: Final = RuleSet(
    name="ten-thousand",
    combinations=(*_SINGLES, *_kinds(_HUNDREDS | {1: 1000}, (1,))),
    target=10000,
)
"""Only singles and three of a kind, without a minimum: the simplest table of Dix Mille."""

RULE_SETS: Final = {rules.name: rules for rules in (KCD, PATCH, FACEBOOK, ZILCH, TEN_THOUSAND)}


_OPTIONAL = tuple(f.name for f in fields(RuleSet) if f.name not in ("name", "combinations"))
_MAX_FILE = 1 << 20  # bytes
_READERS: Mapping[str, Callable[[str], Any]] = {".json": json.loads, ".toml": tomllib.loads}


def rules_from(document: Any, argument: str = "rules") -> RuleSet:
    """Make rules from a document as in the module."""
    if not isinstance(document, Mapping):
        raise InputError(argument, document, "an object with name and scores")
    known = ("name", "scores", *_OPTIONAL)
    for key in document:
        if key not in known:
            raise InputError(argument, Unquoted(f"the key {key}"), f"one of {', '.join(known)}")
    name, scores = document.get("name"), document.get("scores")
    if not isinstance(name, str) or not name.strip() or name in RULE_SETS:
        raise InputError(f"{argument}: name", name, "a name that no built-in rules have")
    if not isinstance(scores, Mapping):
        raise InputError(f"{argument}: scores", scores, "the score of each combination of faces")
    if len({"".join(sorted(str(faces))) for faces in scores}) < len(scores):
        raise InputError(f"{argument}: scores", Unquoted("the same faces twice"), "each once")
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
        got = Unquoted(f"{name} with a wrong {problem.argument}")
        raise InputError(argument, got, problem.wanted) from problem


def rules_text(rules: RuleSet) -> str:
    """Write rules: the name of known ones, otherwise JSON for `read_rules`."""
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
    """Read rules: their name, the name of a file that ends in .json or .toml, or JSON itself."""
    if text in RULE_SETS:
        return RULE_SETS[text]
    try:
        document = _document(text, argument)
    except FileNotFoundError:
        raise ConflictError(f"{text}:", "file not found") from None
    except OSError as problem:
        raise InputError(argument, text, f"a readable file ({problem.strerror})") from problem
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, InputError):
            raise
        words = " ".join(str(problem).split())[:100]
        raise InputError(argument, text, f"JSON or TOML of rules: {words}") from problem
    return rules_from(document, argument)


def names_rules_file(text: str) -> bool:
    return text not in RULE_SETS and not text.lstrip().startswith("{")


def _document(text: str, argument: str) -> Any:
    if not names_rules_file(text):
        return json.loads(text)
    path = Path(text)
    if path.suffix.lower() not in _READERS:
        known, endings = ", ".join(RULE_SETS), " or ".join(_READERS)
        raise InputError(argument, text, f"one of {known}, or a file that ends in {endings}")
    with path.open("rb") as file:
        written = file.read(_MAX_FILE + 1)
    if len(written) > _MAX_FILE:
        raise InputError(argument, text, f"a file of at most {_MAX_FILE} bytes")
    return _READERS[path.suffix.lower()](written.decode("utf-8"))
