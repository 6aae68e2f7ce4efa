r"""The policies of the software-engineering game.

A *policy* maps the dice, the score and the round to an exact probability for each legal action.
These are the policies whose simulated scores are in the README of the SWE game. Each meaning below
is the only one of those tried that agrees with all three tables (`exactdice.games.swe.sources`):

* every policy fixes the *most robust* legacy die first (highest rung); lowest first or at random is
  off by more than five standard errors from 30 rounds on;
* to *promote* is to lift one die of the lowest occupied rung below the top one, if any, and
  otherwise to create;
* ``ExpLegacy(λ)`` compares the expected number of failures in one roll, :math:`\sum_i n_i / f_i`,
  with λ before the action: below λ it creates, from λ on it promotes;
* ``Rand(p)`` creates with probability p and promotes otherwise;
* ``PromoThenNew(f)`` and ``NewThenPromo(f)`` change after the rounds t ≤ f·R by their names. The
  printed figures show no change: those of PromoThenNew agree with Promo and those of NewThenPromo
  with NewOnly, for every f, here ``PromoThenNewAsRun(f)`` and ``NewThenPromoAsRun(f)``.

On any ladder the lowest rung takes the place of the d4.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple, TypeAlias

from exactdice.arithmetic import RationalLike, mpq, probability, rational
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.rules import CREATE, STANDARD, Action, ActionKind, Dice, Ladder, State

OPTIMAL = "Optimal"  # of `exactdice.games.swe.distributions.listed`

Chances: TypeAlias = Mapping[Action, mpq]


class Repairs(Enum):
    """An order in which legacy dice are fixed."""

    HIGHEST = "highest rung first"
    LOWEST = "lowest rung first"
    OTHER = "as the policy chooses in each state"


class PolicyMoment(NamedTuple):
    """The time of a decision: the round, the rounds of the game, and its ladder."""

    round: int  # from 1
    rounds: int
    ladder: Ladder = STANDARD


def lowest_promotion(dice: Sequence[int]) -> Action:
    """Lift the lowest die that can be lifted; create if there is none."""
    for rung, number in enumerate(dice[:-1]):
        if number:
            return Action(ActionKind.PROMOTE, rung)
    return CREATE


@dataclass(frozen=True, eq=False)
class RulePolicy(ABC):
    """A policy. Subclasses define the `improvements` of a table without legacy.

    Two policies are equal if they have the same class and attributes. A subclass that overrides
    `choices` sets `Repairs.OTHER`; it can be simulated, but not carried forward.
    """

    family: ClassVar[str]
    repairs: ClassVar[Repairs] = Repairs.HIGHEST
    looks_at_score: ClassVar[bool] = False  # whether `improvements` depend on the score

    def __init_subclass__(cls) -> None:
        if cls.choices is not RulePolicy.choices and cls.repairs is not Repairs.OTHER:
            got = Unquoted(f"{cls.repairs} in {cls.__name__}")
            raise InputError("repairs", got, "Repairs.OTHER for a policy that overrides choices")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))  # attributes of a subclass need not be hashable

    @property
    def name(self) -> str:
        return self.family

    def choices(self, state: State, turn: PolicyMoment) -> Chances:
        broken = [rung for rung, number in enumerate(state.legacy) if number]
        if broken:
            rung = broken[0] if self.repairs is Repairs.LOWEST else broken[-1]
            return {Action(ActionKind.FIX, rung): mpq(1)}
        return self.improvements(state.revenue, turn, state.score)

    @abstractmethod
    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        """Return the probability of each creation or promotion if no die is legacy."""

    def simplified(self) -> "RulePolicy":
        """Return the simplest policy with the same decisions."""
        return self

    def changes_at(self, dice: Dice, turn: PolicyMoment) -> tuple[int, ...]:
        """Return the scores, ascending and above 0, at which the `improvements` change."""
        return ()


class NewOnlyPolicy(RulePolicy):
    """Always create."""

    family = "NewOnly"

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        return {CREATE: mpq(1)}


class Promo(RulePolicy):
    """Promote the lowest die that can be promoted, otherwise create."""

    family = "Promo"

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        return {lowest_promotion(dice): mpq(1)}


class PromoOnce(RulePolicy):
    """Promote a die of the lowest rung if there is one, otherwise create."""

    family = "PromoOnce"

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        return {lowest_promotion(dice) if dice[0] else CREATE: mpq(1)}


@dataclass(frozen=True, eq=False)
class _WithParameter(RulePolicy):
    """A policy with one exact parameter."""

    parameter: mpq
    printed: str  # the parameter in the name

    @property
    def name(self) -> str:
        return f"{self.family}({self.printed})"

    def _decides_as(self, family: type[RulePolicy]) -> bool:
        cls = type(self)
        return cls.repairs is family.repairs and cls.improvements is family.improvements


class ExpLegacy(_WithParameter):
    """Promote if the expected failures of the next roll reach a bound λ ≥ 0; create otherwise."""

    family = "ExpLegacy"

    def __init__(self, bound: RationalLike) -> None:
        exact = rational(bound, "policy")
        if exact < 0:
            raise InputError("policy", bound, "a bound of at least 0")
        super().__init__(exact, str(bound))

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        expected = sum((mpq(n, f) for n, f in zip(dice, turn.ladder, strict=True)), mpq(0))
        return {CREATE if expected < self.parameter else lowest_promotion(dice): mpq(1)}


class Rand(_WithParameter):
    """Create with a given probability, otherwise promote. Rand(1) is NewOnly and Rand(0) Promo."""

    family = "Rand"

    def __init__(self, chance: RationalLike) -> None:
        super().__init__(probability(chance, "policy"), str(chance))

    def simplified(self) -> RulePolicy:
        ends: dict[mpq, RulePolicy] = {mpq(0): Promo(), mpq(1): NewOnlyPolicy()}
        return ends.get(self.parameter, self) if self._decides_as(Rand) else self

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        promotion = lowest_promotion(dice)
        if promotion == CREATE:
            return {CREATE: mpq(1)}
        both = {CREATE: self.parameter, promotion: 1 - self.parameter}
        return {action: chance for action, chance in both.items() if chance}


class _Phased(_WithParameter):
    """One policy for the rounds t ≤ f·R, another after them."""

    first: ClassVar[RulePolicy]
    then: ClassVar[RulePolicy]

    def __init__(self, fraction: RationalLike) -> None:
        super().__init__(probability(fraction, "policy"), str(fraction))

    def simplified(self) -> RulePolicy:
        if not self._decides_as(_Phased):
            return self
        if self.first == self.then or self.parameter == 1:
            return self.first
        return self.then if self.parameter == 0 else self

    def improvements(self, dice: Dice, turn: PolicyMoment, score: int) -> Chances:
        phase = self.first if turn.round <= self.parameter * turn.rounds else self.then
        return phase.improvements(dice, turn, score)


class PromoThenNew(_Phased):
    """Promo for the first fraction of the rounds, then NewOnly, as the name says."""

    family = "PromoThenNew"
    first, then = Promo(), NewOnlyPolicy()


class NewThenPromo(_Phased):
    """NewOnly for the first fraction of the rounds, then Promo, as the name says."""

    family = "NewThenPromo"
    first, then = NewOnlyPolicy(), Promo()


class PromoThenNewAsRun(_Phased):
    """The policy of the README's figures for PromoThenNew: Promo for every fraction."""

    family = "PromoThenNewAsRun"
    first, then = Promo(), Promo()


