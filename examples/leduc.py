"""Leduc hold'em: poker with six cards, two rounds of betting and one card on the table.

The pack has two jacks, two queens and two kings. Each player pays 1 and gets a card. Then they bet,
starting with the first player; a raise is 2. A card is put on the table, and they bet again; now a
raise is 4. A round has at most two raises. A player with the card that is on the table wins.
Otherwise the higher card wins, and equal cards share (Southey et al., "Bayes' Bluff: Opponent
Modelling in Poker", UAI 2005).
"""

from exactdice.dice import Distribution
from exactdice.models import Choice, End, HiddenGame, Turn, equilibrium, point_mass

PACK = "JJQQKK"


def drawn(left, state):
    """Return the states after one more card is dealt."""
    cards, said = state
    return Distribution.from_faces([(cards + card, said) for card in left])


def raises(said):
    return said.count("r")


def moves(state):
    cards, said = state
    if len(cards) < 2:
        left = PACK.replace(cards, "", 1) if cards else PACK
        return drawn(left, state)
    first, _, second = said.partition("/")
    paid = 1 + 2 * raises(first) + 4 * raises(second)
    bets, unit = (second, 4) if "/" in said else (first, 2)
    player = 1 + len(bets) % 2
    if said.endswith("f"):
        lost = paid - unit  # the raise that was not called
        return End(lost if player == 1 else -lost)
    if bets.endswith("c") and len(bets) > 1:
        if "/" not in said:
            left = PACK.replace(cards[0], "", 1).replace(cards[1], "", 1)
            return drawn(left, (cards, said + "/"))
        one, two, table = cards
        strength = [(card == table, "JQK".index(card)) for card in (one, two)]
        return End(paid * ((strength[0] > strength[1]) - (strength[0] < strength[1])))
    actions = ("f" if bets.endswith("r") else "") + "c" + ("r" if raises(bets) < 2 else "")
    return Turn(player, [Choice(a, 0, point_mass((cards, said + a))) for a in actions])


def knows(state):
    cards, said = state
    player = len(said.rpartition("/")[2]) % 2
    return cards[player], cards[2:], said


LEDUC = HiddenGame(("", ""), moves, knows)

if __name__ == "__main__":
    found = equilibrium(LEDUC)
    print("worth to the first player:", found.value)
    print("sequences:", [side.sequences for side in found.form.sides])
    print("with a jack:", {a: str(chance) for a, chance in found.strategy(1)["J", "", ""].items()})
