"""Territories, campaigns with optional stopping, and balanced blitz."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from types import SimpleNamespace

import printed
import pytest
from gmpy2 import mpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exactdice.dice import Distribution
from exactdice.errors import ExactDiceError
from exactdice.games.risk import balanced_blitz
from exactdice.games.risk.balanced_blitz import blitz
from exactdice.games.risk.campaigns import Worth, campaign, plan
from exactdice.games.risk.exact import solve, win_probability
from exactdice.games.risk.reports import _ranges, _runs
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import STANDARD, RiskRules, Territories, Territory
from exactdice.models import Choice, End, Game, optimum, point_mass
from exactdice.rooms import ask

LINES = ("1", "2", "3", "4:capital", "2:zombies", "3:wall", "3:capital+wall+zombies")


@cache
def rolled(attacker_dice, defender_dice, ties_to_attacker):
    """Distribution of the losses, by listing all rolls."""
    counts = {}
    for dice in product(range(1, 7), repeat=attacker_dice + defender_dice):
        ours = sorted(dice[:attacker_dice], reverse=True)
        theirs = sorted(dice[attacker_dice:], reverse=True)
        pairs = list(zip(ours, theirs, strict=False))
        lost = sum(a < d or (a == d and not ties_to_attacker) for a, d in pairs)
        counts[lost, len(pairs) - lost] = counts.get((lost, len(pairs) - lost), 0) + 1
    return {end: Fraction(n, 6 ** len(dice)) for end, n in counts.items()}


def dice_of(line):
    """Defenders, their most dice and whether the attacker wins ties."""
    defenders, _, words = line.partition(":")
    return int(defenders), 2 + words.count("capital") + words.count("wall"), "zombies" in words


WORTHS = st.integers(0, 9).map(lambda n: Fraction(n, 4))


def as_game(attackers, fields, worth):
    """A campaign with optional stopping as a model; actions in the tie-breaking order of `plan`."""

    def moves(at):
        place, n, d = at
        if place == len(fields):
            return End(worth.guard(n))
        if d == 0:
            taken = worth.of_territory(place, len(fields))
            on = [f.defenders for f in (*fields[1:], fields[0])][place]
            return [
                Choice(k, taken + worth.guard(k), point_mass((place + 1, n - k, on)))
                for k in range(1, n)
            ]
        stop = Choice("stop", worth.guard(n), point_mass((len(fields), 0, 0)))
        if n < 2:
            return [stop]
        rules = fields[place].rules(STANDARD)
        losses = round_losses(*rules.dice_rolled(n - 1, d), rules)
        paid = losses.expectation(lambda lost: worth.enemy * lost[1] - worth.unit * lost[0])
        after = losses.map(lambda lost: (place, n - lost[0], d - lost[1]))
        return [stop, Choice("attack", paid, after)]

    return Game((0, attackers, fields[0].defenders), moves)


@settings(max_examples=25)
@example(6, ("1",), (Fraction(0), Fraction(0), Fraction(1), (Fraction(1), Fraction(1))))
@example(2, ("1",), (Fraction(0), Fraction(0), Fraction(9, 4), (Fraction(0), Fraction(1))))
@given(
    st.integers(2, 7),
    st.lists(st.sampled_from(LINES), min_size=1, max_size=3).map(tuple),
    st.tuples(WORTHS, WORTHS, WORTHS, st.lists(WORTHS, max_size=3).map(tuple)),
)
def test_plans_are_optimal_and_break_ties_by_stopping_and_leaving_fewest(attackers, lines, numbers):
    worth = Worth(*numbers)
    plan_made = plan(attackers, lines, worth)
    best = optimum(as_game(attackers, plan_made.territories, worth))
    assert plan_made.value == best.value
    unit, enemy, territory, guards = numbers
    if not guards and not enemy:
        taken, lost = plan_made.expected_taken, plan_made.expected_losses
        assert plan_made.value == territory * taken - unit * lost
    for place, n, d in best.policy:
        first = best.optimal_actions((place, n, d))[0]
        front = plan_made.fronts[place]
        assert first == (
            ("attack" if front.attacks[d - 1][n] else "stop") if d else front.leaves[n]
        )


def test_plans_without_costs_attack_or_memory():
    costless = Worth(unit=0, enemy=0, territory=1)
    for attackers, defenders in ((2, 1), (5, 4), (9, 12)):
        best = plan(attackers, [defenders], costless)
        assert best.value == best.all_taken == win_probability(attackers, defenders)
    # With two units one attacks, and no gain makes up for it: staying is best, and worth 0.
    report = plan(2, [1], Worth(unit=100, enemy=1, territory=1)).report()
    assert (report.value("value"), report.value("staying")) == (0, 0)
    assert report.value("attack") is False
    assert [row[2] for row in report.table("attacks").rows] == ["none"]


@settings(max_examples=20)
@given(
    st.integers(2, 8), st.lists(st.sampled_from(LINES), min_size=1, max_size=3), st.integers(1, 3)
)
def test_campaigns_agree_with_listing_all_rolls(attackers, lines, leave):
    def chance(fighting, d, place):
        """Probability that all are taken, by definition."""
        if place == len(lines):
            return Fraction(1)
        defenders, most, ties = dice_of(lines[place])
        d = defenders if d is None else d
        if d == 0:
            going = fighting if place == len(lines) - 1 else fighting - leave
            return chance(going, None, place + 1)
        if fighting < 1:
            return Fraction(0)
        return sum(
            p * chance(fighting - lost, d - killed, place)
            for (lost, killed), p in rolled(min(fighting, 3), min(d, most), ties).items()
        )

    march = campaign(attackers, lines, leave=leave)
    assert march.value == chance(attackers - 1, None, 0)
    assert sum(march.endings.probabilities().values()) == 1


def test_published_probabilities_of_dice_and_balanced_blitz():
    assert abs(round_losses(3, 2).probability((2, 0)) - mpq(printed.APP_ROUND)) < mpq("1e-15")
    zombies = Territory(800, ("zombies",)).rules(STANDARD)
    won = win_probability(300, 800, "fighting", zombies)
    assert abs(won - mpq(printed.APP_ZOMBIES)) < mpq("2e-7")  # a float of single precision
    capital = solve(30, 15, "fighting", Territory(15, ("capital",)).rules(STANDARD))
    assert abs(capital.survivors.probability((18, 0)) - mpq(printed.APP_CAPITAL)) < mpq("1e-16")
    # Under the dice of open ground it does not come out. Whether the unit that stays behind is
    # counted makes no difference that sixteen digits show: both are far from their last three.
    open_ground = solve(30, 15, "fighting").survivors.probability((18, 0))
    assert abs(open_ground - mpq(printed.APP_CAPITAL)) > mpq("1e-3")
    capital = blitz(solve(30, 15, "fighting", RiskRules(defender_dice=3)))
    balanced = capital.law[18, 0]
    assert balanced.width < mpq("1e-30")
    assert abs(balanced.middle - mpq(printed.APP_CAPITAL_BALANCED)) < mpq("1e-16")
    fewest = printed.APP_FOUR_FIFTHS
    enough, few = (blitz(solve(n, 50, "fighting")).win_probability for n in (fewest, fewest - 1))
    assert enough.lower >= mpq(4, 5) > few.upper


def by_doubles(chances, won):
    w = sum(chances[:won])
    w = 0.0 if w <= 0.05 else 1.0 if w >= 0.95 else w

    def scaled(part, total):
        now = sum(part)
        return [p * total / now if now else 0.0 for p in part]

    w = w**1.3 / (w**1.3 + (1 - w) ** 1.3)
    law = scaled(chances[:won], w) + scaled(chances[won:], 1 - w)
    for _ in range(2):
        left, cut = 0.1, []
        for chance in law:
            gone = min(chance, left)
            left -= gone
            cut.append(chance - gone)
        law = cut[::-1]
    w = sum(law[:won]) / sum(law)
    law = [p**1.8 for p in law]
    return scaled(law[:won], w) + scaled(law[won:], 1 - w)


@settings(max_examples=25)
@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from(["1:capital", "1:zombies", "1"]))
def test_balanced_blitz_agrees_with_its_four_steps_in_doubles(attackers, defenders, kind):
    rules = Territories().read(kind, "territory").rules(STANDARD)
    game = blitz(solve(attackers, defenders, "fighting", rules))
    true = [float(game.true_law.probability(end)) for end in game.law]
    expected = by_doubles(true, sum(end[1] == 0 for end in game.law))
    for end, chance in zip(game.law, expected, strict=True):
        assert abs(float(game.law[end].middle) - chance) < 1e-12
    assert game.win_probability.width < mpq("1e-30")


@pytest.mark.parametrize(("twentieths", "won", "share"), [((1, 12, 7), 1, 0), ((7, 12, 1), 2, 1)])
def test_blitz_cuts_off_a_probability_of_one_twentieth(twentieths, won, share):
    endings = [(won - i, 0) for i in range(won)] + [(0, i + 1) for i in range(3 - won)]
    law = Distribution(dict(zip(endings, twentieths, strict=True)))
    game = blitz(SimpleNamespace(survivors=law))
    expected = by_doubles([n / 20 for n in twentieths], won)
    for end, chance in zip(endings, expected, strict=True):
        assert abs(float(game.law[end].middle) - chance) < 1e-12
    assert game.win_probability.point == share


def test_blitz_of_a_symmetric_battle_and_its_report():
    # All probabilities are rational: 1/2 stays, a tenth is cut off at either end.
    law = Distribution({(2, 0): 1, (1, 0): 4, (0, 1): 4, (0, 2): 1})
    game = blitz(SimpleNamespace(survivors=law))
    assert [game.law[end].decimal(9) for end in game.law] == [
        f"{chance:.9f}" for chance in (0, 0.5, 0.5, 0)
    ]
    assert game.win_probability.point == mpq(1, 2)
    battle = solve(5, 4, "fighting")
    game = blitz(battle)
    report = game.report()
    assert report.value("by_dice") == win_probability(5, 4, "fighting")
    assert report.value("value") == game.win_probability
    assert str(game) == f"5 against 4 blitz: won with {game.win_probability.certain(10)}"
    assert [(row[:2], row[2]) for row in report.table("endings").rows] == [
        (end, battle.survivors.probability(end)) for end in game.law
    ]


@pytest.mark.parametrize("is_won", [False, True])
def test_blitz_cuts_off_exactly_one_tenth(is_won):
    """1/21 becomes 0, and 2/21 a tenth of the rest, which ball arithmetic cannot decide."""
    endings = [(2, 0), (1, 0), (0, 1)] if is_won else [(0, 2), (0, 1), (1, 0)]
    game = blitz(
        SimpleNamespace(survivors=Distribution(dict(zip(endings, (18, 2, 1), strict=True))))
    )
    assert [game.law[end].decimal(9) for end in endings] == [f"{n:.9f}" for n in (1, 0, 0)]
    assert game.win_probability.point == is_won


def test_blitz_raises_the_precision_until_decided(monkeypatch):
    battle = solve(5, 4, "fighting")
    usual = blitz(battle)
    monkeypatch.setattr(balanced_blitz, "_PRECISIONS", (2, 128))
    assert blitz(battle).law == usual.law
    monkeypatch.setattr(balanced_blitz, "_PRECISIONS", (2,))
    with pytest.raises(ExactDiceError, match="blitz: a comparison is not decided at any precision"):
        blitz(battle)


def expanded(ranges):
    """The numbers in some ranges, and whether the ranges are maximal."""
    ends = [list(map(int, part.split(" to "))) for part in ranges.split(", ") if part != "none"]
    apart = all(one[-1] + 1 < other[0] for one, other in pairwise(ends))
    apart = apart and all(one < other for end in ends for one, other in pairwise(end))
    return [n for end in ends for n in range(end[0], end[-1] + 1)], apart


@given(st.sets(st.integers(0, 12)))
def test_numbers_are_written_as_ranges(numbers):
    assert expanded(_ranges(sorted(numbers)) or "none") == (sorted(numbers), True)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=12))
def test_equal_numbers_to_leave_are_one_range(leaves):
    told = [(expanded(units)[0], leave) for units, leave in _runs(leaves)]
    assert [(n, leave) for units, leave in told for n in units] == [
        (n, leaves[n]) for n in range(2, len(leaves))
    ]
    assert all(one != other for (_, one), (_, other) in pairwise(told))


@pytest.mark.parametrize(("worth", "taken", "guards"), [
    (Worth(unit="1/2", enemy=3, territory=5), "5", "worth nothing"),
    (Worth(unit="1/2", enemy=3, territory=5, territories=(7,)), "7, 5", "worth nothing"),
    (Worth(unit="1/2", enemy=3, territory=5, all_taken=4), "5, 9", "worth nothing"),
    (Worth(unit="1/2", enemy=3, territory=5, guards=(2, "1/3")), "5", "2, 1/3"),
])  # fmt: skip
def test_plan_report(worth, taken, guards):
    best = plan(9, [3, 1], worth)
    report = best.report()
    for place, front in enumerate(best.fronts, start=1):
        rows = [row[1:] for row in report.table("attacks").rows if row[0] == place]
        assert [row[0] for row in rows] == list(range(1, len(front.attacks) + 1))
        for row, attacks in zip(rows, front.attacks, strict=True):
            assert expanded(row[1])[0] == [n for n, is_attack in enumerate(attacks) if is_attack]
        leaves = [row[1:] for row in report.table("leaves").rows if row[0] == place]
        assert leaves == list(_runs(front.leaves))
    conventions = report.provenance.conventions
    assert (conventions["own unit lost"], conventions["enemy unit lost"]) == ("-1/2", "3")
    assert (conventions["territory taken"], conventions["guards"]) == (taken, guards)


def test_commands_read_territories():
    asked = ask("risk campaign 12 3 2:capital 1 --leave 2")
    assert asked.value("value") == campaign(12, [3, "2:capital", 1], leave=2).value
    asked = ask("risk plan 8 4:wall 2 --guards 1,1/2 --territory 3")
    assert asked.value("value") == plan(8, ["4:wall", 2], Worth(1, 1, 3, (1, "1/2"))).value
    assert asked.value("attack") is (asked.value("value") > asked.value("staying"))
    assert ask("risk blitz 31 15:capital").table("endings").rows[0][:2] == (31, 0)
    assert ask("risk win 301 800 --ties attacker").value("value") == win_probability(
        300, 800, "fighting", RiskRules(ties="attacker")
    )
