"""Liar's dice, of one round or a whole match; and Mia (Mäxchen), of one round.

**Liar's dice**: both players roll under a cup and bid in turn. A bid (count, face) claims that at
least `count` of all dice show the face; each bid must be higher, by count and then by face. Instead
of bidding a player may call the other a liar: all dice are shown, and the bidder wins if the bid
holds. With *wild* ones a 1 counts as every face. With *stairs* a cup of 1, 2, … up to its number of
dice counts as one die more, of every face; *fallen* stairs must have been rolled in that order.
Ones cannot be bid in these variants. A win pays 1 and a loss −1 to the starting player, whose dice
come first in the name: 2v1-6 is two six-sided dice against one. In a match the loser of a round
loses a die and starts the next; a player without dice has lost.

With stairs, the highest count holds only if both have them. Of its bids only that of the highest
face is in the game, which does not change the value: a player without stairs calls every such bid,
so a player with stairs bids the highest face, and any other bidder has none and is called.

**Mia**: a player rolls two dice under a cup, looks, and announces a roll, truthfully or not, higher
than the last: 31 is the lowest, then 32, 41 and so on up to 65, the doubles, and 21. The opponent
disbelieves it, and the announcer wins if the roll is at least as high; or takes the cup and rolls
without looking. Nobody believes 21. A win pays 1 and a loss −1 to the starting player. These are
the rules in Board Game Arena's help, without lives and passing the cup on. Only the last
announcement matters when the cup passes, so each turn is a game by itself, solved from the highest
announcement down, with the value of the later turns as its payoff.
"""

from collections import Counter
from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any, TypeAlias

from exactdice.arithmetic import RationalLike, mpq
from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Choice, DealtGame, Showdown, Turn, equilibrium, point_mass

Cup: TypeAlias = tuple[int, ...]

LIAR = "liar"


def liars_dice(
    first: int,
    second: int,
    sides: int,
    *,
    wild: bool = False,
    stairs: bool = False,
    fallen: bool = False,
    won: RationalLike = 1,
    lost: RationalLike = -1,
) -> DealtGame[Any]:
    """Return one round, for the payoffs of a win and a loss."""
    most = first + second + 2 * stairs
    bids = [*product(range(1, most + 1), range(2 if wild or stairs else 1, sides + 1))]
    bids = [bid for bid in bids if not stairs or bid[0] < most or bid[1] == sides]
    higher = {None: bids} | {bid: bids[place + 1 :] for place, bid in enumerate(bids)}

    def moves(said: tuple[Any, ...]) -> Turn[Any] | Showdown:
        player = 1 + len(said) % 2
        if said and said[-1] == LIAR:
            return Showdown((said[-2], player))
        actions = [*higher[said[-1] if said else None], *([LIAR] if said else [])]
        return Turn(player, [Choice(a, 0, point_mass((*said, a))) for a in actions])

    def payoff(shown: Any, one: Cup, two: Cup) -> RationalLike:
        (count, face), bidder = shown
        shows = sum(
            len(cup) + 1
            if stairs and cup == _stairs(len(cup))
            else cup.count(face) + (cup.count(1) if wild else 0)
            for cup in (one, two)
        )
        return won if (shows >= count) == (bidder == 1) else lost

    one, two = (_cup(dice, sides, fallen) for dice in (first, second))
    return DealtGame(one.with_other(two, lambda a, b: (a, b)), (), moves, payoff)


def _stairs(dice: int) -> Cup:
    return tuple(range(1, dice + 1))


def _cup(dice: int, sides: int, fallen: bool) -> Distribution[Cup]:
    """Return the distribution of sorted dice; with fallen stairs, other rolls descend."""
    rolls = product(range(1, sides + 1), repeat=dice)
    cups = (r if r == _stairs(dice) else tuple(sorted(r, reverse=fallen)) for r in rolls)
    return Distribution(Counter(cups))


def match(first: int, second: int, sides: int, *, wild: bool = False) -> DealtGame[Any]:
    """Return the first round of a match; its payoffs are the values of the rest."""
    won, lost = -_rest(second - 1, first, sides, wild), _rest(first - 1, second, sides, wild)
    return replace(liars_dice(first, second, sides, wild=wild, won=won, lost=lost), mean=True)


