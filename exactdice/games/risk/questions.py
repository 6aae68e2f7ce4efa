"""Questions about Risk: one class per command."""

from collections.abc import Callable
from dataclasses import KW_ONLY, replace
from functools import partial
from pathlib import Path
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.errors import InputError, Unquoted
from exactdice.formats.certified import Certified, OfGame
from exactdice.games import risk  # loads campaigns and their like on use
from exactdice.games.risk import reports
from exactdice.games.risk.exact import (
    least_armies,
    nanoseconds,
    nanoseconds_of_one,
    nanoseconds_of_rounds,
    require_grid,
    solve,
    states_kept,
    win_table,
)
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import (
    MAX_BONUS,
    MAX_DICE,
    MAX_SIDES,
    Law,
    Order,
    RiskRules,
    Territories,
    Territory,
    Ties,
    Units,
    fighting_units,
    law_text,
    read_law,
)
from exactdice.question import Question, argument, option
from exactdice.question.domains import Domain, File, Listed, OneOf, Rational, Whole
from exactdice.report.model import Report, text_column
from exactdice.run import Run

_ARMY = Whole(least=1)
_SIDES = Whole(least=1, most=MAX_SIDES)
_DICE = Whole(least=1, most=MAX_DICE)
_MIX = Listed(_SIDES, "S,S,…")
_OF_DICE = "attacker_mix", "defender_mix", "attacker_bonus", "defender_bonus"
_FEW = 100  # units of either side, for which a terminal shows more than the probability
_WANTED = mpq(1, 2), mpq(3, 4), mpq(9, 10)
_BONUS = Listed(Whole(most=MAX_BONUS), "N,N,…")
_UNITS = "total: ATTACKERS includes the unit that stays behind; fighting: it does not."
_TERRITORIES = "Defenders of each territory in order, for example 5 or 15:capital+wall or 8:bunker."
_ONE_TERRITORY = "Defenders, for example 5 or 15:capital+wall or 8:zombies."


class RoundDistributions(Domain[Law]):
    """Distributions of rounds, in a text or a file."""

    metavar = "WEIGHTS|FILE"

    def names_file(self, value: Any) -> bool:
        return isinstance(value, str | Path) and ":" not in str(value)

    def read(self, value: Any, name: str) -> Law:
        if not isinstance(value, str | Path):
            return read_law(value, name)
        if not self.names_file(value):
            return read_law(str(value), name)
        try:
            return read_law(File().read(value, name).read_text(encoding="utf-8"), name)
        except (OSError, UnicodeError) as problem:
            wanted = "weights such as 1v1:15,21, or a file of such weights"
            raise InputError(name, str(value), wanted) from problem

    def write(self, value: Law) -> str:
        return law_text(value)


class RollQuestion(Question):
    _: KW_ONLY
    sides: int = option(_SIDES, "Sides of all dice.", default=6, metavar="S")
    attacker_sides: int | None = option(_SIDES, "Sides of the attacker's dice.", metavar="S")
    defender_sides: int | None = option(_SIDES, "Sides of the defender's dice.", metavar="S")
    ties: Ties = option(OneOf(Ties), "Side that wins ties.", default=Ties.DEFENDER)
    attacker_mix: tuple[int, ...] | None = option(_MIX, "Sides of the attacker's first, … die.")
    defender_mix: tuple[int, ...] | None = option(_MIX, "Sides of the defender's first, … die.")
    attacker_bonus: tuple[int, ...] | None = option(
        _BONUS, "Bonus of the attacker's highest, second, … die."
    )
    defender_bonus: tuple[int, ...] | None = option(
        _BONUS, "Bonus of the defender's highest, second, … die."
    )
    losses: Law | None = option(
        RoundDistributions(),
        "Weights of the rounds, used instead of dice, for example 1v1:15,21;2v1:125,91, or a FILE: "
        "for each pair of numbers of dice, how often the attacker loses 0, 1, … units.",
    )

    def check(self) -> None:
        """Reject a number for a die that no round has."""
        for name in _OF_DICE:
            numbers, side = getattr(self, name) or (), name.partition("_")[0]
            most = max(getattr(rules, f"{side}_dice") for rules in self.each())
            if len(numbers) > most:
                wanted = f"a number for each of at most {most} dice of the {side}"
                raise InputError(name.replace("_", "-"), Unquoted(_MIX.write(numbers)), wanted)

    def each(self) -> list[RiskRules]:
        """Return the rules of each battle."""
        rules = self.rules()
        return [one.rules(rules) for one in getattr(self, "territories", ())] or [rules]

    def rules(self, **battle: Any) -> RiskRules:
        house: dict[str, Any] = {name: getattr(self, name) or () for name in _OF_DICE}
        return RiskRules(
            attacker_sides=self.attacker_sides or self.sides,
            defender_sides=self.defender_sides or self.sides,
            ties=self.ties,
            law=self.losses or (),
            **house,
            **battle,
        )


