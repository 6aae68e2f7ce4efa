r"""The policies of the software-engineering game: how a player decides, exactly.

A *policy* maps what a player sees (the dice, the score, the round) to a probability for each legal
action; the probabilities are rationals and sum to 1. The policies here are those whose simulated
scores the SWE game's README prints. What their parameters mean was recovered from those tables,
and each meaning below is the only one of those tried that agrees with all three (10, 30 and 100
rounds, 10000 games each; see `exactdice.games.swe.sources`):

* a legacy die is fixed *most robust first* (highest rung), whatever the policy; lowest first or at
  random is off by more than five standard errors from 30 rounds on;
* to *promote* is to lift one die of the lowest occupied rung that is not the top one; where every
  die stands on the top rung, to promote falls back on creating;
* ``ExpLegacy(λ)`` looks at the expected number of failures in one roll of the dice on the table,
  :math:`\sum_i n_i / f_i`, before the action: below λ it creates, from λ on (equality included) it
  promotes. The comparison is of rationals;
* ``Rand(p)`` creates with probability p and promotes otherwise;
* ``PromoThenNew(f)`` and ``NewThenPromo(f)`` name a change of mind after the fraction f of the
  game. The printed figures show none: those of PromoThenNew agree with Promo, and those of
  NewThenPromo with NewOnly, for every f. Both readings are here: the named one, where the first
  part lasts for the rounds t = 1, 2, … with t ≤ f·R, and the one that the figures show, under the
  names ``PromoThenNewAsRun(f)`` and ``NewThenPromoAsRun(f)``.

On any ladder the lowest rung plays the part of the d4.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple

from exactdice.arithmetic import RationalLike, mpq, probability, rational
from exactdice.errors import InputError, Unquoted
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State

#: The name of optimal play, which `exactdice.games.swe.laws.listed` makes a policy.
OPTIMAL = "Optimal"

_CREATE = Action(ActionKind.CREATE)


class Repairs(Enum):
    """An order in which legacy dice are fixed."""

    HIGHEST = "highest rung first"
    LOWEST = "lowest rung first"
    OTHER = "as the policy chooses in each state"


class PolicyMoment(NamedTuple):
    """Where in the game a decision falls: the round, from 1 on, of how many, on which ladder."""

    round: int
    rounds: int
    ladder: Ladder = STANDARD


def lowest_promotion(dice: Sequence[int]) -> Action:
    """Lift the lowest die that can be lifted; create where there is none.

    >>> print(lowest_promotion((0, 2, 1)), lowest_promotion((0, 0, 3)), sep=", ")
    promote 1, create
    """
    for rung, number in enumerate(dice[:-1]):
        if number:
            return Action(ActionKind.PROMOTE, rung)
    return _CREATE


@dataclass(frozen=True, eq=False)
class RulePolicy(ABC):
    """A way to decide. Subclasses say what to do where there is nothing to fix.

    Two policies are equal if they are of the same class and all their attributes are equal. A
    subclass that has `choices` of its own says so by `Repairs.OTHER`; it can be simulated, but
    its law cannot be carried forward.
    """

    family: ClassVar[str]
    #: Which legacy die is fixed first, as far as a run forward and a simulation need to know.
    repairs: ClassVar[Repairs] = Repairs.HIGHEST
    #: Whether `improvements` depend on the score.
    looks_at_score: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        if cls.choices is not RulePolicy.choices and cls.repairs is not Repairs.OTHER:
            got = Unquoted(f"{cls.repairs} in {cls.__name__}")
            raise InputError("repairs", got, "Repairs.OTHER to a policy with choices of its own")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))  # attributes of a subclass need not be hashable

    @property
    def name(self) -> str:
        """The name by which the README's tables and `policy_from_text` know it."""
        return self.family

    def choices(self, state: State, turn: PolicyMoment) -> Mapping[Action, mpq]:
        """Return the chance of each action in a state, without those of chance 0."""
        broken = [rung for rung, number in enumerate(state.legacy) if number]
        if broken:
            rung = broken[0] if self.repairs is Repairs.LOWEST else broken[-1]
            return {Action(ActionKind.FIX, rung): mpq(1)}
        return self.improvements(state.revenue, turn, state.score)

    @abstractmethod
    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        """Return the chance of each creation or promotion where no die is legacy."""

    def simplified(self) -> "RulePolicy":
        """Return the plainest policy that decides in the same way."""
        return self

    def changes_at(self, dice: tuple[int, ...], turn: PolicyMoment) -> tuple[int, ...]:
        """Return the scores, ascending and above 0, from which on other `improvements` hold.

        Empty for a policy that does not look at the score.
        """
        return ()


class NewOnlyPolicy(RulePolicy):
    """Always create."""

    family = "NewOnly"

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        return {_CREATE: mpq(1)}


class Promo(RulePolicy):
    """Promote the lowest die that can be promoted, otherwise create."""

    family = "Promo"

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        return {lowest_promotion(dice): mpq(1)}


class PromoOnce(RulePolicy):
    """Promote a die of the lowest rung if there is one, otherwise create."""

    family = "PromoOnce"

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        return {lowest_promotion(dice) if dice[0] else _CREATE: mpq(1)}


