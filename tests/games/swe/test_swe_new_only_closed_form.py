"""New-only play: the closed forms against the chain of the game, played out here."""

from math import comb

import pytest
from flint import fmpz_poly
from gmpy2 import mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol

from exactdice.errors import InputError
from exactdice.games.swe.new_only import NewOnly, new_only_statements
from exactdice.symbolic.statements import Status


def played_by_the_rules(sides, rounds, revenue=0, legacy=0, score=0):
    """Every history of the game: the law of (revenue, legacy, score)."""
    law = {(revenue, legacy, score): mpq(1)}
    for _ in range(rounds):
        after = {}
        for (up, down, points), chance in law.items():
            # A legacy die is repaired; without one a new die is created.
            dice, broken = (up + 1, down - 1) if down else (up + 1, 0)
            for failed in range(dice + 1):
                left = dice - failed
                ways = mpq(comb(dice, failed) * (sides - 1) ** left, sides**dice)
                state = (left, broken + failed, points + left if left else 0)
                after[state] = after.get(state, mpq(0)) + chance * ways
        law = after
    return law


@pytest.mark.parametrize(
    ("sides", "revenue", "legacy", "score"),
    [(4, 0, 0, 0), (4, 2, 0, 3), (4, 1, 2, 5), (6, 0, 3, 7), (2, 3, 0, 1), (1, 2, 0, 9)],
)
def test_revenue_and_expected_score_agree_with_the_rules(sides, revenue, legacy, score):
    game = NewOnly(sides, revenue, score)
    for rounds in range(6):
        law = played_by_the_rules(sides, rounds, revenue, legacy, score)
        expected = sum((p * points for (_, _, points), p in law.items()), mpq(0))
        assert game.expected_score(rounds) == expected
        revenues = sum((p * up for (up, _, _), p in law.items()), mpq(0))
        assert game.expected_revenue(rounds) == revenues
        for dice in range(revenue + rounds + 1):
            chance = sum((p for (up, _, _), p in law.items() if up == dice), mpq(0))
            assert revenue_chances(sides, rounds, revenue)[dice] == chance


def revenue_chances(sides, rounds, revenue=0):
    """Chance of each number of revenue dice by the statement: a product over independent dice."""
    q, chances = mpq(sides - 1, sides), [mpq(1)]
    for lives in [q**rounds] * revenue + [q**age for age in range(1, rounds + 1)]:
        chances = [
            dead * (1 - lives) + alive * lives
            for dead, alive in zip([*chances, 0], [0, *chances], strict=True)
        ]
    return chances


def chain(sides, rounds, revenue=0, score=0):
    """Chance of a catastrophe, of none so far, and the expected score, for each round.

    By revenue: its chance, the chance without a catastrophe so far, and the score in expectation;
    as integers over sides^(1 + 2 + … + t + revenue·t), so that 100 rounds are quick.
    """
    mass, unharmed, scored = {revenue: mpz(1)}, {revenue: mpz(1)}, {revenue: mpz(score)}
    denominator = mpz(1)
    results = []
    for t in range(1, rounds + 1):
        most = revenue + t
        denominator *= mpz(sides) ** most
        new_mass, new_unharmed, new_scored = ([mpz(0)] * (most + 1) for _ in range(3))
        for n in mass:
            for left in range(n + 2):
                ways = comb(n + 1, left) * mpz(sides - 1) ** left * mpz(sides) ** (most - n - 1)
                new_mass[left] += ways * mass[n]
                if left:
                    new_unharmed[left] += ways * unharmed[n]
                    new_scored[left] += ways * (scored[n] + left * mass[n])
        mass, unharmed, scored = map(dict, map(enumerate, (new_mass, new_unharmed, new_scored)))
        results.append(
            tuple(
                mpq(number, denominator)
                for number in (mass[0], sum(unharmed.values()), sum(scored.values()))
            )
        )
    return results


