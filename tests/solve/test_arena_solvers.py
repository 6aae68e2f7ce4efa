"""Solvers of arenas: the parts that answers of models seldom reach."""

from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from operator import sub
from unittest.mock import patch

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from model_oracles import arena_of, fraction, go, refuses, solved

from exactdice.dice import Distribution, fair
from exactdice.errors import TooLargeError
from exactdice.models import Both, Chance, Choice, End, Game, Turn, optimum, point_mass
from exactdice.solve import concurrent, cycles, lifting, stopping, turn_games
from exactdice.solve.arena import BOTH, CHANCE, END, MAX, MIN, Arena, NoValueError, Solved, named
from exactdice.solve.concurrent import fixed_strategies, solve_concurrent
from exactdice.solve.cycles import Chain
from exactdice.solve.stopping import components, ranks_against_free, ranks_of_policy, settle_policy
from exactdice.solve.turn_games import _proved, certified_bounds, values_by_components


def in_python():
    return patch.object(lifting, "enclosed_values", return_value=None)


@st.composite
def arenas(draw, *, most=6):
    """Turn games whose moves end play with probability 1/10 at least; the last state is the end."""
    size = draw(st.integers(1, most))
    arena = Arena()
    for _ in range(size):
        owner = draw(st.sampled_from([MAX, MIN, CHANCE]))
        arena.open(owner)
        for _ in range(1 if owner == CHANCE else draw(st.integers(1, 3))):
            targets = draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=3))
            weights = [draw(st.integers(1, 3)) for _ in targets]
            arena.move(mpq(draw(st.integers(-3, 3)), 2), (*weights, 1), (*targets, size))
    arena.end(mpq(draw(st.integers(-2, 2))))
    return arena


def by_components(arena):
    return values_by_components(arena, names=range(len(arena)))


@given(arenas())
def test_components_come_after_all_that_they_lead_to(arena):
    done = set()
    for component in components(arena):
        heads = {t for state in component.states for t in arena.successors(state)}
        assert not done & set(component.states)
        assert component.is_cyclic == bool(heads & set(component.states))
        done |= set(component.states)
        assert heads <= done
    assert done == set(range(len(arena)))


@given(arenas())
def test_other_methods_agree_with_exact_values(arena):
    expected = by_components(arena)
    with patch.object(cycles, "_MAX_JOINT", 0):
        solved = by_components(arena)
    assert solved.values == expected.values
    assert solved.several == expected.several
    values, _ = turn_games.rounded_values(arena, 100, range(len(arena)))
    for value, exact in zip(values, by_components(arena).values, strict=True):
        assert abs(value - exact) < mpq(1, 2**80)
    exact = by_components(arena).values
    for width, way in product((mpq(1, 2), mpq(1, 10**40)), (nullcontext(), in_python())):
        with way:
            bounds = certified_bounds(arena, width)
        for state, value in enumerate(exact):
            low, high = (mpq(b[state], 2**bounds.bits) for b in (bounds.lower, bounds.upper))
            assert low <= value <= high
            assert high - low <= width
        assert bounds.method == f"enclosed within {'0.5' if width == mpq(1, 2) else '1e-40'}"


def test_strategy_iteration_starts_from_moves_that_end_play():
    """By hand: in 0 the first player pays 1 and moves to 1, or takes 5, and play ends.

    In 1 the second one goes back, or leaves for 3 or an end that pays nothing. States 2 and 3 are
    the same from the other side. Where who is in 0 or 2 pays, who is in 1 or 3 goes back forever.
    """
    arena = Arena()
    for owner, gives, wins, stops in ((MAX, 1, 4, 3), (MIN, 3, 5, 1)):
        arena.open(owner)  # 0 and 2
        arena.move(mpq(-owner), (1,), (gives,))
        arena.move(mpq(0), (1,), (wins,))
        arena.open(-owner)  # 1 and 3
        arena.move(mpq(0), (1, 1), (stops, 6))
        arena.move(mpq(0), (1,), (gives - 1,))
    for payoff in (5, -5, 0):
        arena.end(mpq(payoff))
    with patch.object(cycles, "_MAX_JOINT", 0):
        solved = by_components(arena)
    assert (solved.values, list(solved.chosen)) == (
        [5, 0, -5, 0, 5, -5, 0], [1, 2, 5, 6, *[-1] * 3])  # fmt: skip


