"""Commands for texts as people type them: dice in words, battles, rolls, names of games.

`words_of` returns the command that answers a text. If there is none, `near` proposes texts that
have an answer. The search box and ``exactdice TEXT`` read texts by these functions. Other names of
games are in ``book/shelf.toml``.

Dice in words are rewritten by ``typed.txt`` in the notation of `exactdice.dice`, which the answer
shows. "At least" and "3 or more" are ``>=``; "3 sixes" is exactly three; "under" is ``<``, but
"roll under" is ``<=``, as in games of that name. "v AC 15" is ``>= 15``.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations, islice, repeat

from exactdice.errors import ExactDiceError
from exactdice.linked import linked
from exactdice.rooms import ROOMS, classes, question_class

#: Texts of each kind that can be answered.
EXAMPLES = ("4d6kh3", "4d6kh3 v 3d6", "advantage +5 vs AC 15", "two 6s in 4 rolls", "12 v 8 risk",
            "farkle 115346", "craps", "shut the box", "output 3d6", "swe value 10")  # fmt: skip

_VERBS = ("kh", "dh", "kl", "dl", "keep", "drop", "count", "highest", "lowest")
_LONGEST = 120  # characters of a text that is rewritten
_NUMBERS = re.findall(r"\w+", "zero one two three four five six seven eight nine ten eleven twelve")
_BATTLES = (
    r"(?:risk )?(\d+) ?(?:v|vs\.?|versus|against|x) ?(\d+(?:[ ,]+\d+)*)(?:(?: in)? risk)?",
    r"risk (\d+) ([\d ,]+)",
    r"(?:risk )?(\d+) attack(?:s|ers|ing)? ?(?:(?:v|vs\.?|against|and) )?(\d+)(?: defend\w*)?",
    r"(?:risk )?attack\w* (?:with )?(\d+)(?:,| vs?| against| and)? (?:defend\w* )?(?:with )?(\d+)",
)
_AROUND = re.compile(r"(?<=\d) (?:armies|army|troops|units)\b|[?:]|\b(?:odds|battle|win) (?=.*\d)")
_DICE = re.compile(r"\bd\d|\dd[\d%f{(\[]")
_ROLL = re.compile(r"(?:(farkle|zilch|reroll) ?)?((?:[1-6][ ,]*)+?)(?: (farkle|reroll))?")
_GAME = re.compile(
    r"(?:(?:play|how to (?:win|play)(?: at)?|rules of|the|best strategy for|chances? of a) )?(.+?)"
    r"(?: (?:odds|calculator|strategy|rules|dice game|game|optimal|solver))?"
)


def is_program(words: str) -> bool:
    """Whether words are an AnyDice program: they have an output, and begin with no command."""
    return bool(re.search(r"(?<![\w-])output\b\s*\S", words)) and words.split()[0] not in ROOMS


def words_of(text: str) -> list[str]:
    """Return the command that answers a text without one; nothing if there is none."""
    plain = " ".join(text.lower().split())
    if is_program(text):
        return ["anydice", text]
    for battle in filter(None, map(re.fullmatch, _BATTLES, repeat(_AROUND.sub("", plain)))):
        units = [battle[1], *re.findall(r"\d+", battle[2])]
        return ["risk", "win" if len(units) == 2 else "campaign", *units]
    roll = _ROLL.fullmatch(plain)
    faces = re.findall(r"\d", roll[2]) if roll else []
    game = roll and (roll[1] or roll[3])
    if game == "reroll":
        return ["reroll", "policy", "--dice", str(len(faces))]
    if len(faces) <= 6 and (game or len(faces) > 1):
        left = [] if len(faces) == 6 else ["--left", ",".join(["fair"] * len(faces))]
        return ["farkle", "advise", "--roll", ",".join(faces), *left]
    if not _DICE.search(plain) and (named := _game(plain)):
        return ["book", *named]
    for written in (text, _rewritten(plain))[: 1 + (len(plain) <= _LONGEST)]:
        if command := _command(written):
            return [*command.split(), written]
    return ["dice", "distribution", text] if _DICE.search(plain) else []


def _game(plain: str) -> tuple[str, ...]:
    shelf = linked("exactdice.book.shelf")
    match = _GAME.fullmatch(plain)
    given = (plain, match[1] if match else plain)
    named = next((shelf.names()[n] for n in map(shelf.key, given) if n in shelf.names()), ())
    game, _, variant = plain.rpartition(" ")
    if not named and (found := shelf.names().get(shelf.key(game))):
        rules = linked("exactdice.book:PAGES")[found[0]].variants
        return (*found, "--variant", variant) if variant in rules and len(found) == 1 else ()
    return named


def _command(written: str) -> str:
    for command in ("dice compare", "dice chance", "dice distribution"):
        with suppress(ExactDiceError):
            question_class(command)(written)  # type: ignore[call-arg] # the expression
            return command
    return ""


@cache
def _rules() -> list[tuple[str, str]]:
    from importlib.resources import files  # loads slowly, as difflib below

    rules: list[tuple[str, str]] = []
    parts: dict[str, str] = {}
    for line in files("exactdice").joinpath("typed.txt").read_text("utf-8").splitlines()[4:]:
        line = re.sub("<([A-Z]+)>", lambda name: parts[name[1]], line)
        if ":=" in line:
            name, parts[name] = line.split(" := ")
        elif line:
            pattern, replacement = line.split(" =>")
            every = enumerate(_NUMBERS) if replacement.startswith(" *") else [(0, "*")]
            rules += [(pattern.replace("\\b*", rf"\b{word}"), replacement.replace("*", str(n)))
                      for n, word in every]  # fmt: skip
    return rules


def _rewritten(plain: str) -> str:
    for pattern, replacement in _rules():
        plain = " ".join(re.sub(pattern, replacement, plain).split())
    return plain


def near(text: str) -> list[str]:
    """Return at most three texts with an answer that resemble a text without one."""
    plain = " ".join(text.lower()[:_LONGEST].split())
    return list(dict.fromkeys(_near(plain)))[:3]


def _near(plain: str) -> Iterator[str]:
    from difflib import get_close_matches

    for part in re.findall(r"[a-z]+|/", plain):
        alike = sorted(get_close_matches(part, _VERBS, 2, 1 / 2)) if part != "/" else ["//"]
        repaired = [plain.replace(part, one) for one in alike]
        yield from (one for one in repaired if one != plain and _command(one))
    words = plain.split()[:12]
    spans = sorted(combinations(range(len(words) + 1), 2), key=lambda ends: ends[0] - ends[1])
    pieces = filter(_DICE.search, (" ".join(words[slice(*ends)]) for ends in spans))
    yield from islice((one for one in pieces if any(map(_command, (one, _rewritten(one))))), 1)
    shelf = linked("exactdice.book.shelf")
    for word in (word for word in (plain, *words) if len(word) > 3 and word not in _NUMBERS):
        found = get_close_matches(shelf.key(word), shelf.names(), 1, 3 / 4)
        yield from (shelf.names()[one][0].replace("-", " ") for one in found)
    for room in get_close_matches(words[0], ROOMS, 1, 3 / 4) if words else ():
        yield classes(room)[0].example
