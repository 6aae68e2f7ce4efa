#!/usr/bin/env python3
"""Write the certificates of proofs/certificates that Coq checks as Coq files, with integers alone.

    python3 proofs/coq/translate.py [--check]

The files say where they come from and are never edited by hand. With --check nothing is written,
and the exit status is 1 where one is stale. Needs neither Coq nor the package.
"""

import json
import sys
from fractions import Fraction
from math import lcm
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
CERTIFICATES = FOLDER.parent / "certificates"
HOLDS = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]
HEAD = """\
(* Made by proofs/coq/translate.py from proofs/certificates/{claim}.json; never edit this file. *)

From Coq Require Import List ZArith QArith.
From ExactDice Require Import Statements.
Import ListNotations.
"""


def evidence(claim):
    """Return the evidence of a claim's certificate."""
    return json.loads((CERTIFICATES / f"{claim}.json").read_text("ascii"))["evidence"]


def listing(entries, indent=2):
    """Write a list of Coq terms, one on a line."""
    pad = " " * indent
    return "[" + f";\n{pad} ".join(entries) + "]"


def numbers(values):
    """Write a list of numbers as a Coq list."""
    return "[" + "; ".join(map(str, values)) + "]"


def rational(text):
    """Write p or p/q as a Coq rational."""
    value = Fraction(text)
    return f"{value.numerator} # {value.denominator}"


def reroll_rows(given):
    """Return the common denominator and a row a state: dice, numerator, place of the action, rank.

    The state before the first roll comes first and that after the last choice comes last.
    """
    states, start = given["states"], Fraction(given["value"])
    values = [Fraction(value) for _, value, _, _ in states]
    common = lcm(start.denominator, *(value.denominator for value in values))
    rows = [("start", start, 0, 1 + min(rank for _, _, _, rank in states))]
    rows += [
        (dice, value, HOLDS.index(held), rank)
        for (dice, _, held, rank), value in zip(states, values, strict=True)
    ]
    rows.append(("stuck", Fraction(0), 0, 0))
    return common, [(state, int(value * common), *rest) for state, value, *rest in rows]


def reroll_plain(given):
    """Write the rows as extracted/main.ml reads them: the denominator, then a row a line."""
    common, rows = reroll_rows(given)
    lines = [
        f"{state if isinstance(state, str) else ','.join(map(str, state))} {value} {place} {rank}"
        for state, value, place, rank in rows
    ]
    return "\n".join([str(common), *lines]) + "\n"


def reroll():
    """Translate values, holds and ranks."""
    common, rows = reroll_rows(evidence("reroll.optimal-play"))
    names = {"start": "Start", "stuck": "Stuck"}
    entries = [
        f"Row {names[state] if isinstance(state, str) else f'(Showing {numbers(state)})'}"
        f" {value} {place} {rank}"
        for state, value, place, rank in rows
    ]
    return HEAD.format(claim="reroll.optimal-play") + (
        "\n(* A row: state, numerator of its value, place of the action, rank. *)\n\n"
        "Definition reroll_certificate : certificate reroll_state :=\n"
        f"  Certificate {common}\n  {listing(entries)}%nat.\n"
    )


def risk():
    """Translate the table of chances to win: a row for each number of total attackers."""
    rows = ["[" + "; ".join(map(rational, row)) + "]" for row in evidence("risk.table")["win"]]
    return HEAD.format(claim="risk.table") + (
        "\n(* Chances to win by total attackers, 2 to 10, and defenders, 1 to 10. *)\n\n"
        f"Definition risk_table : list (list Q) :=\n  {listing(rows)}%Q.\n"
    )


def duel():
    """Translate the games after each tie: both hands, strategies of both and the value."""
    entries = []
    for name, (x, y, value) in evidence("fatestones.mixed")["games"].items():
        dice = [numbers(die) for die in name.split()]
        hands = [f"{numbers(half)}%nat" for half in (dice[: len(x)], dice[len(x) :])]
        mixed = [f"{numbers(map(rational, chances))}%Q" for chances in (x, y)]
        entries.append(f"Game {' '.join(hands)}\n     {' '.join(mixed)} ({rational(value)})")
    return HEAD.format(claim="fatestones.mixed") + (
        "\n(* Hands, the chances with which either player rolls each die, and the value. *)\n\n"
        "Record game := Game { row_hand : hand; column_hand : hand;\n"
        "  row_mixed : list Q; column_mixed : list Q; game_value : Q }.\n\n"
        f"Definition duel_games : list game :=\n  {listing(entries)}.\n"
    )


FILES = {"RerollCertificate.v": reroll, "RiskCertificate.v": risk, "DuelCertificate.v": duel}


def main(words):
    """Write every file, or compare it with what is there."""
    stale = []
    for name, make in FILES.items():
        path, text = FOLDER / name, make()
        if "--check" in words:
            if not path.is_file() or path.read_text("ascii") != text:
                stale.append(name)
        else:
            path.write_text(text, "ascii")
    if stale:
        print(f"stale: {', '.join(stale)}; run {Path(__file__).name}", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