def test_short_fractions_are_required_only_if_asked_for():
    walk = Game(3, lambda n: fair(2).map(lambda f: n + 2 * f - 3) if 0 <= n < 9 else None)
    arena = walk.explored().arena
    with patch.object(cycles, "FEW_JOINED", 0):
        by_components(arena)
        with pytest.raises(TooLargeError, match="lead to one another in too many ways"):
            values_by_components(arena, names=range(len(arena)), most_bits=10_000)
    names = range(len(arena))
    with patch.object(turn_games, "_MOST_TRANSITIONS", arena.transitions):
        values_by_components(arena, names=names, most_bits=10_000)
    with patch.object(turn_games, "_MOST_TRANSITIONS", arena.transitions - 1):
        by_components(arena)
        with pytest.raises(TooLargeError, match=f"^model: {arena.transitions} transitions are too"):
            values_by_components(arena, names=names, most_bits=10_000)
    # the value of n is (2^n − 1) / 3^n times a whole number: a denominator of 1.58 n bits
    thirds = Game(0, lambda n: Distribution({n + 1: 2, ("end", n): 1}) if n < 900 else End(1))
    ends = thirds.moves
    game = Game(0, lambda n: End(1) if isinstance(n, tuple) and n[1] % 2 else
                End(0) if isinstance(n, tuple) else ends(n))  # fmt: skip
    arena = game.explored().arena
    exact = by_components(arena)
    assert 1400 < exact.values[0].denominator.bit_length() < 1430
    solved = values_by_components(arena, names=range(len(arena)), most_bits=1430)
    assert solved.values == exact.values
    with pytest.raises(TooLargeError, match="exact values are fractions of more than 1400 bits"):
        values_by_components(arena, names=range(len(arena)), most_bits=1400)


@given(st.integers(2, 12), st.booleans(), st.data())
def test_elimination_solves_sparse_and_full_chains(size, full, data):
    states = st.integers(0, size - 1)
    rows, leaving, right = [], [], []
    for _ in range(size):
        targets = range(size) if full else data.draw(st.sets(states, min_size=1, max_size=3))
        weights = {target: data.draw(st.integers(1, 3)) for target in targets}
        whole = 1 + sum(weights.values())
        rows.append({target: mpq(weight, whole) for target, weight in weights.items()})
        leaving.append(mpq(1, whole))
        right.append(mpq(data.draw(st.integers(-3, 3))))
    matrix = [[fraction(mpq(i == j) - rows[i].get(j, 0)) for j in range(size)] for i in range(size)]
    expected = solved(matrix, list(map(fraction, right)))
    copies = [dict(row) for row in rows]
    near = Chain(copies, list(leaving), list(right), 100).solve()
    with patch.object(cycles, "_FEW", 1):
        exact = Chain(rows, leaving, right, None).solve()
    assert list(map(fraction, exact)) == expected
    assert all(abs(x - y) < mpq(1, 2**80) for x, y in zip(near, exact, strict=True))


def chain_to(*payoffs):
    return arena_of((MAX, (0, *range(1, len(payoffs) + 1))), *payoffs)


def test_a_state_that_leads_to_two_payoffs_is_solved_by_each_solver():
    # The mean of 1 and 3 has few binary digits, so that its enclosure may be a point.
    bounds = certified_bounds(chain_to(1, 3), mpq(1, 4))
    assert mpq(bounds.lower[0], 2**bounds.bits) <= 2 <= mpq(bounds.upper[0], 2**bounds.bits)
    chain = fixed_strategies(chain_to(1, 3), [0, -1, -1], {})
    assert [chain.payoffs[state] for state in (1, 2)] == [1, 3]
    assert turn_games.exact_values(chain).values[0] == 2
    # The oracle is the number of states.
    heard = []
    solve_concurrent(chain_to(1, 3), mpq(1), tell=lambda done, total: heard.append((done, total)))
    assert heard == [(3, 3)]
    assert solve_concurrent(chain_to(1, 3), mpq(1)).lower[0] == 2


