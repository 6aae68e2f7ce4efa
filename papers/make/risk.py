"""The numbers of the paper on Risk."""

from collections.abc import Mapping, Sequence

from exactdice.games.risk.rules import Order
from exactdice.report.model import text_column
from exactdice.report.model import whole as whole_column
from papers.make.sheets import (
    Macros,
    Paper,
    Sources,
    decimal,
    exact,
    formula,
    paper_table,
    whole,
    worked,
)

__all__ = ["PAPER"]

_LARGEST = 10
_ROUNDS = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2))
_CHOICES = 40  # armies up to which the choice of dice is settled here
_COSTS = 20  # armies for which the figure shows the cost of one die fewer
_CHOICES_SIDES, _SIDES_OF_CHOICE = 12, range(2, 13)  # armies, and sides of the dice
_EVEN = 40
_EVEN_SHOWN = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, _EVEN)
_SIDES = (2, 3, 4, 6, 10, 20)


def _build(sources: Sources) -> Mapping[str, str]:
    return {
        "numbers.tex": _numbers(sources),
        "wins.tex": _wins(sources),
        "rounds.tex": _rounds(sources),
        "even.tex": _even(sources),
        "limits.tex": _limits(sources),
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
    now = macros.source("symbolic risk-round 3 2").table("outcomes")
    for lost, name in enumerate(("None", "One", "Two")):
        macros.add(f"Lose{name}", formula(now.cell("count", attacker_losses=lost)))
        macros.add(f"Limit{name}", exact(now.cell("limit", attacker_losses=lost)))
    macros.add("LoseNoneSix", exact(now.cell("six", attacker_losses=0)))
    one = macros.source("symbolic risk-battle 1 1 --units fighting")
    macros.add("OneOne", formula(one.value("chance")))
    macros.add("OneOneSix", exact(one.value("value")))
    _choices(macros, "Choice", [f"risk dice {_CHOICES} {_CHOICES}"])
    macros.asked("ChoiceArmies", _CHOICES)
    armies = f"risk dice {_CHOICES_SIDES} {_CHOICES_SIDES}"
    _choices(macros, "ChoiceSides", [f"{armies} --sides {sides}" for sides in _SIDES_OF_CHOICE])
    macros.asked("ChoiceSidesArmies", _CHOICES_SIDES)
    for name, sides in (("Least", min(_SIDES_OF_CHOICE)), ("Most", max(_SIDES_OF_CHOICE))):
        macros.source(f"{armies} --sides {sides}")
        macros.asked(f"ChoiceSides{name}", sides)
    for name, order in (("Seen", Order.AFTER), ("Unseen", Order.ANNOUNCED)):
        battle = macros.source(f"risk dice 20 20 --units fighting --order {order}")
        macros.percent(f"{name}Twenty", battle.value("value"), 2)
    return macros.content()


def _choices(macros: Macros, name: str, battles: Sequence[str]) -> None:
    """Count the states of both games with a choice of dice, and the exceptions to the most dice."""
    orders = (Order.ANNOUNCED, Order.SIMULTANEOUS)
    asked = [f"{battle} --order {order}" for battle in battles for order in orders]
    games = [macros.source(command, more=place > 0) for place, command in enumerate(asked)]
    for counted, quantity in (("States", "states_solved"), ("Exceptions", "exceptions")):
        counts = [int(str(game.value(quantity))) for game in games]
        macros.add(f"{name}{counted}", whole(worked(sum(counts), *counts)))


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


def _rounds(sources: Sources) -> str:
    commands = [f"symbolic risk-round {a} {d}" for a, d in _ROUNDS]
    rows = []
    for (a, d), command in zip(_ROUNDS, commands, strict=True):
        now = sources.ask(command).table("outcomes")
        for lost in range(min(a, d) + 1):
            rows.append(
                (
                    f"{a} v {d}",
                    lost,
                    min(a, d) - lost,
                    formula(now.cell("count", attacker_losses=lost)),
                    decimal(now.cell("six", attacker_losses=lost), 4),
                    decimal(now.cell("limit", attacker_losses=lost), 4),
                )
            )
    return paper_table(
        "One round as a function of the number $s$ of sides: how many of all rolls lead to which "
        "losses, the probability with six sides, and its limit as $s$ grows",
        "rounds",
        [
            text_column("dice", "dice"),
            whole_column("attacker", "attacker's losses", heading="attacker loses"),
            whole_column("defender", "defender's losses", heading="defender loses"),
            text_column("count", "rolls", heading="rolls"),
            text_column("six", "probability", heading="$s=6$"),
            text_column("limit", "limit", heading="limit"),
        ],
        rows,
        sources,
        commands,
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


def _limits(sources: Sources) -> str:
    rows, commands = [], []
    for a, d in ((2, 1), (3, 1), (4, 1), (3, 2), (4, 2), (5, 5)):
        asked = [f"symbolic risk-battle {a} {d} --sides {s}" for s in _SIDES]
        answers = [sources.ask(command) for command in asked]
        chances = [decimal(answer.value("value"), 4) for answer in answers]
        rows.append((f"{a} v {d}", *chances, decimal(answers[0].value("limit"), 4)))
        commands += asked
    return paper_table(
        "Probability that the attacker wins a battle (total units against defending units) when "
        "all dice have $s$ sides",
        "limits",
        [
            text_column("battle", "battle"),
            *(text_column(f"s{s}", "sides", heading=f"$s={s}$") for s in _SIDES),
            text_column("limit", "limit"),
        ],
        rows,
        sources,
        commands,
    )


PAPER = Paper("risk", _build, {"risk-win": None, "risk-survivors": _LARGEST, "risk-dice": _COSTS})
