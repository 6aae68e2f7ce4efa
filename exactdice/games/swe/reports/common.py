"""What the reports of the game have in common: conventions, and states in words."""

from exactdice.arithmetic import text
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.optimum.reachable import can_be_reached, search_steps
from exactdice.games.swe.rules import Ladder, State, empty_table, weight
from exactdice.report.model import Quantity, exact, flag, listing

#: Most steps of a search for a state; more would take longer than half a minute.
MAX_STEPS = 5_000_000

REVENUE = listing("revenue", "revenue dice on each rung, lowest first", "dice")
LEGACY = listing("legacy", "legacy dice on each rung, lowest first", "dice")
VALUE = exact("value", "expected final score under optimal play", "points")


def conventions_of(ladder: Ladder, **more: str) -> dict[str, str]:
    """Return the conventions that every report of the game depends on, and others."""
    return {
        "ladder": ", ".join(f"d{text(faces)}" for faces in ladder),
        "start": "empty table, score 0, unless said otherwise",
        "catastrophe": "no revenue die left after a roll: the score becomes 0",
        "ties": "fix from the highest rung, create, promote from the lowest rung",
    } | more


def dice_text(dice: tuple[int, ...], ladder: Ladder) -> str:
    """Write dice as a person would: ``2 d4, 1 d8``.

    >>> from exactdice.games.swe.rules import STANDARD
    >>> dice_text((2, 0, 1, 0, 0), STANDARD), dice_text((0,) * 5, STANDARD)
    ('2 d4, 1 d8', 'none')
    """
    shown = [f"{n} d{faces}" for n, faces in zip(dice, ladder, strict=True) if n]
    return ", ".join(shown) or "none"


def state_text(state: State, ladder: Ladder) -> str:
    """Write a state as a person would."""
    revenue, legacy = dice_text(state.revenue, ladder), dice_text(state.legacy, ladder)
    if state == empty_table(ladder):
        return "an empty table"
    return f"revenue {revenue}; legacy {legacy}; score {state.score}"


def rounds_text(rounds: int) -> str:
    """Write a number of rounds."""
    return f"{rounds} round" if rounds == 1 else f"{rounds} rounds"


def reachable_quantity(state: State, now: int, ladder: Ladder) -> Quantity:
    """Say whether play can lead to a state by the round that begins; nothing if that takes long."""
    steps = search_steps(state, now - 1)
    return flag("reachable", f"whether play can lead to the state in {now - 1} rounds")(
        can_be_reached(state, now - 1, ladder) if steps <= MAX_STEPS else None
    )


def require_existing(state: State, played: int) -> None:
    """Refuse dice that cannot be there after so many rounds."""
    needed = weight(state.dice)
    least = 1 if played else 0
    if not least <= needed <= played:
        got = Unquoted(f"dice that take {rounds_text(needed)} to make")
        raise InputError(
            "revenue and legacy",
            got,
            f"dice that can be there after {rounds_text(played)}: each die takes one round for "
            "each rung up to its own, and the first round makes one",
        )
