"""Players of a race of two: dice, rules and an aim.

A player aims to *win*, looking at both scores, or plays for *points*: the play of a
`TargetPlayer`, which looks at the points that are still needed and at nothing else.
"""

from dataclasses import dataclass
from enum import StrEnum

from exactdice.arithmetic import RationalLike
from exactdice.errors import InputError, Unquoted
from exactdice.games.farkle.rules.dice_sets import DiceSet, parse_dice
from exactdice.games.farkle.rules.menus import Menus, menus_of
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.tables import KCD


class Aim(StrEnum):
    """What a player plays for."""

    WIN = "win"  #: to win, looking at both scores
    POINTS = "points"  #: for the points of each turn, looking at those still needed


@dataclass(frozen=True, repr=False)
class Contender:
    """A player in a race of two, to the target of the rules, who plays to win or for points.

    Some turn of the dice has to come to the points that it takes to bank, and a bust may cost no
    penalty.
    """

    dice: DiceSet
    rules: RuleSet
    aim: Aim = Aim.WIN

    def __post_init__(self) -> None:
        if self.rules.target is None:
            raise InputError("target", Unquoted("none"), "the points to reach")
        if self.rules.penalty:
            raise InputError("penalty", self.rules.penalty, "no penalty in a race")
        if self.aim not in tuple(Aim):
            raise InputError("aim", self.aim, "win or points")
        object.__setattr__(self, "aim", Aim(self.aim))
        if not self._can_bank(self.rules.least_to_bank(0)):
            raise InputError("dice", Unquoted(str(self.dice)), "dice that can reach the target")

    def _can_bank(self, least: int) -> bool:
        """Whether some turn comes to as many points as it takes to bank."""
        unit, menus = self.rules.unit, self.menus
        offered = [
            {(score // unit, menus.next_state(left)) for menu in of.menus for score, left in menu}
            for of in menus.by_state
        ]
        rolled: dict[int, set[int]] = {0: {self.dice.full}}
        for level in range(max(least // unit, 1)):
            for units, state in set().union(*(offered[s] for s in rolled.get(level, ()))):
                if (level + units) * unit >= least:
                    return True
                rolled.setdefault(level + units, set()).add(state)
        return False

    @property
    def menus(self) -> Menus:
        """What each roll offers."""
        return menus_of(self.rules, self.dice, prune=True)

    @property
    def target(self) -> int:
        """Points to bank."""
        return self.rules.target or 0

    @property
    def levels(self) -> int:
        """Scores from 0 to below the target, in units."""
        return self.target // self.rules.unit

    @property
    def floor(self) -> int:
        """Lowest score, in units: 0, or below it where busts in a row cost points."""
        return -(self.rules.floor // self.rules.unit) if self.rules.streak_penalty else 0

    def end(self, own: int) -> int:
        """Points at which a turn from a score ends: the target, or what it takes to bank."""
        return max(self.target - own, self.rules.least_to_bank(own))

    def score(self, points: RationalLike, name: str) -> int:
        """Read a score below the target."""
        least = self.floor * self.rules.unit
        whole = self.rules.whole_points(points, name, least=least)
        if whole >= self.target:
            raise InputError(name, whole, f"a score below the target of {self.target}")
        return whole

    def __repr__(self) -> str:
        return f"Contender({self})"

    def __str__(self) -> str:
        return f"{self.dice} to {self.target} ({self.rules.name}) for {self.aim}"


def contender(
    dice: DiceSet | str = "fair*6",
    rules: RuleSet = KCD,
    aim: Aim | str = Aim.WIN,
    argument: str = "dice",
) -> Contender:
    """Make a player of a race from dice or their text; `argument` is what errors call the dice.

    Examples
    --------
    >>> print(contender("fair*2,odd", KCD.varied(target=500)))
    fair*2,odd to 500 (kcd) for win
    >>> contender("0:1:0:0:0:0")
    Traceback (most recent call last):
    exactdice.errors.InputError: dice: got 0:1:0:0:0:0; expected dice that can reach the target
    """
    taken = parse_dice(dice, argument, most=rules.dice) if isinstance(dice, str) else dice
    try:
        return Contender(taken, rules, aim)  # type: ignore[arg-type]
    except InputError as problem:
        if problem.argument != "dice" or argument == "dice":
            raise
        raise InputError(argument, Unquoted(str(taken)), problem.wanted) from problem
