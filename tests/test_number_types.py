"""Numbers of numpy, floats and truth values, for every public argument that is a number.

A whole number of numpy is that of Python, also where 8 bits would overflow, and a float is refused
in one line. True and False count as 1 and 0 as outcomes, payoffs and rewards, and are refused where
a number is a count. Oracle: the same with int.
"""

from decimal import Decimal
from fractions import Fraction
from operator import ge, gt, le, lt

import numpy as np
import pytest
from gmpy2 import mpq, mpz

from exactdice.arithmetic import natural, rational
from exactdice.dice import Distribution, d, highest, lowest, mixture, number_of_sets, pool, repeat
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError
from exactdice.formats.gambit import nfg_lines
from exactdice.games import farkle, fatestones, reroll, risk, swe
from exactdice.games.risk.rules import Territory
from exactdice.hidden.dealt import DealtGame, Showdown
from exactdice.hidden.equilibrium import equilibrium, guarantee
from exactdice.hidden.game import HiddenGame
from exactdice.models import Both, Chance, Choice, End, Game, optimum
from exactdice.run import Run
from exactdice.solve.asking import expect, probability, sensitivity, stays_best
from exactdice.solve.keeping import FreeRerolls
from exactdice.solve.laws import reward_distribution, time_distribution
from exactdice.solve.locked import LockedTurns, Race
from exactdice.solve.matrix_games import certifies, solve_matrix_game
from exactdice.solve.play import simulate
from exactdice.symbolic.ehrhart import Simplex, count_points, ehrhart
from exactdice.symbolic.polynomial import Polynomial, coefficient, partial_fractions
from exactdice.symbolic.quasi_polynomial import QuasiPolynomial

D6, COIN = d(6), d(2)
FLOATS = [float, np.float64, np.float32, np.float16, Decimal]
WHOLE = [np.int64, np.int8, np.uint8]
TRUTHS = [bool, np.bool_]


def flip(reward=0, payoff=0, successor=1):
    toss = COIN.map(lambda side: successor if side == 2 else 0)
    return Game(0, lambda side: End(payoff) if side else Chance(reward, toss))


CHOICE = Game(0, lambda at: [Choice("a", 1, COIN), Choice("b", 2, COIN)] if at == 0 else None)
MATCHING = Both({(i, j): End(i == j) for i in (0, 1) for j in (0, 1)})
HIDDEN = HiddenGame(0, lambda _: MATCHING, lambda _: ("one", "two"))
ROLLED = LockedTurns(0, lambda shown: D6 if shown < 6 else None,
                     lambda shown, face: [shown + face] if face > 1 else [], bool)  # fmt: skip


def dealt(payoff):
    deals = Distribution({("high", "low"): 1, ("low", "high"): 1})
    return equilibrium(DealtGame(deals, "", Showdown, lambda shown, one, two: payoff)).value


def stake(number):
    toss = Distribution.from_probabilities({"on": "1/2", "over": "1/2"})
    return Game("on", lambda at: Chance(number, toss) if at == "on" else None)


