r"""The software-engineering game: what a state is, what a player may do, what the dice can do.

A *ladder* of dice, in the original game with 4, 6, 8, 12 and 20 faces, has rungs 0, 1, 2, …. A
*state* holds how many *revenue* dice and how many *legacy* dice stand on each rung, and the score.
The game starts from an empty table and a score of 0 and lasts a number of rounds. In each round:

1. with any legacy die on the table, the player chooses one and turns it into a revenue die
   (*fix*); with none, the player either adds a revenue die on rung 0 (*create*) or lifts a revenue
   die by one rung (*promote*);
2. all revenue dice are rolled: each one that shows 1 becomes a legacy die, and each of the others
   adds 1 to the score;
3. if no revenue die is left, the score becomes 0 (a *catastrophe*).

The score after the last round is the player's, and its expectation is to be made large.

Conventions. The *canonical order* of actions, which breaks every tie, puts what the game's README
holds to be best first: fix from the highest rung down; create before promote; promote from the
lowest rung up. A *skip* (change nothing, then roll) is not in the game: it is offered only where a
caller asks for it, and only where the player would otherwise create or promote.

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

#: How many dice stand on each rung, lowest first.
Dice: TypeAlias = tuple[int, ...]


class Ladder(tuple[int, ...]):
    """The faces of the dice, rung by rung: at least one die, strictly ascending, 2 faces or more.

    Examples
    --------
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
            raise InputError("ladder", got, "faces that ascend strictly, such as 4,6,8,12,20")
        return super().__new__(cls, checked)

    @classmethod
    def read(cls, text: str) -> "Ladder":
        """Read faces that are separated by commas.

        Raises
        ------
        InputError
            If a face is no whole number of at least 2, or the faces do not ascend strictly.
        """
        return cls(*(natural(face, "ladder", least=2) for face in text.split(",")))

    @classmethod
    def of(cls, faces: "Ladder | Sequence[int]") -> "Ladder":
        """Return a ladder as it is, and check other sequences of faces."""
        return faces if isinstance(faces, Ladder) else cls(*faces)

    def __getnewargs__(self) -> tuple[int, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"Ladder({', '.join(map(str, self))})"


STANDARD = Ladder(4, 6, 8, 12, 20)
WITH_D10 = Ladder(4, 6, 8, 10, 12, 20)


class ActionKind(Enum):
    """What an action does; `SKIP` is no move of the game, only of its variant."""

    FIX = "fix"
    CREATE = "create"
    PROMOTE = "promote"
    SKIP = "skip"


class Action(NamedTuple):
    """A move: its kind, and the rung of the die that it takes (0 for create and for skip)."""

    kind: ActionKind
    rung: int = 0

    def __str__(self) -> str:
        takes_die = self.kind in {ActionKind.FIX, ActionKind.PROMOTE}
        return f"{self.kind.value} {self.rung}" if takes_die else self.kind.value

    def describe(self, ladder: Ladder) -> str:
        """Name the move by the faces of its die."""
        return (
            self.kind.value
            if self.kind is ActionKind.SKIP
            else f"{self.kind.value} d{ladder[self.rung]}"
        )


class State(NamedTuple):
    """Revenue and legacy dice on each rung, lowest first, and the score."""

    revenue: tuple[int, ...]
    legacy: tuple[int, ...]
    score: int = 0

    @property
    def dice(self) -> tuple[int, ...]:
        """All dice on each rung, revenue and legacy together; a roll or a fix never changes it."""
        return tuple(r + b for r, b in zip(self.revenue, self.legacy, strict=True))


def empty_table(ladder: Ladder = STANDARD) -> State:
    """Return the state in which a game starts."""
    return State((0,) * len(ladder), (0,) * len(ladder), 0)


def weight(dice: Iterable[int]) -> int:
    """Return how many creations and promotions it takes to make these dice: Σ (rung + 1)·number."""
    return sum(rung * number for rung, number in enumerate(dice, 1))


def check_state(
    revenue: Iterable[int], legacy: Iterable[int], score: int = 0, ladder: Ladder = STANDARD
) -> State:
    """Read a state: as many numbers of dice as the ladder has rungs, none of them below 0.

    Whether play can lead to it is another question: see `exactdice.games.swe.optimum.reachable`.
    """
    pools = []
    for name, pool in (("revenue", revenue), ("legacy", legacy)):
        numbers = tuple(natural(number, name) for number in pool)
        if len(numbers) != len(ladder):
            got = Unquoted(f"{len(numbers)} numbers of dice")
            raise InputError(name, got, f"{len(ladder)} numbers, one for each rung of the ladder")
        pools.append(numbers)
    return State(pools[0], pools[1], natural(score, "score"))


def legal_actions(state: State, *, skip: bool = False) -> list[Action]:
    """List what the player may do, in the canonical order."""
    rungs = range(len(state.revenue))
    if any(state.legacy):
        return [Action(ActionKind.FIX, rung) for rung in reversed(rungs) if state.legacy[rung]]
    promotions = [Action(ActionKind.PROMOTE, rung) for rung in rungs[:-1] if state.revenue[rung]]
    return [Action(ActionKind.CREATE), *promotions, *([Action(ActionKind.SKIP)] if skip else [])]


def act(state: State, action: Action) -> State:
    """Return the state after the player's move and before the roll.

    The action must be one of `legal_actions`; that is not checked here.
    """
    revenue, legacy = list(state.revenue), list(state.legacy)
    rung = action.rung
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
    """Return the distribution of the state after the roll of all revenue dice.

    Costs one term for each way in which numbers of dice can fail: ∏ (revenue + 1).
    """
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
    """Return the distribution of the state at the end of a round in which the action is played."""
    return roll(act(state, action), ladder)


class Promotion(NamedTuple):
    """One rung: its number from 0, its faces, the chance of failure, what a promotion gains.

    A die with f faces fails with chance 1/f in each roll, so promoting it from rung i to i + 1
    lowers the expected failures by 1/f_i − 1/f_{i+1} for each roll to come; on the top rung that is
    written as 0. Where the gains never rise from one rung to the next, the README holds it best to
    promote the lowest die; with a d10 they do rise, and it says that this greedy rule breaks.
    """

    rung: int
    faces: int
    failure: mpq
    gain: mpq


def promotion_table(ladder: Ladder = STANDARD) -> list[Promotion]:
    """List the rungs of a ladder with their gains."""
    failures = [mpq(1, faces) for faces in Ladder.of(ladder)]
    return [
        Promotion(rung, int(failure.denominator), failure, failure - after)
        for rung, (failure, after) in enumerate(pairwise([*failures, failures[-1]]))
    ]


def first_rise(ladder: Ladder = STANDARD) -> int | None:
    """Return the lowest rung whose promotion gains more than that of the rung below it, if any."""
    gains = [rung.gain for rung in promotion_table(ladder)[:-1]]
    return next((i for i in range(1, len(gains)) if gains[i] > gains[i - 1]), None)
