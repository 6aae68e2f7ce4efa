r"""Rules of the software-engineering game: states, actions, and rolls.

A *ladder* of dice, in the original game with 4, 6, 8, 12 and 20 faces, has rungs 0, 1, 2, …. A
*state* is the numbers of *revenue* and *legacy* dice on each rung, and the score. The game starts
from an empty table with a score of 0 and lasts a given number of rounds. In each round:

1. with any legacy die on the table, the player chooses one and turns it into a revenue die
   (*fix*); with none, the player either adds a revenue die on rung 0 (*create*) or lifts a revenue
   die by one rung (*promote*);
2. all revenue dice are rolled: each one that shows 1 becomes a legacy die, and each of the others
   adds 1 to the score;
3. if no revenue die is left, the score becomes 0 (a *catastrophe*).

The player maximises the expected score after the last round. The *canonical order* of actions
breaks every tie: fix from the highest rung down; create before promote; promote from the lowest
rung up. A *skip* (change nothing, then roll) is not in the game: it is offered only on request, in
place of creating or promoting.

Source: the SWE game's README, after Ben Rady's game of January 2023.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import pairwise, product
from math import comb, prod
from typing import NamedTuple, TypeAlias

from exactdice.arithmetic import mpq, natural
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted

#: Numbers of dice on each rung, lowest first.
Dice: TypeAlias = tuple[int, ...]

FACES = "faces that ascend strictly, such as 4,6,8,12,20"


class Ladder(tuple[int, ...]):
    """The faces of the dice, rung by rung: at least one die, strictly ascending, 2 faces or more.

    >>> Ladder(4, 6, 8, 12, 20)
    Ladder(4, 6, 8, 12, 20)
    >>> Ladder.read("4, 6, 10")
    Ladder(4, 6, 10)
    >>> Ladder(6, 4)
    Traceback (most recent call last):
    exactdice.errors.InputError: ladder: got 6, 4; expected faces that ascend strictly, such as \
