"""Whether the claims about Risk hold; what they say is in the table `claims.toml`."""

from itertools import pairwise, product
from math import comb
from pathlib import Path

from exactdice.arithmetic import decimal, mpq, text
from exactdice.claims.model import Content, Finding, Verdict
from exactdice.claims.table import read_claims
from exactdice.games.risk import GAME
from exactdice.games.risk.closed_forms import risk_round
from exactdice.games.risk.dice_choice import Order, dice_game
from exactdice.games.risk.exact import win_probability, win_table
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import STANDARD
from exactdice.games.risk.sources import OSBORNE_WINS
from exactdice.symbolic.polynomial import Polynomial

_PROVED = Verdict("proved")
_MAX_UNITS = 30
_AGAINST_HALF = (mpq(47, 50), mpq(18, 17))  # α and β of theorem 21
_OFF_EVERY_LINE = (5, 114, 148)  # defenders, of theorem 21
_ON_ONE_LINE = ((168, 196), (2555, 2993))  # fighting units; a + d is even for both


def _no_line() -> Finding:
    table = win_table(129, 148)
    least = {
        str(d): next(a for a in range(1, 129) if table[a + 1, d] >= mpq(1, 2))
        for d in _OFF_EVERY_LINE
    }
    return Finding(_PROVED, {"least": least})


def _ratio() -> mpq:
    """Mean loss of the attacker in a round of 3 dice against 2, divided by that of the defender."""
    lost = round_losses(3, 2).expectation(lambda losses: losses[0])
    return lost / (2 - lost)


def _two_lines() -> Finding:
    ratio = _ratio()
    (a, d), (more, against) = _ON_ONE_LINE
    chances = win_probability(a, d, "fighting"), win_probability(more, against, "fighting")
    over = {text(attackers - ratio * defenders) for attackers, defenders in _ON_ONE_LINE}
    refuted = len(over) == 1 and chances[0] >= mpq(1, 2) > chances[1]
    evidence = {
        "at_least_half": [a, d],
        "below_half": [more, against],
        "over_the_line": over.pop(),
        "parts_of_a_million_million": [int(chance * 10**12) for chance in chances],
    }
    return Finding(Verdict("refuted" if refuted else "open"), evidence)


def _least_army() -> Finding:
    return Finding(_PROVED, {"ratio": text(_ratio())})


def _one_against_one() -> Finding:
    rolls = 6 * 6
    won, lost = (int(chance * rolls) for chance in _chances(1, 1))
    return Finding(_PROVED, {"attacker_loses": lost, "defender_loses": won, "rolls": rolls})


def _one_against_one_form() -> Finding:
    """The count of rolls that the attacker loses, as a polynomial in the sides."""
    lost = risk_round(1, 1).count(1)
    evidence = {"chance": text(_chances(1, 1)[1]), "coefficients": _texts(lost, 2)}
    is_sum = lost == Polynomial((mpq(0), mpq(1, 2), mpq(1, 2)))
    return Finding(_PROVED if is_sum else Verdict("refuted"), evidence)


def _six_patterns() -> Finding:
    """Dice of all armies of up to four units; larger ones roll as these do."""
    battles = product(range(1, 5), range(1, 4))
    patterns = sorted({STANDARD.dice_rolled(a, d) for a, d in battles})
    return Finding(_PROVED, {"dice": list(map(list, patterns)), "patterns": len(patterns)})


def _four_against_two() -> Finding:
    return Finding(_PROVED, {"win": text(win_probability(4, 2))})


def _table() -> Finding:
    chances = [[win_probability(a, d) for d in range(1, 11)] for a in range(2, 11)]
    printed = [list(row) for row in OSBORNE_WINS[: len(chances)]]
    rounded = [[int(decimal(1000 * chance, 0)) for chance in row] for row in chances]
    evidence = {
        "figures": sum(map(len, printed)),
        "printed": printed,
        "win": [list(map(text, row)) for row in chances],
    }
    return Finding(_PROVED if rounded == printed else Verdict("refuted"), evidence)


def _maximum_dice() -> Finding:
    games = [dice_game(_MAX_UNITS, _MAX_UNITS, order, "fighting") for order in Order]
    exceptions = len({armies for game in games for armies in game.exceptions()})
    signs = _signs()
    verdict = Verdict("refuted") if exceptions or min(signs) <= 0 else _PROVED
    evidence = {"exceptions": exceptions, "signs": list(map(text, signs)), "states": len(games[0])}
    return Finding(verdict, evidence)


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
    counts = {str(d): _texts(risk_round(d + 1, d).count(d), 2 * d + 1) for d in (1, 2, 3)}
    return Finding(_PROVED, {"coefficients": counts})


def _reciprocity() -> Finding:
    counts = {
        f"{a} v {d}": [_texts(count, a + d) for count in risk_round(a, d).counts]
        for a, d in product((1, 2, 3), repeat=2)
    }
    return Finding(_PROVED, {"coefficients": counts})


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


def _rising() -> Finding:
    table = win_table(9, 8)
    fighting = [table[n + 1, n] for n in range(2, 9)]
    total = [table[n, n] for n in range(2, 9)]
    rises = all(x < y for values in (fighting, total) for x, y in pairwise(values))
    evidence = {"fighting": list(map(text, fighting)), "total": list(map(text, total))}
    return Finding(_PROVED if rises else Verdict("refuted"), evidence)


#: The claims of the table, each with the function that finds whether it holds.
CLAIMS = read_claims(
    Path(__file__).with_name("claims.toml"),
    GAME.title,
    {
        "risk.one-against-one": _one_against_one,
        "risk.one-against-one-form": _one_against_one_form,
        "risk.six-patterns": _six_patterns,
        "risk.four-against-two": _four_against_two,
        "risk.table": _table,
        "risk.maximum-dice": _maximum_dice,
        "risk.power-sums": _power_sums,
        "risk.reciprocity": _reciprocity,
        "risk.monotone": _monotone,
        "risk.favoured-sides": _favoured,
        "risk.limit": _limit,
        "risk.rate": _rate,
        "risk.even-chances": _even_chances,
        "risk.rising": _rising,
        "risk.no-line": _no_line,
        "risk.two-lines": _two_lines,
        "risk.least-army": _least_army,
    },
)
