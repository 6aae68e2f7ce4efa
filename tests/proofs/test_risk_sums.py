"""The derivation's sum over last rounds bounds what its recursion gives."""

from itertools import accumulate, repeat

from checker import ROOT, document_of
from derivations.risk import long_battle, powers, risk_bounds, risk_win


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


def test_bounds_of_long_battles_hold_the_chance_of_the_recursion():
    for a in range(4, 24):
        for d in range(3, 24):
            low, high, unit = long_battle(a, d)
            assert low <= unit * risk_win(a, d) <= high <= low + 9


def test_bounds_of_a_long_battle_meet_those_of_the_recursion():
    # Both bound the same number; the recursion rounds in every state.
    low, high, unit = long_battle(140, 163)
    plain = risk_bounds()
    assert unit == plain[2]
    assert max(low, plain[0][140][163]) <= min(high, plain[1][140][163])


def test_theorem_21_and_the_paper_print_the_digits_of_the_certificate():
    evidence = document_of("risk.two-lines")["evidence"]
    digits = [f"0.{parts:012}"[:8] for parts in evidence["parts_of_a_million_million"]]
    battles = [evidence["at_least_half"], evidence["below_half"]]
    theorems = (ROOT / "proofs/theorems/THEOREMS.md").read_text("utf-8")
    paper = (ROOT / "papers/risk/risk.tex").read_text("utf-8")
    for (a, d), printed in zip(battles, digits, strict=True):
        assert f"V({a}, {d}) = {printed}…" in theorems
        assert f"\\param{{{printed}}}" in paper
    assert evidence["over_the_line"] == "2044/2797"
