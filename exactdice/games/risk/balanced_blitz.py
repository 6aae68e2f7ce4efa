r"""Balanced blitz in the Risk app.

The app *Risk: Global Domination* draws the ending of a blitz once, from the probability
distribution of the endings of the battle by dice, changed in four steps. Order the endings from the
best for the attacker (none lost) to the best for the defender; w is the attacker's probability to
win.

1. If w or 1 - w is at most 1/20, it becomes 0, and the other side's endings are scaled up.
2. Each side's endings are scaled so that w becomes :math:`w^{1.3} / (w^{1.3} + (1 - w)^{1.3})`.
3. A tenth of the total is cut off at either end, and the rest is scaled to 1.
4. Each probability p becomes :math:`p^{1.8}`, and each side's endings are scaled back to that
   side's probability after step 3.

Powers of rationals are irrational, so the probabilities are enclosures, by Arb's ball arithmetic;
the precision is raised until the comparisons with a tenth are decided. Probabilities of 0 and 1 are
exact. The app computes in doubles and extrapolates large battles in an unpublished way; here the
four steps are applied to all battles.

Source: SMG Studio, https://github.com/smgstudio/risk-dice (the app's dice of 3.3),
README and ``BalancedBattleInfo``; its constants are those of ``BalanceConfig.Default``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from flint import arb, ctx

from exactdice.arithmetic import mpq, text, to_flint
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import ExactDiceError
from exactdice.games.risk.exact import Battle
from exactdice.report import Reported

WIN_CUTOFF = mpq(1, 20)
WIN_POWER = mpq(13, 10)
OUTCOME_CUTOFF = mpq(1, 10)
OUTCOME_POWER = mpq(9, 5)

_PRECISIONS = (128, 256, 512, 1024, 2048, 4096)

#: An ending of a battle: attackers and defenders left.
Ending = tuple[int, int]


class _UndecidedError(ExactDiceError):
    """The precision does not decide a comparison."""


@dataclass(frozen=True)
class BalancedBlitz(Reported, by="exactdice.games.risk.reports:blitz_report"):
    """Distributions of a battle's endings, by dice and in the app."""

    battle: Battle
    # endings from the best for the attacker to the best for the defender, probabilities in the app
    law: dict[Ending, Enclosure] = field(repr=False, compare=False)
    win_probability: Enclosure  # probability in the app that the attacker wins

    def __str__(self) -> str:
        won = self.win_probability.certain(10)
        return f"{self.battle.attackers} against {self.battle.defenders} blitz: won with {won}"

    #: The four steps in words, for the conventions of a report.
    steps: ClassVar = (
        f"probabilities to win up to {text(WIN_CUTOFF)} become 0; power {text(WIN_POWER)} on them; "
        f"{text(OUTCOME_CUTOFF)} cut off at either end; power {text(OUTCOME_POWER)} on endings"
    )

    @property
    def true_law(self) -> Distribution[Ending]:
        """Distribution of the armies left, by dice."""
        return self.battle.survivors


def blitz(battle: Battle) -> BalancedBlitz:
    """Return the distribution of a battle's endings in the app.

    * `battle`: a result of `solve`.

    The published example, 30 fighting units against a capital of 15 that lose 12 and win:

    >>> from exactdice.games.risk.exact import solve
    >>> from exactdice.games.risk.rules import RiskRules
    >>> capital = blitz(solve(30, 15, "fighting", RiskRules(defender_dice=3)))
    >>> capital.law[18, 0].decimal(16)
    '0.0100282888709122'
    """
    left = battle.survivors
    endings = sorted(left, key=lambda end: (end[1], -end[0]))
    chances = [left.probability(end) for end in endings]
    won = sum(end[1] == 0 for end in endings)
    for bits in _PRECISIONS:
        with ctx.workprec(bits):
            try:
                changed, wins = _changed(chances, won)
            except _UndecidedError:
                continue
            balanced = dict(zip(endings, map(Enclosure.of, changed), strict=True))
            return BalancedBlitz(battle, balanced, Enclosure.of(wins))
    raise _UndecidedError("blitz: a comparison is not decided at any precision")


def _changed(chances: Sequence[mpq], won: int) -> tuple[list[Any], Any]:
    """Apply the four steps; the first `won` endings are won. Also return the probability to win."""
    w = sum(chances[:won], mpq(0))
    if w <= WIN_CUTOFF:
        w = mpq(0)
    elif 1 - w <= WIN_CUTOFF:
        w = mpq(1)
    # Rational if possible: balls cannot be compared with a tenth for equality.
    target: Any = w
    if w not in (0, 1, mpq(1, 2)):
        up, down = _power(w, WIN_POWER), _power(1 - w, WIN_POWER)
        target = up / (up + down)
    scaled = [*_scaled(chances[:won], target), *_scaled(chances[won:], 1 - target)]
    kept = _cut(_cut(scaled)[::-1])[::-1]
    wins, losses = _total(kept[:won]), _total(kept[won:])
    both = _total([wins, losses])
    if _is_zero(wins) or _is_zero(losses):
        shares: tuple[Any, Any] = (mpq(not _is_zero(wins)), mpq(not _is_zero(losses)))
    else:
        shares = _product(wins, mpq(1), both), _product(losses, mpq(1), both)
    raised = [_power(chance, OUTCOME_POWER) for chance in kept]
    return [*_scaled(raised[:won], shares[0]), *_scaled(raised[won:], shares[1])], shares[0]


def _power(base: Any, exponent: mpq) -> Any:
    return _ball(base) ** arb(to_flint(exponent))


def _total(numbers: Sequence[Any]) -> Any:
    exact = sum((n for n in numbers if isinstance(n, mpq)), mpq(0))
    balls = [n for n in numbers if not isinstance(n, mpq)]
    return sum(balls, arb(to_flint(exact))) if balls else exact


def _scaled(chances: Sequence[Any], total: Any) -> list[Any]:
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


def _cut(chances: Sequence[Any]) -> list[Any]:
    place, passed = 0, chances[0]
    while not _exceeds(passed, OUTCOME_CUTOFF):
        place += 1
        passed = _total([passed, chances[place]])
    rest = _total([passed, -OUTCOME_CUTOFF])
    return [*[mpq(0)] * place, rest, *chances[place + 1 :]]


def _exceeds(number: Any, bound: mpq) -> bool:
    if isinstance(number, mpq):
        return bool(number > bound)
    if number > arb(to_flint(bound)):
        return True
    if number <= arb(to_flint(bound)):
        return False
    raise _UndecidedError