class BattleQuestion(RollQuestion):
    _: KW_ONLY
    units: Units = option(OneOf(Units), _UNITS, default=Units.TOTAL)
    attacker_dice: int = option(_DICE, "Maximum number of attacking dice.", default=3)
    defender_dice: int = option(_DICE, "Maximum number of defending dice.", default=2)
    stop_below: int | None = option(
        Whole(least=1),
        "Stop if fewer than K attacking units are left (counted as in --units).",
        metavar="K",
    )

    def check(self) -> None:
        least, army = 2 if self.units is Units.TOTAL else 1, getattr(self, "attackers", None)
        if army is not None:
            fighting_units(army, self.units)
        if self.stop_below is not None and self.stop_below < least:
            raise InputError("stop-below", self.stop_below, f"a whole number of at least {least}")
        if army and self.stop_below and self.stop_below > army:
            wanted = f"at most {text(army)}, because a smaller army never attacks"
            raise InputError("stop-below", self.stop_below, wanted)
        super().check()

    def rules(self, **battle: Any) -> RiskRules:
        stop = 1 if self.stop_below is None else fighting_units(self.stop_below, self.units)
        dice = {"attacker_dice": self.attacker_dice, "defender_dice": self.defender_dice}
        return super().rules(**dice, stop_below=stop, **battle)


class ArmiesQuestion(BattleQuestion):
    attackers: int = argument(_ARMY, "Attacking units.")
    defenders: int = argument(_ARMY, "Defending units.")

    def require(
        self, kept_states: int, run: Run, time: Callable[[int, int, RiskRules], int] = nanoseconds
    ) -> RiskRules:
        """Return the rules, unless the question needs too much memory."""
        rules, fighting = self.rules(), fighting_units(self.attackers, self.units)
        require_grid(kept_states, self.attackers, self.defenders, rules, run)
        armies = f"{text(self.attackers)} against {text(self.defenders)}"
        run.expect(time(fighting, self.defenders, rules), armies)
        return rules


class RiskRound(RollQuestion, example="3 2"):
    """Distribution of the losses of both sides in one round."""

    attackers: int = argument(_DICE, "Dice of the attacker.")
    defenders: int = argument(_DICE, "Dice of the defender.")

    def rules(self, **battle: Any) -> RiskRules:
        dice = {"attacker_dice": self.attackers, "defender_dice": self.defenders}
        return super().rules(**dice, **battle)

    def report(self, run: Run) -> Report:
        rules = self.rules()
        losses = round_losses(self.attackers, self.defenders, rules)
        return reports.round_report(losses, self.attackers, self.defenders, rules)


class RiskWin(ArmiesQuestion, OfGame, example="4 2", takes="1 s for 5000 against 5000"):
    """Probability that the attackers beat the defenders."""

    game_from = "exactdice.games.risk.model:game_of_win"

    def report(self, run: Run) -> Report:
        kept = states_kept(self.attackers, self.defenders, self.rules())
        rules = self.require(kept, run, nanoseconds_of_one)
        return reports.win_report(solve(self.attackers, self.defenders, self.units, rules, run))

    def on_terminal(self, report: Report, run: Run) -> Report:
        if max(self.attackers, self.defenders) > _FEW:
            return report
        rules = {name: value for name, value in vars(self).items() if name != "attackers"}
        rows = RiskLeast(**rules).report(run).tables[0].rows
        losses = RiskSurvivors(**vars(self)).report(run).quantities[1:3]
        needed = text_column("needed", "smallest armies")(reports.needed(rows))
        return replace(report, quantities=[*report.quantities, needed, *losses])


class RiskTable(ArmiesQuestion, example="10 10", takes="2 s for 300 and 300"):
    """Probability to win for all armies up to these sizes."""

    def report(self, run: Run) -> Report:
        kept = 2 * self.attackers * self.defenders
        rules = self.require(kept, run, partial(nanoseconds, reduced=True))
        return win_table(self.attackers, self.defenders, self.units, rules, run).report()


class RiskLeast(BattleQuestion, example="5", takes="1 s for 600"):
    """Smallest armies that beat the defenders with probability 50, 75 and 90 %."""

    defenders: int = argument(_ARMY, "Defending units.")

    def report(self, run: Run) -> Report:
        rules, most = self.rules(), self.defenders * 3 // 2 + 20
        require_grid((rules.defender_dice + 2) * most, most, self.defenders, rules, run)
        run.expect(nanoseconds(most, self.defenders, rules), f"{text(self.defenders)} defenders")
        armies = least_armies(self.defenders, most, _WANTED, rules, run)
        return reports.least_report(self.defenders, armies, most, rules, self.units)


