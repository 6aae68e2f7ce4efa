"""The steps of the written proofs hold, every theorem has one, and sums agree with recursions."""

import re
from itertools import accumulate, repeat

import pytest
from checker import ROOT, check, document_of, run
from derivations.risk import long_battle, powers, risk_bounds, risk_win

from exactdice.games.risk import dice_game

FOLDER = ROOT / "proofs" / "theorems"
TEXT = (FOLDER / "THEOREMS.md").read_text("utf-8")


@pytest.mark.slow
def test_every_step_holds_without_any_installed_package():
    """Steps of theorems that a claim rests on are run by check.py, in test_checker.py."""
    titles = re.findall(r"^## (Theorem \d+):", TEXT, re.M)
    assert titles == [f"Theorem {number}" for number in range(1, 37)]
    assert len(check.statements.steps.THEOREMS) == len(titles)
    used = {name for of in check.TABLE.values() if of.derive for name in of.rests}
    others = [title.split()[1] for title in titles if title.lower() not in used]
    status, printed, errors = run("-I", "-S", FOLDER / "steps.py", *others)
    assert (status, errors) == (0, "")
    assert [line.split(":")[0] for line in printed.splitlines()] == [f"theorem {x}" for x in others]


def test_every_theorem_ends_and_names_its_step():
    for theorem in TEXT.split("\n## ")[1:]:
        assert "∎" in theorem
        assert "*Step:*" in theorem


def test_no_formula_begins_a_line_with_a_sign_of_a_list_or_quote():
    # CommonMark 0.31, 5.1 and 5.2: these may interrupt a paragraph, and are not displayed then.
    assert not [line for line in TEXT.split("\n") if re.match(r" {0,3}([-+*] |>|1[.)] )", line)]


def test_the_conjecture_of_theorem_28_holds_for_armies_of_24():
    script = "-I", "-S", FOLDER / "seen_dice.py"
    status, printed, errors = run(*script, 24)
    assert (status, errors) == (0, "")
    peak, falls, *answers = printed.splitlines()
    # The package solves the game in rational numbers.
    chance = dice_game(24, 24, "after", "fighting").value
    assert peak == f"W(n, n) is greatest at n = 24: {int(chance * 10**9)} parts of 10^9"
    assert falls.endswith("after n in [1, 3]; afterwards it rises after n in []")
    against = {line.split("against: ")[1] for line in answers}
    assert against == {"54, 55, 64, 65, 66", "44, 54, 55, 64, 65, 66"}
    assert run(*script, "x")[:2] == (2, "")


def test_the_conjectures_of_theorem_22_hold_in_games_of_twelve_rounds():
    status, printed, errors = run(FOLDER / "conjectures.py", 12)
    assert (status, errors) == (0, "")
    # Claim swe.new-only-until-eleven: creating is optimal with fewer rounds left, and not there.
    assert printed.splitlines()[3:] == [
        "at a lone d4 creating is optimal with 1 to 10 rounds left",
        "at a lone d4 creating is not optimal with 11 to 11 rounds left",
    ]
    status, printed, errors = run(FOLDER / "conjectures.py", "x")
    assert (status, printed, "Traceback" in errors) == (2, "", False)


# Risk: the derivation's sum over last rounds contains the result of its recursion -----------------


def times(p, q):
    product = [0] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            product[i + j] += x * y
    return product


def test_coefficients_of_powers_are_those_of_products():
    for u in ([2890, 2611, 2275], [1, 1, 1], [2, 3, 5]):
        rows = [*accumulate(repeat(u, 9), times, initial=[1])]
        for exponent in range(19):
            products = {m: row[exponent] for m, row in enumerate(rows) if exponent < len(row)}
            assert dict(powers(u, exponent, 9)) == products


def test_bounds_of_battles_contain_the_probability_of_the_recursion():
    for a in range(4, 24):
        for d in range(3, 24):
            low, high, unit = long_battle(a, d)
            assert low <= unit * risk_win(a, d) <= high <= low + 9
    # Both bound the same number; the recursion rounds in every state.
    low, high, unit = long_battle(140, 163)
    plain = risk_bounds()
    assert unit == plain[2]
    assert max(low, plain[0][140][163]) <= min(high, plain[1][140][163])


def test_theorem_21_and_the_paper_print_the_digits_of_the_certificate():
    evidence = document_of("risk.two-lines")["evidence"]
    digits = [f"0.{parts:012}"[:8] for parts in evidence["parts_of_a_million_million"]]
    battles = [evidence["at_least_half"], evidence["below_half"]]
    paper = (ROOT / "papers/risk/risk.tex").read_text("utf-8")
    for (a, d), printed in zip(battles, digits, strict=True):
        assert f"V({a}, {d}) = {printed}…" in TEXT
        assert f"\\param{{{printed}}}" in paper
    assert evidence["over_the_line"] == "2044/2797"