# Numbers where True and False count as 1 and 0. Each function takes the number x.
AMOUNTS = {
    "outcome": lambda x: Distribution({x: 1, 100: 2}) + 100,
    "face": lambda x: Distribution.from_faces([x, 100]) + 100,
    "outcome of a probability": lambda x: Distribution.from_probabilities({x: 1}) + 127,
    "image": lambda x: D6.map(lambda _: x) + 127,
    "image of two": lambda x: D6.with_other(D6, lambda a, b: x) + 127,
    "other": lambda x: D6.with_other(x, max), "+": lambda x: [D6 + x, x + D6],
    "-": lambda x: [D6 - x, x - D6], "*": lambda x: [D6 * x, x * D6],
    "//": lambda x: [D6 // x, x // D6], "/": lambda x: [D6 / x, x / D6],
    "%": lambda x: [D6 % x, x % D6],
    "<": lambda x: [x < D6, x <= D6, x > D6, x >= D6, *(f(D6, x) for f in (lt, le, gt, ge))],
    "-x, abs": lambda x: [-Distribution({x: 1}), abs(Distribution({x: 1}))],
    "mean": lambda x: [(die := Distribution({x: 1, 100: 1})).mean(), die.variance()],
    "cdf": lambda x: D6.cdf(x), "n @": lambda x: 100 @ Distribution({x: 1, 100: 1}),
    "@ die": lambda x: Distribution({x: 1, 2: 1}) @ D6,
    "keep": lambda x: Distribution({x: 1, 5: 1}).keep_highest(3, 2) + 0,
    "explode": lambda x: Distribution({x: 1, 5: 1}).explode(2),
    "exploding": lambda x: Distribution({x: 1, 5: 1}).exploding().cut("1/8"),
    "worth": lambda x: D6.exploding([6], worth=lambda face: x).cut("1/8"),
    "endless": lambda x: [(D6.exploding() + x).cut("1/2"), (x + D6.exploding()).cut("1/2")],
    "total": lambda x: [D6.exploding().probability(x), D6.exploding().cdf(x)],
    "reroll": lambda x: D6.reroll([x]), "on": lambda x: D6.explode(1, on=[x]),
    "payoff of an outcome": lambda x: D6.expectation(lambda face: x),
    "highest": lambda x: [highest(D6, x), lowest(D6, x)],
    "fold": lambda x: pool(2, D6).fold(0, lambda total, face, shown: x),
    "mixture": lambda x: mixture([("1/2", Distribution({x: 1})), ("1/2", D6)]),
    "repeat": lambda x: repeat(0, lambda at: Distribution({x: 1, 0: 1}), bool).law,
    "End": lambda x: End(x), "Choice": lambda x: Choice("a", x, COIN),
    "Chance": lambda x: Chance(x, COIN),
    "Both": lambda x: optimum(Game(0, lambda _: Both({(0, 0): End(x)}))).value,
    "reward": lambda x: optimum(flip(reward=x)).value,
    "payoff": lambda x: optimum(flip(payoff=x)).value,
    "successor": lambda x: optimum(flip(reward=1, successor=x)).model.states,
    "initial": lambda x: Game(x, lambda at: End(at)).explored().states,
    "law of rewards": lambda x: reward_distribution(flip(reward=x)).mean,
    "simulate": lambda x: simulate(optimum(flip(payoff=x)), 2).mean,
    "of": lambda x: expect(CHOICE, lambda at: x).value, "payoff of a deal": lambda x: dealt(x),
    "worth of a roll": lambda x: FreeRerolls(2, D6, 2).solve(lambda roll: x).value,
    "worth of a turn": lambda x: optimum(ROLLED.game(lambda end: x)).value,
    "points of a race": lambda x: Race(ROLLED, lambda end: x, 1).enclosed("1/10").chance(0, 0),
    "matrix": lambda x: solve_matrix_game([[x, 100], [100, x]]).value,
    "certifies": lambda x: certifies([[x]], solve_matrix_game([[1]])),
    "nfg": lambda x: list(nfg_lines([[x]])),
    "sensitivity": lambda x: sensitivity(lambda p: stake(x), 1).value
}  # fmt: skip

# Counts and settings: True is an error.
COUNTS = {
    "weight": (3, lambda x: Distribution({1: x, 2: 100})),
    "probability": (1, lambda x: Distribution.from_probabilities({1: x})),
    "chance": (1, lambda x: mixture([(x, D6)])), "sides": (3, d),
    "count": (3, lambda x: [x @ D6, D6.sum_of(x), (x @ D6.exploding()).lowest]),
    "times": (2, lambda x: [D6.reroll([1], times=x), D6.explode(times=x)]),
    "rolled": (3, lambda x: D6.keep_highest(x)),
    "kept": (2, lambda x: [D6.keep_highest(3, x), pool(4, D6).keep_middle(x)]),
    "ranks": (2, lambda x: pool(3, D6).keep([x])), "dice": (3, lambda x: pool(x, D6).sum()),
    "size": (2, lambda x: number_of_sets(pool(3, D6), x)), "level": (1, lambda x: D6.quantile(x)),
    "remainder": (1, lambda x: D6.exploding().cut(x)),
    "within": (2, lambda x: probability(flip(), bool, within=x).value),
    "width": (1, lambda x: optimum(CHOICE, width=x).value),
    "plays": (2, lambda x: simulate(optimum(CHOICE), x).mean),
    "seed": (2, lambda x: simulate(optimum(CHOICE), 2, seed=x).mean),
    "policy": (1, lambda x: expect(CHOICE, policies={1: {0: {"a": x}}}).value),
    "mixed": (1, lambda x: guarantee(HIDDEN, 1, {"one": {0: 0, 1: x}}).value),
    "tolerance": (1, lambda x: guarantee(HIDDEN, 1, {"one": {0: 1}}, tolerance=x).value),
    "width of an equilibrium": (1, lambda x: equilibrium(HIDDEN, width=x).value),
    "level of a law": (1, lambda x: time_distribution(CHOICE.explored(), {0: "a"}).quantile(x)),
    "at": (2, lambda x: sensitivity(stake, x)),
    "step": (2, lambda x: sensitivity(stake, 1, step=x)),
    "range": (2, lambda x: stays_best(stake, x, within=(x, 3), width=x)),
    "dice of a turn": (2, lambda x: FreeRerolls(x, D6, 1).solve(sum).value),
    "rolls of a turn": (2, lambda x: FreeRerolls(2, D6, x).solve(sum).value),
    "target": (2, lambda x: Race(ROLLED, lambda end: end or 0, x).enclosed("1/10").chance(0, 0)),
    "memory": (10**6 // 10**4, lambda x: Run(memory=x).memory),
    "seconds": (100, lambda x: Run(seconds=x).check()),
    "enclosure": (2, lambda x: [Enclosure.of(x), Enclosure.of(1) + x, x * Enclosure.of("1/3")]),
    "bound": (2,
        lambda x: [x < Enclosure.of(1), x >= Enclosure.of(1), Enclosure.of(1).at_least(x)]),
    "exponent": (2, lambda x: Enclosure.of("1/3") ** x),
    "coefficients": (100, lambda x: Polynomial((x, 1))),
    "value of a polynomial": (100, lambda x: Polynomial((1, 2))(x)),
    "residues": (100, lambda x: QuasiPolynomial(((x, 1),))),
    "n": (100, lambda x: QuasiPolynomial(((1, 2),))(x)),
    "shift": (100, lambda x: QuasiPolynomial(((1, 2),)).reflected(x)),
    "factor": (100, lambda x: QuasiPolynomial(((1, 2),)).scaled(x)),
    "fraction": (1, lambda x: [coefficient([x], [x, 3], x), partial_fractions([x], [x, 3])]),
    "simplex": (3, lambda x: [list(Simplex((1, x), x)), count_points((1, x), x), ehrhart(x)(x)]),
    "farkle": (50, lambda x: farkle.advise(farkle.solve(), "111", x)[0].value),
    "fatestones": (1, lambda x: fatestones.solve("111666", "123456", x).value),
    "reroll": (2, lambda x: reroll.RerollRules(dice=x, sides=x, penalty=x)),
    "values": (3, lambda x: reroll.RerollRules(dice=1, values=[1, x])),
    "risk": (3, lambda x: risk.solve(x, x).value),
    "law of a round": (3, lambda x: risk.round_losses(x, 2)),
    "risk rules": (3,
        lambda x: risk.RiskRules(attacker_dice=x, attacker_sides=x, attacker_bonus=(x,))),
    "campaign": (3, lambda x: [risk.campaign(x, [x]), Territory(x)]),
    "battles": (3, lambda x: [risk.dice_game(x, x), risk.win_table(x, x), risk.plan(x, [x])]),
    "worth of units": (3, lambda x: risk.Worth(unit=x, guards=(x,))),
    "swe": (4, lambda x: [swe.Ladder(x, 6), swe.solve(x, swe.Ladder(4, 6)).value]),
    "score": (4, lambda x: swe.solve(1, start=swe.State((1, 0, 0, 0, 0), (0,) * 5, x)).value),
    "natural": (100, lambda x: natural(x, "number")), "rational": (100, lambda x: rational(x))
}  # fmt: skip


def shown(answer):
    assert "np." not in repr(answer)
    return repr(answer)


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("place", [*AMOUNTS, *COUNTS])
def test_integers_of_numpy_equal_those_of_python(place, kind):
    number, asked = COUNTS.get(place) or (1, AMOUNTS[place])
    assert shown(asked(kind(number))) == shown(asked(number))


@pytest.mark.slow
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("place", [*AMOUNTS, *COUNTS])
def test_floats_are_refused_in_a_line(place, kind):
    number, asked = COUNTS.get(place) or (1, AMOUNTS[place])
    with pytest.raises(ExactDiceError) as refused:
        asked(kind(number))
    assert "; expected " in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("place", AMOUNTS)
def test_truth_counts_as_0_and_1(place, kind):
    assert AMOUNTS[place](kind(1)) == AMOUNTS[place](1)


@pytest.mark.parametrize("kind", TRUTHS)
@pytest.mark.parametrize("place", COUNTS)
def test_truth_is_no_count(place, kind):
    with pytest.raises(ExactDiceError, match="True"):
        COUNTS[place][1](kind(1))


def test_a_sum_of_8_bits_does_not_overflow():
    two = Distribution({np.int8(100): np.int8(100), np.int8(27): np.int8(100)})
    assert repr(two + Distribution({np.int8(100): 1})) == "Distribution({127: 1, 200: 1})"


def test_successes_are_added_up():
    # By hand: a d20 and 5 is at least 15 in 11 of 20 ways.
    hit = d(20) + 5 >= 15
    assert repr(hit) == "Distribution({False: 9, True: 11})"
    assert repr(2 @ hit) == "Distribution({0: 81, 1: 198, 2: 121})"
    assert (hit.mean(), (hit @ D6).mean()) == (mpq(11, 20), mpq(11, 20) * mpq(7, 2))


def test_states_of_other_exact_numbers_are_not():
    states = [(0, mpz(1)), (0, mpq(1, 2)), (0, Fraction(1, 2), True), "two"]
    game = Game(0, lambda at: Distribution.from_faces(states) if at == 0 else None)
    assert set(game.explored().states) == {0, *states}
