"""Interval search finds the optimum of exact search; bounds in doubles hold by weight."""

from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from types import SimpleNamespace

import gmpy2
import pytest
from gmpy2 import invert, mpq, mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_residues import NaiveResidues
from native_oracles import swe as swe_native
from native_oracles.check_swe import decisions_of, move_of
from swe_oracle import Cautious, Oracle, distribution_of, moments

from exactdice import native
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError
from exactdice.games.swe.distributions.evaluation import (
    distribution_from_below,
    evaluate,
    exact_distribution,
    exact_moments,
    refined_in_doubles,
)
from exactdice.games.swe.distributions.players import (
    NewOnlyPolicy,
    Promo,
    RulePolicy,
    policy_from_text,
)
from exactdice.games.swe.optimum import interval_search
from exactdice.games.swe.optimum import interval_search as modulo
from exactdice.games.swe.optimum.chooser import judge
from exactdice.games.swe.optimum.exact import solve, successors
from exactdice.games.swe.optimum.interval_search import PRIMES, optimum, residues, value_modulo
from exactdice.games.swe.reports import enclosure_report
from exactdice.games.swe.rules import CREATE, STANDARD, Ladder, State, act, legal_actions, weight
from exactdice.games.swe.sources import FIGURES, LEVELS
from exactdice.native import swe_outlook
from exactdice.native.swe_outlook import takes
from exactdice.rooms import ask
from exactdice.run import Run
from exactdice.studies.swe.policies import PromoOnceLowest, percentile_z_score
from papers.make.stored import StoredData

pytestmark = pytest.mark.skipif(not native.are_built(), reason="no C++ compiler at install")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 11),
)
def test_random_games_have_the_value_of_exact_search(faces, rounds):
    searched = optimum(rounds, Ladder(*faces))
    assert searched.value == solve(rounds, Ladder(*faces)).value
    assert searched.value in searched.enclosure


@pytest.mark.parametrize("rounds", [1, 2, 10, 12, 18])
def test_the_standard_game_has_the_value_of_exact_search_from_fewer_blocks(rounds):
    searched = optimum(rounds)
    assert searched.value == solve(rounds).value
    assert searched.blocks <= searched.blocks_in_all
    assert searched.certain >= searched.compared


@pytest.mark.slow
def test_fifty_rounds_of_two_kinds_of_dice():
    # Far beyond exact search over all blocks in a test's time; the enclosure is 12 digits wide.
    searched = optimum(50, Ladder(4, 6))
    assert searched.value in searched.enclosure
    assert searched.enclosure.width < mpq(1, 10**9)


def test_searches_report_blocks_and_forget_enclosures():
    steps = []
    searched = optimum(8, run=Run(progress=lambda *news: steps.append(news)))
    steps = [(done, of) for what, done, of in steps if what == "blocks"]
    assert steps == [(done, searched.blocks) for done in range(1, searched.blocks + 1)]
    forgotten = []
    kept = SimpleNamespace(
        kept=lambda _: None, keep=lambda *_: None, forget=lambda name: forgotten.append(name)
    )
    optimum(3, Ladder(4, 6), Run(kept=kept))
    # Enclosures between lines, and piece by piece: each is one computation.
    names = [name for name in forgotten if name.startswith("swe enclosure, 3 rounds")]
    assert [name.split("bends to ")[1].split(",")[0] for name in names] == [str(10**12), "0"]


def test_an_enclosure_without_the_exact_value_raises_an_error(monkeypatch):
    genuine = interval_search.swe_outlook.solve

    def shifted(*arguments, **options):
        solved = genuine(*arguments, **options)
        object.__setattr__(solved, "value", Enclosure(mpq(0), mpq(1, 2)))
        return solved

    monkeypatch.setattr(interval_search.swe_outlook, "solve", shifted)
    with pytest.raises(AssertionError, match="outside its enclosure"):
        optimum(6)


def test_each_level_comes_back_as_it_was_written(monkeypatch):
    """Values of many digits, and decisions that turn on the score."""
    searches = []
    genuine = interval_search.run_levels

    def listening(kept, name, count, step, *, write, read):
        def heard(level, before):
            searches.append(step(level, before))
            return searches[-1]

        return genuine(kept, name, count, heard, write=write, read=read)

    monkeypatch.setattr(interval_search, "run_levels", listening)
    optimum(12, Ladder(2, 3))
    assert len(searches) == 13
    for search in searches:
        assert interval_search._read(interval_search._written(search)) == search
    assert any(search.compared for search in searches)


