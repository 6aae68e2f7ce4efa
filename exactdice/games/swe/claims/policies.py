"""Claims about policies of the software-engineering game, and what its README prints of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from gmpy2 import isqrt, mpq

from exactdice.arithmetic import rational, text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.swe.laws.evaluation import exact_law, exact_moments
from exactdice.games.swe.laws.largest import largest_score
from exactdice.games.swe.laws.players import (
    NewOnly,
    Policy,
    Promo,
    PromoOnce,
    PromoThenNew,
    Turn,
    policy_from_text,
)
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, Kind, State
from exactdice.games.swe.sources import FIGURES, GAMES

__all__ = ["claims"]

_README = "the SWE game's README"
_MOST = 300  # hundredths of a standard error


class _OnceThenNew(Policy):
    """PromoOnce, but creating in the last three rounds."""

    family = "OnceThenNew"
    last = 3

    def improvements(self, dice: tuple[int, ...], turn: Turn, score: int) -> Mapping[Action, mpq]:
        """Create if the game ends soon."""
        is_late = turn.round > turn.rounds - self.last
        return (NewOnly() if is_late else PromoOnce()).improvements(dice, turn, score)


def _is_drawn(name: str) -> bool:
    """Whether a policy decides at random."""
    return name.startswith("Rand") and name != "Rand(1)"


def _is_phased(name: str) -> bool:
    return "Then" in name


def _as_run(name: str) -> str:
    return name.replace("(", "AsRun(") if _is_phased(name) else name


def _moments(name: str, rounds: int) -> tuple[mpq, mpq]:
    return exact_moments(policy_from_text(name).simplified(), rounds)


def _mean(name: str, rounds: int) -> mpq:
    return _moments(name, rounds)[0]


def _cut(number: mpq, places: int = 3) -> mpq:
    return mpq(10**places * number // 1, 10**places)


def _raised(number: mpq) -> mpq:
    return -_cut(-number)


def _better(better: mpq, worse: mpq) -> dict[str, Content]:
    return {"better_above": text(_cut(better)), "below": text(_raised(worse))}


def _not_optimal(rounds: int, played: Policy, other: Policy, last: int) -> Finding:
    """What a policy loses at the lone die in the last round, and what another one scores."""
    lone = State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1)
    worth = {move.action: move.value for move in solve(2).actions(lone, 1)}
    loss = worth[Action(Kind.CREATE)] - worth[Action(Kind.PROMOTE, 0)]
    better, worse = (exact_moments(policy, rounds)[0] for policy in (other, played))
    found = {"creating_last": last, "left": 1, "loss": text(loss), "score": lone.score}
    return Finding(
        Verdict("refuted") if loss > 0 and better > worse else Verdict("open"),
        found | {"table": [lone.revenue, lone.legacy]} | _better(better, worse),
    )


def _thirty_best() -> Finding:
    others = [name for name in FIGURES[30] if name not in ("PromoOnce", "Rand(1)")]
    is_best = _mean("PromoOnce", 30) > 92 > max(_mean(name, 30) for name in others)
    verdict = Verdict("proved" if is_best else "refuted")
    return Finding(verdict, {"divides": "92", "others": len(others)})


def _hundred_best() -> Finding:
    """Compare what the README names best with the policy that departs from it last."""
    better = PromoThenNew("9/10")
    above, below = exact_moments(better, 100)[0], _mean("Promo", 100)
    printed = FIGURES[100]["PromoThenNew(0.9)"].mean
    return Finding(
        Verdict("refuted") if above > below else Verdict("open"),
        {"better": better.name, "printed": printed, **_better(above, below)},
    )


def _hundred_best_as_run() -> Finding:
    others = [
        name
        for name in FIGURES[100]
        if name != "Promo" and not name.startswith("Rand") and not _is_phased(name)
    ]
    is_best = _mean("Promo", 100) > 645 > max(_mean(name, 100) for name in others)
    verdict = Verdict("proved" if is_best else "refuted")
    return Finding(verdict, {"divides": "645", "others": len(others)})


def _rankings_change() -> Finding:
    names = ("NewOnly", "Promo", "PromoOnce")
    orders = {
        f"in_{rounds}": " > ".join(sorted(names, key=lambda x: -_mean(x, rounds)))
        for rounds in FIGURES
    }
    return Finding(Verdict("proved" if len(set(orders.values())) > 1 else "refuted"), orders)


def _variance_pays() -> Finding:
    """The first game in which PromoOnce has the greater mean, and what it cannot reach there."""
    rounds = next(r for r in range(2, 30) if _mean("PromoOnce", r) > _mean("NewOnly", r))
    most = largest_score(PromoOnce(), rounds, STANDARD) or 0
    law = exact_law(NewOnly(), rounds).distribution().probabilities()
    chance = sum((p for score, p in law.items() if score > most), mpq(0))
    varies = _moments("NewOnly", rounds)[1] > _moments("PromoOnce", rounds)[1]
    verdict = Verdict("proved" if chance > 0 and varies else "open")
    return Finding(verdict, {"chance": text(_cut(chance)), "most": most, "rounds": rounds})


def _distance(printed: str, mean: mpq, variance: mpq) -> int:
    """Hundredths of a standard error, cut off, by which a printed mean is above an exact one."""
    gap = rational(printed) - mean
    size = int(isqrt(10**4 * GAMES * gap**2 // variance))
    return size if gap >= 0 else -size


def _told(rounds: int, moments: Mapping[str, tuple[mpq, mpq]], holds: str) -> Finding:
    """Compare printed means with exact moments, by the README's names of the policies."""
    printed = {name: FIGURES[rounds][name].mean for name in moments}
    distances = {name: _distance(printed[name], *moments[name]) for name in moments}
    told = ", ".join(
        f"{name} {printed[name]} ({'−' if k < 0 else '+'}{abs(k) // 100}.{abs(k) % 100:02})"
        for name, k in distances.items()
    )
    is_near = max(map(abs, distances.values())) <= _MOST
    return Finding(Verdict(holds if is_near else "refuted"), {"listed": told})


