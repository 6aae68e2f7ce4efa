"""The numbers of the paper on Risk."""

from collections.abc import Mapping

from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.games.risk import Order, battle, dice_game, win_probability, win_table
from exactdice.symbolic.risk_battles import winning_chance
from exactdice.symbolic.risk_rounds import risk_round
from exactdice.tables.model import Formula, text_column, whole
from exactdice.tables.papers.sheets import Macros, Paper, paper_table
from exactdice.tables.papers.stored import StoredData

__all__ = ["PAPER"]

_LARGEST = 10
_ROUNDS = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2))
_CHOICES = 12  # armies up to which the choice of dice is settled here
_EVEN = 40


def _build(_stored: StoredData) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(),
        "wins.tex": _wins(),
        "rounds.tex": _rounds(),
        "even.tex": _even(),
        "limits.tex": _limits(),
    }


def _numbers() -> str:
    macros = Macros("exactdice risk win 4 2")
    small = win_probability(4, 2)
    macros.exact("WinFourTwo", small)
    macros.decimal("WinFourTwoDecimal", small, 6)
    macros.source("exactdice risk survivors 10 10")
    equal = battle(10, 10)
    macros.percent("WinTenTen", equal.win_probability)
    macros.decimal("LossAttackTen", equal.expected_attacker_losses, 3)
    macros.decimal("LossDefendTen", equal.expected_defender_losses, 3)
    macros.decimal("RoundsTen", equal.rounds.mean(), 2)
    digits = len(str(equal.win_probability.denominator))
    macros.whole("DigitsTen", digits)
    macros.source("exactdice risk table 100 100")
    large = win_table(100, 100)
    macros.percent("WinHundred", large[100, 100])
    macros.whole("DigitsHundred", len(large[100, 100].denominator.digits()))
    macros.source("exactdice symbolic risk-round 3 2")
    now = risk_round(3, 2)
    for lost, name in enumerate(("None", "One", "Two")):
        macros.text(f"Lose{name}", f"\\ensuremath{{{now.count(lost).latex()}}}")
        macros.exact(f"Limit{name}", now.limit(lost))
    macros.exact("LoseNoneSix", now.probability(0, 6))
    macros.source("exactdice symbolic risk-battle 1 1 --units fighting")
    one = winning_chance(1, 1)
    macros.text("OneOne", f"\\ensuremath{{{one.latex()}}}")
    macros.exact("OneOneSix", one(6))
    macros.source(f"exactdice risk dice {_CHOICES} {_CHOICES} --order announced")
    exceptions, states = 0, 0
    for order in Order:
        game = dice_game(_CHOICES, _CHOICES, order)
        exceptions += len(game.exceptions())
        states += len(game)
    macros.whole("ChoiceArmies", _CHOICES)
    macros.whole("ChoiceOrders", len(Order))
    macros.whole("ChoiceStates", states)
    macros.whole("ChoiceExceptions", exceptions)
    return macros.content()


def _wins() -> str:
    table = win_table(_LARGEST, _LARGEST)
    columns = [whole("attackers", "attacking units", heading="attackers")]
    columns += [
        text_column(f"d{d}", "defending units", heading=str(d)) for d in range(1, _LARGEST + 1)
    ]
    rows = [
        (a, *(decimal(table[a, d], 3) for d in range(1, _LARGEST + 1)))
        for a in range(2, _LARGEST + 1)
    ]
    return paper_table(
        "Probability that the attacker wins, by the attacking army (rows, the unit that stays "
        "behind included) and the defending army (columns); the defender wins ties",
        "wins",
        columns,
        rows,
        f"exactdice risk table {_LARGEST} {_LARGEST}",
    )


def _rounds() -> str:
    rows = []
    for a, d in _ROUNDS:
        now = risk_round(a, d)
        for lost in range(now.stake + 1):
            rows.append(
                (
                    f"{a} v {d}",
                    lost,
                    now.stake - lost,
                    Formula(str(now.count(lost)), now.count(lost).latex()),
                    decimal(now.probability(lost, 6), 4),
                    decimal(now.limit(lost), 4),
                )
            )
    return paper_table(
        "One round as a function of the number s of sides: how many of all rolls lead to which "
        "losses, the probability with six sides, and its limit for ever more sides",
        "rounds",
        [
            text_column("dice", "dice"),
            whole("attacker", "attacker's losses", heading="attacker loses"),
            whole("defender", "defender's losses", heading="defender loses"),
            text_column("count", "rolls", heading="rolls that do so"),
            text_column("six", "probability", heading="s = 6"),
            text_column("limit", "limit", heading="limit"),
        ],
        rows,
        "exactdice symbolic risk-round A D",
    )


def _even() -> str:
    table = win_table(_EVEN + 5, _EVEN)
    rows = []
    for d in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, _EVEN):
        least = next(a for a in range(2, _EVEN + 6) if table[a, d] >= mpq(1, 2))
        rows.append((d, least, decimal(table[least, d], 4), decimal(table[least - 1, d], 4)))
    return paper_table(
        "Smallest attacking army that wins at least half of all battles, its chance, and that of "
        "an army smaller by one",
        "even",
        [
            whole("defenders", "defending units"),
            whole("attackers", "attacking units", heading="attackers needed"),
            text_column("chance", "their chance"),
            text_column("before", "chance with one less", heading="with one fewer"),
        ],
        rows,
        f"exactdice risk table {_EVEN + 5} {_EVEN}",
    )


def _limits() -> str:
    rows = []
    for a, d in ((2, 1), (3, 1), (4, 1), (3, 2), (4, 2), (5, 5)):
        chance = winning_chance(a - 1, d)
        cells = [decimal(chance(s), 4) for s in (2, 3, 4, 6, 10, 20)]
        rows.append((f"{a} v {d}", *cells, decimal(chance.limit, 4)))
    return paper_table(
        "Probability that the attacker wins a battle (total units against defending units) when "
        "all dice have s sides",
        "limits",
        [
            text_column("battle", "battle"),
            *(text_column(f"s{s}", "sides", heading=f"s = {s}") for s in (2, 3, 4, 6, 10, 20)),
            text_column("limit", "limit"),
        ],
        rows,
        "exactdice symbolic risk-battle A D --sides S",
    )


PAPER = Paper("risk", _build, {"risk-win": None, "risk-survivors": None})
