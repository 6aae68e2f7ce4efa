"""Claims about Risk, from the Risk posts and from this package."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise, product
from math import comb

from gmpy2 import mpq

from exactdice.arithmetic import decimal, text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.risk.dice_choice import Order, dice_game
from exactdice.games.risk.exact import win_probability, win_table
from exactdice.games.risk.round_polynomials import risk_round
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import STANDARD
from exactdice.games.risk.sources import OSBORNE_WINS
from exactdice.symbolic.polynomial import Polynomial

__all__ = ["claims"]

_POSTS = "the Risk posts"
_US = "this package"
_PROVED = Verdict("proved")
_MAX_UNITS = 30
_AGAINST_HALF = (mpq(47, 50), mpq(18, 17))  # α and β of theorem 21
_OFF_EVERY_LINE = (5, 114, 148)  # defenders, of theorem 21


def _one_against_one() -> Finding:
    rolls = 6 * 6
    won, lost = (int(chance * rolls) for chance in _chances(1, 1))
    return Finding(_PROVED, {"attacker_loses": lost, "defender_loses": won, "rolls": rolls})


def _one_against_one_form() -> Finding:
    """The count of rolls that the attacker loses, as a polynomial in the sides."""
    lost = risk_round(1, 1).count(1)
    found = {"chance": text(_chances(1, 1)[1]), "coefficients": _texts(lost, 2)}
    is_sum = lost == Polynomial((mpq(0), mpq(1, 2), mpq(1, 2)))
    return Finding(_PROVED if is_sum else Verdict("refuted"), found)


def _six_patterns() -> Finding:
    """Dice of all armies of up to four units; larger ones roll as these do."""
    battles = product(range(1, 5), range(1, 4))
    found = sorted({STANDARD.dice_rolled(a, d) for a, d in battles})
    return Finding(_PROVED, {"dice": list(map(list, found)), "patterns": len(found)})


def _four_against_two() -> Finding:
    return Finding(_PROVED, {"win": text(win_probability(4, 2))})


def _table() -> Finding:
    chances = [[win_probability(a, d) for d in range(1, 11)] for a in range(2, 11)]
    printed = [list(row) for row in OSBORNE_WINS[: len(chances)]]
    rounded = [[int(decimal(1000 * chance, 0)) for chance in row] for row in chances]
    found = {
        "figures": sum(map(len, printed)),
        "printed": printed,
        "win": [list(map(text, row)) for row in chances],
    }
    return Finding(_PROVED if rounded == printed else Verdict("refuted"), found)


def _maximum_dice() -> Finding:
    games = [dice_game(_MAX_UNITS, _MAX_UNITS, order, "fighting") for order in Order]
    exceptions = len({armies for game in games for armies in game.exceptions()})
    signs = _signs()
    verdict = Verdict("refuted") if exceptions or min(signs) <= 0 else _PROVED
    found = {"exceptions": exceptions, "signs": list(map(text, signs)), "states": len(games[0])}
    return Finding(verdict, found)


def _signs() -> list[mpq]:
    """The numbers that the proof of theorem 10 calls positive, in its order."""
    p = _chances(1, 2)[0]
    w, u, q2, q3 = _chances(2, 2), _chances(3, 2), _chances(2, 1)[0], _chances(3, 1)[0]
    low, high, r, rise = mpq(13, 33), mpq(20, 33), 1 - q3, u[0] - w[0]
    alpha, beta = q3 * u[1] - r * rise + rise / 7, r * w[1] + u[2] * (q3 - p) - w[1] / 7
    down, less = low * u[1] - high * rise, low * u[2] - p * u[2] + high * w[1]
    rest = low * u[1] - down
    return [
        *(q3 * w[1] + r * (p * p - w[0]) - w[1] * p, w[1] * p - low * w[1] - high * (p * p - w[0])),
        *(mpq(4, 7) - p, alpha - mpq(4, 7) * u[1], beta, rest, rest - (less - high * u[1])),
        *(q3 - low, q3 * (u[2] - r * r), high * u[1] - r * u[1] - low * (u[2] - r * r)),
        *(low * q2 - w[0], w[2] - (1 - q2)),
    ]


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


def _rate() -> Finding:
    none, one, two = _chances(3, 2)
    return Finding(_PROVED, {"four_u0_u2": text(4 * none * two), "u1": text(one)})


def _even_chances() -> Finding:
    """Least n from which on equal armies win more often than not; theorem 21 from 200 on."""
    table = win_table(199, 199)
    first: dict[str, Content] = {}
    for units, stay in (("fighting", -1), ("total", 0)):
        wins = {n: table[n - stay, n] > mpq(1, 2) for n in range(2, 199)}
        first[units] = 1 + max(n for n, often in wins.items() if not often)
        if any(wins[n] for n in range(2, first[units])):
            return Finding(Verdict("refuted"), first)
    bound = text(_AGAINST_HALF[0] * _AGAINST_HALF[1])
    return Finding(_PROVED, first | {"product": bound})


def _no_line() -> Finding:
    table = win_table(129, 148)
    least = {
        str(d): next(a for a in range(1, 129) if table[a + 1, d] >= mpq(1, 2))
        for d in _OFF_EVERY_LINE
    }
    return Finding(_PROVED, {"least": least})


def _rising() -> Finding:
    table = win_table(9, 8)
    fighting = [table[n + 1, n] for n in range(2, 9)]
    total = [table[n, n] for n in range(2, 9)]
    rises = all(x < y for values in (fighting, total) for x, y in pairwise(values))
    found = {"fighting": list(map(text, fighting)), "total": list(map(text, total))}
    return Finding(_PROVED if rises else Verdict("refuted"), found)


def _least_army() -> Finding:
    lost = sum((k * chance for k, chance in enumerate(_chances(3, 2))), mpq(0))
    return Finding(_PROVED, {"ratio": text(lost / (2 - lost))})


def claims() -> Iterator[Claim]:
    """List the claims about Risk.

    Examples
    --------
    >>> next(claims()).find().evidence
    {'attacker_loses': 21, 'defender_loses': 15, 'rolls': 36}
    """
    counted = partial(Claim, source=_POSTS, method="enumeration of all rolls or armies")
    yield counted(
        id="risk.one-against-one",
        statement="with one die a side the attacker loses in 21 of 36 rolls",
        latex=r"\Pr(X \le Y) = \tfrac{21}{36}",
        domain="two six-sided dice, ties to the defender",
        kind="search",
        find=_one_against_one,
    )
    yield counted(
        id="risk.one-against-one-form",
        statement="with one die of s sides each the attacker loses with chance (1/s)·(1 + 2 + … + "
        "s)/s, which is <chance> for s = 6",
        latex=r"\Pr(X \le Y) = \frac1s \cdot \frac{1 + \cdots + s}{s}",
        source=f"{_POSTS}, for six sides",
        domain="all numbers of sides s ≥ 1, ties to the defender",
        kind="identity",
        find=_one_against_one_form,
    )
    yield counted(
        id="risk.six-patterns",
        statement="a round is fought in one of <patterns> patterns, 1, 2 or 3 dice against 1 or 2",
        latex="",
        domain="armies of any size, both sides with as many dice as they may",
        kind="search",
        find=_six_patterns,
    )
    recursion = "the recursion over battles in exact arithmetic, rounds by enumeration"
    solved = partial(Claim, source=_POSTS, method=recursion)
    yield solved(
        id="risk.four-against-two",
        statement="4 total attackers beat 2 defenders with chance 6610505/10077696",
        latex=r"V(4, 2) = \tfrac{6610505}{10077696}",
        domain="total units, of which one stays behind",
        kind="process",
        parameters={"units": "total"},
        find=_four_against_two,
    )
    yield solved(
        id="risk.table",
        statement="the <figures> chances to win, rounded to thousandths, are those that Osborne "
        "prints in Table 3",
        latex="",
        source=f"{_POSTS}, whose table is a picture; J. A. Osborne, Markov chains for the RISK "
        "board game revisited, Mathematics Magazine 76 (2003), 129–135",
        domain="all battles of 2 to 10 total attackers against 1 to 10 defenders",
        kind="process",
        parameters={"attackers": 10, "defenders": 10, "units": "total"},
        find=_table,
        note="Osborne counts fighting units. The rationals are in the certificate.",
    )
    yield Claim(
        id="risk.maximum-dice",
        statement="it is optimal for both sides always to roll as many dice as possible",
        latex="",
        source=f"{_POSTS}, as an assumption",
        domain="all states of the game in which both sides choose how many dice to roll, the "
        "attacker announcing first or both at once",
        method="theorem 10: at each state the most dice are a saddle point, and the defender's "
        "best answer to every announcement; the signs that the proof needs, and the games of all "
        "armies of up to 30 units a side",
        kind="induction",
        parameters={
            "defenders": _MAX_UNITS,
            "fighting_attackers": _MAX_UNITS,
            "orders": ["announced", "simultaneous"],
        },
        find=_maximum_dice,
        depends_on=("theorem 10", "theorem 7"),
        cites=("minimax",),
    )
    proved = partial(Claim, source=_US)
    yield proved(
        id="risk.power-sums",
        statement="in d + 1 dice against d the attacker loses d units in 1^(2d) + … + s^(2d) rolls",
        latex=r"N_{d+1,d,d}(s) = \sum_{v=1}^{s} v^{2d}",
        domain="all d ≥ 1 and all numbers of sides s ≥ 1, ties to the defender",
        method="theorem 4; as polynomials, at degree + 1 points, for d ≤ 3",
        kind="identity",
        parameters={"defender_dice": [1, 2, 3]},
        find=_power_sums,
        depends_on=("theorem 4",),
        cites=("cycle-lemma",),
    )
    yield proved(
        id="risk.reciprocity",
        statement="the count of rolls that cost the attacker k units, at −s, is (−1)^(a + d) times "
        "that of the rolls that cost m − k in the round with the sides exchanged, at s",
        latex=r"N_{a,d,k}(-s) = (-1)^{a+d} N_{d,a,m-k}(s)",
        domain="all numbers of dice a, d ≥ 1 and losses k of m = min(a, d)",
        method="theorem 5; as polynomials, at degree + 1 points, for a, d ≤ 3",
        kind="identity",
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
        kind="induction",
        find=_monotone,
        depends_on=("theorem 7",),
    )
    yield proved(
        id="risk.favoured-sides",
        statement="3 dice against 2 cost the attacker less than the defender exactly for s ≥ 5",
        latex=r"\sum_k (2 - 2k) N_{3,2,k}(s) > 0 \iff s \ge 5",
        domain="all numbers of sides s ≥ 1; the mean losses of one round",
        method="theorem 11: the counts are polynomials; the advantage is below 0 at 1, …, 4, its "
        "coefficients in s − 5 are all above 0",
        kind="identity",
        parameters={"attacker_dice": 3, "defender_dice": 2},
        find=_favoured,
        depends_on=("theorem 11",),
    )
    yield proved(
        id="risk.limit",
        statement="the chance of n fighting attackers to beat n defenders tends to 1",
        latex=r"\lim_{n \to \infty} V(n, n) = 1,\quad "
        r"1 - V(n, n) \le \bigl(\tfrac{47}{48}\bigr)^{n-2} \bigl(\tfrac{51}{50}\bigr)^{n}",
        domain="equal armies of fighting units, most dice 3 against 2",
        method="theorem 8: a bound by induction over the units left; its inequalities are rational",
        kind="induction",
        parameters={"units": "fighting"},
        find=_limit,
        depends_on=("theorem 8",),
    )
    yield from _about_large_armies()


def _about_large_armies() -> Iterator[Claim]:
    proved = partial(Claim, source=_US, kind="induction")
    equal = "equal armies of n units, most dice 3 against 2"
    yield proved(
        id="risk.rate",
        statement="1 − V(n, n) divided by λ^n/√n tends to a constant above 0, with "
        "λ = u₁ + 2·√(u₀·u₂) = (2611 + 170·√910)/7776",
        latex=r"1 - V(n, n) \sim C\,n^{-1/2} \lambda^n,\quad 0 < C < \infty",
        domain=f"{equal}, fighting units",
        method="theorem 20: the sum over the places where a walk first leaves the rounds of 3 "
        "against 2; the numbers under the root are rational",
        find=_rate,
        depends_on=("theorem 20", "risk.limit"),
        cites=("local-limit",),
    )
    yield proved(
        id="risk.even-chances",
        statement="the attacker wins with a chance above 1/2 exactly for n ≥ 5 in fighting units, "
        "and exactly for n ≥ 12 in total units",
        latex="",
        domain=equal,
        method="theorem 21: a bound from 200 units on, and all smaller armies",
        find=_even_chances,
        depends_on=("theorem 21",),
    )
    yield proved(
        id="risk.no-line",
        statement="no straight line, rounded up, is the least army with a chance of at least 1/2",
        latex=r"\lceil \rho' d + \kappa \rceil",
        domain="the fighting units that are needed against d defenders, for all d ≥ 1",
        method="theorem 21: the least armies against three numbers of defenders lie on no line",
        kind="search",
        find=_no_line,
        depends_on=("theorem 21",),
    )
    yield proved(
        id="risk.rising",
        statement="the chance to win rises strictly with n, from n = 2 on in fighting units and "
        "from n = 1 on in total units",
        latex=r"V(n, n) < V(n + 1, n + 1),\quad V(n - 1, n) < V(n, n + 1)",
        domain=equal,
        method="theorem 23: a sum that is above 0 from 400 units on, and all smaller armies",
        find=_rising,
        depends_on=("theorem 23", "theorem 20"),
    )
    yield proved(
        id="risk.least-army",
        statement="the least army with a chance of at least 1/2 against d defenders differs from "
        "2387/2797·d by a bounded number of units",
        latex=r"A(d) = \tfrac{2387}{2797} d + O(1)",
        domain="fighting units, most dice 3 against 2, for all d ≥ 1",
        method="theorem 24: a normal approximation with an error bound",
        find=_least_army,
        depends_on=("theorem 24", "theorem 7", "theorem 10"),
        cites=("local-limit", "berry-esseen"),
    )
