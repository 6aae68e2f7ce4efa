"""Claims about the least army with an even chance to win, which is near a line."""

from exactdice.arithmetic import mpq, text
from exactdice.claims.model import Finding, Verdict
from exactdice.games.risk.exact import win_probability, win_table
from exactdice.games.risk.long_battle import win_probability_of_long
from exactdice.games.risk.rounds import round_losses

_OFF_EVERY_LINE = (5, 114, 148)  # defenders, of theorem 21
_ON_ONE_LINE = ((168, 196), (2555, 2993))  # fighting units; a + d is even for both


def _no_line() -> Finding:
    table = win_table(129, 148)
    least = {
        str(d): next(a for a in range(1, 129) if table[a + 1, d] >= mpq(1, 2))
        for d in _OFF_EVERY_LINE
    }
    return Finding(Verdict("proved"), {"least": least})


def _ratio() -> mpq:
    """Mean loss of the attacker in a round of 3 dice against 2, divided by that of the defender."""
    lost = round_losses(3, 2).expectation(lambda losses: losses[0])
    return lost / (2 - lost)


def _two_lines() -> Finding:
    ratio = _ratio()
    (a, d), (more, against) = _ON_ONE_LINE
    chances = win_probability(a, d, "fighting"), win_probability_of_long(more, against, "fighting")
    over = {text(attackers - ratio * defenders) for attackers, defenders in _ON_ONE_LINE}
    refuted = len(over) == 1 and chances[0] >= mpq(1, 2) > chances[1]
    found = {
        "at_least_half": [a, d],
        "below_half": [more, against],
        "over_the_line": over.pop(),
        "parts_of_a_million_million": [int(chance * 10**12) for chance in chances],
    }
    return Finding(Verdict("refuted" if refuted else "open"), found)


def _least_army() -> Finding:
    return Finding(Verdict("proved"), {"ratio": text(_ratio())})


#: What finds whether a claim of the table holds, by its id.
FINDERS = {
    "risk.no-line": _no_line,
    "risk.two-lines": _two_lines,
    "risk.least-army": _least_army,
}
