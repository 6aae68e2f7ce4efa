"""The numbers of the paper on Risk."""

from collections.abc import Mapping

from exactdice.games.risk.rules import Order
from exactdice.report.model import text_column
from exactdice.report.model import whole as whole_column
from papers.make.sheets import Macros, Paper, Sources, decimal, exact, paper_table, whole, worked

__all__ = ["PAPER"]

_LARGEST = 10
_EVEN = 40
_EVEN_SHOWN = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, _EVEN)


def _build(sources: Sources) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(sources),
        "wins.tex": _wins(sources),
        "even.tex": _even(sources),
    }


def _digits_of_denominator(chance: object) -> object:
    return worked(len(chance.denominator.digits()), chance)  # type: ignore[attr-defined]


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    small = macros.source("risk win 4 2").value("value")
    macros.add("WinFourTwo", exact(small))
    macros.add("WinFourTwoDecimal", decimal(small, 6))
    equal = macros.source(f"risk survivors {_LARGEST} {_LARGEST}")
    chance = equal.value("win_probability")
    macros.asked("Survivors", _LARGEST)
    macros.percent("WinTenTen", chance)
    macros.add("LossAttackTen", decimal(equal.value("expected_attacker_losses"), 3))
    macros.add("LossDefendTen", decimal(equal.value("expected_defender_losses"), 3))
    macros.add("RoundsTen", decimal(equal.value("expected_rounds"), 2))
    macros.add("DigitsTen", whole(_digits_of_denominator(chance)))
    for name, units in (("BelowEven", 11), ("FirstEven", 12)):
        equal = macros.source(f"risk win {units} {units}")
        macros.asked(name, units)
        macros.percent(f"Win{name}", equal.value("value"), 2)
    large = macros.source("risk win 100 100").value("value")
    macros.percent("WinHundred", large)
    macros.add("DigitsHundred", whole(_digits_of_denominator(large)))
    for name, order in (("Seen", Order.AFTER), ("Unseen", Order.ANNOUNCED)):
        battle = macros.source(f"risk dice 20 20 --units fighting --order {order}")
        macros.percent(f"{name}Twenty", battle.value("value"), 2)
    return macros.content()


def _wins(sources: Sources) -> str:
    command = f"risk table {_LARGEST} {_LARGEST}"
    cells = sources.ask(command).table("cells")
    columns = [whole_column("attackers", "attacking units", heading="attackers")]
    defenders = range(1, _LARGEST + 1)
    columns += [text_column(f"d{d}", "defending units", heading=str(d)) for d in defenders]
    rows = [
        (a, *(decimal(cells.cell("probability", attackers=a, defenders=d), 3) for d in defenders))
        for a in range(2, _LARGEST + 1)
    ]
    return paper_table(
        "Probability that the attacker wins, by the attacking army (rows, the unit that stays "
        "behind included) and the defending army (columns); the defender wins ties",
        "wins",
        columns,
        rows,
        sources,
        [command],
    )


def _even(sources: Sources) -> str:
    command = f"risk table {_EVEN + 5} {_EVEN}"
    even = sources.ask(command).table("even")
    rows = [
        (
            d,
            whole(even.cell("attackers", defenders=d)),
            decimal(even.cell("probability", defenders=d), 4),
            decimal(even.cell("one_fewer", defenders=d), 4),
        )
        for d in _EVEN_SHOWN
    ]
    return paper_table(
        "Smallest attacking army, in total units, whose chance to win is at least one half, that "
        "chance, and that of an army smaller by one",
        "even",
        [
            whole_column("defenders", "defending units"),
            text_column("attackers", "attacking units", heading="attackers needed"),
            text_column("chance", "their chance"),
            text_column("before", "chance with one less", heading="with one fewer"),
        ],
        rows,
        sources,
        [command],
    )


PAPER = Paper("risk", _build, {"risk-win": None, "risk-survivors": _LARGEST})
