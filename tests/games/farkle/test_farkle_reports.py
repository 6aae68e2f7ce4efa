"""Reports of turns, advice, thresholds and races, against the definition.

Points are multiples of one in the reports, so that an error of one point shows.
"""

from fractions import Fraction
from functools import cache
from itertools import count, product
from random import Random

import pytest
from farkle_cases import dice, every_state, places_left, rule_sets, slow
from farkle_oracle import subsets
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from exactdice.arithmetic import decimal, to_fraction
from exactdice.enclosure import Enclosure
from exactdice.errors import TooLargeError
from exactdice.games.farkle import questions as turn_questions
from exactdice.games.farkle.questions import FarkleDistribution, FarkleRules, FarkleTable
from exactdice.games.farkle.races.chances import (
    WinChances,
    _threshold,
    advise_to_win,
    contender,
    win_thresholds,
)
from exactdice.games.farkle.races.play import BUST, RaceMoment, lookahead
from exactdice.games.farkle.races.play import words as words_of
from exactdice.games.farkle.races.reports import (
    advice_to_win_report,
    chances_report,
    race_played_report,
)
from exactdice.games.farkle.races.solve import EXACT_BITS, RaceToWin, exact_bits
from exactdice.games.farkle.reports import (
    _ceiling,
    advice_report,
    end_report,
    horizon_report,
    race_report,
    rules_report,
    table_report,
    thresholds_report,
    turn_report,
    value_report,
)
from exactdice.games.farkle.rules.dice_sets import FAIR, DiceSet, named_dice, parse_dice
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.advice import Selection, Way, advise, judged
from exactdice.games.farkle.turn.exact import SIX_FAIR, Overshoot, fixed_point, horizon, solve
from exactdice.games.farkle.turn.forward import (
    Threshold,
    ThresholdPlayer,
    ends_of_turn,
    thresholds,
    turn_end,
)
from exactdice.run import Run
from exactdice.solve.play import play, played_by_seed
from exactdice.studies.farkle.readme import (
    README,
    ReadmeFigure,
    counts,
    readme_report,
    statements,
    values,
)

ONES = RuleSet(
    "ones", (Combination((1,), 1), Combination((5,), 2), Combination((2, 2), 3)), dice=2, target=7
)
CASES = [
    (ONES, "full"),
    (ONES.varied(penalty=2), "needed"),
    (ONES.varied(minimum_bank=3, hot_dice=False), "full"),
]


@pytest.fixture(params=CASES, ids=["plain", "penalty", "minimum"])
def game(request):
    rules, overshoot = request.param
    turn = solve("fair,odd", rules, overshoot)
    oracle = slow(rules, turn.dice.dice, overshoot)

    def worth(points, state):
        return mpq(oracle.value(points, places_left(turn.dice, state)))

    def rolls(points, state):
        return points < rules.minimum_bank or worth(points, state) > 0

    return turn, worth, rolls


def test_reports_of_a_turn_and_a_horizon(game):
    turn, worth, rolls = game
    report = turn_report(turn)
    states = list(turn.dice.proper_states())
    assert report.value("value") == worth(0, turn.dice.full) == turn.value
    assert list(report.table("starts").rows) == [
        (turn.dice.describe(state), worth(0, state), rolls(0, state)) for state in states
    ]
    turn, worth, _ = game
    first = fixed_point(turn)
    gains = horizon(turn, first + 1)
    report = horizon_report(turn, gains, turn.value, first)
    assert report.value("value") == worth(0, turn.dice.full)
    assert report.value("fixed_point") == first
    assert list(report.table("horizon").rows) == [
        (n, gain, gain == turn.value) for n, gain in enumerate(gains, 1)
    ]


