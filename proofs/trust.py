#!/usr/bin/env python3
"""Say what one trusts who believes a claim: TRUST.md, a line a claim, made from the tables here.

    python3 proofs/trust.py [--write]

Prints TRUST.md, or writes it. Which theorems of THEOREMS.md are proved in Coq as they are used is
the one thing typed here; that each stands in its file is looked up.
"""

import json
import re
import sys
from collections import Counter

import check
import incoq
import statements
from kinds import TABLE, listed

PATH = check.HERE / "TRUST.md"
PROVED = {"theorem 1": ("Telescoping.v", "telescoping"), "theorem 2": ("Convex.v", "convex"),
          "theorem 3": ("LoneDie.v", "lone_die_met"), "theorem 6": ("Reachable.v", "reachable"),
          "theorem 7": ("Monotone.v", "monotone"), "theorem 8": ("Limit.v", "limit"),
          "theorem 9": ("Robust.v", "fix_most_robust"),
          "theorem 10": ("MaximumDice.v", "maximum_dice"),
          "theorem 25": ("Sooner.v", "sooner"),
          "theorem 27": ("MaximumDice.v", "maximum_dice")}  # fmt: skip
PARTLY = {"theorem 11": ("AnySides.v", "lost_law"), "theorem 16": ("Scratches.v", "scratches")}

WHY = {
    "sweep": "each value follows from those of later states, and one sweep finds it: a value that is "
    "given would be checked by the same sums",
    "cases": "all cases are gone through, or all up to the smallest: that none fails has no shorter witness",
    "number": "a count, a printed figure or the value of a case that the sentence names: computing it is "
    "checking it",
    "signs": "the few numbers that a written proof compares: none is searched for",
    "points": "a polynomial at degree + 1 points, which checking its coefficients would need too",
    "bounds": "means of policies that are named, by one sweep forwards between bounds",
}


def in_coq(claim):
    """What Coq proves of a claim: all, a part, or nothing."""
    covered = incoq.covered(claim, TABLE[claim].coq)
    if not covered:
        return ""
    return "in part" if re.search(r"\bnot\b|\bup to\b", covered["extent"]) else "all"


def checked(claim):
    """What check.py does with the certificate of a claim: reads a witness, or derives for one reason."""
    if not TABLE[claim].derive:
        return "open"
    why = TABLE[claim].why
    if TABLE[claim].asks_evidence == bool(why) or why not in {"", *WHY, *TABLE}:
        raise SystemExit(f"trust.py: {claim} must read its evidence, or have one reason not to")
    if why in TABLE:
        return f"reads a witness, that of {why}"
    said = f"derives: {why}" if why else "reads a witness"
    given = json.loads((check.HERE / "certificates" / f"{claim}.json").read_text("utf-8"))
    programs = given["evidence"].get("programs")
    return f"{said}; recomputed/{programs[0].split()[0]}.cpp" if programs else said


def written(claim):
    """The theorems under a claim that Coq does not prove, and the facts that are cited."""
    under = [claim, *sorted(statements.under(claim))]
    rests = {name for one in under for name in TABLE[one].rests if "." not in name}
    for theorem, (file, name) in [*PROVED.items(), *PARTLY.items()]:
        if not re.search(rf"^Theorem {name} :", incoq.code_of(file), re.MULTILINE):
            raise SystemExit(f"trust.py: no theorem {name} in {file}, as said of {theorem}")
    return sorted(rests - PROVED.keys(), key=lambda name: (len(name), name))


def size():
    """How many lines check.py and all that it runs have, to the nearest hundred."""
    names = "check", "incoq", "kinds", "reading", "register", "statements"
    paths = [check.HERE / f"{name}.py" for name in names]
    for folder in ("derivations", "theorems"):
        paths += (check.HERE / folder).rglob("*.py")
    return round(sum(len(path.read_text("utf-8").splitlines()) for path in paths), -2)


def lines():
    """Yield the lines of TRUST.md."""
    rows = [(claim, in_coq(claim), checked(claim), written(claim)) for claim in sorted(TABLE)]
    yield "# What each claim rests on\n"
    yield "Made by `proofs/trust.py`. *In Coq*: how much of the sentence a theorem covers; of that part Coq"
    yield "is all that is trusted. *check.py*: whether it reads a witness and checks it, or derives everything a"
    yield f"second time and why, by about {size():,} lines of Python with those that it runs;"
    yield "*recomputed* are programs in C++, with `--programs`. *Written*: theorems that Coq does not prove, and cited facts, of the"
    yield f"claim and of those under it. In Coq are {listed(list(PROVED))}."
    yield "Theorems 7 and 10 are proved there for dice of every number of sides, which is theorem 27. Of theorem 11 Coq proves the"
    yield "counts of rolls for at most three dice against two (`lost_law` in `AnySides.v`), and of theorem 16 all except that duels"
    yield "have optimal strategies (`scratches` in `Scratches.v`).\n"
    yield "| | claims |\n|---|---|"
    counts = [("in Coq", sum(part == "all" for _, part, _, _ in rows)),
              ("in Coq in part", sum(part == "in part" for _, part, _, _ in rows)),
              ("of the others, on a written proof or cited fact",
               sum(not part and bool(names) for _, part, _, names in rows)),
              *Counter(re.split("[,;]", kind)[0] for _, _, kind, _ in rows).most_common()]  # fmt: skip
    yield from (f"| {what} | {count} |" for what, count in counts)
    yield "\nWhy `check.py` derives what it derives:\n"
    yield from (f"- *{kind}*: {why}." for kind, why in WHY.items())
    yield "\n| claim | in Coq | check.py | written |\n|---|---|---|---|"
    for claim, part, kind, names in rows:
        yield f"| {claim} | {part} | {kind} | {', '.join(names)} |"


def main(words):
    text = "\n".join(lines()) + "\n"
    return PATH.write_text(text, "utf-8") if words == ["--write"] else print(text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