4,6,8,12,20
    """

    __slots__ = ()

    def __new__(cls, *faces: int) -> "Ladder":
        """Check the faces and keep them, lowest rung first."""
        checked = [natural(face, "ladder", least=2) for face in faces]
        if not checked or any(low >= high for low, high in pairwise(checked)):
            got = Unquoted(", ".join(map(str, checked)) or "no faces")
            raise InputError("ladder", got, FACES)
        return super().__new__(cls, checked)

    @classmethod
    def read(cls, text: str) -> "Ladder":
        """Read faces separated by commas; raise InputError if they are no ladder."""
        return cls(*(natural(face, "ladder", least=2) for face in text.split(",")))

    @classmethod
    def of(cls, faces: "Ladder | Sequence[int]") -> "Ladder":
        """Return a ladder as it is, and check other faces."""
        return faces if isinstance(faces, Ladder) else cls(*faces)

    def __getnewargs__(self) -> tuple[int, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"Ladder({', '.join(map(str, self))})"


STANDARD = Ladder(4, 6, 8, 12, 20)
WITH_D10 = Ladder(4, 6, 8, 10, 12, 20)


class ActionKind(Enum):
    """Kinds of actions; `SKIP` is only in a variant of the game."""

    FIX = "fix"
    CREATE = "create"
    PROMOTE = "promote"
    SKIP = "skip"


class Action(NamedTuple):
    """An action: its kind, and the rung of its die (0 for create and skip)."""

    kind: ActionKind
    rung: int = 0

    def __str__(self) -> str:
        takes_die = self.kind in {ActionKind.FIX, ActionKind.PROMOTE}
        return f"{self.kind.value} {self.rung}" if takes_die else self.kind.value

    def describe(self, ladder: Ladder) -> str:
        die = "" if self.kind is ActionKind.SKIP else f" d{ladder[self.rung]}"
        return self.kind.value + die


CREATE = Action(ActionKind.CREATE)


class State(NamedTuple):
    """Revenue and legacy dice on each rung, lowest first, and the score."""

    revenue: tuple[int, ...]
    legacy: tuple[int, ...]
    score: int = 0

    @property
    def dice(self) -> tuple[int, ...]:
        """All dice on each rung, revenue and legacy together."""
        return tuple(r + b for r, b in zip(self.revenue, self.legacy, strict=True))


def empty_table(ladder: Ladder = STANDARD) -> State:
    return State((0,) * len(ladder), (0,) * len(ladder), 0)


def weight(dice: Iterable[int]) -> int:
    """Return the creations and promotions that make the dice: Σ (rung + 1)·number."""
    return sum(rung * number for rung, number in enumerate(dice, 1))


def check_state(
    revenue: Iterable[int], legacy: Iterable[int], score: int = 0, ladder: Ladder = STANDARD
) -> State:
    pools = []
    for name, pool in (("revenue", revenue), ("legacy", legacy)):
        numbers = tuple(natural(number, name) for number in pool)
        if len(numbers) != len(ladder):
            got = Unquoted(f"{len(numbers)} numbers")
            raise InputError(name, got, f"{len(ladder)} numbers, one for each rung of the ladder")
        pools.append(numbers)
    return State(pools[0], pools[1], natural(score, "score"))


def legal_actions(state: State, *, skip: bool = False) -> list[Action]:
    rungs = range(len(state.revenue))
    if any(state.legacy):
        return [Action(ActionKind.FIX, rung) for rung in reversed(rungs) if state.legacy[rung]]
    promotions = [Action(ActionKind.PROMOTE, rung) for rung in rungs[:-1] if state.revenue[rung]]
    return [Action(ActionKind.CREATE), *promotions, *([Action(ActionKind.SKIP)] if skip else [])]


def act(state: State, action: Action) -> State:
    revenue, legacy, rung = list(state.revenue), list(state.legacy), action.rung
    if action.kind is ActionKind.FIX:
        legacy[rung] -= 1
        revenue[rung] += 1
    elif action.kind is ActionKind.CREATE:
        revenue[0] += 1
    elif action.kind is ActionKind.PROMOTE:
        revenue[rung] -= 1
        revenue[rung + 1] += 1
    return State(tuple(revenue), tuple(legacy), state.score)


def roll(state: State, ladder: Ladder = STANDARD) -> Distribution[State]:
    """Return the distribution of the state after the roll: ∏ (revenue + 1) terms."""
    weights: dict[State, int] = {}
    for kept in product(*(range(number + 1) for number in state.revenue)):
        failed = [number - k for number, k in zip(state.revenue, kept, strict=True)]
        ways = prod(
            comb(number, k) * (faces - 1) ** k
            for number, k, faces in zip(state.revenue, kept, ladder, strict=True)
        )
        legacy = tuple(old + new for old, new in zip(state.legacy, failed, strict=True))
        survivors = sum(kept)
        weights[State(kept, legacy, state.score + survivors if survivors else 0)] = ways
    return Distribution(weights)


def outcomes(state: State, action: Action, ladder: Ladder = STANDARD) -> Distribution[State]:
    return roll(act(state, action), ladder)


class Promotion(NamedTuple):
    """A rung, the probability that its dice fail in a roll, and the gain of a promotion.

    A promotion from rung i to i + 1 lowers the expected failures of every later roll by the gain
    1/f_i − 1/f_{i+1}; on the top rung the gain is 0. The README recommends to promote the lowest
    die unless the gains rise from one rung to the next, as with a d10.
    """

    rung: int
    faces: int
    failure: mpq
    gain: mpq


def promotion_table(ladder: Ladder = STANDARD) -> list[Promotion]:
    failures = [mpq(1, faces) for faces in Ladder.of(ladder)]
    return [
        Promotion(rung, int(failure.denominator), failure, failure - after)
        for rung, (failure, after) in enumerate(pairwise([*failures, failures[-1]]))
    ]


def first_rise(ladder: Ladder = STANDARD) -> int | None:
    """Return the lowest rung with a greater gain than the rung below it, if any."""
    gains = [rung.gain for rung in promotion_table(ladder)[:-1]]
    return next((i for i in range(1, len(gains)) if gains[i] > gains[i - 1]), None)
