"""Algebraic values against equations solved by hand, errors, and the examples."""

import importlib.util
import runpy
from pathlib import Path

import pytest
from flint import Ordering, arb, fmpq_mpoly_ctx
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from model_oracles import go, refuses

from exactdice import models
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.models import Both, Chance, End, Game, as_algebraic, optimum, point_mass
from exactdice.solve import algebraic
from exactdice.solve.algebraic import AlgebraicNumber, Stage, _vanishing, algebraic_value
from exactdice.solve.matrix_games import solve_matrix_game


def root_of(best, state):
    root = as_algebraic(best, state)
    assert root is not None
    return root


def again(outcomes):
    return Game("again", lambda s: Both(outcomes) if s == "again" else End(s))


def test_the_golden_ratio_is_the_value_of_a_game():
    """By hand: [[1, 0], [v/2, 1/2]] is worth (1/2) / (3/2 − v/2) = v, so v² − 3v + 1 = 0.

    The root in (0, 1) is the square of the inverse golden ratio, (3 − √5)/2.
    """
    game = again(
        {
            ("a", "a"): End(1),
            ("a", "b"): End(0),
            ("b", "a"): Distribution({"again": 1, 0: 1}),
            ("b", "b"): End("1/2"),
        }
    )
    best = optimum(game.explored())
    root = root_of(best, "again")
    assert root.polynomial == (1, -3, 1)
    assert root.degree == 2
    assert root.holds()
    assert str(root).startswith("root of x^2 - 3*x + 1 between ")
    assert best.enclosure().decimal(10) == "0.3819660113"  # OEIS A132338
    best.certificate().check(game)


def test_a_rational_value_has_a_minimal_polynomial_of_degree_one():
    """By hand: v = (1 + v/2)/2, so v = 2/3; the determinant has the factor z − 2 besides."""
    coin = Distribution({"again": 1, 0: 1})
    game = again({(a, b): End(1) if a == b else coin for a in "ht" for b in "ht"})
    assert root_of(optimum(game.explored()), "again").polynomial == (-2, 3)