@dataclass(frozen=True, eq=False)
class _WithParameter(RulePolicy):
    """A policy with one exact parameter; `printed` is the text that its name shows."""

    parameter: mpq
    printed: str

    @property
    def name(self) -> str:
        return f"{self.family}({self.printed})"

    def _decides_as(self, family: type[RulePolicy]) -> bool:
        """Tell whether a subclass has left all decisions to its family."""
        cls = type(self)
        return cls.repairs is family.repairs and cls.improvements is family.improvements


class ExpLegacy(_WithParameter):
    """Promote once the expected failures of the next roll reach a bound; create below it.

    `bound`: λ, any exact number of at least 0.
    """

    family = "ExpLegacy"

    def __init__(self, bound: RationalLike) -> None:
        exact = rational(bound, "ExpLegacy")
        if exact < 0:
            raise InputError("ExpLegacy", bound, "a bound of at least 0")
        super().__init__(exact, str(bound))

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        expected = sum((mpq(n, f) for n, f in zip(dice, turn.ladder, strict=True)), mpq(0))
        return {_CREATE if expected < self.parameter else lowest_promotion(dice): mpq(1)}


class Rand(_WithParameter):
    """Create with a given chance, otherwise promote the lowest die (or create if none can be).

    `chance`: p, the chance to create, from 0 to 1. Rand(1) is NewOnly and Rand(0) is Promo.
    """

    family = "Rand"

    def __init__(self, chance: RationalLike) -> None:
        super().__init__(probability(chance, "Rand"), str(chance))

    def simplified(self) -> RulePolicy:
        """NewOnly and Promo are the ends of the family."""
        ends: dict[mpq, RulePolicy] = (
            {mpq(0): Promo(), mpq(1): NewOnlyPolicy()} if self._decides_as(Rand) else {}
        )
        return ends.get(self.parameter, self)

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        promotion = lowest_promotion(dice)
        if promotion == _CREATE:
            return {_CREATE: mpq(1)}
        both = {_CREATE: self.parameter, promotion: 1 - self.parameter}
        return {action: chance for action, chance in both.items() if chance}


class _Phased(_WithParameter):
    """One policy for the rounds t ≤ f·R, another after them."""

    first: ClassVar[RulePolicy]
    then: ClassVar[RulePolicy]

    def __init__(self, fraction: RationalLike) -> None:
        super().__init__(probability(fraction, self.family), str(fraction))

    def simplified(self) -> RulePolicy:
        """One of the two policies, where only that one ever decides."""
        if not self._decides_as(_Phased):
            return self
        if self.first == self.then or self.parameter == 1:
            return self.first
        return self.then if self.parameter == 0 else self

    def improvements(
        self, dice: tuple[int, ...], turn: PolicyMoment, score: int
    ) -> Mapping[Action, mpq]:
        phase = self.first if turn.round <= self.parameter * turn.rounds else self.then
        return phase.improvements(dice, turn, score)


class PromoThenNew(_Phased):
    """Play Promo for the first fraction of the rounds and NewOnly after it, as the name says."""

    family = "PromoThenNew"
    first = Promo()
    then = NewOnlyPolicy()


class NewThenPromo(_Phased):
    """Play NewOnly for the first fraction of the rounds and Promo after it, as the name says."""

    family = "NewThenPromo"
    first = NewOnlyPolicy()
    then = Promo()


class PromoThenNewAsRun(_Phased):
    """What the README's figures show for PromoThenNew: Promo throughout, whatever the fraction."""

    family = "PromoThenNewAsRun"
    first = Promo()
    then = Promo()


class NewThenPromoAsRun(_Phased):
    """What the README's figures show for NewThenPromo: NewOnly throughout."""

    family = "NewThenPromoAsRun"
    first = NewOnlyPolicy()
    then = NewOnlyPolicy()


_PLAIN: dict[str, type[NewOnlyPolicy | Promo | PromoOnce]] = {
    policy.family.lower(): policy for policy in (NewOnlyPolicy, Promo, PromoOnce)
}
_WITH_PARAMETER: dict[str, type[ExpLegacy | Rand | _Phased]] = {
    policy.family.lower(): policy
    for policy in (
        ExpLegacy,
        Rand,
        PromoThenNew,
        NewThenPromo,
        PromoThenNewAsRun,
        NewThenPromoAsRun,
    )
}
_SPELLING = re.compile(r"\s*+([A-Za-z]+?)(?:policy)?\s*+(?:\((.*)\))?\s*", re.IGNORECASE)


def policy_from_text(text: str, besides: Sequence[str] = ()) -> RulePolicy:
    """Read a policy by its name, such as ``NewOnlyPolicy``, ``Rand(0.5)`` or ``ExpLegacy(1/2)``.

    Capitals do not matter, and the README's ending ``RulePolicy`` may stand after the name.
    """
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
        return _WITH_PARAMETER[family](parameter)
    plain = ", ".join([*besides, *(policy.family for policy in _PLAIN.values())])
    letters = {"explegacy": "λ", "rand": "p"}
    others = ", ".join(f"{p.family}({letters.get(k, 'f')})" for k, p in _WITH_PARAMETER.items())
    raise InputError("policy", text, f"one of {plain}, {others}")


def policy_name(text: str) -> str:
    """Read the name of a policy and write it as it writes itself.

    >>> policy_name("randpolicy(0.5)"), policy_name(" optimal")
    ('Rand(0.5)', 'Optimal')
    """
    if text.strip().lower() == OPTIMAL.lower():
        return OPTIMAL
    return policy_from_text(text, besides=[OPTIMAL]).name