@pytest.mark.parametrize("excess", [mpq(3, 2), mpq(1000)])
def test_bounds_that_come_out_too_wide_are_narrowed(excess):
    proved, heard = turn_games._proved, []
    width, tries = mpq(1, 1000), []

    def too_wide_at_first(*given):
        found = proved(*given)
        tries.append(found.bits)
        if len(tries) > 1:
            return found
        wide = int(width * excess * 2**found.bits)
        return replace(found, upper=[below + wide for below in found.lower])

    with in_python(), patch.object(turn_games, "_proved", too_wide_at_first):
        found = certified_bounds(chain_to(1, 3), width, tell=lambda *done: heard.append(done))
    assert len(tries) == 2
    assert excess / 2 ** (tries[1] - tries[0]) <= 1  # as many units are narrow enough then
    assert mpq(max(map(sub, found.upper, found.lower)), 2**found.bits) <= width
    assert heard == [(3, 3), (3, 3)]  # each try tells of the last state, and of no other


def test_optimal_moves_are_listed_in_concurrent_games():
    # By hand: either move leads to matching pennies, and a third one loses 1.
    table = {
        "a": [go(name, "b", paid) for name, paid in (("x", 0), ("y", 0), ("z", -1))],
        "b": Both({(i, j): point_mass("won" if i == j else "lost") for i in "xy" for j in "xy"}),
        "won": End(1), "lost": End(-1)}  # fmt: skip
    best = optimum(Game("a", table.__getitem__).explored())
    assert best.is_exact
    assert best.value == 0
    assert best.optimal_actions("a") == ("x", "y")
    # By hand: the game is worth 8, so that losing 1 on the way to it is worse, and 0 as good.
    pairs = [(r, (n, 0), (4 - n, 3)) for r, n in ((3, 3), (6, 1), (2, 3), (1, 3))]
    first, second = ((owner, (0, 0), (-owner, 0), (0, 0)) for owner in (MAX, MIN))
    arena = arena_of(((BOTH, 2), *pairs), first, second, 0)
    found = solve_concurrent(arena, mpq(1, 10**20))
    assert {s: [m - arena.first_move[s] for m in moves] for s, moves in found.several.items()} == {
        1: [0, 2], 2: [0, 2]}  # fmt: skip


def test_both_sides_mirror_each_others_moves():
    """By hand: unfolded, the moves of the second side follow all those of the first."""
    arena = arena_of(*[(MAX, (0, 2), (0, 2))] * 2, 1)
    arena.changes_sides = True
    assert list(arena.moves_of_both([0, 3, -1])) == [0, 3, -1, 4, 7, -1]
    search = concurrent._Search(arena.unfolded(), range(6))
    search.chosen[0], search.chosen[1] = 0, 3
    search.mirror(3)
    assert list(search.chosen) == [0, 3, -1, 4, 7, -1]


def test_simultaneous_moves_are_solved_if_newtons_method_cycles():
    """By hand: the best pure strategies at 12 give each other 4, and those at 4 give 12.

    Below 10 the first row is better in both columns, and above 6 its second entry is the smaller
    one: between them the value solves v = 6 + v/4, so it is 8.
    """
    matrix = [[(3, mpq(3, 4)), (6, mpq(1, 4))], [(2, mpq(3, 4)), (1, mpq(3, 4))]]  # pays, goes on
    for value, following in ((12, 4), (4, 12)):
        returns = [[reward + stays * value for reward, stays in row] for row in matrix]
        saddles = [(i, j) for i, j in product((0, 1), repeat=2) if min(returns[i]) == returns[i][j]
                   == max(returns[0][j], returns[1][j])]  # fmt: skip
        ((reward, stays),) = (matrix[i][j] for i, j in saddles)
        assert reward / (1 - stays) == following
    pairs = (*matrix[0], *matrix[1])
    moves = [(r, (int(4 * stays), 0), (int(4 - 4 * stays), 1)) for r, stays in pairs]
    arena = arena_of(((BOTH, 2), *moves), 0)
    found = solve_concurrent(arena, mpq(1, 10**20))
    low, high = (mpq(bound[0], 2**found.bits) for bound in (found.lower, found.upper))
    assert low <= 8 <= high <= low + mpq(1, 10**20)