@pytest.mark.parametrize("is_exact", [True, False])
def test_a_table_has_all_points_and_all_dice(game, is_exact):
    turn, worth, rolls = game
    table = table_report(turn, is_exact=is_exact).table("states")
    expected = [
        (points, turn.dice.describe(state), worth(points, state), rolls(points, state))
        for points in range(7)
        for state in turn.dice.proper_states()
    ]
    for row, wanted in zip(table.rows, expected, strict=True):
        assert (*row[:2], row[3]) == (*wanted[:2], wanted[3])
        assert row[2] == wanted[2] if is_exact else wanted[2] in row[2]
    assert (table.grid is not None) == is_exact


def test_a_report_of_a_value_describes_the_best_decision(game):
    turn, worth, rolls = game
    for points in range(7):
        for state in turn.dice.proper_states():
            left = turn.dice.describe(state)
            end = turn_end(turn, points, left)
            report = value_report(turn, end, points, left)
            gain = worth(points, state)
            on = points == 0 or rolls(points, state)
            assert report.value("value") == gain
            assert report.value("expected_final") == gain + points
            assert report.value("then") == ("roll" if on else "bank")
            assert report.value("best_gain") == (gain if on else 0)
            assert report.value("bust_probability") == end.bust.point
            assert report.value("expected_rolls") == end.rolls.point
            bounds = value_report(turn, None, points, left)
            assert gain in bounds.value("value")
            assert bounds.value("then") == report.value("then")
            names = [quantity.column.name for quantity in bounds.quantities]
            assert names == ["value", "then"]
    assert value_report(turn, None).title == value_report(turn, None, 0, "fair,odd").title


