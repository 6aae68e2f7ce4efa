"""The five kinds of certificates, the table of claims, and helpers of the derivations.

process        state values that satisfy the Bellman equations
matrix-game    strategies x and y and the value v of a zero-sum matrix game
identity       polynomials, determined by degree + 1 values, compared by coefficients
search         cases in a stated order: a witness, or none up to a bound
induction      rational inequalities for the base and the step of a written proof
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
GIVEN = {}  # by game: numbers of the rules, which every text may name
NUMBERS = "zero", "one", "two", "three", "four", "five", "six"


@dataclass
class Claim:
    """A statement and its derivation: `derive` returns verdict, evidence, parameters and words.

    In the texts <name> stands for the number or word that the derivation returns under that name.
    A text must not contain other numbers, and must contain all derived words. `rests` names
    theorems, claims and cited facts; `coq` names the theorem in Coq that covers the claim. A claim
    without `derive` is open, or not checkable if `lacks` names what is not available. `refutes` relates a refuted claim to its source. `why` is for trust.py.
    `method`, `note`, `shown_by` and `is_long` are not checked.
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
    lacks: str = ""
    method: str = ""
    note: str = ""
    shown_by: tuple = ()
    is_long: bool = False
    derive: Any = None
    asks_evidence: bool = False


def table_of(name):
    """Read a file of the folder `claims` and join the lines of its texts."""

    def joined(value):
        if isinstance(value, dict):
            return {key: joined(part) for key, part in value.items()}
        return " ".join(value.split()) if isinstance(value, str) else value

    path = Path(__file__).resolve().parent / "claims" / f"{name}.toml"
    return joined(tomllib.loads(path.read_text(encoding="utf-8")))


def claims_of(game, of):
    """Yield names and claims of a game; keys before the first claim apply to all of them."""
    shared = {key: of[key] for key in ("domain", "source") if key in of}
    yield from ((f"{game}.{name}", Claim(**{**shared, **row})) for name, row in of[game].items())


LISTED = "risk", "swe", "reroll", "farkle", "fatestones", "book"
FILES = {name: table_of(name) for name in LISTED}
GAMES = {name: of["game"] for name, of in FILES.items()}
TABLE = {name: row for game, of in FILES.items() for name, row in claims_of(game, of)}
CITED = {key: f"{of['statement']} {of['reference']}." for key, of in table_of("cited").items()}


def claim(name):
    """Register the decorated function as the derivation of a claim.

    A function with an argument receives the evidence and must check all of it.
    """
    entry = TABLE[name]

    def enter(derive):
        entry.derive, entry.asks_evidence = cache(derive), derive.__code__.co_argcount > 0
        entry.derive = derive if entry.asks_evidence else entry.derive
        return derive

    return enter


def formula(text):
    """Return the function that evaluates the formula in a text."""
    code = text.translate(str.maketrans("−·", "-*")).replace("^", "**")
    code = re.sub(r"[0-9.]+", r"Q('\g<0>')", code)
    code = re.sub(r"(?<=\))(?=[A-Za-z(])", "*", code)

    def computed(**of):
        try:
            return eval(code, {"Q": Q}, of)  # noqa: S307 - a text of this folder
        except (NameError, SyntaxError):
            raise Rejected(f"cannot evaluate the formula {text}") from None

    return computed


def listed(items, last="and"):
    """Write a list as in a sentence: 1, 2 and 3."""
    *some, end = map(str, items)
    return f"{', '.join(some)} {last} {end}"


def cut_off(number, places):
    """Write a number as a decimal, cut off after the given number of places."""
    whole, rest = divmod(int(number * 10**places), 10**places)
    return f"{whole}.{rest:0{places}}"


def latex(number):
    """Write p/q as a LaTeX fraction."""
    parts = map(str, Q(number).as_integer_ratio())
    return r"\tfrac" + "".join(part if len(part) == 1 else f"{{{part}}}" for part in parts)


def texts(numbers):
    return [str(number) for number in numbers]


def program(name, *arguments):
    """Return the command of a program in recomputed/ that must accept; a list is one argument."""
    lists = (",".join(map(str, a)) if isinstance(a, tuple | list) else str(a) for a in arguments)
    return " ".join((name, *lists))


def multisets(dice, sides):
    """Yield each ascending roll of equal dice and the number of its orders."""
    for roll in combinations_with_replacement(range(1, sides + 1), dice):
        yield roll, factorial(dice) // prod(factorial(roll.count(v)) for v in set(roll))


# Decision processes ---------------------------------------------------------------------------


def bellman(values, worths):
    """Return the loss of each action of each state; the least loss in a state must be 0."""
    lost = {}
    for state, value in values.items():
        lost[state] = [value - worth for worth in worths(state)]
        need(min(lost[state]) == 0, "a Bellman equation does not hold")
    return lost


# Matrix games ---------------------------------------------------------------------------------


def equilibrium(game, witness):
    """Check a witness (x, y, v): x guarantees at least v, and y concedes at most v."""
    x, y, (v,) = ([rational(p) for p in part] for part in (*witness[:2], witness[2:]))
    need(len(x) == len(game) and len(y) == len(game[0]), "the strategies do not fit the game")
    need(min(x + y) >= 0 and sum(x) == sum(y) == 1, "the weights are not probabilities")
    earned = [sum(map(mul, x, column)) for column in zip(*game, strict=True)]
    given = [sum(map(mul, y, row)) for row in game]
    need(min(earned) >= v >= max(given), "x guarantees less than v, or y concedes more")
    return texts(x), texts(y), str(v)


def saddle(game):
    """Return the maximin and the minimax over pure strategies."""
    return max(map(min, game)), min(map(max, zip(*game, strict=True)))


# Identities -----------------------------------------------------------------------------------


def value_at(coefficients, x):
    return sum(c * x**i for i, c in enumerate(coefficients))


def shifted(p, by):
    """Return the coefficients of p(x + by)."""
    return [sum(p[i] * comb(i, j) * by ** (i - j) for i in range(j, len(p))) for j in range(len(p))]


def interpolated(values):
    """Return the coefficients of the polynomial with these values at 0, 1, …"""
    rest = [Q(value - values[0]) / i for i, value in enumerate(values) if i]
    return [Q(values[0]), *shifted(interpolated(rest), -1)] if values else []


# Search ---------------------------------------------------------------------------------------


def decided(fails, refuted="refuted", proved="proved"):
    """Return the verdict of a search for counterexamples."""
    return refuted if fails else proved


# Induction ------------------------------------------------------------------------------------


def positive(gaps, what, strict=True):
    """Return as texts the gaps that a written proof needs: all positive, or none negative."""
    need(min(gaps) > 0 if strict else min(gaps) >= 0, f"{what} fails")
    return texts(gaps)