@given(arenas(), st.integers(0, 2), st.sets(st.integers(0, 30)))
def test_ranks_fall_along_all_relevant_moves(arena, taste, turned):
    """A successor seen from the other side is one where the other player is free."""
    n = len(arena)
    offered = [arena.moves(state) for state in range(n)]
    chosen = [moves[taste % len(moves)] if moves else -1 for moves in offered]
    arena.changes_sides = True
    for place in turned & set(range(len(arena.targets))):
        arena.targets[place] += n
    first_free, second_free = ranks_against_free(arena, chosen)
    alone = ranks_of_policy(arena, chosen)
    for ranks, others, free in (
        (first_free, second_free, MAX), (second_free, first_free, MIN), (alone, alone, None)
    ):  # fmt: skip
        for state in range(n):
            if arena.owners[state] == END:
                assert ranks[state] == 0
                continue
            moves = arena.moves(state) if arena.owners[state] == free else [chosen[state]]
            for move in moves:
                after = [(ranks, t) if t < n else (others, t - n) for t, _ in arena.leads(move)]
                assert min(of[target] for of, target in after) < ranks[state]
    near = stopping.closing_moves(arena, arena.moves)
    assert -1 not in ranks_of_policy(arena, near)


def test_moves_as_good_as_the_best_stay_open():
    # What pays 2 is open while nothing better is known than 2 at most to MIN, or least to MAX.
    for owner, paid, bounds in ((MIN, 0, (0, 2)), (MAX, 4, (2, 4))):
        arena = arena_of((owner, (0, 1), (0, 2)), paid, 2)
        lower, upper = ([bound, paid, 2] for bound in bounds)
        assert turn_games._unsettled(arena, 0, lower, upper, [0, -1, -1]) == {0: (0, 1)}
    # By hand: giving 3 instead of 1 loses 2.
    table = {0: Turn(2, [go("much", 1, 3), go("little", 1, 1)]), 1: End()}
    best = optimum(Game(0, table.__getitem__).explored())
    assert {a: r.point for a, r in best.regret(0).items()} == {"much": 2, "little": 0}
    assert best.regret(1) == {}
    assert best.optimal_actions(1) == ()
    assert best.action(1) is None
    assert best.unsettled == {}
    enclosed = optimum(best.model, width="1e-6")
    assert enclosed.action(0) == "little"
    assert enclosed.unsettled == {}


def test_a_greedy_start_that_never_ends_is_left():
    """By hand: going back pays 1/2 and on again costs 1; leaving from "b" costs 1, so −1 and −2."""
    table = {
        "a": [go("on", "b", -1), go("leave", "end", -5)],
        "b": [go("back", "a", "1/2"), go("leave", "end", -1)], "end": End()}  # fmt: skip
    model = Game("a", table.__getitem__).explored()
    for how in ({}, {"width": "1e-9"}):
        best = optimum(model, **how)
        assert -2 in best.value_of("a")
        assert -1 in best.value_of("b")
        assert best.policy == {"a": "on", "b": "leave"}
    reversed_signs = {
        s: t if s == "end" else [Choice(c.action, -mpq(c.reward), c.successors) for c in t]
        for s, t in table.items()
    }
    least = optimum(Game("a", reversed_signs.__getitem__).explored(), least=True, width="1e-9")
    assert 2 in least.value_of("a")


def test_large_components_are_enclosed_and_not_solved_exactly():
    def moves(at):
        return Distribution({at - 1: 1, at + 1: 1}) if 0 < at < 60 else End(at)

    model = Game(30, moves).explored()
    missing = patch.object(lifting, "lifted_values", return_value=None)  # as without C++
    with missing, patch.object(turn_games, "_MOST_WORK", 0):
        best = optimum(model)
    assert not best.is_exact
    assert 30 in best.value  # a fair walk keeps its mean
    assert optimum(model).value == 30


def test_simultaneous_moves_without_cycles_are_solved_exactly():
    """By hand: a round is worth (1/3, 2/3) against itself, 2/3, and so are three of them, 2."""

    def moves(left):
        paid = {("high", "high"): 0, ("high", "low"): 2, ("low", "high"): 1, ("low", "low"): 0}
        after = {pair: point_mass(left - 1) for pair in paid}
        return Both({pair: Chance(paid[pair], after[pair]) for pair in paid}) if left else End()

    with patch.object(turn_games, "_MOST_TRANSITIONS", 0):
        assert optimum(Game(3, moves)).value == 2


