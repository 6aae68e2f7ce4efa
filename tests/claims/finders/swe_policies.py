"""Claims about policies of the software-engineering game, and what its README prints of them."""

from functools import cache, partial

from exactdice.arithmetic import isqrt, mpq, rational, text
from exactdice.games.swe.distributions.evaluation import exact_distribution, exact_moments
from exactdice.games.swe.distributions.players import (
    NewOnlyPolicy,
    Promo,
    PromoOnce,
    PromoThenNew,
    RulePolicy,
    policy_from_text,
)
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, State
from exactdice.games.swe.sources import FIGURES, GAMES, LEVELS
from finders.finding import Finding

_MOST = 300  # hundredths of a standard error
_WITHIN = "1/1000000000"  # how near drawn moments are bounded without this package


class _OnceThenNew(RulePolicy):
    """PromoOnce, but creating in the last three rounds."""

    family = "OnceThenNew"
    last = 3

    def improvements(self, dice, turn, score):
        """Create if the game ends soon."""
        is_late = turn.round > turn.rounds - self.last
        return (NewOnlyPolicy() if is_late else PromoOnce()).improvements(dice, turn, score)


def _is_drawn(name):
    """Whether a policy decides at random."""
    return name.startswith("Rand") and name != "Rand(1)"


def _is_phased(name):
    return "Then" in name


def _moments(name, rounds):
    return exact_moments(policy_from_text(name).simplified(), rounds)


def _mean(name, rounds):
    return _moments(name, rounds)[0]


def _cut(number, places=3):
    return mpq(10**places * number // 1, 10**places)


def _better(better, worse):
    return {"better_above": text(_cut(better)), "below": text(-_cut(-worse))}


def _not_optimal(rounds, played, other, last):
    """What a policy loses at the lone die in the last round, and what another one scores."""
    lone = State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1)
    worth = {move.action: move.value for move in solve(2).actions(lone, 1)}
    loss = worth[Action(ActionKind.CREATE)] - worth[Action(ActionKind.PROMOTE, 0)]
    better, worse = (exact_moments(policy, rounds)[0] for policy in (other, played))
    table = [lone.revenue, lone.legacy]
    evidence = {"creating_last": last, "left": 1, "loss": text(loss), "score": lone.score}
    return Finding(
        "refuted" if loss > 0 and better > worse else "open",
        evidence | {"table": table} | _better(better, worse),
    )


def _best_of_list(rounds, best, divides, is_left_out):
    """Whether a number divides the mean of what the README names best from all others."""
    others = [name for name in FIGURES[rounds] if name != best and not is_left_out(name)]
    is_best = _mean(best, rounds) > divides > max(_mean(name, rounds) for name in others)
    verdict = "proved" if is_best else "refuted"
    return Finding(verdict, {"divides": str(divides), "others": len(others)})


def _hundred_best():
    """Compare what the README names best with the policy that departs from it last."""
    better = PromoThenNew("9/10")
    above, below = exact_moments(better, 100)[0], _mean("Promo", 100)
    printed = FIGURES[100]["PromoThenNew(0.9)"].mean
    return Finding(
        "refuted" if above > below else "open",
        {"better": better.name, "printed": printed, **_better(above, below)},
    )


def _rankings_change():
    names = ("NewOnly", "Promo", "PromoOnce")
    orders = {
        f"in_{rounds}": " > ".join(sorted(names, key=lambda x: -_mean(x, rounds)))
        for rounds in FIGURES
    }
    return Finding("proved" if len(set(orders.values())) > 1 else "refuted", orders)


def _variance_pays():
    """The first game in which PromoOnce has the greater mean, and what it cannot reach there."""
    rounds = next(r for r in range(2, 30) if _mean("PromoOnce", r) > _mean("NewOnly", r))
    most = max(exact_distribution(PromoOnce(), rounds).distribution())
    law = exact_distribution(NewOnlyPolicy(), rounds).distribution().probabilities()
    chance = sum((p for score, p in law.items() if score > most), mpq(0))
    varies = _moments("NewOnly", rounds)[1] > _moments("PromoOnce", rounds)[1]
    verdict = "proved" if chance > 0 and varies else "open"
    return Finding(verdict, {"chance": text(_cut(chance)), "most": most, "rounds": rounds})


