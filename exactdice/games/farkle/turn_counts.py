"""How many turns a player needs to a target, exactly where fractions are short, else enclosed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gmpy2 import mpq

from exactdice.enclosure import Enclosure
from exactdice.games.farkle.dice_sets import DiceSet
from exactdice.games.farkle.layout import table_bytes
from exactdice.games.farkle.rule_tables import KCD
from exactdice.games.farkle.rules import RuleSet
from exactdice.games.farkle.turns import BITS, TargetPlayer
from exactdice.report.notebook import Reported
from exactdice.run import DEFAULT, Run

if TYPE_CHECKING:
    from exactdice.report.model import Report

__all__ = ["EXACT_DIGITS", "TurnCounts", "turn_counts", "turns_to_target"]

#: Chances with longer denominators are enclosed, unless exact ones are asked for.
EXACT_DIGITS = 4000


def turns_to_target(dice: DiceSet | str, turns: int, rules: RuleSet = KCD) -> list[mpq]:
    """Chance to reach the target within 1, 2, …, `turns` turns of a `TargetPlayer`.

    Parameters
    ----------
    dice
        The dice, or their text.
    turns
        At least 1.
    rules
        The game, with its target.

    Examples
    --------
    >>> turns_to_target("fair*6", 2, KCD.varied(target=50))
    [mpq(157,162), mpq(26219,26244)]
    """
    return TargetPlayer(dice, rules).cdf(turns)


@dataclass(frozen=True)
class TurnCounts(Reported):
    """How many turns a `TargetPlayer` needs.

    Attributes
    ----------
    dice, rules
        The player's dice and the game.
    cdf
        Chance to have reached the target within 1, 2, … turns; ends are equal where it is exact.
    expected
        Expected number of turns; None where it has no bound, or the target is never reached.
    """

    dice: DiceSet
    rules: RuleSet
    cdf: tuple[Enclosure, ...]
    expected: Enclosure | None

    @property
    def value(self) -> Enclosure | None:
        """Expected number of turns."""
        return self.expected

    def report(self) -> "Report":
        """Return its report."""
        from exactdice.games.farkle.turns_reports import turns_report

        return turns_report(self)


def turn_counts(
    dice: DiceSet | str,
    rules: RuleSet = KCD,
    turns: int = 20,
    run: Run = DEFAULT,
    *,
    exact: bool = False,
) -> TurnCounts:
    """Find the distribution of the number of turns, exactly where its fractions are short.

    Parameters
    ----------
    dice, rules, turns
        As for `turns_to_target`.
    run
        Limits, and hears of progress.
    exact
        Exact fractions even where their denominators have more than `EXACT_DIGITS` digits.

    Examples
    --------
    >>> counts = turn_counts("fair*6", KCD.varied(target=50), 2)
    >>> counts.cdf[0].lower, counts.cdf[0].width
    (mpq(157,162), mpq(0,1))
    """
    player = TargetPlayer(dice, rules, run)
    digits = player.exact_digits(turns)
    is_exact = exact or digits <= EXACT_DIGITS
    # A row has two fractions. Exact ones grow turn by turn, to as many digits above as below the
    # line: half of the last ones on average.
    of_fraction = digits if is_exact else BITS * 3 // 5
    run.require(table_bytes(turns, 2 * of_fraction), f"{turns} turns")
    if is_exact:
        cdf = [Enclosure(chance, chance) for chance in player.cdf(turns)]
    else:
        cdf = player.cdf_enclosed(turns)
    # With a penalty the points needed, and so the turns, have no bound.
    has_mean = not rules.penalty and player.can_reach
    expected = player.expected_turns() if has_mean else None
    return TurnCounts(player.dice, rules, tuple(cdf), expected)