@given(st.lists(st.integers(-4, 4), min_size=9, max_size=9), st.integers(0, 8))
def test_roots_lie_in_the_enclosure_and_solve_the_game(entries, place):
    """The value less z changes sign between the ends of the enclosure; so does the polynomial."""
    pairs = [(i, j) for i in range(3) for j in range(3)]
    outcomes = {p: End(e) for p, e in zip(pairs, entries, strict=True)}
    outcomes[pairs[place]] = Chance(entries[place], Distribution({"again": 1, 0: 2}))
    best = optimum(again(outcomes).explored())
    root = as_algebraic(best, "again")
    if root is None:
        return
    assert root.holds()
    at = [
        sum((c * end**k for k, c in enumerate(root.polynomial)), mpq(0))
        for end in (best.enclosure().lower, best.enclosure().upper)
    ]
    assert at[0] * at[1] <= 0

    def excess(z):
        matrix = [[mpq(entries[3 * i + j]) for j in range(3)] for i in range(3)]
        matrix[place // 3][place % 3] += z / 3
        return solve_matrix_game(matrix).value - z

    assert excess(best.enclosure().lower) >= 0 >= excess(best.enclosure().upper)


def test_no_root_is_found_if_strategies_are_not_unique():
    """All entries equal: every strategy is optimal."""
    matrix = [[(mpq(1), {}), (mpq(1), {})]] * 2
    near = [Enclosure(mpq(99, 100), mpq(101, 100))]
    assert algebraic_value([Stage(matrix, [0, 1], [0, 1])], near) is None
    assert algebraic_value([Stage(matrix, [0], [0, 1])], near) is None


def duel(state):
    """Two rounds that lead to one another: who is ahead by one wins the round or is level again."""
    if state in ("won", "lost"):
        return End(int(state == "won"))
    up, down = ("won", "level") if state == "ahead" else ("ahead", "lost")
    slip = Distribution({up: 1, down: 1})
    return Both(
        {
            ("h", "h"): point_mass(up),
            ("t", "t"): slip,
            ("h", "t"): point_mass(down),
            ("t", "h"): point_mass("lost" if state == "level" else "won"),
        }
    )


def test_two_states_that_lead_to_one_another_have_rational_values():
    """By hand, with x for level and y for ahead: [[y, 0], [0, y/2]] is worth x = y/3; and
    [[1, x], [1, (1 + x)/2]] has a saddle point, y = (1 + x)/2. So x = 1/5 and y = 3/5.
    """
    best = optimum(Game("level", duel).explored(), width="1e-30")
    for state, polynomial in (("level", (-1, 5)), ("ahead", (-3, 5))):
        assert root_of(best, state).polynomial == polynomial


def linked(state):
    """x = val [[1, 0], [0, y]] and y = val [[1, x/2], [x/2, 2]], each leading to the other."""
    if not isinstance(state, str):
        return End(state)
    if state == "x":
        entries = [[End(1), End(0)], [End(0), point_mass("y")]]
    else:
        half = Distribution({"x": 1, 0: 1})
        entries = [[End(1), half], [half, End(2)]]
    return Both({(i, j): entries[i][j] for i in (0, 1) for j in (0, 1)})


def test_values_of_two_linked_games_solve_their_equations():
    """By hand: x = y / (1 + y) and y = (2 − x²/4) / (3 − x).

    With y = x / (1 − x) that is 4x (3 − x) = (8 − x²)(1 − x), or x³ + 3x² − 20x + 8 = 0.
    """
    best = optimum(Game("x", linked).explored(), width="1e-30")
    root = root_of(best, "x")
    assert root.holds()
    assert root.polynomial == (8, -20, 3, 1)
    other = root_of(best, "y")
    # y = x / (1 − x) is put into it, x = y / (1 + y): times (1 + y)³ it stays of degree 3.
    y = other.interval.middle
    x = y / (1 + y)
    assert abs(8 - 20 * x + 3 * x**2 + x**3) < mpq(1, 10**25)
    assert other.degree == 3


@given(st.lists(st.integers(-3, 3), min_size=8, max_size=8), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_polynomials_vanish_within_far_narrower_enclosures(pays, weight):
    """They are found from bounds of 30 digits; bounds of 60 must hold their root as well."""

    def moves(state):
        if state == 2:
            return End(0)
        on = Distribution({1 - state: weight, 2: 2})

        a, b, c, d = pays[4 * state : 4 * state + 4]
        outcomes = [Chance(a, on), End(b), End(c), Chance(d, on)]
        return Both({divmod(k, 2): outcome for k, outcome in enumerate(outcomes)})

    model = Game(0, moves).explored()
    best = optimum(model, width="1e-30")
    root = None if best.enclosure().point is not None else as_algebraic(best, 0)
    if root is not None:
        narrow = optimum(model, width="1e-60").enclosure()
        at = [
            sum((c * end**k for k, c in enumerate(root.polynomial)), mpq(0))
            for end in (narrow.lower, narrow.upper)
        ]
        assert at[0] * at[1] <= 0


def test_too_many_states_are_refused_in_one_line():
    def moves(state):
        if state < 0:
            return End(-state)
        on = Distribution({(state + 1) % 7: 2, -1: 1})
        half = Distribution({(state + 1) % 7: 1, -1: 1})
        entries = [[on, half], [half, point_mass(-2 - state % 3)]]
        return Both({(i, j): entries[i][j] for i in (0, 1) for j in (0, 1)})

    best = optimum(Game(0, moves).explored())
    assert not best.is_exact
    with pytest.raises(TooLargeError, match="7 states lead to one another; expected at most 6"):
        as_algebraic(best, 0)


def test_intervals_with_two_roots_or_none_are_detected():
    square_root = (-2, 0, 1)
    assert AlgebraicNumber(square_root, Enclosure(mpq(1), mpq(2))).holds()
    assert not AlgebraicNumber(square_root, Enclosure(mpq(-2), mpq(2))).holds()
    assert not AlgebraicNumber(square_root, Enclosure(mpq(2), mpq(3))).holds()


def test_states_of_known_value_are_refused():
    best = optimum(Game("x", linked).explored(), width="1e-30")
    refuses(InputError, "state: got 0; expected a state of which the value", as_algebraic, best, 0)


def test_of_a_product_the_factors_that_may_vanish_are_kept():
    """By hand: near 2 of (x - 1)(x - 2)(y - 3) the second vanishes, and near y = 3 the third."""
    names = fmpq_mpoly_ctx.get(["x", "y"], Ordering.lex)
    x, y = names.gens()
    product = (x - 1) * (x - 2) * (y - 3)
    assert _vanishing(product, [arb(2), arb(0)]) == x - 2
    assert _vanishing(product, [arb(2), arb(3)]) == (x - 2) * (y - 3)
    assert _vanishing(product, [arb(0), arb(0)]) == product


def test_a_value_through_two_states_of_chance_is_eliminated_with_both():
    """By hand: z = x/2, y = (1 + z)/2 = 1/2 + x/4, and [[1, 0], [y/2, 1/2]] is worth
    x = (1/2) / (3/2 − y/2), so that x² − 10x + 4 = 0 and x = 5 − √21.
    """

    def moves(state):
        if state == "x":
            half = Distribution({"y": 1, 0: 1})
            return Both({(0, 0): End(1), (0, 1): End(0), (1, 0): half, (1, 1): End("1/2")})
        if state == "y":
            return Distribution({"z": 1, 1: 1})
        return Distribution({"x": 1, 0: 1}) if state == "z" else End(state)

    best = optimum(Game("x", moves).explored(), width="1e-30")
    root = root_of(best, "x")
    assert root.polynomial == (4, -10, 1)
    assert root.holds()
    of_chance = root_of(best, "z")  # x = 2z: 4z² − 20z + 4 = 0
    assert of_chance.polynomial == (1, -5, 1)


#: Matching pennies for 1 or 2; when they differ, a coin decides whether "on" leads back. By hand
#: 3v² − 12v + 8 = 0, as v = (2 − v²/4) / (3 − v); v is 0.8452…
PAIRS = {("h", "h"): End(1), ("t", "t"): End(2)} | dict.fromkeys(
    (("h", "t"), ("t", "h")), Distribution({"on": 1, 0: 1})
)


@pytest.mark.parametrize("on", [0, 1, 2])
@pytest.mark.parametrize("player", [0, 1, 2])
def test_a_state_of_one_player_on_the_way_has_the_move_that_is_best(player, on):
    """One who would lose by stopping goes on, wherever that stands among the choices."""
    stop = [go(n, -3 if player == 1 else 3) for n in range(2)]
    ways = [*stop[:on], go("on", "again"), *stop[on:]]
    turn = models.Turn(player, ways) if player else point_mass("again")
    game = Game("again", {"again": Both(PAIRS), "on": turn, 0: End(0), 3: End(3), -3: End(-3)}.get)
    best = optimum(game)
    for state in ("again", "on"):
        root = root_of(best, state)
        assert root.polynomial == (8, -12, 3)
        assert root.interval == best.enclosure(state)
    best.certificate().check(game)


def test_moves_of_both_sides_agree_if_sides_change_in_cycles():
    """By hand as above: who "picks" sees to it that the other one is asked again."""
    coin = Distribution({models.Other("pick"): 1, 0: 1})
    table = {
        "start": point_mass("again"),
        "again": Both(PAIRS | dict.fromkeys((("h", "t"), ("t", "h")), coin)),
        "pick": [go("lose", -5), go("on", models.Other("again"))],
    }
    game = Game("start", lambda s: table[s] if s in table else End(s))
    best = optimum(game)
    assert (best.action("pick"), best.optimal_actions("pick")) == ("on", ("on",))
    best.certificate().check(game)
    assert root_of(best, "again").polynomial == (8, -12, 3)
    assert -models.policy_value(game, best).value in best.enclosure("pick")


@pytest.mark.parametrize("player", [1, 2])
def test_actions_that_lead_to_the_same_irrational_value_are_both_named(player):
    """A third one costs whoever takes it 1."""
    costs = {"x": 0, "worse": -1 if player == 1 else 1, "y": 0}
    turn = models.Turn(player, [go(a, "on", cost) for a, cost in costs.items()])
    game = Game("choose", lambda s: turn if s == "choose" else Both(PAIRS) if s == "on" else End(s))
    best = optimum(game)
    assert best.unsettled == {"choose": ("x", "y")}
    assert best.enclosure("choose").width <= mpq(1, 10**9)
    best.certificate().check(game)


def test_weights_below_zero_are_of_no_kernel():
    """By hand: 4, 2, 1 and 0 have a saddle point at 2; weights of all four sum up to pay −2."""
    matrix = [[(mpq(entry), {}) for entry in row] for row in ([4, 2], [1, 0])]
    near = [Enclosure(mpq(-3), mpq(-1))]
    assert algebraic_value([Stage(matrix, [0, 1], [0, 1])], near) is None
    alike = [[(mpq(1), {})] * 2] * 2
    assert algebraic_value([Stage(alike, [0, 1], [0, 1])], [Enclosure(mpq(0), mpq(2))]) is None
    # In (2 - v/2)/(3 - v) and (1 - v/2)/(3 - v) the game below is mixed, not for v = 5/2 or v = 3.
    half = (mpq(0), {0: mpq(1, 2)})
    stage = Stage([[(mpq(1), {}), half], [half, (mpq(2), {})]], [0, 1], [0, 1])
    for low, high, holds in (("1/2", 1, True), ("1/2", "5/2", False), ("1/2", 3, False)):
        assert (algebraic_value([stage], [Enclosure(mpq(low), mpq(high))]) is not None) == holds


def test_unknowns_in_no_equation_are_skipped():
    first, _, third = fmpq_mpoly_ctx.get(["v0", "v1", "v2"], Ordering.lex).gens()
    equations = [first * first - 2 * third, third - 1, third - 1]
    balls = [arb(mid, 0.25) for mid in (1.4, 0, 1)]
    polynomial = algebraic._eliminated(equations, balls)
    assert polynomial is not None
    assert [int(c) for c in polynomial.numer()] == [-2, 0, 1]


EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solved(game, **how):
    best = optimum(game.explored(), **how)
    best.certificate().check(game)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bag", "liars_dice"])
def test_examples_run_as_they_stand(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 3


def test_the_bag_agrees_with_a_recursion_over_its_tokens():
    def best(coins, skulls, hand, drawn):
        left = sum(coins) + skulls
        value = mpq(0)
        for i, count in enumerate(coins):
            if count:
                rest = (*coins[:i], count - 1, *coins[i + 1 :])
                value += mpq(count, left) * best(rest, skulls, hand + i + 1, drawn)
        if skulls and not drawn:
            value += mpq(skulls, left) * best(coins, skulls - 1, hand, 1)
        return max(mpq(hand), value)

    bag = example("bag").bag
    found = solved(bag((2, 1, 2), 3))
    assert found.value == best((2, 1, 2), 3, 0, 0)
    law = models.reward_distribution(found.model, found)
    assert law.mean == found.value
    assert law.distribution().mean() == law.mean


def test_one_simultaneous_move_is_one_matrix_game():
    """Odds and evens with 1 to 3 fingers: by hand, even minus odd, values of the 3×3 game."""
    payoffs = {(a, b): a + b if (a + b) % 2 == 0 else -a - b for a in (1, 2) for b in (1, 2)}
    shown = Both({pair: point_mass(paid) for pair, paid in payoffs.items()})
    table = {"show": shown}
    game = Game("show", lambda state: table.get(state) or End(state))
    # the textbook two-finger morra: the odd player gains 1/12, each shows one finger with 7/12
    best = solved(game)
    assert best.value == mpq(-1, 12)
    assert best.action("show") == (Distribution({1: 7, 2: 5}), Distribution({1: 7, 2: 5}))
