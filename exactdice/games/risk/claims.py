"""Claims about Risk, from the Risk posts and from this package."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import comb

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.risk.dice_choice import Order, dice_game
from exactdice.games.risk.exact import win_probability, win_table
from exactdice.games.risk.round_polynomials import risk_round
from exactdice.games.risk.rounds import round_losses
from exactdice.symbolic.polynomial import Polynomial

__all__ = ["claims"]

_POSTS = "the Risk posts"
_US = "this package"
_PROVED = Verdict("proved")
_MAX_UNITS = 30


def _one_against_one() -> Finding:
    rolls = 6 * 6
    won, lost = (int(chance * rolls) for chance in _chances(1, 1))
    return Finding(_PROVED, {"attacker_loses": lost, "defender_loses": won, "rolls": rolls})


def _four_against_two() -> Finding:
    return Finding(_PROVED, {"win": text(win_probability(4, 2))})


def _table() -> Finding:
    table = win_table(10, 10)
    rows = [[text(table[a, d]) for d in range(1, 11)] for a in range(2, 11)]
    return Finding(_PROVED, {"win": rows})


def _maximum_dice() -> Finding:
    games = [dice_game(_MAX_UNITS, _MAX_UNITS, order, "fighting") for order in Order]
    exceptions = len({armies for game in games for armies in game.exceptions()})
    verdict = Verdict("refuted") if exceptions else Verdict("verified", _MAX_UNITS)
    return Finding(verdict, {"exceptions": exceptions, "states": len(games[0])})


def _texts(polynomial: Polynomial, degree: int) -> list[str]:
    written = list(map(text, polynomial.coefficients))
    return written + ["0"] * (degree + 1 - len(written))


def _power_sums() -> Finding:
    found = {str(d): _texts(risk_round(d + 1, d).count(d), 2 * d + 1) for d in (1, 2, 3)}
    return Finding(_PROVED, {"coefficients": found})


def _reciprocity() -> Finding:
    found = {
        f"{a} v {d}": [_texts(count, a + d) for count in risk_round(a, d).counts]
        for a, d in product((1, 2, 3), repeat=2)
    }
    return Finding(_PROVED, {"coefficients": found})


def _chances(attacking: int, defending: int) -> list[mpq]:
    losses = round_losses(attacking, defending)
    stake = min(attacking, defending)
    return [losses.probability((k, stake - k)) for k in range(stake + 1)]


def _monotone() -> Finding:
    one, two, three = (_chances(a, 2) for a in (1, 2, 3))
    kill = [_chances(a, 1)[0] for a in (1, 2, 3)]
    gaps = [
        *(two[1] - one[0], three[0] - two[0], three[1] - two[1]),
        *(kill[1] - two[0], kill[2] - three[0]),
    ]
    verdict = _PROVED if min(gaps) >= 0 else Verdict("open")
    return Finding(verdict, {"gaps": list(map(text, gaps))})


def _favoured() -> Finding:
    advantage = risk_round(3, 2).advantage
    first = risk_round(3, 2).favoured()[-1].first
    coefficients = advantage.coefficients
    shifted = [
        sum(
            (coefficients[i] * comb(i, j) * first ** (i - j) for i in range(j, len(coefficients))),
            mpq(0),
        )
        for j in range(len(coefficients))
    ]
    return Finding(
        _PROVED,
        {
            "advantage": list(map(text, coefficients)),
            "first": first,
            "shifted": list(map(text, shifted)),
        },
    )


def _limit() -> Finding:
    alpha, beta = mpq(47, 48), mpq(51, 50)
    two = sum((w * alpha**-k * beta ** (k - 2) for k, w in enumerate(_chances(3, 2))), mpq(0))
    bounds: dict[str, Content] = {
        "alpha": text(alpha),
        "beta": text(beta),
        "limit": 1,
        "one": text(_chances(3, 1)[1] / alpha),
        "product": text(alpha * beta),
        "two": text(two),
    }
    return Finding(_PROVED, bounds)


def claims() -> Iterator[Claim]:
    """List the claims about Risk.

    Examples
    --------
    >>> next(claims()).find().evidence
    {'attacker_loses': 21, 'defender_loses': 15, 'rolls': 36}
    """
    counted = partial(Claim, source=_POSTS, method="enumeration of all rolls")
    yield counted(
        id="risk.one-against-one",
        statement="with one die a side the attacker loses in 21 of 36 rolls",
        latex=r"\Pr(X \le Y) = \tfrac{21}{36}",
        domain="two six-sided dice, ties to the defender",
        kind="count",
        find=_one_against_one,
    )
    recursion = "the recursion over battles in exact arithmetic, rounds by enumeration"
    solved = partial(Claim, source=_POSTS, method=recursion)
    yield solved(
        id="risk.four-against-two",
        statement="4 total attackers beat 2 defenders with chance 6610505/10077696",
        latex=r"V(4, 2) = \tfrac{6610505}{10077696}",
        domain="total units: one of the 4 stays behind",
        kind="value",
        parameters={"units": "total"},
        find=_four_against_two,
    )
    yield solved(
        id="risk.table",
        statement="the chances to win up to 10 total attackers against 10 defenders are as listed",
        latex="",
        domain="all battles of 2 to 10 total attackers against 1 to 10 defenders",
        kind="value",
        parameters={"attackers": 10, "defenders": 10, "units": "total"},
        find=_table,
        note="The posts show the table as a picture; the rationals are in the certificate.",
    )
    yield Claim(
        id="risk.maximum-dice",
        statement="it is optimal for both sides always to roll as many dice as possible",
        latex="",
        source=f"{_POSTS}, as an assumption",
        domain="all states of the game in which both sides choose how many dice to roll, the "
        "attacker announcing first or both at once",
        method="at each state the most dice are a saddle point, and the defender's best answer to "
        "every announcement; cut off at 30 units a side",
        kind="exhaustive",
        parameters={
            "defenders": _MAX_UNITS,
            "fighting_attackers": _MAX_UNITS,
            "orders": ["announced", "simultaneous"],
        },
        find=_maximum_dice,
        cites=("minimax",),
    )
    proved = partial(Claim, source=_US)
    yield proved(
        id="risk.power-sums",
        statement="in d + 1 dice against d the attacker loses d units in 1^(2d) + … + s^(2d) rolls",
        latex=r"N_{d+1,d,d}(s) = \sum_{v=1}^{s} v^{2d}",
        domain="all d ≥ 1 and all numbers of sides s ≥ 1, ties to the defender",
        method="theorem 4; as polynomials, at degree + 1 points, for d ≤ 3",
        kind="polynomial",
        parameters={"defender_dice": [1, 2, 3]},
        find=_power_sums,
        depends_on=("theorem 4",),
        cites=("cycle-lemma",),
    )
    yield proved(
        id="risk.reciprocity",
        statement="the counts of rolls at −s are those of the round with the sides exchanged at s",
        latex=r"N_{a,d,k}(-s) = (-1)^{a+d} N_{d,a,m-k}(s)",
        domain="all numbers of dice a, d ≥ 1 and losses k of m = min(a, d)",
        method="theorem 5; as polynomials, at degree + 1 points, for a, d ≤ 3",
        kind="polynomial",
        parameters={"most_dice": 3},
        find=_reciprocity,
        depends_on=("theorem 5",),
        cites=("order-polynomials",),
    )
    yield proved(
        id="risk.monotone",
        statement="more attackers never win less often, and more defenders never lose more often",
        latex=r"V(a, d + 1) \le V(a, d) \le V(a + 1, d)",
        domain="all armies a, d ≥ 0 of fighting units, most dice 3 against 2",
        method="theorem 7: an induction that needs five comparisons of rounds",
        kind="inequality",
        find=_monotone,
        depends_on=("theorem 7",),
    )
    yield proved(
        id="risk.favoured-sides",
        statement="3 dice against 2 cost the attacker less than the defender exactly for s ≥ 5",
        latex=r"\sum_k (2 - 2k) N_{3,2,k}(s) > 0 \iff s \ge 5",
        domain="all numbers of sides s ≥ 1; the mean losses of one round",
        method="the polynomial is below 0 at 1, …, 4, its coefficients in s − 5 all above 0",
        kind="positivity",
        parameters={"attacker_dice": 3, "defender_dice": 2},
        find=_favoured,
    )
    yield proved(
        id="risk.limit",
        statement="the chance of n fighting attackers to beat n defenders tends to 1",
        latex=r"\lim_{n \to \infty} V(n, n) = 1,\quad "
        r"1 - V(n, n) \le \bigl(\tfrac{47}{48}\bigr)^{n-2} \bigl(\tfrac{51}{50}\bigr)^{n}",
        domain="equal armies of fighting units, most dice 3 against 2",
        method="theorem 8: a supermartingale; its two inequalities are rational",
        kind="inequality",
        parameters={"units": "fighting"},
        find=_limit,
        depends_on=("theorem 8",),
        cites=("maximal-inequality",),
    )