LEGACY = State((1, 1, 0, 0, 0), (1, 0, 1, 0, 0), 9)
WHOLE = State((2, 1, 1, 0, 0), (0, 0, 0, 0, 0), 30)


@pytest.mark.parametrize("state", [LEGACY, WHOLE])
@pytest.mark.parametrize("left", [1, 5, 12])
def test_values_and_regrets_are_those_of_exact_search(state, left):
    advice = solve(left, STANDARD, state).actions(state, left)
    prospects = judge(left, STANDARD, state).prospects
    assert [one.action for one in prospects] == [one.action for one in advice]
    for one, exact in zip(prospects, advice, strict=True):
        assert exact.value in one.value
        assert exact.regret in one.regret
        assert one.optimal in (exact.optimal, None)


def test_actions_with_overlapping_enclosures_are_open(monkeypatch):
    monkeypatch.setattr(swe_outlook, "HARDLY", 9 / 10)  # hardly anything is looked at
    exact = solve(12, STANDARD, WHOLE).actions(WHOLE, 12)
    prospects = judge(12, STANDARD, WHOLE).prospects
    assert None in [one.optimal for one in prospects]
    for one, sure in zip(prospects, exact, strict=True):
        assert one.optimal in (sure.optimal, None)
        assert sure.value in one.value
        assert sure.regret in one.regret


def test_an_enclosure_from_a_state_counts_the_remaining_rounds():
    report = ask("swe enclosure 9 --round 4 --revenue 1,1,0,0,0 --score 3")
    state = State((1, 1, 0, 0, 0), (0,) * 5, 3)
    solution = solve(6, STANDARD, state)  # rounds 4 to 9
    assert solution.value in report.value("enclosure")
    advice = solution.actions(state, 6)
    table = report.table("actions")
    assert table.cells("action") == [one.action.describe(STANDARD) for one in advice]
    for exact, value in zip(advice, table.cells("value"), strict=True):
        assert exact.value in value
        assert value.width < mpq(1, 10**6)


def test_primes_stored_games_and_illegal_moves():
    greatest, number = [], 2**62
    while len(greatest) < 3:
        number -= 1
        if gmpy2.is_prime(number):
            greatest.append(number)
    assert list(PRIMES) == greatest
    arrivals = {(2, 0): {3: [mpz(10**20), mpz(17)], 1: [mpz(0)] * 4}, (0, 1): {2: [mpz(255)]}}
    played = modulo._Played(arrivals, mpz(2**90 + 11))
    assert modulo._read_games(modulo._write_games(played)) == played


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(2, 20), min_size=1, max_size=3, unique=True).map(sorted), st.integers(1, 5)
)
def test_random_games_have_the_residues_of_the_oracle_in_fractions(faces, rounds):
    start = ((0,) * len(faces), (0,) * len(faces), 0)
    value = Oracle(faces).value(start, rounds)
    for one in residues(optimum(rounds, Ladder(*faces))):
        assert one.found == one.carried
        assert one.carried * value.denominator % one.prime == value.numerator % one.prime


@pytest.mark.parametrize(
    "rounds", [8, 10, pytest.param(18, marks=pytest.mark.long)], ids="{} rounds".format
)
def test_the_standard_game_has_the_residues_of_whole_states(rounds):
    _, naive = NaiveResidues(STANDARD, prod(PRIMES)).value(rounds)
    for one in residues(optimum(rounds)):
        assert one.found == one.carried == naive % one.prime


def test_decisions_that_depend_on_the_score_have_the_residues_of_whole_states():
    """On a ladder of coins a catastrophe is near, and the score decides what to do."""
    ladder, rounds = Ladder(2, 3), 12
    searched = optimum(rounds, ladder)
    assert any(len(decision) > 1 for of_dice in searched.policy.values() for decision in of_dice)
    _, naive = NaiveResidues(ladder, prod(PRIMES)).value(rounds)
    assert all(one.found == one.carried == naive % one.prime for one in residues(searched))