def _printed_means(rounds: int) -> Finding:
    names = [name for name in FIGURES[rounds] if rounds == 10 or not _is_drawn(name)]
    moments = {name: _moments(_as_run(name), rounds) for name in names}
    return _told(rounds, moments, "proved")


def _drawn_means() -> Finding:
    """Moments cut off after twelve digits; they need minutes."""
    moments = {}
    for name in filter(_is_drawn, FIGURES[30]):
        mean, variance = _moments(name, 30)
        moments[name] = (_cut(mean, 12), _cut(variance, 12))
    found = _told(30, moments, "confirmed")
    evidence: dict[str, Content] = {
        "moments": {name: list(map(text, both)) for name, both in moments.items()},
        "not_checked": "variances; of means, that they lie between bounds",
    }
    return Finding(found.verdict, {**evidence, **found.evidence})


def _named_means() -> Finding:
    names = filter(_is_phased, FIGURES[10])
    return _told(10, {name: _moments(name, 10) for name in names}, "proved")


def claims() -> Iterator[Claim]:
    """List the claims.

    Examples
    --------
    >>> next(claims()).id
    'swe.30-rounds'
    """
    yield from _about_optimality()
    yield from _about_lists()
    yield from _about_printed_means()


def _about_optimality() -> Iterator[Claim]:
    once: Callable[[], Finding] = partial(_not_optimal, 30, PromoOnce(), _OnceThenNew(), 3)
    promo: Callable[[], Finding] = partial(_not_optimal, 100, Promo(), PromoThenNew("9/10"), 10)
    for rounds, strategy, find, gain in (
        (30, "promoting a d4 if there is one, and creating if not, is optimal", once, "3"),
        (
            100,
            "promoting the lowest die that can be promoted, and creating only if none can, is "
            "optimal",
            promo,
            "10",
        ),
    ):
        yield Claim(
            id=f"swe.{rounds}-rounds",
            statement=f"in <rounds> rounds {strategy}",
            latex="",
            source=f"{_README}, as the best of the policies it tried",
            domain=f"all states that play can reach in the game of {rounds} rounds",
            method="one state is judged, and two means are compared",
            order="fewest rounds left, then as for the other claims",
            kind="search",
            parameters={"rounds": rounds},
            find=find,
            depends_on=("theorem 3",),
            is_long=rounds == 100,
            note="In the last round with one d4 and a score of 1, creating is worth 37/48 more. "
            f"And who only creates in the last {gain} rounds has a greater mean.",
        )


