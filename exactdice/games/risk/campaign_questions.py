"""What can be asked about Risk as people play it: campaigns, the app's blitz, how many dice."""

from dataclasses import KW_ONLY, dataclass

from exactdice.arithmetic import mpq
from exactdice.formats.certified import Certified
from exactdice.games.risk import campaign_reports as reports
from exactdice.games.risk.balanced_blitz import blitz
from exactdice.games.risk.campaigns import Territories, Territory, campaign
from exactdice.games.risk.dice_choice import dice_game
from exactdice.games.risk.exact import require_grid, solve
from exactdice.games.risk.questions import ArmiesQuestion, BattleQuestion, RollQuestion
from exactdice.games.risk.rules import MAX_DICE, Order, RiskRules, Units, fighting_units
from exactdice.games.risk.stopping import Worth, plan
from exactdice.question import argument, option
from exactdice.question.domains import Listed, OneOf, Rational, Whole
from exactdice.report.model import Report
from exactdice.run import Run

_ARMY = Whole(least=1)
_TERRITORIES = "Defenders of each territory in order, as 5 or 15:capital+wall or 8:bunker."
_ONE_TERRITORY = "Defenders, as 5 or 15:capital+wall or 8:zombies."
_DICE = Whole(least=1, most=MAX_DICE)


@dataclass(frozen=True)
class RiskCampaign(
    BattleQuestion, command="risk campaign", example="risk campaign 12 3 2 1", takes="a moment"
):
    """Probability that A take a list of territories, and where they end."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    territories: tuple[Territory, ...] = argument(
        Territories(), _TERRITORIES, metavar="D1 D2 …", many=True
    )
    _: KW_ONLY
    leave: int = option(
        Whole(least=1), "Units to leave in each territory taken on the way.", default=1
    )

    def check(self) -> None:
        super().check()
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        rules = self.rules()
        total = sum(t.defenders for t in self.territories)
        strongest = _strongest(self, rules)
        kept = (strongest.defender_dice + 2) * self.attackers + total
        require_grid(kept, self.attackers, total, strongest, run)
        return reports.campaign_report(
            campaign(self.attackers, self.territories, self.units, rules, self.leave)
        )


@dataclass(frozen=True)
class RiskPlan(
    RollQuestion, command="risk plan", example="risk plan 12 5:capital 3 2", takes="1 s, 300 units"
):
    """When to attack and when to stop a campaign, and how many units to leave behind."""

    attackers: int = argument(Whole(least=2), "Attacking units, one of which stays.", metavar="A")
    territories: tuple[Territory, ...] = argument(
        Territories(), _TERRITORIES, metavar="D1 D2 …", many=True
    )
    _: KW_ONLY
    unit: mpq = option(Rational(), "What each own unit that falls costs.", default=mpq(1))
    enemy: mpq = option(Rational(), "Worth of each enemy unit that falls.", default=mpq(1))
    territory: mpq = option(Rational(), "Worth of each territory taken.", default=mpq(2))
    territories_worth: tuple[mpq, ...] | None = option(
        Listed(Rational(), "Q,Q,…"),
        "Worth of the first, second, … territory; of those behind, as --territory.",
    )
    all_taken: mpq = option(Rational(), "Worth of taking all, besides.", default=mpq(0))
    guards: tuple[mpq, ...] | None = option(
        Listed(Rational(), "Q,Q,…"),
        "Worth of the first, second, … unit that guards a territory under or behind the army.",
    )

    def check(self) -> None:
        self.worth()

    def worth(self) -> Worth:
        """Give what is gained and lost."""
        each = self.territories_worth or ()
        worth = self.unit, self.enemy, self.territory, self.guards or (), each, self.all_taken
        return Worth(*worth)

    def report(self, run: Run) -> Report:
        rules = _strongest(self, self.rules())
        total = sum(t.defenders for t in self.territories)
        rows = 4 * (rules.defender_dice + 2) + 1
        require_grid(rows * self.attackers, self.attackers, total, rules, run)
        return reports.plan_report(
            plan(self.attackers, self.territories, self.worth(), self.rules(), run)
        )


def _strongest(asked: "RiskCampaign | RiskPlan", rules: RiskRules) -> RiskRules:
    """Give the rules of the territory whose numbers are longest."""
    return max((t.rules(rules) for t in asked.territories), key=lambda r: r.defender_dice)


@dataclass(frozen=True)
class RiskBlitz(
    RollQuestion, command="risk blitz", example="risk blitz 20 15:capital", takes="1 s for 60 units"
):
    """Chances of a balanced blitz in the Risk app, beside those of the dice."""

    attackers: int = argument(_ARMY, "Attacking units.", metavar="A")
    territory: Territory = argument(Territories(), _ONE_TERRITORY, metavar="D")
    _: KW_ONLY
    units: Units = option(
        OneOf(Units), "Whether A counts the unit that stays behind.", default=Units.TOTAL
    )
    attacker_dice: int = option(_DICE, "The attacker's most dice; zombies roll 2.", default=3)

    def check(self) -> None:
        fighting_units(self.attackers, self.units)

    def report(self, run: Run) -> Report:
        rules = self.territory.rules(self.rules(attacker_dice=self.attacker_dice))
        defenders = self.territory.defenders
        kept = (rules.defender_dice + 2) * (self.attackers + defenders)
        require_grid(kept, self.attackers, defenders, rules, run)
        return reports.blitz_report(blitz(solve(self.attackers, defenders, self.units, rules, run)))


@dataclass(frozen=True)
class RiskDice(
    ArmiesQuestion,
    Certified,
    command="risk dice",
    example="risk dice 20 20",
    takes="1 s for 20 and 20",
):
    """How many dice to roll at every state when both sides may choose."""

    game_from = "exactdice.games.risk.model:game_of_dice"
    endings = (".umb", ".efg", ".nfg")

    _: KW_ONLY
    order: Order = option(OneOf(Order), "Who knows what when choosing.", default=Order.ANNOUNCED)

    def report(self, run: Run) -> Report:
        rules = self.require(2 * self.attackers * self.defenders, run)
        return reports.dice_report(
            dice_game(self.attackers, self.defenders, self.order, self.units, rules, run)
        )


#: The questions of this module, in the order of the help.
QUESTIONS = (RiskCampaign, RiskPlan, RiskBlitz, RiskDice)
