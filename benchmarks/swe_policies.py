"""Policies of the software-engineering game: exact laws and means, against simulating them."""

from gmpy2 import mpq

from benchmarks.bench import Bench, fastest
from exactdice.games.swe import new_only as closed_form
from exactdice.games.swe.distributions import ScoreDistribution, Span
from exactdice.games.swe.distributions.evaluation import (
    chain_moments,
    distribution_from_below,
    enclosed_distribution,
    exact_distribution,
    exact_moments,
)
from exactdice.games.swe.distributions.listed import evaluate_optimal
from exactdice.games.swe.distributions.players import (
    NewOnlyPolicy,
    PolicyMoment,
    Promo,
    RulePolicy,
    policy_from_text,
)
from exactdice.games.swe.distributions.simulation import simulate
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.optimum.objectives import maximise, reaching
from exactdice.games.swe.rules import STANDARD, State, empty_table, legal_actions, outcomes

_GAMES = 10000


def measure(bench: Bench) -> None:
    _new_only(bench)
    _laws(bench)
    _aims(bench)


def _new_only(bench: Bench) -> None:
    closed = fastest(lambda: closed_form.NewOnly(4).expected_score(100))
    chain = fastest(lambda: chain_moments(100)[0])
    bench.add("NewOnly, R = 100, closed form", closed, "5", "chain", chain)


def _laws(bench: Bench) -> None:
    """Exact laws beside following every state, and beside a simulation of 10000 games."""
    law = fastest(lambda: exact_distribution(NewOnlyPolicy(), 9).mean().point)
    plain = fastest(lambda: _followed(NewOnlyPolicy(), 9), runs=1)
    bench.add("distribution of NewOnly, R = 9", law, "", "every state followed", plain)
    for name, rounds in (("Rand(0.5)", 10), ("Promo", 30), ("NewOnly", 30)):
        policy = policy_from_text(name)
        ours = fastest(
            lambda policy=policy, rounds=rounds: exact_distribution(policy, rounds), runs=1
        )
        drawn = fastest(lambda p=policy, r=rounds: simulate(p, r, _GAMES), runs=1)
        bench.add(f"distribution of {name}, R = {rounds}, exact", ours)
        bench.add(f"{_GAMES} games of {name}, R = {rounds}", drawn)
    optimum = solve(22)
    bench.add("distribution of optimal play, R = 22", fastest(lambda: evaluate_optimal(optimum), 1))
    bench.add("mean of Promo, R = 100, exact", fastest(lambda: exact_moments(Promo(), 100), 1))
    bench.add(
        "distribution of NewOnly, R = 100, error below 1e-8",
        fastest(lambda: enclosed_distribution(NewOnlyPolicy(), 100, bits=48, least=28), 1),
    )
    lots, least = policy_from_text("Rand(0.5)"), 20
    doubles = fastest(lambda: _p50(distribution_from_below(lots, 30, least=mpq(1, 2**least))[0]), 1)
    integers = fastest(lambda: _p50(enclosed_distribution(lots, 30, bits=48, least=least)[0]), 1)
    bench.add("p50 of Rand(0.5), R = 30, doubles", doubles, "", "in integers", integers)


def _p50(law: ScoreDistribution) -> Span:
    return law.quantile("1/2")


def _aims(bench: Bench) -> None:
    for rounds, target in ((10, 25), (16, 45)):
        best = fastest(lambda r=rounds, t=target: maximise(reaching(t), r).value, runs=1)
        bench.add(f"reach {target} in {rounds} rounds", best)


def _followed(policy: RulePolicy, rounds: int) -> object:
    """Mean of a policy by following whole states, score included."""
    now = {empty_table(): 1}
    for round_ in range(1, rounds + 1):
        after: dict[State, object] = {}
        for state, weight in now.items():
            for action, chance in policy.choices(state, PolicyMoment(round_, rounds)).items():
                assert action in legal_actions(state)
                for end, odds in outcomes(state, action, STANDARD).probabilities().items():
                    after[end] = after.get(end, 0) + weight * chance * odds
        now = after
    return sum(weight * state.score for state, weight in now.items())
