r"""Balanced blitz: what the Risk app makes of the true chances of a battle.

The app *Risk: Global Domination* draws the ending of a blitz once, from the law of the endings of
the battle by dice, changed in four steps. Order the endings from the best for the attacker (none
lost) to the best for the defender; w is the chance that the attacker wins.

1. If w or 1 - w is at most 1/20, it becomes 0, and the other side's endings are scaled up.
2. Each side's endings are scaled so that w becomes :math:`w^{1.3} / (w^{1.3} + (1 - w)^{1.3})`.
3. A tenth of all is cut off at either end, of the last ending only as much as is left to cut, and
   the rest is scaled to 1.
4. Each chance p becomes :math:`p^{1.8}`, and each side's endings are scaled back to that side's
   chance after step 3.

Powers of rationals are irrational, so the chances come as enclosures, by Arb's ball arithmetic;
comparisons with the tenth are decided at a precision that is raised until they are. Those that the
steps make 0 or 1 are exact.

The app's own numbers are doubles, and in large battles it extrapolates from smaller ones, which is
unpublished; here they are those of the four steps.

Source: SMG Studio, https://github.com/smgstudio/risk-dice (the app's dice of 3.3),
README and ``BalancedBattleInfo``; its constants are those of ``BalanceConfig.Default``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from flint import arb, ctx

from exactdice.arithmetic import mpq, to_flint
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError
from exactdice.games.risk.exact import Battle
from exactdice.report.notebook import Reported

#: Chances to win of at most this become 0.
WIN_CUTOFF = mpq(1, 20)
#: The power that makes the favourite's chance to win larger.
WIN_POWER = mpq(13, 10)
#: What is cut off at either end.
OUTCOME_CUTOFF = mpq(1, 10)
#: The power that makes likely endings likelier.
OUTCOME_POWER = mpq(9, 5)

_PRECISIONS = (128, 256, 512, 1024, 2048, 4096)

#: An ending of a battle: attackers and defenders that are left.
Ending = tuple[int, int]


class _UndecidedError(ExactDiceError):
    """A comparison that the precision does not decide."""


@dataclass(frozen=True)
class BalancedBlitz(Reported):
    """The true law of a battle's endings, and the app's."""

    reported_by: ClassVar = "exactdice.games.risk.campaign_reports:blitz_report"

    battle: Battle
    # the endings from the best for the attacker to the best for the defender, and the app's chances
    law: dict[Ending, Enclosure] = field(repr=False, compare=False)
    win_probability: Enclosure  # the app's chance that the attacker wins

    def __str__(self) -> str:
        won = self.win_probability.certain(10)
        return f"{self.battle.attackers} against {self.battle.defenders} blitz: won with {won}"

    @property
    def true_law(self) -> Distribution[Ending]:
        """The law of who is left, by dice."""
        return self.battle.survivors


def blitz(battle: Battle) -> BalancedBlitz:
    """Change the law of a battle as the app does.

    Parameters
    ----------
    battle
        As `exactdice.games.risk.exact.solve` makes it, fought to the end.

    Examples
    --------
    The published example, 30 fighting units against a capital of 15 that lose 12 and win:

    >>> from exactdice.games.risk.exact import solve
    >>> from exactdice.games.risk.rules import RiskRules
    >>> capital = blitz(solve(30, 15, "fighting", RiskRules(defender_dice=3)))
    >>> capital.law[18, 0].decimal(16)
    '0.0100282888709122'

    Notes
    -----
    The law of the battle, then O(endings) balls.
    """
    law = battle.survivors
    endings = sorted(law, key=lambda end: (end[1], -end[0]))
    chances = [law.probability(end) for end in endings]
    won = sum(end[1] == 0 for end in endings)
    for bits in _PRECISIONS:
        with ctx.workprec(bits):
            try:
                changed, wins = _changed(chances, won)
            except _UndecidedError:
                continue
            balanced = dict(zip(endings, map(Enclosure.of, changed), strict=True))
            return BalancedBlitz(battle, balanced, Enclosure.of(wins))
    raise _UndecidedError("a cut of balanced blitz falls between two endings at any precision")


def _changed(chances: Sequence[mpq], won: int) -> tuple[list[Any], Any]:
    """Change the chances in four steps, the first so many of them of a won battle; and its own."""
    w = sum(chances[:won], mpq(0))
    if w <= WIN_CUTOFF:
        w = mpq(0)
    elif 1 - w <= WIN_CUTOFF:
        w = mpq(1)
    # Rational where it can be: a ball cannot tell whether it equals a tenth.
    target: Any = w
    if w not in (0, 1, mpq(1, 2)):
        up, down = _power(w, WIN_POWER), _power(1 - w, WIN_POWER)
        target = up / (up + down)
    law = [*_scaled(chances[:won], target), *_scaled(chances[won:], 1 - target)]
    law = _cut(_cut(law)[::-1])[::-1]
    wins, losses = _total(law[:won]), _total(law[won:])
    both = _total([wins, losses])
    if _is_zero(wins) or _is_zero(losses):
        shares: tuple[Any, Any] = (mpq(not _is_zero(wins)), mpq(not _is_zero(losses)))
    else:
        shares = _product(wins, mpq(1), both), _product(losses, mpq(1), both)
    raised = [_power(chance, OUTCOME_POWER) for chance in law]
    return [*_scaled(raised[:won], shares[0]), *_scaled(raised[won:], shares[1])], shares[0]


def _power(base: Any, exponent: mpq) -> Any:
    """Raise a number that is not negative to a power; 0 and 1 stay balls without width."""
    return _ball(base) ** arb(to_flint(exponent))


def _total(numbers: Sequence[Any]) -> Any:
    """Add rationals and balls."""
    exact = sum((n for n in numbers if isinstance(n, mpq)), mpq(0))
    balls = [n for n in numbers if not isinstance(n, mpq)]
    return sum(balls, arb(to_flint(exact))) if balls else exact


def _scaled(chances: Sequence[Any], total: Any) -> list[Any]:
    """Scale chances to a sum; where the sum is 0, or none has any, all are 0."""
    now = _total(chances)
    if _is_zero(now) or _is_zero(total):
        return [mpq(0)] * len(chances)
    return [_product(chance, total, now) for chance in chances]


def _product(chance: Any, total: Any, now: Any) -> Any:
    if all(isinstance(number, mpq) for number in (chance, total, now)):
        return chance * total / now
    return _ball(chance) * _ball(total) / _ball(now)


def _ball(number: Any) -> arb:
    return arb(to_flint(number)) if isinstance(number, mpq) else number


def _is_zero(number: Any) -> bool:
    return isinstance(number, mpq) and number == 0


def _cut(law: Sequence[Any]) -> list[Any]:
    """Cut a tenth off the beginning; the law has more."""
    place, passed = 0, law[0]
    while not _exceeds(passed, OUTCOME_CUTOFF):
        place += 1
        passed = _total([passed, law[place]])
    rest = _total([passed, -OUTCOME_CUTOFF])
    return [*[mpq(0)] * place, rest, *law[place + 1 :]]


def _exceeds(number: Any, bound: mpq) -> bool:
    if isinstance(number, mpq):
        return bool(number > bound)
    if number > arb(to_flint(bound)):
        return True
    if number <= arb(to_flint(bound)):
        return False
    raise _UndecidedError("a ball holds the bound")