def _about_lists() -> Iterator[Claim]:
    listed = partial(Claim, source=_README, latex="", kind="search")
    yield listed(
        id="swe.30-rounds-best-of-list",
        statement="in 30 rounds PromoOnce has the greatest mean of all policies that the README "
        "lists: above <divides>, and those of all <others> others are below",
        domain="the policies that the README lists, as their names describe them, by mean score",
        method="exact means; the checker bounds them",
        parameters={"rounds": 30},
        find=_thirty_best,
        is_long=True,
    )
    yield listed(
        id="swe.100-rounds-best-of-list",
        statement="in 100 rounds Promo has the greatest mean of all policies that the README lists",
        domain="the policies that the README lists, as their names describe them, by mean score",
        method="exact means, rounded to thousandths; of the policies that ever depart from Promo "
        "PromoThenNew(0.9) is the last",
        order="the later a policy departs from Promo, the smaller",
        parameters={"rounds": 100},
        find=_hundred_best,
        is_long=True,
        note="To promote in the first 90 rounds and only create in the last 10 is worth at least "
        "4.46 more. For that policy the README prints 652.717, because its program never came to "
        "create: swe.100-rounds-best-as-run, swe.means-as-named.",
    )
    yield listed(
        id="swe.100-rounds-best-as-run",
        statement="in 100 rounds Promo has the greatest mean of all policies that the README "
        "lists: above <divides>, and those of the <others> others that are not the same policy are "
        "below",
        domain="the policies that the README lists, as they ran: PromoThenNew as Promo and "
        "NewThenPromo as NewOnly, without Rand(p) for 0 < p < 1; by mean score",
        method="exact means; the checker bounds them",
        parameters={"rounds": 100},
        find=_hundred_best_as_run,
        is_long=True,
        note="The README prints 654.196 for PromoThenNew(0.2) and 653.394 for Promo; both ran the "
        "same, so that says nothing.",
    )
    yield listed(
        id="swe.rankings-change",
        statement="with the rounds the order of policies by mean changes: in 10 rounds it is "
        "<in_10>, in 30 <in_30>, in 100 <in_100>",
        domain="NewOnly, PromoOnce and Promo in games of 10, 30 and 100 rounds",
        method="exact means; the checker bounds them",
        find=_rankings_change,
        is_long=True,
    )
    yield listed(
        id="swe.variance-pays",
        statement="against a score that is known beforehand a policy with a lower mean and a "
        "greater variance may win more often: in <rounds> rounds NewOnly beats <most> with chance "
        "above <chance>, and PromoOnce never",
        source=f"{_README}, for several players",
        domain="several players, of whom the one with the greatest score wins",
        method="the exact law of NewOnly, and the greatest score of PromoOnce",
        order="fewest rounds in which PromoOnce has the greater mean",
        find=_variance_pays,
    )


def _about_printed_means() -> Iterator[Claim]:
    near = "each mean that the README prints for <rounds> rounds is within 3 standard errors of "
    near += "10,000 games of the exact one; in brackets how many: <listed>"
    ran = "the policies that the README lists, as they ran: PromoThenNew as Promo and NewThenPromo "
    ran += "as NewOnly"
    method = "exact means and variances; distances are cut off after two digits"
    printed = partial(Claim, statement=near, latex="", source=_README, method=method)
    for rounds in FIGURES:
        yield printed(
            id=f"swe.means-{rounds}",
            domain=ran if rounds == 10 else f"{ran}, without Rand(p) for 0 < p < 1",
            kind="process",
            parameters={"games": GAMES, "rounds": rounds},
            find=partial(_printed_means, rounds),
            is_long=rounds == 100,
            note="That there were 10,000 games is an assumption; all means fit with it.",
        )
    yield printed(
        id="swe.means-30-drawn",
        domain="the policies Rand(p) that the README lists, 0 < p < 1",
        kind="process",
        parameters={"games": GAMES, "rounds": 30},
        find=_drawn_means,
        is_long=True,
        note="The checker sees that the means lie between bounds, and makes the distances from "
        "numbers that this package found; variances it does not look at.",
    )
    yield Claim(
        id="swe.means-100-drawn",
        statement="each mean that the README prints for 100 rounds is within 3 standard errors of "
        "10,000 games of the exact one",
        latex="",
        source=_README,
        method="the means are only enclosed, and the variances poorly",
        domain="the policies Rand(p) that the README lists, 0 < p < 1",
        note="Evidence: `exactdice swe policies 100` encloses the mean of Rand(0.1) between 618.46 "
        "and 618.61, and its variance above 3777; 617.962 is within 1.1 standard errors of that.",
    )
    yield printed(
        id="swe.means-as-named",
        domain="PromoThenNew(f) and NewThenPromo(f) as their names say, the first policy for the "
        "rounds up to f times the number of all, then the other",
        kind="search",
        parameters={"games": GAMES, "rounds": 10},
        find=_named_means,
    )