@cache
def _rest(first: int, second: int, sides: int, wild: bool) -> mpq:
    if not first:
        return mpq(-1)
    return equilibrium(match(first, second, sides, wild=wild)).value.exact


_RULES = {
    "": "",
    "wild": ", ones wild",
    "stairs": ", with stairs",
    "fallen": ", with stairs rolled in order",
}

# By the number of bids; measured, except 16, by the time and memory of `equilibrium` per sequence.
_TAKES = {
    10: "a second",
    12: "10 s",
    13: "half a minute",
    15: "5 minutes",
    16: "5 minutes, and --memory 4G",
    18: "2 minutes, and --memory 4G",
}


def _variants() -> dict[str, Variant]:
    variants = {}
    for (first, second), sides, rule in product(((1, 1), (2, 1), (1, 2)), range(2, 7), _RULES):
        has_stairs = rule in ("stairs", "fallen")
        # Bids, each made or not; with stairs only one has the highest count.
        bits = (sides - bool(rule)) * (first + second + 2 * has_stairs) - has_stairs * (sides - 2)
        if bits > (16 if has_stairs else 18):
            continue
        if rule == "fallen" and first + second == 2:  # one die is always in order
            continue
        name = f"{first}v{second}-{sides}{'-' if rule else ''}{rule}"
        options = {"wild": rule == "wild", "stairs": has_stairs, "fallen": rule == "fallen"}
        variants[name] = Variant(
            f"{first} against {second} of {sides} sides{_RULES[rule]}",
            partial(liars_dice, first, second, sides, **options),
            takes=next(takes for most, takes in _TAKES.items() if bits <= most),
            width="1e-4" if bits > 16 or (sides == 6 and bits > 12) else None,
        )
    for first, second, sides in ((2, 1, 3), (2, 2, 2), (2, 2, 3)):
        variants[f"match-{first}v{second}-{sides}"] = Variant(
            f"a match of {first} dice against {second} of {sides} sides",
            partial(match, first, second, sides),
            takes="10 s" if sides > 2 else "a second",
        )
    return dict(sorted(variants.items(), key=lambda item: item[0] != "1v1-6"))


_ASKS = "wins minus losses of the starting player per game, on average"
PAGE = Page("liars-dice", "Liar's dice", "two", _ASKS, _variants())


def ranks(sides: int) -> Distribution[int]:
    rolled = [max((a, b), (b, a)) for a, b in product(range(1, sides + 1), repeat=2)]
    order = sorted(set(rolled), key=lambda roll: (roll == (2, 1), roll[0] == roll[1], roll))
    return Distribution.from_faces([order.index(roll) for roll in rolled])


def turn(law: Distribution[int], last: int, worth: dict[int, mpq]) -> DealtGame[Any]:
    """Return the game after an announcement, given the values `worth` of later ones."""
    most = max(law)

    def moves(seen: tuple[Any, ...]) -> Turn[Any] | Showdown:
        if len(seen) == 2:
            return Showdown(seen)
        replies = ("liar", "believe") if seen != (most,) else ("liar",)
        actions = replies if seen else range(last + 1, most + 1)
        return Turn(1 + len(seen), [Choice(a, 0, point_mass((*seen, a))) for a in actions])

    def payoff(seen: Any, roll: int, _: None) -> RationalLike:
        announced, reply = seen
        return -worth[announced] if reply == "believe" else 1 if roll >= announced else -1

    return DealtGame(law.map(lambda roll: (roll, None)), (), moves, payoff, mean=True)


def mia(law: Distribution[int]) -> DealtGame[Any]:
    worth: dict[int, mpq] = {}
    for last in range(max(law) - 1, -1, -1):
        worth[last] = equilibrium(turn(law, last, worth)).value.exact
    return turn(law, -1, worth)


_MIA = {
    str(sides): Variant(f"two dice of {sides} sides", partial(lambda n: mia(ranks(n)), sides))
    for sides in (6, 4, 3)
}
MIA = Page("mia", "Mia", "two", _ASKS, _MIA)