@pytest.mark.parametrize("owner", [MAX, MIN])
def test_derived_arenas_leave_the_original_unchanged(owner):
    arena = arena_of((owner, (1, 0, 1), (2, 1)), 5)
    other = arena.with_ends({0: mpq(7)}).paying(lambda r: r * 2, lambda p: p + 1)
    assert (other.payoffs, list(other.successors(0))) == ({0: 8, 1: 6}, [])
    assert other.rewards == [0, 2, 4]
    assert arena.owners[0] == owner
    chain = arena.following([1, -1])
    assert (chain.owners[0], chain.transitions) == (CHANCE, 1)


def test_ways_to_a_goal_against_a_free_player():
    # By hand: of its two moves one leads to the goal; of both at once, it cannot.
    for targets, away in (((0, 2), {0}), ((2, 2), set())):
        arena = arena_of((MIN, *[(0, target) for target in targets]), (MAX, (0, 0)), 0)
        found = stopping.avoiding_moves(arena, [2])
        assert set(found) - {1} == away
        assert all(arena.targets[arena.first_target[move]] != 2 for move in found.values())
    # By hand: the second row leads back; who is fixed takes the first one, which ends play.
    arena = arena_of(((BOTH, 1), (0, 1), (0, 0)), 0)
    mixed = {0: ((mpq(1), mpq(0)), (mpq(1),))}
    assert ranks_against_free(arena, [-1, -1], mixed) == ([-1, 0], [1, 0])


def test_leaves_of_a_star_join_its_centre_with_itself_and_are_gone_then():
    """A leaf leads to the centre and is led to by it: one pair each, and one more for the last."""
    many = 30

    def star():
        rows = [{leaf: mpq(1, 60) for leaf in range(1, many + 1)}]
        rows += [{0: mpq(1, 4)} for _ in range(many)]
        leaving = [1 - sum(row.values(), mpq(0)) for row in rows]
        return Chain(rows, leaving, [mpq(i) for i in range(many + 1)], None)

    x = star().solve(most=many + 1)
    assert x[0] == sum(x[1:], mpq(0)) / 60
    assert x[1:] == [leaf + x[0] / 4 for leaf in range(1, many + 1)]
    with pytest.raises(TooLargeError, match="31 states lead to one another in too many ways"):
        star().solve(most=many)


def test_a_policy_of_ties_that_goes_round_takes_the_moves_of_the_guess():
    """0 leads to 1 or to the end, 1 back to 0 or to the end; 2 has two moves, of which one ties."""
    arena = arena_of(*[(MAX, (0, a), (0, b)) for a, b in ((1, 3), (0, 3), (3, 3))], 1)
    first, ties = [0, 2, 4, -1], {0: (0, 1), 1: (2, 3)}
    names = ["zero", "one", "two", "end"]
    # The first of each tie goes round; those of the guess do not, and 2 keeps its only best move.
    assert list(settle_policy(arena, first, ties, [0, 3, 5, -1], names)) == [0, 3, 4, -1]
    # Where the guess goes round as well, the first move that brings the end nearer is taken.
    assert list(settle_policy(arena, first, ties, first, names)) == [1, 3, 4, -1]
    assert list(settle_policy(arena, [1, 3, 4, -1], ties, first, names)) == [1, 3, 4, -1]


@pytest.mark.parametrize("off", [1, 2, *(2 * 4**k + n for k in range(12) for n in (1, 2))])
def test_bounds_are_widened_fourfold_until_they_are_proved(off):
    """By hand: a state that is left with 1/2 takes two moves, and an error is paid for by as much.

    So bounds lie 2 · 4ᵏ + 1 units from what is found, with the first k that reaches the value.
    """
    arena = arena_of((CHANCE, (0, 0, 1)), 5)
    bits, lengths = 70, [2 << 16, 0]
    for sign in (1, -1):
        found = (5 << bits) + sign * off
        bounds = _proved(arena, bits, [found, 5 << bits], [0, -1], lengths, "ab")
        apart = next(2 * 4**k + 1 for k in range(30) if 2 * 4**k + 1 >= off)
        assert (bounds.lower, bounds.upper) == (
            [found - apart, 5 << bits], [found + apart, 5 << bits])  # fmt: skip


