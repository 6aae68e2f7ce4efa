"""What finds plans of hidden games: equations solved by digits, fractions recognised in them."""

import random
from operator import mul
from typing import Any

import flint
import numpy as np
import pytest
from gmpy2 import mpq, mpz

from exactdice.errors import MissingExtraError
from exactdice.hidden import guesses

sparse = pytest.importorskip("scipy.sparse", reason="extra hidden")


def by_elimination(rows: list[list[int]], place: int) -> list[mpq] | None:
    """The solution as FLINT's rational matrices have it; None of a singular matrix."""
    right = flint.fmpq_mat(len(rows), 1, [int(row == place) for row in range(len(rows))])
    try:
        solution = flint.fmpq_mat(flint.fmpz_mat(rows)).solve(right)
    except ZeroDivisionError:
        return None
    return [mpq(int(entry.p), int(entry.q)) for (entry,) in solution.tolist()]


def as_fractions(solution: tuple[list[mpz], mpz] | None) -> list[mpq] | None:
    return solution and [mpq(number, solution[1]) for number in solution[0]]


@pytest.mark.slow
def test_equations_are_solved_by_digits_as_by_elimination() -> None:
    draw, singular = random.Random(17), 0  # noqa: S311
    for _ in range(300):
        size, most = draw.randint(1, 24), draw.choice((1, 9, 1000))
        rows = [
            [draw.randint(-most, most) if draw.random() < 0.4 else 0 for _ in range(size)]
            for _ in range(size)
        ]
        place = draw.randrange(size)
        wanted = by_elimination(rows, place)
        solution = guesses._lifted(sparse.csc_matrix(np.array(rows, dtype=float)), place)
        fractions = as_fractions(solution)
        if wanted is not None:
            assert fractions == wanted
        elif fractions is not None:  # doubles did not tell, and it is one of many solutions
            sums = [sum(map(mul, row, fractions)) for row in rows]
            assert sums == [int(row == place) for row in range(size)]
        singular += wanted is None
    assert 30 < singular < 250


def test_numbers_that_do_not_fit_into_the_digits_lead_to_no_solution() -> None:
    # What is left of the right side may have 62 - 24 = 38 bits: of 1/3, a third of the entry's 3.
    for bits, is_solved in {30: True, 50: False}.items():
        rows = np.array([[1 << bits, 1], [1, 3]], dtype=float)
        solution = guesses._lifted(sparse.csc_matrix(rows), 1)
        wanted = by_elimination(rows.astype(int).tolist(), 1) if is_solved else None
        assert as_fractions(solution) == wanted


@pytest.mark.parametrize("seed", range(40))
def test_fractions_are_recognised_in_their_digits(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    count, steps = draw.randint(1, 6), draw.choice((4, 8, 16))
    digits_bits = guesses._DIGIT * steps
    most = digits_bits // 2 - 8
    parts = [draw.randint(1, 1 << (most - 2) // count) for _ in range(count)]
    fractions = [mpq(draw.randint(-3 * part, 3 * part), part) for part in parts]
    # Digits as the solver has them: the nearest whole number of 2⁻²⁴, then of what is left.
    rests, digits = list(fractions), []
    for _ in range(steps):
        nearest = [int((rest * (1 << guesses._DIGIT) + mpq(1, 2)) // 1) for rest in rests]
        rests = [r * (1 << guesses._DIGIT) - n for r, n in zip(rests, nearest, strict=True)]
        digits.append(np.array(nearest))
    assert as_fractions(guesses._recognised(digits)) == fractions


def test_a_denominator_of_more_than_half_the_bits_is_not_recognised() -> None:
    # 4 digits have 96 bits, of which a denominator may have 96 / 2 - 8 = 40.
    for denominator, is_recognised in {(1 << 40) - 87: True, (1 << 60) - 93: False}.items():
        rest, digits = mpq(1, denominator), []
        for _ in range(4):
            nearest = int((rest * (1 << 24) + mpq(1, 2)) // 1)
            rest = rest * (1 << 24) - nearest
            digits.append(np.array([nearest]))
        solution = as_fractions(guesses._recognised(digits))
        assert (solution == [mpq(1, denominator)]) is is_recognised


def test_solutions_are_put_to_the_test_in_whole_numbers() -> None:
    whole = sparse.csr_matrix(np.array([[2, 1], [1, 3]]))
    right = np.array([0, 1])
    assert guesses._solves(whole, ([mpz(-1), mpz(2)], mpz(5)), right)
    for wrong in ([mpz(1), mpz(2)], mpz(5)), ([mpz(-1), mpz(2)], mpz(4)):
        assert not guesses._solves(whole, wrong, right)


def test_without_the_library_the_extra_is_named(monkeypatch: Any) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(guesses, "linked", missing)
    with pytest.raises(MissingExtraError, match=r"scipy.*exactdice\[hidden\]"):
        guesses._library("scipy.sparse")
