"""Make the sentence of each claim, and list the theorems, claims and facts it rests on.

The folder `claims` contains the texts. The modules of the folder `derivations` compute every <name>
in them.
"""

import hashlib
import re
import sys
from functools import cache
from pathlib import Path

PROOFS = Path(__file__).resolve().parent

sys.path.append(str(PROOFS / "theorems"))
import steps  # noqa: E402 - beside the theorems
from derivations import book, farkle, fatestones, reroll, risk, swe, swe_policies  # noqa: E402, F401 - they enter claims
from kinds import CITED, GAMES, GIVEN, TABLE  # noqa: E402
from reading import need  # noqa: E402
from stepping.step import StepError  # noqa: E402, F401 - for check.py

FIELD = re.compile(r"<([a-z_0-9]+)>")


def filled(text, found):
    """Replace each <name> by its value."""
    return FIELD.sub(lambda name: str(found[name[1]]), text)


def bound_to(of, words):
    """Reject texts that omit a derived word, or contain a number that is not derived.

    A formula or domain may contain 0, 1 and 2, for example as an exponent.
    """
    said, notation = of.says + of.order, of.domain + of.formula
    need({*words} <= {*FIELD.findall(said + notation)}, "the text omits a derived word")
    typed = re.findall("[0-9]+", FIELD.sub("", said))
    typed += re.findall("[0-9]{2,}|[3-9]", FIELD.sub("", notation))
    need(not typed or not of.derive, f"numbers that are not derived: {', '.join(typed)}")


@cache
def theorems():
    """Return the SHA-256 of the text of each theorem, from its heading to the next."""
    text = (PROOFS / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    parts = [part for part in ("\n" + text).split("\n## ")[1:] if part.startswith("Theorem ")]
    digests = [hashlib.sha256(part.strip().encode()).hexdigest() for part in parts]
    return {part[: part.index(":")].lower(): of for part, of in zip(parts, digests, strict=True)}


@cache
def step(theorem):
    """Run the computational step of a theorem once; raise StepError if it fails."""
    return steps.THEOREMS[int(theorem.split()[1]) - 1]()


def stated(claim, numbers, words):
    """Return the formal parts of a claim and its sentence, as in its certificate."""
    of, name = TABLE[claim], claim.split(".")[0]
    game, found = GAMES[name], {**GIVEN.get(name, {}), **numbers, **words}
    bound_to(of, words)
    domain, says, order, formula = (
        filled(text, found) for text in (of.domain, of.says, of.order, of.formula)
    )
    last = f" (Smallest in the order: {order}.)" if order else ""
    return {
        "domain": domain,
        "formula": formula,
        "game": game,
        "order": order,
        "says": says,
        "sentence": f"In {game}, for {domain}: {says}.{last}",
        "source": of.source,
    }


def under(claim):
    """Return the claims that a claim rests on, directly or through others."""
    found, left = set(), [claim]
    while left:
        more = {name for name in TABLE[left.pop()].rests if "." in name} - found
        found, left = found | more, [*left, *more]
    return found


def foundations(claim):
    """Return what a claim rests on, after running the steps of its theorems."""
    rests = TABLE[claim].rests
    need(claim not in under(claim), "the claim rests on itself")
    named = [name for name in rests if name.startswith("theorem ")]
    for name in named:
        step(name)
    return {
        "cited": [name for name in rests if name in CITED],
        "claims": [name for name in rests if "." in name],
        "theorems": {name: theorems()[name] for name in named},
    }