def test_games_without_bounds_are_refused():
    arena = arena_of((MAX, (0, 1), (1, 1)), 0)
    with pytest.raises(NoValueError, match=r"^model: no bounds can be proved from 'a' on"):
        _proved(arena, 100, [0, 0], [0, -1], [1 << 16, 0], "ab")
    assert _proved(arena, 100, [1 << 100, 0], [1, -1], [1 << 16, 0], "ab").several == {}
    # By hand: the first gains 1 a time by staying in "a", and the second by staying in "b".
    sides = [(owner, (owner, 1 - other), (0, other), (0, 2)) for owner, other in ((1, 1), (-1, 0))]
    arena = arena_of(*sides, 0)
    with pytest.raises(NoValueError, match="play may never end among 'b', 'a', and the value"):
        values_by_components(arena, names="ab.")
    arena = arena_of(((BOTH, 2), (0, 1), (0, 0, 3), (0, 0, 3), (0, 2)), 1, 2, 0)
    with patch.object(concurrent, "_MAX_STEPS", 1):
        said = "^model: strategies did not settle among 'a'; play may"
        refuses(NoValueError, said, solve_concurrent, arena, mpq(1, 100), names="abcd")

    def wide(arena, bits, *given):
        return Solved([0] * 3, [1 << bits] * 3, [0, -1, -1], {}, bits)

    with in_python(), patch.object(turn_games, "_proved", wide):
        said = "no bounds of this width were found"
        refuses(NoValueError, said, certified_bounds, chain_to(1, 3), mpq(1, 2))
    arena = arena_of((MAX, (0, 1), (0, 2)), (CHANCE, (0, 0)), 7)
    with in_python():
        said = "^model: from 0 on play can go in a circle at no loss, so "
        refuses(NoValueError, said, certified_bounds, arena, mpq(1, 2))


@pytest.mark.parametrize("most", [600, 1200, 3000, 4500])
def test_long_fractions_are_refused_as_soon_as_they_are_to_be_expected(most):
    """By hand: state n of 40 is worth 3^(−100 n), the probability to reach the first end.

    Half of what would come of it at that rate is refused, once there are 512 bits.
    """
    whole, size = 3**100, 40
    states = [(CHANCE, (0, (1, n - 1), (whole - 1, size + 1))) for n in range(1, size + 1)]
    arena = arena_of(1, *states, 0)
    expected = size
    for n in range(1, size + 1):
        bits = (whole**n).bit_length()
        if bits >= 512 and max(bits, bits * size // (2 * n)) > most:
            expected = n - 1
            break
    solver = turn_games._Solver(arena, range(len(arena)), most)
    if expected < size:
        refuses(TooLargeError, f"of more than {most} bits", solver.run, None)
    else:
        solver.run(None)
    assert sum(move != turn_games._UNKNOWN for move in solver.chosen) - 2 == expected


def test_bounds_seen_by_both_sides_are_taken_together():
    """By definition: what the other side sees as between a and b is between −b and −a."""
    seen = list(product(range(-2, 3), repeat=4))
    for one, two, three, four in seen:
        low, high = [min(one, two), min(three, four)], [max(one, two), max(three, four)]
        both = set(range(low[0], high[0] + 1)) & set(range(-high[1], -low[1] + 1))
        if both:
            pair = {s: ((mpq(1),), (mpq(1),)) for s in (0, 1)}
            held = Solved(low, high, [0, 1], {0: (0, 2), 1: (1, 3)}, 0, pair).of_first(1)
            assert (held.lower, held.upper) == ([min(both)], [max(both)])
            assert (held.chosen, held.several, [*held.mixed]) == ([0], {0: (0, 2)}, [0])


@pytest.mark.parametrize("count", range(1, 6))
def test_three_states_are_named_and_the_rest_counted(count):
    words = str(named(range(count)))
    assert [int(word) for word in words.replace(",", "").split() if word.isdigit()] == [
        *range(min(count, 3)), *([count - 3] if count > 3 else [])
    ]  # fmt: skip
    assert ("more" in words) == (count > 3)
