"""Risk, the software-engineering game, the reroll game, Farkle and FateStones, as their rules.

The commands of these games answer with solvers of their own, for any size. The pages here give the
same rules to the general solver, in small sizes: with certificates, advice and play. In Risk,
armies are total units, of which one attacker stays behind. The turn of Farkle is that of six fair
dice in Kingdom Come: Deliverance, which ends at a target. FateStones pays 1 for a win and −1 for a
loss. The games are imported when one of their variants is made.
"""

from functools import partial
from typing import Any

from exactdice.book.page import Page, Variant
from exactdice.models import Game


def battle(attackers: int, defenders: int, order: str | None = None) -> Game[Any]:
    """Return a battle of total units, with the most dice or with a choice of dice in an `order`."""
    from exactdice.games.risk import model, rules

    if order is None:
        return model.as_game(attackers - 1, defenders, rules.RiskRules())
    return model.as_choice_game(attackers - 1, defenders, rules.Order(order), rules.RiskRules())


def swe(rounds: int) -> Game[Any]:
    from exactdice.games.swe import model

    return model.as_game(rounds)


def reroll(dice: int) -> Game[Any]:
    from exactdice.games.reroll import RerollRules, exact

    return exact.as_game(RerollRules(dice=dice))


def turn(target: int) -> Game[Any]:
    """Return a turn of Farkle that ends when its points reach the target; these count in full."""
    from exactdice.games.farkle import KCD, model, solve

    return model.as_game(solve(rules=KCD.varied(target=target)))


def duel(row: str, column: str) -> Game[Any]:
    from exactdice.games.fatestones import model
    from exactdice.games.fatestones.rules import decode_hand

    return model.as_game(decode_hand(row), decode_hand(column))


_CHOICE = "4 against 2, both choose how many dice to roll: "
RISK = Page("risk", "Risk", "two", "probability that the attacker wins", {
    "4-2": Variant("4 against 2", partial(battle, 4, 2)),
    "21-20": Variant("21 against 20", partial(battle, 21, 20)),
    "announced": Variant(f"{_CHOICE}the attacker first", partial(battle, 4, 2, "announced")),
    "simultaneous": Variant(f"{_CHOICE}secretly", partial(battle, 4, 2, "simultaneous")),
    "after": Variant(f"{_CHOICE}the defender sees a roll", partial(battle, 4, 2, "after")),
})  # fmt: skip

_ROUNDS = {f"{n}": Variant(f"{n} round{'s' * (n > 1)}", partial(swe, n)) for n in (5, 4, 3, 2, 1)}
SWE = Page("swe", "Software-engineering game", "one", "expected final score", _ROUNDS)

_REROLLS = {f"{n}": Variant(f"{n} dice", partial(reroll, n)) for n in range(3, 6)}
REROLL = Page("reroll", "Reroll game", "one", "expected score", _REROLLS)

_TURNS = {f"{n}": Variant(f"a turn to {n} points", partial(turn, n)) for n in (300, 1000)}
FARKLE = Page("farkle", "Farkle", "one", "greatest expected points of a turn", _TURNS)

_HANDS = {
    "two": ("111666,123456", "114456,333336"),
    "three": ("144444,222555,333336", "111666,123456,225555"),
}
_DUELS = {name: Variant(" against ".join(h), partial(duel, *h)) for name, h in _HANDS.items()}
_EDGE = "wins minus losses of the first player per duel, on average"
FATESTONES = Page("fatestones", "FateStones", "two", _EDGE, _DUELS)