def test_certain_banking_gains_nothing():
    """Past the points from which banking is certain: the bound of the module, rounded up."""
    turn = solve("fair,odd", ONES.varied(target=None))
    assert turn.end == max(
        1, *(-(-turn.menus.mean_best(s) // turn.menus.bust_chance(s)) for s in (1, 2, 3))
    )
    for points in (turn.end, turn.end + 5):
        report = value_report(turn, turn_end(turn, points, "odd"), points, "odd")
        assert (report.value("then"), report.value("best_gain")) == ("bank", 0)
        assert not turn.worth_rolling(points, 1)
    costly = solve("fair,odd", ONES.varied(target=None, penalty=2))
    points = costly.end + 3
    # Of fifteen, four score one point and four two; seven lose all points, and two more.
    assert costly.optimal(points, "odd") == mpq(4 * 1 + 4 * 2 - 7 * (points + 2), 15)


def test_reports_of_advice_ends_and_busts(game):
    turn, _, _ = game
    choices = advise(turn, (1, 5), 2)
    report = advice_report(turn, choices, (1, 5), 2)
    assert report.value("value") == choices[0].value.point
    assert (report.value("keep"), report.value("then"), report.value("bust")) == (
        ",".join(map(str, choices[0].keep)), choices[0].then, False,
    )  # fmt: skip
    rows = report.table("choices").rows
    assert [row[-2:] for row in rows] == [(c.value.point, c.regret.point) for c in choices]
    bust = advice_report(turn, [], (2, 3), 2)
    assert bust.value("value") == -2 - turn.rules.penalty
    assert bust.value("bust") is True
    # Without points, as advice is by default.
    assert advice_report(turn, [], (2, 3)).value("value") == -turn.rules.penalty
    end = turn_end(turn)
    of = turn.rules, turn.dice, turn.overshoot
    report = end_report(end, *of, "as one does")
    law = {points: chance.point for points, chance in end.distribution(turn.rules.penalty).items()}
    assert list(report.table("points").rows) == [
        (points, chance, sum(more for worth, more in law.items() if worth >= points))
        for points, chance in law.items()
    ]
    mean = sum(points * chance for points, chance in law.items())
    assert report.value("value") == mean
    squares = sum(points**2 * chance for points, chance in law.items())
    assert report.value("variance") == squares - mean**2
    assert "arithmetic" not in report.provenance.conventions
    rounded = ends_of_turn(turn.sweep, 0, turn.dice.full, bits=64)
    wide = end_report(rounded, *of, "as one does")
    assert mean in wide.value("value")
    assert "arithmetic" in wide.provenance.conventions
    assert wide.table("points").rows[0][2].upper >= 1
    assert end.bust.point > 0
    assert (end.distribution(), end.mean(), end.variance()) == (
        end.distribution(0), end.mean(0), end.variance(0),
    )  # fmt: skip
    assert end == turn_end(turn, 0, None)
    assert turn.optimal() == turn.optimal(0, None)
    assert horizon(turn, 2) == horizon(turn, 2, 0, None)
    assert fixed_point(turn) == fixed_point(turn, 0, None)
    assert advise(turn, (1, 5)) == advise(turn, (1, 5), 0, None, exact=True)


def test_reports_of_thresholds_figures_and_rules():
    turn = solve("fair,odd", ONES)
    made_up = [Threshold(1, ((0, 2), (5, 5)), 6), Threshold(3, (), None)]
    rows = thresholds_report(turn, made_up).table("thresholds").rows
    assert list(rows) == [("fair", 1, 6, "0–2 5"), ("fair,odd", 2, None, None)]
    found = thresholds_report(turn, thresholds(turn))
    assert found.value("target") == 7
    endless = solve("fair,odd", ONES.varied(target=None))
    assert thresholds_report(endless, thresholds(endless)).value("certain_banking") == endless.end
    agrees = [True, False, True, False, False]
    statements = [ReadmeFigure(str(n), "1", mpq(n), yes) for n, yes in enumerate(agrees)]
    report = readme_report(statements)
    assert (report.value("checked"), report.value("refuted")) == (5, 3)
    assert report.table("statements").cells("agrees") == agrees
    report = rules_report(KCD)
    assert (report.value("unit"), report.value("highest_score")) == (50, 8000)  # six ones
    assert len(report.table("combinations").rows) == len(KCD.combinations)
    assert FarkleRules(target="none").answer().provenance.conventions["target"] == "none"


def test_ends_of_turns_and_stranded_choices():
    few = parse_dice("fair*2")
    assert FarkleTable(dice=few, target=300).end() == 300
    endless = FarkleTable(dice=few, target="none")
    assert endless.end() == solve(few, KCD.varied(target=None)).end
    assert ThresholdPlayer(KCD, SIX_FAIR, "300") == ThresholdPlayer(KCD, SIX_FAIR, 300)
    turn = solve("fair", KCD.varied(target=200, minimum_bank=200, hot_dice=False))
    (only,) = advise(turn, "1", 50)
    assert (only.then, only.value) == ("bank", -50)


def test_exact_values_that_are_too_long_are_not_kept():
    turn = solve("fair*3", KCD.varied(target=2000))
    sweep, full = turn.sweep, turn.dice.full
    assert not sweep.has_short_value(0, full, 2000)
    assert not sweep._values
    assert not sweep._steps
    assert sweep.has_short_value(0, full, 1 << 24)
    value = to_fraction(sweep.base.rational(sweep.value(0, full)))
    assert value == to_fraction(solve("fair*3", KCD.varied(target=2000)).value)
    assert sweep.has_short_value(0, full, 0)  # as it is there
    assert Overshoot("full") is turn.overshoot


def test_the_distribution_of_a_turn_may_have_as_many_rows_as_the_limit(monkeypatch):
    asked = FarkleDistribution(dice="fair", target=300)
    monkeypatch.setattr(turn_questions, "_MOST_ROWS", 6)  # 300 points in steps of 50
    assert asked.answer().table("points").rows
    monkeypatch.setattr(turn_questions, "_MOST_ROWS", 5)
    with pytest.raises(TooLargeError, match="target: the turn can come to 6 different numbers"):
        asked.answer()


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]), st.data())
def test_every_choice_has_the_value_of_the_definition(rules, some_dice, overshoot, data):
    # Oracle: every subset of the dice rolled, banked or rolled on, by the definition.
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    points = 50 * data.draw(st.integers(0, rules.target // 50 - 1))
    faces = [data.draw(st.sampled_from(sorted(d.distribution()))) for d in some_dice]
    choices = advise(turn, faces, points)
    expected = set()
    for kept in subsets(range(len(faces))):
        keep = tuple(sorted(faces[i] for i in kept))
        if score := rules.score(keep):
            rest = tuple(i for i in range(len(faces)) if i not in kept)
            state = turn.dice.state_of(some_dice[i] for i in rest)
            for worth in oracle.choices(points, score, rest, None):
                expected.add((keep, state, worth - points))
    found = [
        (c.keep, turn.dice.state_of(_others(some_dice, c.kept)), to_fraction(c.value.point))
        for c in choices
    ]
    assert set(found) == expected
    assert [c.regret for c in choices] == [choices[0].value - c.value for c in choices]
    assert all(c.regret >= 0 for c in choices)


def _others(some_dice, kept):
    others = list(some_dice)
    for die in kept:
        others.remove(die)
    return others


def test_dice_are_named_with_a_roll_only_if_they_differ():
    turn = solve("fair*3,odd", KCD.varied(target=500))
    best = advise(turn, "5,1", 100, "odd,fair")[0]
    assert best.value == max(c.value for c in advise(turn, "1,5", 100, "fair,odd"))
    turn = solve()
    assert advise(turn, "1,5,2", 100) == advise(turn, "1,5,2", 100, "3")
    assert advise(turn, "1,5,2", 100) == advise(turn, "1,5,2", 100, 3)
    turn = solve("odd,fair", KCD.varied(target=300))
    kept = {(c.keep, c.kept) for c in advise(turn, "1,1") if len(c.keep) == 1}
    assert kept == {((1,), (named_dice()["odd"],)), ((1,), (FAIR,))}


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]))
def test_thresholds_say_where_rolling_is_better(rules, some_dice, overshoot):
    turn = solve(DiceSet(some_dice), rules, overshoot)
    oracle = slow(rules, some_dice, overshoot)
    ranges = {t.left: t.roll for t in thresholds(turn)}
    for points, state in every_state(rules, turn.dice):
        rolled = oracle.final(points, places_left(turn.dice, state))
        better = points < rules.minimum_bank or rolled > oracle.bank(points)
        assert better == any(low <= points <= high for low, high in ranges[state])


