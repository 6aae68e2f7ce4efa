"""Five small games, each a page like those of the book of dice.

    python examples/small_games.py

prints their values with verdicts on published numbers.
"""

from exactdice.book import Page, Variant
from exactdice.dice import Distribution, fair, pool, sorted_roll
from exactdice.models import Chance, Choice, End, Game, Moves, Other, Paid, point_mass

TWO_DICE = fair(6).sum_of(2)

#: Number of each part of a beetle. Some parts must wait for others.
PARTS = {"body": 1, "head": 1, "leg": 6, "eye": 2, "antenna": 2, "tail": 1}
WAITS = {"head": "body", "leg": "body", "tail": "body", "eye": "head", "antenna": "head"}
SPINNER = Distribution({"body": 1, "head": 1, "leg": 2, "eye": 1, "antenna": 1})
ROLLED = Distribution.from_faces([*PARTS])


def beetle(shown: Distribution[str]) -> Game[tuple[int, ...]]:
    """Rolls until a beetle is complete: body first, head before eyes and antennae."""
    parts = [part for part in PARTS if part in shown]

    def moves(state: tuple[int, ...]) -> Chance[tuple[int, ...]] | None:
        has = dict(zip(parts, state, strict=True))

        def drawn(part: str) -> tuple[int, ...]:
            may = has[part] < PARTS[part] and (part == "body" or has[WAITS[part]] > 0)
            return tuple(number + (may and one == part) for one, number in has.items())

        is_whole = all(number == PARTS[part] for part, number in has.items())
        return None if is_whole else Chance(1, shown.map(drawn))

    return Game((0,) * len(parts), moves)


def drop_dead(dice: int = 5) -> Game[int]:
    """Points until all dice are dead. A 2 or 5 is dead, and its roll scores nothing."""

    def scored(roll: tuple[int, ...]) -> Paid[int]:
        dead = roll.count(2) + roll.count(5)
        return Paid(0 if dead else sum(roll), len(roll) - dead)

    rolls = {left: sorted_roll(pool(left, fair(6))) for left in range(1, dice + 1)}
    turns = {left: Chance(0, rolled.map(scored)) for left, rolled in rolls.items()}
    return Game(dice, turns.get)


def boston() -> Game[int | tuple[int, int] | None]:
    """Going to Boston for two: add the highest of three dice, of two dice, and of one die."""
    total = fair(6).keep_highest(3, 1) + fair(6).keep_highest(2, 1) + fair(6)

    def moves(state: int | tuple[int, int] | None) -> Moves:
        if state is None:
            return total
        if isinstance(state, int):
            return total.map(lambda second: (state, second))
        return End((state[0] > state[1]) - (state[0] < state[1]))

    return Game(None, moves)


def rank(throw: tuple[int, int]) -> int:
    """Return the rank of a throw in Mexico: 31 to 65, then doubles, then 21 as the highest."""
    low, high = sorted(throw)
    return 100 if (low, high) == (1, 2) else 66 + low if low == high else 10 * high + low


THROWN = Distribution.from_faces([rank((a, b)) for a in range(1, 7) for b in range(1, 7)])


def mexico(throws: int = 3) -> Game[tuple[int, int, int, int] | int]:
    """Mexico for two: the last of at most three throws counts; the second may not throw more.

    A state has the last throw, the throws taken, the throws allowed, and the first player's result.
    """

    def moves(state: tuple[int, int, int, int] | int) -> Moves:
        if isinstance(state, int):
            return End(state)
        last, taken, most, first = state
        thrown = THROWN.map(lambda shown: (shown, taken + 1, most, first))
        if not taken:
            return thrown
        over = (last > first) - (last < first) if first else Other((0, 0, taken, last))
        stop = Choice("stop", 0, point_mass(over))
        return [stop, Choice("throw", 0, thrown)] if taken < most else [stop]

    return Game((0, 0, throws, 0), moves)


def knock_out() -> Game[tuple[int, ...]]:
    """Each picks a total from 6 to 9. A player who rolls their own total with two dice is out."""

    def moves(state: tuple[int, ...]) -> Moves:
        if len(state) == 3:
            return End(-1)
        if len(state) == 2:
            mine, theirs = state
            return TWO_DICE.map(lambda n: (*state, n) if n == mine else Other((theirs, mine)))
        return [
            Choice(n, 0, point_mass(Other((*state, n)))) for n in range(6, 10) if n not in state
        ]

    return Game((), moves)


def _page(name: str, title: str, players: str, asks: str, **variants: Variant) -> Page:
    return Page(name, title, players, asks, variants)


PAGES = (
    _page(
        "beetle",
        "Beetle",
        "one, without choices",
        "mean number of rolls until the beetle is complete",
        spinner=Variant(
            "a spinner with two sixths of legs, without a tail: Milton Bradley",
            lambda: beetle(SPINNER),
            printed={"31.498": "blog.ylett.com, 4 January 2012"},
        ),
        die=Variant("a die, with a tail", lambda: beetle(ROLLED)),
    ),
    _page(
        "drop-dead",
        "Drop Dead",
        "one, without choices",
        "mean points of a turn",
        five=Variant("five dice", drop_dead),
    ),
    _page(
        "going-to-boston",
        "Going to Boston",
        "two, without choices",
        "mean result: a win counts 1, a loss −1",
        two=Variant("the greater total of three rolls", boston),
    ),
    _page(
        "mexico",
        "Mexico",
        "two",
        "probability that the first player wins; a draw counts half",
        three=Variant("at most three throws", mexico, wins=True),
    ),
    _page(
        "knock-out",
        "Knock Out",
        "two",
        "probability that the first player wins",
        two=Variant("totals from 6 to 9, both different", knock_out, wins=True),
    ),
)

if __name__ == "__main__":
    for page in PAGES:
        for name, variant in page.variants.items():
            answer = variant.answer()
            verdicts = [printed.verdict(answer.value) for printed in variant.numbers]
            print(page.title, name, answer.value, *verdicts)