def _distance(printed, mean, variance):
    """Hundredths of a standard error, cut off, by which a printed mean is above an exact one."""
    gap = rational(printed) - mean
    size = int(isqrt(10**4 * GAMES * gap**2 // variance))
    return size if gap >= 0 else -size


def _compared(rounds, moments):
    """Compare printed means with exact moments, by the README's names of the policies."""
    printed = {name: FIGURES[rounds][name].mean for name in moments}
    distances = {name: _distance(printed[name], *moments[name]) for name in moments}
    listed = ", ".join(
        f"{name} {printed[name]} ({'−' if k < 0 else '+'}{abs(k) // 100}.{abs(k) % 100:02})"
        for name, k in distances.items()
    )
    is_near = max(map(abs, distances.values())) <= _MOST
    return Finding("proved" if is_near else "refuted", {"listed": listed})


def _printed_means(rounds):
    names = [name for name in FIGURES[rounds] if rounds == 10 or not _is_drawn(name)]
    ran = {name: name.replace("(", "AsRun(") if _is_phased(name) else name for name in names}
    moments = {name: _moments(played, rounds) for name, played in ran.items()}
    return _compared(rounds, moments)


def _drawn_means():
    """Moments cut off after twelve digits; they need minutes."""
    moments = {}
    for name in filter(_is_drawn, FIGURES[30]):
        mean, variance = _moments(name, 30)
        moments[name] = (_cut(mean, 12), _cut(variance, 12))
    compared = _compared(30, moments)
    faces = ",".join(map(str, STANDARD))
    evidence = {
        "moments": {name: list(map(text, both)) for name, both in moments.items()},
        "programs": [
            f"swe_means {faces} 30 {name[5:-1]} {text(mean)} {text(variance)} {_WITHIN}"
            for name, (mean, variance) in moments.items()
        ],
        "within": _WITHIN,
    }
    return Finding(compared.verdict, {**evidence, **compared.evidence})


def _named_means():
    names = filter(_is_phased, FIGURES[10])
    return _compared(10, {name: _moments(name, 10) for name in names})


@cache
def _law(name, rounds):
    """The distribution of the score, as the README's program plays the policy."""
    run = {"PromoThenNew": "Promo", "NewThenPromo": "NewOnly"}
    policy = policy_from_text(run.get(name.partition("(")[0], name)).simplified()
    return exact_distribution(policy, rounds).distribution().probabilities()


def _percentiles(rounds, column):
    """A column; in 10 and 30 rounds quick exact distributions are compared with it, too."""

    def find():
        rows = {
            name: of for name, of in FIGURES[rounds].items() if rounds < 100 or not _is_drawn(name)
        }
        level = LEVELS[column]
        for name, of in rows.items():
            if rounds == 100 or (rounds == 30 and _is_drawn(name)):
                continue
            figure, law = getattr(of, column), _law(name, rounds)
            below, upto = (
                sum((p for x, p in law.items() if x < end), mpq(0)) for end in (figure, figure + 1)
            )
            excess = max(below - level, level - upto, mpq(0))
            assert excess**2 * GAMES <= 9 * level * (1 - level)
        named = " ".join(f"{name}:{','.join(map(str, of[1:7]))}" for name, of in rows.items())
        return Finding("proved", {"programs": [f"swe_quantiles {rounds} {named}"]})

    return find


FINDERS = {
    "swe.30-rounds": partial(_not_optimal, 30, PromoOnce(), _OnceThenNew(), 3),
    "swe.100-rounds": partial(_not_optimal, 100, Promo(), PromoThenNew("9/10"), 10),
    "swe.30-rounds-best-of-list": partial(
        _best_of_list, 30, "PromoOnce", 92, lambda name: name == "Rand(1)"
    ),
    "swe.100-rounds-best-of-list": _hundred_best,
    "swe.100-rounds-best-as-run": partial(
        _best_of_list, 100, "Promo", 645, lambda name: name.startswith("Rand") or _is_phased(name)
    ),
    "swe.rankings-change": _rankings_change,
    "swe.variance-pays": _variance_pays,
    "swe.means-10": partial(_printed_means, 10),
    "swe.means-30": partial(_printed_means, 30),
    "swe.means-100": partial(_printed_means, 100),
    "swe.means-30-drawn": _drawn_means,
    "swe.means-as-named": _named_means,
    **{
        f"swe.{column}-{rounds}": _percentiles(rounds, column)
        for rounds in FIGURES
        for column in LEVELS
    },
}
