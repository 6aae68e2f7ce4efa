"""Reports of races, of chances that are made up, against what each quantity and column means."""

from itertools import count, product
from random import Random

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.enclosure import Enclosure
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
from exactdice.games.farkle.reports import _ceiling, race_report
from exactdice.games.farkle.rules.dice_sets import parse_dice
from exactdice.games.farkle.rules.rule_set import Combination, RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.advice import Selection, Way, judged
from exactdice.run import Run
from exactdice.solve.play import play, played_by_seed


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
    ways = [Way(**vars(Selection((1,), (), 100, left)), then="roll") for left in range(2, 6)]
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
        "roll roll bank bank tie bank",
        "roll roll roll roll roll roll",
        "bank bank bank bank bank bank",
        "roll bank roll bank bank bank",
        "bank roll bank bank bank bank",
        "roll open bank bank bank bank",
        "roll tie bank bank bank bank",
        "roll roll roll roll roll bank",
        "tie open open tie bank open",
    ):
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
                named[step.player - 1],
                *step.state.scores[:: 1 if step.player == 1 else -1],
                step.state.points,
                ",".join(map(str, step.state.roll)),
                ",".join(map(str, step.action.keep)),
                step.action.then,
            )
            for step in chosen
        ]
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


def test_races_of_six_fair_dice_are_exact_to_a_thousand_points():
    at, beyond = (contender(rules=KCD.varied(target=target)) for target in (1000, 1050))
    assert exact_bits(at, at) <= EXACT_BITS < exact_bits(beyond, beyond)


def test_a_person_sees_busts_in_a_row():
    chances = made_up(contender("fair", STREAKY), contender("odd", STREAKY))
    for busts in ((0, 0), (2, 0), (0, 1)):
        shown = words_of(chances, 0).state(RaceMoment(0, (0, 50), busts, 0, 1, (1,)))
        said = f"Busts in a row before: {busts[0]} of yours, {busts[1]} of the opponent's."
        assert (said in shown) == any(busts)
        turned = RaceMoment(1, (0, 50), busts, 0, 1, (1,))
        said = f"Busts in a row before: {busts[1]} of yours, {busts[0]} of the opponent's."
        assert (said in words_of(chances, 1).state(turned)) == any(busts)


def test_powers_of_ten_bound_a_width_and_no_smaller_one_does():
    for width in (mpq(n, d) for n, d in product((1, 9, 10, 11, 99, 1000, 1001), (1, 7, 10, 10**9))):
        bound = _ceiling(width)
        assert bound / 10 < width <= bound
        power = bound if bound >= 1 else 1 / bound
        assert str(power).strip("0") == "1"
    assert _ceiling(mpq(0)) == 0


@pytest.mark.parametrize("width", ["0", "1/1000", "1/123456", "2e-70"])
def test_a_race_is_rounded_to_sixty_places_within_the_error_bound(width):
    chance = Enclosure(mpq(1, 3), mpq(1, 3) + mpq(width))
    report = race_report(chance, parse_dice("fair"), parse_dice("odd"), KCD)
    value, error = report.value("value"), report.value("error_bound")
    assert (value * 10**60).denominator == 1
    off = max(abs(value - end) for end in (chance.lower, chance.upper))
    assert error / 10 < off <= error
    assert abs(value - chance.middle) < mpq(1, 10**60)