class RiskSurvivors(ArmiesQuestion, example="10 10", takes="1 s for 400 and 400"):
    """Units left after a battle, losses and number of rounds."""

    def report(self, run: Run) -> Report:
        rules = self.require(4 * (self.attackers + self.defenders), run, nanoseconds_of_rounds)
        return solve(self.attackers, self.defenders, self.units, rules, run).report()


class RiskCampaign(BattleQuestion, example="12 3 2 1"):
    """Probability of taking a list of territories, and the distribution of the final state."""

    attackers: int = argument(_ARMY, "Attacking units.")
    territories: tuple[Territory, ...] = argument(Territories(), _TERRITORIES, many=True)
    _: KW_ONLY
    leave: int = option(_ARMY, "Units to leave in each territory on the way.", default=1)

    def report(self, run: Run) -> Report:
        rules, total, strongest = _of_campaign(self)
        kept = (strongest.defender_dice + 2) * self.attackers + total
        require_grid(kept, self.attackers, total, strongest, run)
        army = self.attackers, self.territories, self.units
        return risk.campaign(*army, rules, self.leave).report()


class RiskPlan(RollQuestion, example="12 5:capital 3 2", takes="1 s, 300 units"):
    """When to attack and when to stop a campaign, and how many units to leave behind."""

    attackers: int = argument(Whole(least=2), "Attacking units, with one that stays.")
    territories: tuple[Territory, ...] = argument(Territories(), _TERRITORIES, many=True)
    _: KW_ONLY
    unit: mpq = option(Rational(), "Cost of each own unit lost.", default=mpq(1))
    enemy: mpq = option(Rational(), "Payoff for each enemy unit lost.", default=mpq(1))
    territory: mpq = option(Rational(), "Payoff for each territory taken.", default=mpq(2))
    territories_worth: tuple[mpq, ...] | None = option(
        Listed(Rational(), "Q,Q,…"),
        "Payoffs for the first, second, … territory; --territory for all others.",
    )
    all_taken: mpq = option(Rational(), "Additional payoff for taking all.", default=mpq(0))
    guards: tuple[mpq, ...] | None = option(
        Listed(Rational(), "Q,Q,…"),
        "Payoffs for the first, second, … unit in each territory under or behind the army.",
    )

    def check(self) -> None:
        super().check()
        self.worth()

    def worth(self) -> "risk.Worth":
        each = self.territories_worth or ()
        worth = self.unit, self.enemy, self.territory, self.guards or (), each, self.all_taken
        return risk.Worth(*worth)

    def report(self, run: Run) -> Report:
        rules, total, strongest = _of_campaign(self)
        rows = 4 * (strongest.defender_dice + 2) + 1
        require_grid(rows * self.attackers, self.attackers, total, strongest, run)
        return risk.plan(self.attackers, self.territories, self.worth(), rules, run).report()


def _of_campaign(question: RiskCampaign | RiskPlan) -> tuple[RiskRules, int, RiskRules]:
    total = sum(territory.defenders for territory in question.territories)
    return question.rules(), total, max(question.each(), key=lambda r: r.defender_dice)


class RiskBlitz(RollQuestion, example="20 15:capital", takes="1 s for 60 units"):
    """Probabilities of a balanced blitz in the Risk app, compared with dice."""

    attackers: int = argument(_ARMY, "Attacking units.")
    territory: Territory = argument(Territories(), _ONE_TERRITORY)
    _: KW_ONLY
    units: Units = option(OneOf(Units), _UNITS, default=Units.TOTAL)
    attacker_dice: int = option(
        _DICE, "Maximum number of attacking dice; zombies roll 2.", default=3
    )

    def check(self) -> None:
        fighting_units(self.attackers, self.units)
        super().check()

    def each(self) -> list[RiskRules]:
        return [self.territory.rules(self.rules(attacker_dice=self.attacker_dice))]

    def report(self, run: Run) -> Report:
        [rules] = self.each()
        defenders = self.territory.defenders
        kept = (rules.defender_dice + 2) * (self.attackers + defenders)
        require_grid(kept, self.attackers, defenders, rules, run)
        return risk.blitz(solve(self.attackers, defenders, self.units, rules, run)).report()


class RiskDice(ArmiesQuestion, Certified, example="20 20", takes="1 s for 20 and 20"):
    """How many dice to roll in every state if both sides may choose."""

    game_from = "exactdice.games.risk.model:game_of_dice"
    endings = (".umb", ".efg", ".nfg")

    _: KW_ONLY
    order: Order = option(
        OneOf(Order),
        "The defender chooses after the attacker announces, simultaneously, or after the roll.",
        default=Order.ANNOUNCED,
    )

    def report(self, run: Run) -> Report:
        rules = self.require(2 * self.attackers * self.defenders, run)
        armies = self.attackers, self.defenders
        return risk.dice_game(*armies, self.order, self.units, rules, run).report()