class NewThenPromoAsRun(_Phased):
    """The policy of the README's figures for NewThenPromo: NewOnly for every fraction."""

    family = "NewThenPromoAsRun"
    first, then = NewOnlyPolicy(), NewOnlyPolicy()


_PLAIN: dict[str, type[NewOnlyPolicy | Promo | PromoOnce]]
_PLAIN = {policy.family.lower(): policy for policy in (NewOnlyPolicy, Promo, PromoOnce)}
_FAMILIES: tuple[type[ExpLegacy | Rand | _Phased], ...]
_FAMILIES = ExpLegacy, Rand, PromoThenNew, NewThenPromo, PromoThenNewAsRun, NewThenPromoAsRun
_WITH_PARAMETER = {policy.family.lower(): policy for policy in _FAMILIES}
_SPELLING = re.compile(r"\s*+([A-Za-z]+?)(?:policy)?\s*+(?:\((.*)\))?\s*", re.IGNORECASE)


def policy_from_text(text: str, besides: Sequence[str] = ()) -> RulePolicy:
    """Read a policy by name, such as ``NewOnlyPolicy`` or ``Rand(0.5)``; capitals do not matter."""
    match = _SPELLING.fullmatch(text)
    family = match[1].lower() if match else ""
    parameter = (match[2] or "").strip() if match else ""
    if family in _PLAIN:
        if parameter:
            raise InputError("policy", text, f"{_PLAIN[family].family} without a parameter")
        return _PLAIN[family]()
    if family in _WITH_PARAMETER:
        if not parameter:
            raise InputError("policy", text, f"{_WITH_PARAMETER[family].family} with its parameter")
        try:
            return _WITH_PARAMETER[family](parameter)
        except InputError as problem:
            wanted = f"{_WITH_PARAMETER[family].family} of {problem.wanted}"
            raise InputError("policy", text, wanted) from None
    letters = {"explegacy": "λ", "rand": "p"}
    plain = [*besides, *(policy.family for policy in _PLAIN.values())]
    others = [f"{p.family}({letters.get(k, 'f')})" for k, p in _WITH_PARAMETER.items()]
    raise InputError("policy", text, f"one of {', '.join(plain + others)}")


def policy_name(text: str) -> str:
    """Return the name of a policy in its standard form."""
    if text.strip().lower() == OPTIMAL.lower():
        return OPTIMAL
    return policy_from_text(text, besides=[OPTIMAL]).name