def test_closed_form_equals_the_chain_of_the_standard_game_for_a_hundred_rounds():
    game = NewOnly(4)
    for t, (catastrophe, survival, score) in enumerate(chain(4, 100), start=1):
        assert game.catastrophe(t) == catastrophe
        assert game.survival(t) == survival
        assert game.expected_score(t) == score


def test_questions_do_not_change_a_game():
    asked = NewOnly(4, 1)
    asked.expected_score(5)
    assert asked == NewOnly(4, 1)
    assert hash(asked) == hash(NewOnly(4, 1))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 20), st.integers(0, 5), st.integers(0, 30))
def test_closed_form_equals_the_chain_from_any_start(sides, revenue, score):
    game = NewOnly(sides, revenue, score)
    for t, (catastrophe, survival, expected) in enumerate(chain(sides, 8, revenue, score), 1):
        assert game.catastrophe(t) == catastrophe
        assert game.survival(t) == survival
        assert game.expected_score(t) == expected


@pytest.mark.parametrize(("sides", "revenue"), [(2, 3), (4, 500), (10, 1000), (1000, 40)])
def test_estimated_digits_hold_the_chances(sides, revenue):
    game = NewOnly(sides, revenue)
    for rounds in (1, 4, 9):
        for chance in (game.catastrophe(rounds), game.survival(rounds)):
            written = len(chance.numerator.digits()) + len(chance.denominator.digits())
            # The denominator is no larger than k^(rolls); one digit more starts each number.
            assert written <= game.digits(rounds) + game.digits(rounds) // 500 + 3
        assert 2 * len(chance.denominator.digits()) >= game.digits(rounds) * 9 // 10


Q = fmpz_poly([0, 1])


def polynomials(rounds):
    """By the statements, in q: no catastrophe in 0, 1, … rounds, and the expected score."""
    catastrophe, survival = [fmpz_poly([1])], [fmpz_poly([1])]
    for t in range(1, rounds + 1):
        terms = (Q**j * catastrophe[j - 1] * survival[t - j] for j in range(1, t + 1))
        survival.append(sum(terms, fmpz_poly([0])))
        catastrophe.append(catastrophe[-1] * (1 - Q**t))
    score = fmpz_poly([0])  # times (1 − q)²
    for m, none in enumerate(survival):
        score += catastrophe[rounds - m] * (m * Q * none + (1 - Q) * Q * none.derivative())
    score = score * (1 - Q) - Q**2 * (1 - Q**rounds)
    quotient, remainder = divmod(score, (1 - Q) ** 2)
    assert remainder == 0  # so the score has whole coefficients
    return survival[rounds], quotient


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 7, 12, 25])
def test_the_polynomials_of_the_statements_evaluate_to_the_numbers(rounds):
    survival, score = polynomials(rounds)
    for sides in (1, 2, 3, 4, 12):
        game, q = NewOnly(sides), mpq(sides - 1, sides)
        assert value_at(score, q) == game.expected_score(rounds)
        assert value_at(survival, q) == game.survival(rounds)


def value_at(polynomial, q):
    return sum((int(c) * q**power for power, c in enumerate(polynomial.coeffs())), mpq(0))


def test_statements_are_proved():
    assert {statement.status for statement in new_only_statements()} == {Status.PROVED}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((0,), "sides"), ((4, -1), "revenue"), ((4, 0, -1), "score"), ((Symbol("k"),), "sides")],
)
def test_wrong_starts_are_refused(arguments, named):
    with pytest.raises(InputError, match=f"{named}: got"):
        NewOnly(*arguments)


def test_wrong_rounds_are_refused():
    game = NewOnly()
    for ask in (game.expected_revenue, game.survival, game.expected_score):
        with pytest.raises(InputError, match="rounds: got -1"):
            ask(-1)
    with pytest.raises(InputError, match="round: got 0"):
        game.catastrophe(0)