def test_thresholds_with_and_without_a_target():
    # 300 points with one die, 250 with two: the known play of a player who maximises the mean. By
    # hand for one die, where q = 2/3, mean 25, and hot dice are worth at most what they gain:
    # rolling at P gains 25 + (1/3)·h(P + 50 or 100) − 2P/3, with h about 480 at 300 points.
    turn = solve(rules=KCD.varied(target=None))
    for threshold in thresholds(turn):
        (only,) = threshold.roll
        assert only == (0, threshold.bank_from - 50)
        left = threshold.left
        assert turn.optimal(threshold.bank_from, left) <= 0 < turn.optimal(only[1], left)
    six = thresholds(solve())[-1]
    assert six.roll == ((0, 5950),)
    assert six.bank_from is None


@given(rule_sets(), dice, st.sampled_from(["full", "needed"]), st.data())
def test_the_mean_of_a_threshold_player_agrees_with_the_definition(
    rules, some_dice, overshoot, data
):
    # Oracle: every ordered roll, by recursion; and no way to play is worth more than the best.
    least = max(rules.minimum_bank, rules.unit)
    bank_from = data.draw(st.integers(-(-least // rules.unit), 12)) * rules.unit
    oracle = slow(rules, some_dice, overshoot)
    kinds = DiceSet(some_dice)

    def number(rest):
        return kinds.state_of(some_dice[place] for place in rest)

    @cache
    def worth(points, left):
        total = Fraction(0)
        for chance, options in oracle.rolls(left):
            if not options:
                total += chance * oracle.bust
                continue
            gained, rest = max(options, key=lambda option: (option[0], number(option[1])))
            reached = points + gained
            following = rest or (oracle.all if rules.hot_dice else ())
            if reached >= min(bank_from, rules.target):
                total += chance * oracle.points_worth(reached)
            elif following:
                total += chance * worth(reached, following)
            elif reached >= rules.minimum_bank:
                total += chance * reached
        return total

    mean = ThresholdPlayer(rules, kinds, bank_from, overshoot).turn_end().mean(rules.penalty)
    assert to_fraction(mean.point) == worth(0, oracle.all)
    assert mean <= solve(kinds, rules, overshoot).value


def test_threshold_players_without_hot_dice():
    rules = KCD.varied(hot_dice=False, minimum_bank=100)
    end = ThresholdPlayer(rules, parse_dice("fair"), 100).turn_end()
    assert (end.least_stranded, end.bust) == (mpq(1, 6), mpq(4, 6))
    rules = KCD.varied(hot_dice=False)
    end = ThresholdPlayer(rules, parse_dice("fair"), 500).turn_end()
    assert end.least == {50: mpq(1, 6), 100: mpq(1, 6)}


@given(rule_sets(), dice, st.integers(1, 400))
def test_a_threshold_player_stops_at_the_target(rules, some_dice, hundreds):
    # Whoever banks from the target on plays the same turn as one who would bank later.
    points = max(rules.minimum_bank, rules.target, 50) + 50 * hundreds
    later = ThresholdPlayer(rules, DiceSet(some_dice), points).turn_end()
    at_target = max(rules.minimum_bank, rules.unit, rules.target)
    assert later == ThresholdPlayer(rules, DiceSet(some_dice), at_target).turn_end()


def test_counts_of_the_readme():
    # The README's products, written out: 120 values of P, 64 sets, 46656 rolls.
    computed = [int(statement.computed) for statement in counts()]
    assert computed[:5] == [120, 64, 7680, 46656, 64]
    assert computed[5] == 120 * 64 * 6**6 * 2**6
    # By the binomial theorem, sets of k of six dice with 6^k rolls and 2^k selections: (1 + 12)^6.
    assert counts()[5].note.endswith(f" {120 * (13**6 - 1)}")
    assert computed[7:9] == [120 * 7**6 * 2**6, 120 * 2**6 * 6**6]
    for about in ("computations of Hold beforehand", "computations of a step after that"):
        assert int(README[about]) in computed
    assert computed[9] == computed[7] + computed[8]
    assert all(statement.agrees for statement in counts())


def test_statements_of_the_readme():
    one, *others = values()
    assert one.agrees
    assert not any(statement.agrees for statement in others)
    assert len(statements()) == len(counts()) + 4


def made_up(first, second, width=0, shift=0):
    """A race whose chances, all different, are no solution of anything."""
    found, fresh = {}, count(1)

    def chance(*standing):
        place = found.setdefault(standing, next(fresh))
        lower = mpq((7 * place + shift * place**2) % 83, 100)
        return Enclosure(lower, lower + mpq(place % 5, 1000) * width)

    return WinChances(first, second, chance)


@pytest.mark.parametrize("width", [0, 1])
@pytest.mark.parametrize("targets", [(250, 150), (50, 50)])
def test_a_list_of_scores_shows_the_largest_gain_from_looking(width, targets):
    small = RuleSet("small", (Combination((1,), 25),))
    units, rules = (50, 25), (KCD, small)
    players = [contender("fair", r.varied(target=t)) for r, t in zip(rules, targets, strict=True)]
    seeing, blind = made_up(*players, width), made_up(*players, width, 1)
    report = chances_report(seeing, blind, 100)
    gains = {
        (own, other): seeing.chance(own, other) - blind.chance(own, other)
        for own, other in product(range(0, targets[0], 50), range(0, targets[1], 25))
    }
    shown = product(range(0, targets[0], 100), range(0, targets[1], 100))
    rows = [(*pair, Enclosure.of(seeing.chance(*pair)), gains[pair]) for pair in shown]
    assert [(*row[:2], *map(Enclosure.of, row[2:])) for row in report.table("chances").rows] == rows
    names = {quantity.column.name for quantity in report.quantities}
    for name, some in (
        ("most", gains),
        ("behind", {(own, other): gain for (own, other), gain in gains.items() if own < other}),
        ("ahead", {(own, other): gain for (own, other), gain in gains.items() if own > other}),
    ):
        assert (f"{name}_looking" in names) == bool(some)
        if not some:
            continue
        most = max(gain.lower for gain in some.values())
        where = report.value(f"{name}_own"), report.value(f"{name}_other")
        assert some[where].lower == most
        upper = max(gain.upper for gain in some.values())
        assert Enclosure.of(report.value(f"{name}_looking")) == Enclosure(most, upper)
        sums = [sum(g.lower for g in some.values()), sum(g.upper for g in some.values())]
        mean = Enclosure(*(end / len(some) for end in sums))
        assert Enclosure.of(report.value(f"{name}_mean")) == mean
    plain = chances_report(seeing)
    assert [quantity.column.name for quantity in plain.quantities] == ["value"]
    # A quarter of the way each, rounded down to points that there are.
    quarters = [
        sorted({part * t // (4 * unit) * unit for part in range(4)})
        for t, unit in zip(targets, units, strict=True)
    ]
    assert [row[:2] for row in plain.table("chances").rows] == list(product(*quarters))


STREAKY = KCD.varied(target=200, streak_penalty=100, floor=50)


@pytest.mark.parametrize("rules", [STREAKY, KCD.varied(target=200)])
def test_a_report_of_a_bust_has_the_probability_after_it(rules):
    """By the rules: the third bust in a row takes 100 points, down to −50, and ends the row."""
    chances = made_up(contender("fair", rules), contender("odd", rules))
    for own, other, mine, yours in product((-50, 0, 150), (0, 50), range(3), range(3)):
        fallen, row = (own, mine + 1) if mine < 2 else (max(own - 100, -50), 0)
        if rules is not STREAKY:
            fallen, row = own, mine
            if own < 0 or mine or yours:
                continue
        report = advice_to_win_report(chances, [], (2,), 50, (own, other), (mine, yours))
        expected = 1 - chances.solved(1, other // 50, fallen // 50, (yours, row))
        assert (report.value("bust"), report.value("value")) == (True, expected.point)
        said = report.provenance.conventions
        assert said["scores"] == f"{own} to {other}"
        in_words = {"busts": f"{mine} in a row, and {yours} of the other"}
        assert {"busts": said["busts"]} == in_words if mine or yours else "busts" not in said


def test_a_report_counts_tied_choices():
    """Of four choices one is as good as the best, one may be better than it, and one is worse."""
    chances = made_up(*[contender("fair*6", KCD.varied(target=200))] * 2)
    half, more = mpq(1, 2), mpq(3, 4)
    worths = [Enclosure(half, half), Enclosure(half, half), Enclosure(half, half), Enclosure.of(0)]
    dice = chances.first.dice.dice[:1]
    ways = [Way(**vars(Selection((1,), dice, 100, n)), then="roll") for n in range(2, 6)]
    choices = judged(ways, worths)
    report = advice_to_win_report(chances, choices, (1, 1), 0, (0, 0), (0, 0))
    assert (report.value("ties"), report.value("value"), report.value("bust")) == (2, half, False)
    assert report.table("choices").cells("best") == ["yes", "yes", "yes", "no"]
    worths[1] = Enclosure(half, more)  # not worse than the others for certain, but perhaps better
    wide = advice_to_win_report(chances, judged(ways, worths), (1, 1), 0, (0, 0), (0, 0))
    assert wide.table("choices").cells("best").count("yes") == 1
    assert wide.value("ties") == 0


def test_thresholds_list_better_equal_and_open_points():
    """By the meaning: what is more for certain, two equal points, and enclosures that meet."""

    class Turn:
        player = contender("fair", KCD.varied(target=350))
        end = 350

        def __init__(self, worths):
            self.worths = worths

        def banking(self, points):
            return self.worths[points][0]

        def rolling(self, points, state):
            return self.worths[points][1]

    half, more = Enclosure.of(mpq(1, 2)), Enclosure.of(mpq(3, 4))
    wide, upper = Enclosure(mpq(1, 4), mpq(1)), Enclosure(mpq(1, 2), mpq(1))
    kinds = {
        "roll": [(None, half), (half, more)],
        "bank": [(more, half), (upper, Enclosure(mpq(0), mpq(1, 4)))],
        "tie": [(half, half)],
        "open": [(half, wide), (wide, half), (half, upper), (upper, half)],
    }
    for words in (
        "roll roll bank bank tie bank", "roll roll roll roll roll roll",
        "bank bank bank bank bank bank", "roll bank roll bank bank bank",
        "bank roll bank bank bank bank", "roll open bank bank bank bank",
        "roll tie bank bank bank bank", "roll roll roll roll roll bank",
        "tie open open tie bank open",
    ):  # fmt: skip
        for choice in range(4):
            of = {
                points: kinds[word][choice % len(kinds[word])]
                for points, word in zip(range(50, 350, 50), words.split(), strict=True)
            }
            found = _threshold(Turn(of), 1)
            at = {
                kind: [p for p, word in zip(of, words.split(), strict=True) if word == kind]
                for kind in kinds
            }
            assert [p for a, b in found.roll for p in range(a, b + 50, 50)] == at["roll"]
            assert (list(found.ties), list(found.unsettled)) == (at["tie"], at["open"])
            later = [p for p in of if p not in at["roll"]]
            is_one = bool(later) and later == [*range(min(later), 350, 50)] and not at["open"]
            assert found.bank_from == (min(later) if is_one else None)


@pytest.mark.parametrize("aim", ["win", "points"])
def test_a_race_played_reports_the_winner_and_the_cost_of_each_choice(aim):
    rules = KCD.varied(target=300)
    chances = made_up(contender("fair*2", rules), contender("fair*2", rules, aim))
    draw = Random(3)  # noqa: S311
    steps, won = play(lookahead(chances), lambda state, player, ways: [*ways][-1], draw)
    named, winner = ["first", "second"], 0 if won else 1
    chosen = [step for step in steps if step.action != BUST and (step.player == 1 or aim == "win")]
    for you in (0, 1):
        report = race_played_report(chances, steps, winner, you, 3)
        cost = sum(step.regret.point for step in chosen if step.player == you + 1)
        assert report.value("regret") == cost
        assert (report.value("winner"), report.value("you")) == (named[winner], named[you])
        assert [row[:7] for row in report.table("decisions").rows] == [
            (
                named[step.player - 1], *step.state.scores[:: 1 if step.player == 1 else -1],
                step.state.points, ",".join(map(str, step.state.roll)),
                ",".join(map(str, step.action.keep)), step.action.then,
            )
            for step in chosen
        ]  # fmt: skip
        assert report.value("value") == chances.chance().point
    assert {step.player for step in steps} == {1, 2}


@pytest.mark.parametrize("aim", ["win", "points"])
@pytest.mark.parametrize("you", [0, 1])
def test_a_person_sees_every_roll_of_both_players(aim, you, capsys):
    rules = KCD.varied(target=400)
    players = [contender("fair*2", rules), contender("odd", rules, aim)]
    chances = made_up(*players[:: 1 if you == 0 else -1])
    typed, look, told = [], lookahead(chances), words_of(chances, you)
    run = Run(read_line=lambda prompt: (typed.append(prompt), "1\n")[1])

    def left(state, number):
        return chances.players[state.who].dice.describe(number)

    steps, _ = played_by_seed(look, 8, run, told, you + 1)
    expected, kinds = ["Choose an action by its number or its name."], set()
    for player, state, action, regrets in steps:
        own, other, _, _ = state.standing
        shown = ",".join(map(str, state.roll))
        names = {
            way: f"keep {','.join(map(str, way.keep))} for {way.score} and "
            + ("bank" if way.then == "bank" else f"roll {left(state, way.left)}")
            for way in regrets
            if way != BUST
        }
        if player == you + 1 and len(regrets) > 1:
            expected += [
                "",
                f"You have {own}, the opponent {other}; {state.points} in this turn. "
                f"You roll {shown} with {left(state, state.left)}.",
            ]
            ordered = look.choices(state)  # by the rules: banking first, then higher scores
            expected += [f"  {n}  {names[way]}" for n, way in enumerate(ordered, 1)]
            assert action == next(iter(ordered))
            cost, best = regrets[action].point, names[next(iter(regrets))]
            expected += [
                f"That cost {decimal(cost, 6)}; best was {best}." if cost else "That was best."
            ]
        else:
            who = "You roll" if player == you + 1 else "The opponent rolls"
            expected += [f"{who} {shown}: {names.get(action, 'a bust')}."]
        kinds.add((player == you + 1, action == BUST))
    assert capsys.readouterr().err.splitlines() == expected
    assert len(typed) > 1
    assert len(kinds) == 4


def test_defaults_are_the_beginning_of_a_race():
    chances = made_up(contender("fair*2", STREAKY), contender("odd", STREAKY))
    nothing = 0, 0, 0, (0, 0)
    assert chances.value == chances.chance() == chances.chance(*nothing)
    assert chances.turn() is chances.turn(*nothing)
    assert chances.after(0, 50, 0) == chances.after(0, 50, 0, (0, 0))
    assert chances.after_bust(0, 50) == (50, (1, 0))
    roll, ends = "1,5", (0, 0, 0, None, 0, (0, 0))
    assert advise_to_win(chances, roll) == advise_to_win(chances, roll, *ends)
    assert win_thresholds(chances) == win_thresholds(chances, *nothing)
    assert RaceToWin(chances, 0, 0, None).value == chances.value
    assert "chance" not in repr(chances)
    assert chances != made_up(*chances.players)  # two that were solved apart may differ


def test_bounds_of_widths_and_of_exact_races():
    at, beyond = (contender(rules=KCD.varied(target=target)) for target in (1000, 1050))
    assert exact_bits(at, at) <= EXACT_BITS < exact_bits(beyond, beyond)
    for width in (mpq(n, d) for n, d in product((1, 9, 10, 11, 99, 1000, 1001), (1, 7, 10, 10**9))):
        bound = _ceiling(width)
        assert bound / 10 < width <= bound
        power = bound if bound >= 1 else 1 / bound
        assert str(power).strip("0") == "1"
    assert _ceiling(mpq(0)) == 0


def test_a_person_sees_busts_in_a_row():
    chances = made_up(contender("fair", STREAKY), contender("odd", STREAKY))
    for busts in ((0, 0), (2, 0), (0, 1)):
        shown = words_of(chances, 0).state(RaceMoment(0, (0, 50), busts, 0, 1, (1,)))
        said = f"Busts in a row before: {busts[0]} of yours, {busts[1]} of the opponent's."
        assert (said in shown) == any(busts)
        turned = RaceMoment(1, (0, 50), busts, 0, 1, (1,))
        said = f"Busts in a row before: {busts[1]} of yours, {busts[0]} of the opponent's."
        assert (said in words_of(chances, 1).state(turned)) == any(busts)


@pytest.mark.parametrize("width", ["0", "1/1000", "1/123456", "2e-70"])
def test_a_race_is_rounded_to_sixty_places_within_the_error_bound(width):
    chance = Enclosure(mpq(1, 3), mpq(1, 3) + mpq(width))
    report = race_report(chance, parse_dice("fair"), parse_dice("odd"), KCD)
    value, error = report.value("value"), report.value("error_bound")
    assert (value * 10**60).denominator == 1
    off = max(abs(value - end) for end in (chance.lower, chance.upper))
    assert error / 10 < off <= error
    assert abs(value - chance.middle) < mpq(1, 10**60)