def lists_of_dice(rungs, most):
    every = product(*(range(most // rung + 1) for rung in range(1, rungs + 1)))
    return [dice for dice in every if 0 < weight(dice) <= most]


@st.composite
def policies(draw):
    """A ladder, rounds, and a policy that does anything, at up to three ranges of the score."""
    ladder = draw(st.sampled_from([(2, 3), (2, 4, 5)]))
    rounds = draw(st.integers(1, 7 - len(ladder)))
    policy = {}
    for dice in lists_of_dice(len(ladder), rounds):
        policy[dice] = []
        for _ in range(rounds - weight(dice)):
            lows = sorted(draw(st.sets(st.integers(1, 7), max_size=2)))
            made = [draw(st.sampled_from(list(successors(dice)))) for _ in (0, *lows)]
            policy[dice].append(tuple(zip((0, *lows), made, strict=True)))
    return Ladder(*ladder), rounds, policy


class Decided(RulePolicy):
    family = "Decided"

    def __init__(self, decisions):
        self.decisions = decisions

    def improvements(self, dice, turn, score):
        if not any(dice):
            return {CREATE: 1}
        decision = self.decisions[dice][turn.rounds - turn.round]
        *_, made = (after for low, after in decision if low <= score)
        state = State(dice, (0,) * len(dice))
        return {a: mpq(1) for a in legal_actions(state) if act(state, a).revenue == made}


@settings(max_examples=15, deadline=None)
@given(policies())
def test_any_policy_earns_what_a_walk_through_all_states_says(asked):
    ladder, rounds, policy = asked
    value, prime = moments(distribution_of(Decided(policy), rounds, ladder))[0], PRIMES[0]
    found = value_modulo(prime, rounds, ladder, policy)
    assert found * value.denominator % prime == value.numerator % prime


@pytest.mark.parametrize("rounds", [22, pytest.param(50, marks=pytest.mark.long)])
def test_the_solver_of_all_states_leaves_the_policy_possible(rounds):
    """It knows nothing of excursions or of what play can meet, and compares all fixes."""
    searched = optimum(rounds)
    solver = swe_native.solve(rounds, intervals=True).compiled
    met = 0
    for dice, decisions in searched.policy.items():
        for left, state, _, mask, high in decisions_of(solver, dice):
            if any(state.legacy) or left > len(decisions):
                continue
            for score in {state.score, high}:
                after = [made for low, made in decisions[left - 1] if low <= score] or [
                    decisions[left - 1][0][1]
                ]
                possible = [
                    act(state, move_of(state, number)).revenue
                    for number in range(len(dice))
                    if mask >> number & 1
                ]
                assert after[-1] in possible
                met += len(possible) == 1
    assert met > searched.certain // 2


def test_the_stored_residues_are_those_of_the_stored_optimum():
    stored = StoredData(Path(__file__).parents[3] / "papers" / "data")
    value = mpq(stored.answer("swe enclosure 100 --exact").value("value"))
    report = stored.answer("swe enclosure 100 --exact --residues")
    assert report.value("value") == value
    table = report.table("residues")
    assert table.cells("prime") == list(PRIMES)
    for prime, carried in zip(PRIMES, table.cells("carried"), strict=True):
        assert carried * value.denominator % prime == value.numerator % prime


def test_residues_of_another_number_or_policy_differ():
    searched = optimum(20)
    other = replace(searched, value=searched.value + mpq(1, 10**40))
    assert not any(one.found == one.carried for one in residues(other))
    policy = dict(searched.policy)
    dice = (3, 0, 0, 0, 0)
    policy[dice] = [((0, (2, 1, 0, 0, 0)),), *policy[dice][1:]]  # promote in the last round
    assert policy[dice] != searched.policy[dice]
    assert not any(one.found == one.carried for one in residues(replace(searched, policy=policy)))


def test_residues_are_compared_and_reported():
    report = ask("swe enclosure 12 --exact --residues")
    table = report.table("residues")
    assert table.cells("prime") == list(PRIMES)
    assert table.cells("same") == [True] * 3
    value = mpq(report.value("value"))
    for prime, residue in zip(PRIMES, table.cells("found"), strict=True):
        assert residue == value.numerator * invert(value.denominator, prime) % prime
    assert report.failure == ""
    from exactdice.games.swe.optimum.chooser import by_intervals

    best = by_intervals(5, widest=mpq(0))
    first, *rest = residues(best.searched)
    report = enclosure_report(best, [first, replace(rest[0], carried=0), rest[1]])
    assert report.failure == (
        f"the expected score of the policy differs from the optimum, modulo {PRIMES[1]}"
    )
    assert report.table("residues").cells("same") == [True, False, True]


POLICIES = ("NewOnly", "Promo", "PromoOnce", "ExpLegacy(0.5)", "Rand(0.3)", "PromoThenNew(0.5)")
FINE = mpq(1, 10**13)


def compare(dist, exact):
    """No weight is above the true one; what is missing is all that the weights fall short of."""
    short = mpq(0)
    for score in {*dist.weights, *exact.weights}:
        true = mpq(exact.weights.get(score, 0), exact.denominator)
        bound = mpq(dist.weights.get(score, 0), dist.denominator)
        assert bound <= true, score
        short += true - bound
    assert short == dist.missing
    return short


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("rounds", [0, 1, 2, 9, 14])
def test_weights_are_lower_bounds(name, rounds):
    policy = policy_from_text(name)
    dist, _ = distribution_from_below(policy, rounds, least=FINE)
    assert compare(dist, exact_distribution(policy, rounds)) < mpq(1, 10**11)


def test_policies_with_other_repairs_or_that_look_at_the_score():
    dist, _ = distribution_from_below(PromoOnceLowest(), 12, least=FINE)
    assert compare(dist, exact_distribution(PromoOnceLowest(), 12)) < mpq(1, 10**11)
    other, _ = distribution_from_below(policy_from_text("PromoOnce"), 12, least=FINE)
    assert other.weights != dist.weights
    dist, _ = distribution_from_below(Cautious(), 12, least=FINE)
    exact = exact_distribution(Cautious(), 12)
    assert compare(dist, exact) < mpq(1, 10**11)
    assert exact.mean() not in (
        exact_distribution(policy, 12).mean() for policy in (Promo(), NewOnlyPolicy())
    )


@given(
    st.lists(st.integers(2, 12), min_size=1, max_size=4, unique=True).map(sorted),
    st.integers(1, 9), st.sampled_from(POLICIES), st.integers(2, 13),
)  # fmt: skip
def test_random_ladders_and_bounds(faces, rounds, name, digits):
    ladder, policy = Ladder.of(faces), policy_from_text(name)
    dist, products = distribution_from_below(policy, rounds, ladder, least=mpq(1, 10**digits))
    compare(dist, exact_distribution(policy, rounds, ladder))
    assert products >= 0


@pytest.mark.slow
@given(st.integers(1, 12), st.integers(2, 10**6))
def test_bounds_remain_valid_with_fewer_products(rounds, most):
    policy = policy_from_text("Rand(0.5)")
    dist, _ = distribution_from_below(policy, rounds, least=FINE, most_products=most)
    compare(dist, exact_distribution(policy, rounds))


@pytest.mark.slow
def test_refined_bounds_agree_with_exact_and_integer_evaluations():
    policy = policy_from_text("Rand(0.5)")
    dists = [distribution_from_below(policy, 24, least=mpq(1, 10**n))[0] for n in (3, 5, 7, 9)]
    missing = [dist.missing for dist in dists]
    assert missing == sorted(missing, reverse=True)
    assert missing[-1] < mpq(1, 10**6)
    policy = policy_from_text("Rand(0.2)")
    exact, dist = (
        exact_distribution(policy, 16),
        refined_in_doubles(policy, 16, STANDARD, 136, 10**8),
    )
    compare(dist, exact)
    for level in LEVELS.values():
        assert dist.quantile(level).certified
        assert dist.quantile(level) == exact.quantile(level)
    assert dist.mean().width < mpq(1, 1000)
    assert exact_moments(policy, 16)[0] in dist.mean()
    policy = policy_from_text("PromoThenNew(0.2)")
    integers = evaluate(policy, 40, work=10**8, in_doubles=False)
    doubles = evaluate(policy, 40, work=10**8, in_doubles=True)
    assert doubles.exact_mean == integers.exact_mean
    assert doubles.largest == integers.largest
    for level in LEVELS.values():
        a, b = integers.scores.quantile(level), doubles.scores.quantile(level)
        assert max(a.low, b.low) <= min(a.high, b.high)


@pytest.mark.long
@pytest.mark.parametrize("name", ["Rand(0.1)", "Rand(0.9)"])
def test_figures_of_random_policies_over_a_hundred_rounds_agree_with_percentiles(name):
    # The SWE game's README simulated 10000 games: within four standard errors at each level.
    evaluation = evaluate(policy_from_text(name), 100, in_doubles=True)
    figures = FIGURES[100][name]
    assert all(span.certified for span in evaluation.percentiles.values())
    for key, level in LEVELS.items():
        figure = getattr(figures, key)
        assert percentile_z_score(figure, level, evaluation.scores).size.square < 16


@pytest.mark.parametrize(("changes", "what"), [
    ({"rounds": 201}, "rounds: got 201; expected a whole number from 0 to 200"),
    ({"rounds": "2.5"}, "rounds: got '2.5'"),
    ({"least": mpq(1)}, "least: got 1; expected a number from 1e-300"),
    ({"least": mpq(0)}, "least: got 0; expected"),
    ({"least": "1e-400"}, "least: got '1e-400'; expected"), ({"least": None}, "least: got None"),
    ({"run": Run(workers=257)}, "threads: got 257; expected a whole number from 1 to 256"),
    ({"largest": -1}, "largest: got -1; expected"),
    ({"most_products": -1}, "most_products: got -1; expected"),
    ({"ladder": Ladder.of(range(2, 11))}, "ladder: got .*; expected at most 8 rungs"),
    ({"ladder": Ladder.of([4, 2**31])}, "ladder: got .*; expected at most 8 rungs"),
])  # fmt: skip
def test_arguments_out_of_range_are_rejected(changes, what):
    arguments = {"rounds": 5, "ladder": STANDARD, "least": FINE} | changes
    with pytest.raises(InputError, match=f"^{what}"):
        distribution_from_below(policy_from_text("Promo"), **arguments)
    assert takes(200, STANDARD)
    assert not takes(201, STANDARD)
    assert not takes(5, Ladder.of(range(2, 11)))
    assert not takes(5, Ladder.of([4, 2**31]))


def test_memory_limits_of_distributions():
    dist, _ = distribution_from_below(
        policy_from_text("Promo"), 20, least=mpq(1, 1000), run=Run(None), most_products=10**400
    )
    assert dist.missing < mpq(1, 10)
    policy = policy_from_text("Rand(0.5)")
    dist, products = distribution_from_below(policy, 9, least=FINE, most_products=0)
    assert 0 < products < distribution_from_below(policy, 9, least=FINE)[1]
    assert dist.missing > 0


@pytest.mark.slow
def test_memory_limits_of_large_distributions():
    # 1003 blocks, few entering distributions; the box of one has up to 2187 splits.
    arguments = policy_from_text("Rand(0.5)"), 40, Ladder.of(range(1000, 1007))
    least = mpq(1, 10**6)
    dist, _ = distribution_from_below(*arguments, least=least, run=Run(2 * 10**9))
    with pytest.raises(TooLargeError, match="MiB"):
        distribution_from_below(*arguments, least=least, run=Run(10**7))
    assert dist.missing < 1
    policy, limit = policy_from_text("Rand(0.5)"), 7 * 10**6
    with pytest.raises(TooLargeError):
        distribution_from_below(policy, 40, least=mpq(1, 10**7), run=Run(limit))
    dist = refined_in_doubles(policy, 40, STANDARD, 820, 10**12, Run(limit))
    assert mpq(1, 10**5) < dist.missing < mpq(1, 2)
    with pytest.raises(TooLargeError):
        refined_in_doubles(policy, 40, STANDARD, 820, 10**12, Run(1000))


def test_progress_and_interrupts():
    parts = []
    policy = policy_from_text("Rand(0.5)")
    run = Run(progress=lambda *news: parts.append(news))
    distribution_from_below(policy, 22, least=mpq(1, 10**9), run=run)
    assert parts
    assert parts == sorted(parts)
    assert all(what == "thousandths" and 0 <= done <= of for what, done, of in parts)
    for raised in (TypeError("no fault of the solver"), KeyboardInterrupt()):

        def stop(*news, raised=raised):
            raise raised

        with pytest.raises(type(raised)):
            distribution_from_below(policy, 16, least=FINE, run=Run(progress=stop))


def test_default_largest_score_is_that_of_always_creating():
    for rounds in (1, 3, 7):
        dist, _ = distribution_from_below(NewOnlyPolicy(), rounds, least="1e-30")
        assert dist.largest == sum(range(1, rounds + 1))
        assert (
            distribution_from_below(NewOnlyPolicy(), rounds, least="1e-30", largest=40)[0].largest
            == 40
        )
