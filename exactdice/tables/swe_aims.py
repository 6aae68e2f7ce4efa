"""Reports of the software-engineering game beside the mean: promotions, targets, rivals, play."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from gmpy2 import mpq

from exactdice.arithmetic import RationalLike, natural, probability, text
from exactdice.errors import InputError
from exactdice.games.swe.exact import Solution
from exactdice.games.swe.objectives import (
    PayoffSolution,
    beating,
    beating_a_law,
    maximise,
    reaching,
)
from exactdice.games.swe.play import Decision
from exactdice.games.swe.promotion import first_rise, promotion_table
from exactdice.games.swe.rules import STANDARD, WITH_D10, Ladder, State, empty_table
from exactdice.memory import MEMORY_LIMIT
from exactdice.report.model import (
    Cell,
    Quantity,
    Report,
    Table,
    exact,
    flag,
    listing,
    text_column,
    whole,
)
from exactdice.report.provenance import Provenance
from exactdice.tables.entry import Entry
from exactdice.tables.swe import (
    reachable_quantity,
    require_existing,
    state_text,
    swe_provenance,
)
from exactdice.tables.swe_policies import (
    OPTIMAL_ROUNDS,
    evaluated,
    policies_report,
    policy_names,
    readings_report,
)

__all__ = [
    "beat_report",
    "entries",
    "long_entries",
    "play_report",
    "promotion_report",
    "target_report",
]


def promotion_report(ladder: Ladder = STANDARD) -> Report:
    """Report what promoting a die gains on each rung."""
    table = Table(
        "promotions",
        "Promotions",
        [
            whole("rung", "number of the rung, from 0"),
            whole("faces", "faces of a die there"),
            exact("failure", "chance that it fails in a roll"),
            exact("gain", "how much a promotion lowers that; 0 on the top rung"),
        ],
        promotion_table(ladder),
    )
    rise = first_rise(ladder)
    quantities = [
        Quantity(
            flag("never_rises", "whether no promotion gains more than a lower one"), rise is None
        ),
        Quantity(whole("first_rise", "lowest rung that gains more than the one below"), rise),
    ]
    return Report("SWE: what a promotion gains", quantities, [table], swe_provenance(ladder))


def target_report(
    rounds: int,
    target: int,
    ladder: Ladder = STANDARD,
    state: State | None = None,
    now: int = 1,
    *,
    memory_limit: int | None = MEMORY_LIMIT,
) -> Report:
    """Report the greatest probability to reach a target, and what each policy makes of it."""
    solution = maximise(reaching(target), rounds, ladder, memory_limit=memory_limit)
    meaning = f"greatest probability of a final score of at least {target}"
    report = _aim_report(solution, meaning, f"SWE: to reach {target} in", state, now)
    if state is not None:
        return report
    rows: list[tuple[Cell, ...]] = []
    for name in ("Optimal", "NewOnly", "Promo", "PromoOnce"):
        if name != "Optimal" or rounds <= OPTIMAL_ROUNDS:
            evaluation = evaluated(name, rounds, ladder, memory_limit=memory_limit)
            chance = evaluation.law.reaches(target).point
            rows.append((name, chance, None if chance is None else solution.value - chance))
    policies = Table(
        "policies",
        "What policies for the mean make of it",
        [
            text_column("name", "policy"),
            exact("chance", "probability to reach the target; nothing where it is only enclosed"),
            exact("short", "how much less than the greatest"),
        ],
        rows,
    )
    return Report(report.title, report.quantities, [*report.tables, policies], report.provenance)


def beat_report(
    rounds: int,
    opponent: str,
    tie: RationalLike = 0,
    ladder: Ladder = STANDARD,
    state: State | None = None,
    now: int = 1,
    *,
    memory_limit: int | None = MEMORY_LIMIT,
) -> Report:
    """Report the best response to a score that is known, or to a policy that plays apart."""
    shared = probability(tie, "tie")
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", opponent):
        known = natural(opponent.strip(), "opponent")
        payoff, against = beating(known, shared), str(known)
    else:
        try:
            evaluation = evaluated(opponent, rounds, ladder, memory_limit=memory_limit)
        except InputError as problem:
            if problem.argument != "policy":
                raise
            raise InputError("opponent", opponent, f"a score, or {problem.wanted}") from None
        if not evaluation.law.exact:
            wanted = f"a policy whose law is known exactly over {rounds} rounds"
            raise InputError("opponent", opponent, wanted)
        payoff = beating_a_law(evaluation.law.distribution(), shared)
        against = evaluation.policy
    solution = maximise(payoff, rounds, ladder, memory_limit=memory_limit)
    meaning = f"greatest probability of more than {against}, plus {text(shared)} that of a tie"
    return _aim_report(solution, meaning, f"SWE: to beat {against} in", state, now)


def _aim_report(
    solution: PayoffSolution, meaning: str, title: str, state: State | None, now: int
) -> Report:
    """Report the value of an aim, and what each action is worth."""
    rounds, ladder = solution.rounds, solution.ladder
    value_column = exact("value", meaning)
    here = empty_table(ladder) if state is None else state
    require_existing(here, now - 1)
    left = rounds - now + 1
    advice = solution.actions(here, left) if left else []
    actions = Table(
        "actions",
        "What each action is worth",
        [
            text_column("action", "what to do"),
            exact("value", "the greatest probability after it"),
            exact("regret", "how much less than with the best action"),
            flag("optimal", "whether no other action is better"),
        ],
        [(a.action.describe(ladder), a.value, a.regret, a.optimal) for a in advice],
    )
    quantities = [Quantity(value_column, solution.value_at(here, left))]
    where = f"{title} {rounds} rounds"
    if state is not None:
        where += f", in round {now} with {state_text(state, ladder)}"
        quantities.append(reachable_quantity(state, now, ladder))
    return Report(where, quantities, [actions], swe_provenance(ladder))


def play_report(solution: Solution, decisions: Sequence[Decision], seed: int) -> Report:
    """Report a game that was played, and what its decisions gave away.

    `seed` is what the random generator that rolled the dice was started with.
    """
    ladder = solution.ladder
    rounds = Table(
        "rounds",
        "The game",
        [
            whole("round", "number of the round", "rounds"),
            listing("revenue", "revenue dice before the choice, lowest rung first", "dice"),
            listing("legacy", "legacy dice before the choice", "dice"),
            whole("score", "score before the choice", "points"),
            text_column("action", "what was chosen"),
            text_column("best", "first optimal action"),
            exact("regret", "what the choice cost in expected points", "points"),
            whole("score_after", "score after the roll", "points"),
        ],
        [
            (
                d.situation.round,
                *d.situation.state,
                d.action.describe(ladder),
                d.best.describe(ladder),
                d.regret,
                d.after.score,
            )
            for d in decisions
        ],
    )
    final = decisions[-1].after.score if decisions else 0
    quantities = [
        Quantity(exact("value", "expected final score of optimal play", "points"), solution.value),
        Quantity(whole("final_score", "score of this game", "points"), final),
        Quantity(
            exact("given_away", "what all choices together cost", "points"),
            sum((d.regret for d in decisions), mpq(0)),
        ),
    ]
    title = f"SWE: a game of {solution.rounds} rounds"
    conventions = {**swe_provenance(ladder).conventions, "seed": str(seed)}
    return Report(title, quantities, [rounds], Provenance(conventions=conventions))


def entries() -> Iterator[Entry]:
    """List the tables of the policies for the main job."""
    yield Entry("swe/promotion", promotion_report, "exactdice swe promotion")
    yield Entry(
        "swe/promotion-d10",
        partial(promotion_report, WITH_D10),
        "exactdice swe promotion --ladder 4,6,8,10,12,20",
    )
    yield Entry("swe/policies-10", partial(policies_report, 10), "exactdice swe policies 10")
    yield Entry(
        "swe/policies-30-fixed",
        partial(policies_report, 30, names=policy_names(30, fixed=True)),
        "exactdice swe policies 30 --fixed",
    )
    yield Entry("swe/readings-10", partial(readings_report, 10), "exactdice swe readings 10")
    yield Entry("swe/target-10-30", partial(target_report, 10, 30), "exactdice swe target 10 30")
    yield Entry(
        "swe/beat-10-NewOnly",
        partial(beat_report, 10, "NewOnly", "1/2"),
        "exactdice swe beat 10 NewOnly --tie 1/2",
    )


def long_entries() -> Iterator[Entry]:
    """List the tables that take minutes: those of the README whole, without Monte Carlo error."""
    yield Entry("swe/readings-30", partial(readings_report, 30), "exactdice swe readings 30")
    for rounds in (30, 100):
        yield Entry(
            f"swe/policies-{rounds}",
            partial(policies_report, rounds),
            f"exactdice swe policies {rounds}",
        )
