"""The five kinds of certificate, and the table of claims; a game is its states, moves and counts.

process        values of states, compared with what the moves are worth (Bellman)
matrix-game    strategies x and y and a value v of a game of two sides who choose at once
identity       polynomials, by values at degree + 1 points and then by coefficients
search         cases listed in a stated order: a witness, or none up to a bound
induction      rational inequalities that base and step of a written proof need
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from operator import mul
from pathlib import Path
from typing import Any

from reading import Q, Rejected, need, rational

KINDS = ("process", "matrix-game", "identity", "search", "induction")
GIVEN = {}  # by game: what every text may name, the numbers of the rules that all derivations use
NUMBERS = "zero", "one", "two", "three", "four", "five", "six"


@dataclass
class Claim:
    """A statement and its derivation: `derive` returns verdict, evidence, parameters and words.

    In the texts <name> is replaced by the number or word that the derivation found under that name.
    Every number is such a name, and so are words that decide: a typed number is rejected, and so is
    a text that omits one of the words. `rests` names theorems, claims and cited facts; `coq` is the
    theorem in Coq that covers the claim. Without `derive` the claim is open. `refutes` relates a
    refuted claim to its source. `why` is for trust.py; the last four are explanations and not checked.
    """

    says: str
    domain: str
    source: str
    kind: str = ""
    rests: tuple = ()
    formula: str = ""
    order: str = ""
    coq: str = ""
    refutes: str = ""
    why: str = ""
    method: str = ""
    note: str = ""
    shown_by: tuple = ()
    is_long: bool = False
    derive: Any = None
    asks_evidence: bool = False


def table_of(name):
    """Read a file of the folder `claims`; texts may be broken into lines anywhere."""

    def joined(value):
        if isinstance(value, dict):
            return {key: joined(part) for key, part in value.items()}
        return " ".join(value.split()) if isinstance(value, str) else value

    path = Path(__file__).resolve().parent / "claims" / f"{name}.toml"
    return joined(tomllib.loads(path.read_text(encoding="utf-8")))


def claims_of(game, of):
    """Yield the claims of a game by their names; what stands before the first is of all others."""
    shared = {key: of[key] for key in ("domain", "source") if key in of}
    yield from ((f"{game}.{name}", Claim(**{**shared, **row})) for name, row in of[game].items())


FILES = {name: table_of(name) for name in ("risk", "swe", "reroll", "farkle", "fatestones")}
GAMES = {name: of["game"] for name, of in FILES.items()}
TABLE = {name: row for game, of in FILES.items() for name, row in claims_of(game, of)}
CITED = {key: f"{of['statement']} {of['reference']}." for key, of in table_of("cited").items()}


def claim(name):
    """Take the function that follows as the derivation of a claim of the table.

    A function with an argument is given the evidence, which it believes nothing of.
    """
    entry = TABLE[name]

    def enter(derive):
        entry.derive, entry.asks_evidence = cache(derive), derive.__code__.co_argcount > 0
        entry.derive = derive if entry.asks_evidence else entry.derive
        return derive

    return enter


def formula(text):
    """Return a function that is the formula in a text: what is said is what is computed."""
    code = text.translate(str.maketrans("−·", "-*")).replace("^", "**")
    code = re.sub(r"[0-9.]+", r"Q('\g<0>')", code)
    code = re.sub(r"(?<=\))(?=[A-Za-z(])", "*", code)

    def computed(**of):
        try:
            return eval(code, {"Q": Q}, of)  # noqa: S307 - a text of this folder
        except (NameError, SyntaxError):
            raise Rejected(f"another formula: {text}") from None

    return computed


def listed(items, last="and"):
    """Write a list as a sentence does: 1, 2 and 3."""
    *some, end = map(str, items)
    return f"{', '.join(some)} {last} {end}"


def cut_off(number, places):
    """Write a number as a decimal of so many places, without what follows them."""
    whole, rest = divmod(int(number * 10**places), 10**places)
    return f"{whole}.{rest:0{places}}"


def latex(number):
    """Write p/q as a fraction of LaTeX."""
    parts = map(str, Q(number).as_integer_ratio())
    return r"\tfrac" + "".join(part if len(part) == 1 else f"{{{part}}}" for part in parts)


def texts(numbers):
    return [str(number) for number in numbers]


def program(name, *arguments):
    """The command of a program in recomputed/ that has to accept; a list is one argument."""
    lists = (",".join(map(str, a)) if isinstance(a, tuple | list) else str(a) for a in arguments)
    return " ".join((name, *lists))


def multisets(dice, sides):
    """Yield each ascending roll of equal dice and the number of ordered rolls that show it."""
    for roll in combinations_with_replacement(range(1, sides + 1), dice):
        yield roll, factorial(dice) // prod(factorial(roll.count(v)) for v in set(roll))


# Decision processes ---------------------------------------------------------------------------


def bellman(values, worths):
    """What each action of each state loses: none less than 0, and one 0."""
    lost = {}
    for state, value in values.items():
        lost[state] = [value - worth for worth in worths(state)]
        need(min(lost[state]) == 0, "no Bellman equation")
    return lost


# Matrix games ---------------------------------------------------------------------------------


def equilibrium(game, witness):
    """Read (x, y, v): x earns at least v against every column, y gives at most v to every row."""
    x, y, (v,) = ([rational(p) for p in part] for part in (*witness[:2], witness[2:]))
    need(len(x) == len(game) and len(y) == len(game[0]), "no strategies of this game")
    need(min(x + y) >= 0 and sum(x) == sum(y) == 1, "no probabilities")
    earned = [sum(map(mul, x, column)) for column in zip(*game, strict=True)]
    given = [sum(map(mul, y, row)) for row in game]
    need(min(earned) >= v >= max(given), "x earns less, or y gives more")
    return texts(x), texts(y), str(v)


def saddle(game):
    """The least that the best row earns for sure, and the most that the best column gives."""
    return max(map(min, game)), min(map(max, zip(*game, strict=True)))


# Identities -----------------------------------------------------------------------------------


def value_at(coefficients, x):
    return sum(c * x**i for i, c in enumerate(coefficients))


def shifted(p, by):
    """Coefficients of p(x + by)."""
    return [sum(p[i] * comb(i, j) * by ** (i - j) for i in range(j, len(p))) for j in range(len(p))]


def interpolated(values):
    """Coefficients of the polynomial with these values at 0, 1, …: the first + x·(one of x − 1)."""
    rest = [Q(value - values[0]) / i for i, value in enumerate(values) if i]
    return [Q(values[0]), *shifted(interpolated(rest), -1)] if values else []


# Search ---------------------------------------------------------------------------------------


def decided(fails, refuted="refuted", proved="proved"):
    """The verdict of a search for what contradicts a claim."""
    return refuted if fails else proved


# Induction ------------------------------------------------------------------------------------


def positive(gaps, what, strict=True):
    """Return the texts of gaps, all above 0 (or none below), that a written proof needs."""
    need(min(gaps) > 0 if strict else min(gaps) >= 0, f"{what} fails")
    return texts(gaps)
