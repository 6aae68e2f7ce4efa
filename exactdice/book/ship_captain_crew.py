"""Ship, Captain and Crew: a six, a five and a four in this order, and as much cargo as may be.

Five dice are rolled, three times at most. A six is the ship and is set aside; then a five may be,
the captain; then a four, the crew. With all three aboard the other two dice are cargo, and their
sum is the score; while rolls are left they may be rolled again, and what they show then counts.
Without the three there is no score. Some let either die of cargo be kept ("each"). Rules: the page
"Ship Captain Crew" of dice.toys, and "Dice Games For All" of Duet Games for both at once.
"""

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution, fair, pool, sorted_roll
from exactdice.models import LockedTurns

State = tuple[int, int, tuple[int, ...]]  # rolls left, how many are aboard, cargo that is kept
Roll = tuple[int, ...]
CREW = (6, 5, 4)


def voyage(rolls: int = 3, *, each: bool = False) -> LockedTurns[State]:
    """A turn of so many rolls; with `each`, one die of cargo may be kept and the other rolled."""

    def keep(state: State, roll: Roll) -> list[State]:
        left, aboard, cargo = state
        shown = [*cargo, *roll]
        states: list[State] = [] if aboard == 3 else [(left - 1, aboard, ())]
        while aboard < 3 and CREW[aboard] in shown:
            shown.remove(CREW[aboard])
            aboard += 1
            if aboard < 3:
                states.append((left - 1, aboard, ()))
        if aboard == 3:
            states.append((0, 3, tuple(shown)))
            if left > 1:
                parts = {(), *((die,) for die in shown if each)}
                states += [(left - 1, 3, part) for part in sorted(parts)]
        return states[::-1]  # those with most aboard first

    def roll(state: State) -> Distribution[Roll] | None:
        left, aboard, cargo = state
        return sorted_roll(pool(5 - aboard - len(cargo), fair(6))) if left else None

    return LockedTurns((rolls, 0, ()), roll, keep, lambda state: False)


def cargo(end: State | None) -> int:
    """The score of an end."""
    return sum(end[2]) if end else 0


def is_aboard(end: State | None) -> int:
    """1 where ship, captain and crew are there."""
    return int(end is not None and end[1] == 3)


_VARIANTS = {
    "both": Variant("cargo is rolled again together", lambda: voyage().game(cargo)),
    "each": Variant("either die of cargo may stay", lambda: voyage(each=True).game(cargo)),
    "aboard": Variant(
        "all for ship, captain and crew",
        lambda: voyage().game(is_aboard),
        asks="greatest chance of ship, captain and crew",
    ),
}
_PLAYERS = "any number, each for the most cargo"
_TITLE = "Ship, Captain and Crew"
PAGE = Page("ship-captain-crew", _TITLE, _PLAYERS, "greatest mean cargo", _VARIANTS)
