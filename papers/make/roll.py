"""The numbers of the note "Roll all your dice"."""

from collections.abc import Mapping, Sequence

from exactdice.games.risk.rules import Order
from exactdice.report.model import text_column
from exactdice.report.model import whole as whole_column
from papers.make.sheets import Macros, Paper, Sources, decimal, formula, paper_table, whole, worked

__all__ = ["PAPER"]

_ROUNDS = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2))
_CHOICES = 40  # armies up to which the choice of dice is settled here
_COSTS = 20  # armies for which the figure shows the cost of one die fewer
_CHOICES_SIDES, _SIDES_OF_CHOICE = 12, range(2, 13)  # armies, and sides of the dice


def _build(sources: Sources) -> Mapping[str, str]:
    return {"numbers.tex": _numbers(sources), "rounds.tex": _rounds(sources)}


def _numbers(sources: Sources) -> str:
    macros = Macros(sources)
    _choices(macros, "Choice", [f"risk dice {_CHOICES} {_CHOICES}"])
    macros.asked("ChoiceArmies", _CHOICES)
    armies = f"risk dice {_CHOICES_SIDES} {_CHOICES_SIDES}"
    _choices(macros, "ChoiceSides", [f"{armies} --sides {sides}" for sides in _SIDES_OF_CHOICE])
    macros.asked("ChoiceSidesArmies", _CHOICES_SIDES)
    for name, sides in (("Least", min(_SIDES_OF_CHOICE)), ("Most", max(_SIDES_OF_CHOICE))):
        macros.source(f"{armies} --sides {sides}")
        macros.asked(f"ChoiceSides{name}", sides)
    return macros.content()


def _choices(macros: Macros, name: str, battles: Sequence[str]) -> None:
    """Count the states of both games with a choice of dice, and the exceptions to the most dice."""
    orders = (Order.ANNOUNCED, Order.SIMULTANEOUS)
    asked = [f"{battle} --order {order}" for battle in battles for order in orders]
    games = [macros.source(command, more=place > 0) for place, command in enumerate(asked)]
    for counted, quantity in (("States", "states_solved"), ("Exceptions", "exceptions")):
        counts = [int(str(game.value(quantity))) for game in games]
        macros.add(f"{name}{counted}", whole(worked(sum(counts), *counts)))


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


PAPER = Paper("roll", _build, {"risk-dice": _COSTS})
