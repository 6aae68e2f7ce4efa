"""Pages of play: what they show is what the questions answer, and a game can be clicked through."""

import asyncio
import re
import sys
from collections import defaultdict
from dataclasses import replace
from html import unescape
from itertools import combinations_with_replacement, product
from random import Random
from types import SimpleNamespace
from urllib.parse import parse_qs, urlencode

import pytest
from printed import POSTS_WIN
from starlette.datastructures import QueryParams

from exactdice.arithmetic import decimal, mpq
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, amount, percent, points
from exactdice.errors import InputError
from exactdice.games.fatestones.exact import solve as solve_duel
from exactdice.games.fatestones.rules import deal, decode_hand
from exactdice.games.risk import RiskLeast
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rules import RiskRules
from exactdice.games.swe.rules import State
from exactdice.models import Choice, Game, point_mass
from exactdice.rooms import ask, question
from exactdice.solve.play import JudgedStep, Lookahead
from exactdice.solve.turns import End
from exactdice.web.forms import canonical
from exactdice.web.play import EXAMPLES, PLAY, advice, farkle
from exactdice.web.play.against import (
    KEYS,
    MATCHES,
    PlayedMatch,
    _Duels,
    _of_book,
    next_values,
    totals,
)


@pytest.mark.parametrize("game", PLAY, ids=lambda game: game.path)
def test_every_page_of_play_answers_as_it_is_opened(answered, game):
    got = answered(game.path)
    assert got.status_code == 200
    assert game.path in answered("/").text
    in_head = f'<a href="{game.path}">{game.tab}</a>' in answered("/about").text
    assert in_head == (game.tab not in ("SWE", "Reroll", "FateStones"))  # they are on the shelf


def test_risk_shows_the_chance_of_the_post_large_armies_and_campaigns(answered):
    got = answered("/play/risk?attackers=4&defenders=2")
    assert POSTS_WIN in got.text
    assert "65.6 %" in got.text
    assert re.findall('aria-current="true"><a [^>]*>([0-9]+)<', got.text) == ["65"]
    chances = ask("risk table 21 20").tables[0].cells("probability")
    shown = re.findall(r'<td class="s\d+"[^>]*><a [^>]*>([0-9&gtl;]+)</a></td>', got.text)
    expected = ["&lt;1" if p < mpq(1, 100) else "&gt;99" if p > mpq(99, 100) else str(int(p * 100))
                for p in chances]  # fmt: skip
    assert sorted(shown) == sorted(expected)
    got = answered("/play/risk?attackers=1&defenders=2")
    assert (got.status_code, "Attackers: got" in got.text) == (422, True)
    got = answered("/play/risk?attackers=12&defenders=8")
    assert "9 for 50 %" in got.text
    got = answered("/play/risk?attackers=300&defenders=250")
    assert percent(ask("risk win 300 250").value("value")) in unescape(got.text)
    got = answered("/play/risk?attackers=30&defenders=3&then=2+1&add=5")
    campaign = ask("risk campaign 30 3 2 1 5").value("value")
    assert f"<strong>{percent(campaign)}</strong>" in got.text
    assert 'value="2 1 5"' in got.text
    got = answered("/play/risk?attackers=5&defenders=3&ties=attacker")
    assert str(ask("risk win 5 3 --ties attacker").value("value")) in got.text


TWO = "output 2d6 named \"two, 'a'\"\r\noutput d4+4\r\noutput d{}\r\noutput 9"


def test_a_program_is_drawn_in_four_views_with_its_errors_and_its_exports(answered):
    """2d6: 36 rolls; d4 + 4: 4; the third output has no outcomes."""
    got = answered("/play/anydice", {"program": TWO})
    text = unescape(got.text)
    assert got.text.count("<polyline") == 3
    assert "7: two, 'a' 16.67 %, output 2 25.00 %" in text
    assert "<strong>7</strong> <span>expected value of two, 'a'</span>" in text
    csv = re.search(r'href="([^"]*)" download>CSV of all', got.text)[1]
    assert "output 2,5,1/4,0.25" in answered(unescape(csv)).text
    for view, said in {
        "at-least": "5: two, 'a' 83.33 %, output 2 100 %",
        "at-most": "5: two, 'a' 27.78 %, output 2 25.00 %",
        "transposed": "output 2: 5 25.00 %, 6 25.00 %, 7 25.00 %, 8 25.00 %",
    }.items():
        assert said in unescape(answered("/play/anydice", {"program": TWO, "view": view}).text)
    for program, line in {
        "output 3d6\noutput 3d": "program: line 2, column 10: got the end",
        "output [f 1]": "line 1: function: ",
        "x.any": "program: got 'x.any'; expected an output",
        "loop X over {1..9} { loop Y over {1..9} { output X@{} } }": "",
    }.items():
        got = answered("/play/anydice", {"program": program})
        assert (line in unescape(got.text), got.status_code) == (True, 422 if line else 200)
    assert answered("/ask", {"q": TWO}).url.path == "/play/anydice"
    got = answered("/ask/anydice", {"program": TWO})  # the form keeps its lines
    assert "\r\noutput d4+4" in got.text or "\noutput d4+4" in got.text


def test_the_calculator_answers_or_says_what_is_wrong_and_compares_two_rolls(answered, client):
    for expression in EXAMPLES:
        got = answered("/play/dice", {"expression": expression})
        assert got.status_code == 200
        assert f">{ask(f'dice distribution {expression!r}').value('value')}<" in got.text
    got = answered("/play/dice", {"expression": "4d6 kep"})
    assert got.status_code == 422
    assert "Dice: got 'kep'; expected an operator" in unescape(got.text)
    assert 'value="4d6 kep"' in got.text
    got = answered("/play/dice", {"expression": "4d6kh3", "other": "3d6"})
    both = ask("dice compare '4d6 keep highest 3 vs 3d6'")
    assert f"<strong>{percent(both.value('value'))}</strong>" in got.text
    address = unescape(re.search(r'href="([^"]*&amp;table=outcomes)"', got.text)[1])
    got = answered(address)
    assert got.headers["content-type"].startswith("text/csv")
    lines = [line for line in got.text.splitlines() if not line.startswith("#")]
    assert lines[0].startswith("outcome,probability")
    assert len(lines) == 1 + 16  # from 3 to 18


def links(page, path=r"/play/farkle\?"):
    return [unescape(found) for found in re.findall(rf'href="({path}[^"]*)"', page.text)]


def test_a_turn_of_farkle_is_clicked_through(answered):
    state = {"own": "100", "other": "150", "target": "400", "left": "3"}
    got = answered("/play/farkle", state | {"add": "1"})
    assert "2 of 3 dice missing" in got.text
    got = answered("/play/farkle", state | {"roll": "1,4", "remove": "1", "add": "5"})
    assert 'name="roll" value="1,5"' in got.text
    got = answered("/play/farkle", state | {"roll": "1,5", "add": "2"})
    advice = ask("farkle advise --roll 1,5,2 --left 3 --target 400 --scores 100,150")
    (best, *_) = advice.table("choices").rows
    assert f"{decimal(best[5] * 100, 2)} %" in got.text
    costs = [Enclosure.of(row[6]).middle for row in advice.table("choices").rows]
    bars = [decimal(cost / max(costs) * 96, 1) for cost in costs]  # the bar of the worst is full
    assert re.findall(r'<rect width="([\d.]+)"', got.text) == bars
    assert "roll the other die<" in got.text  # the 1 and the 5 kept
    assert "roll the other two<" in got.text  # one of them
    follow = links(got)
    assert len(follow) == len(advice.table("choices").rows)
    bank = next(link for link in follow if "own=250" in link)  # 100 for the 1, 50 for the 5
    assert "left" not in bank
    assert "ended=banked+150" in bank
    (cost,) = [row[6] for row in advice.table("choices").rows if row[:3:2] == ("1,5", "bank")]
    assert f"<strong>{percent(cost, 2)}</strong>" in unescape(answered(bank).text)
    assert "6 of 6 dice missing" in answered(bank).text
    roll = next(link for link in follow if "points=100" in link)  # a 1 kept, two dice left
    assert "2 of 2 dice missing" in answered(roll).text
    bust = answered("/play/farkle", state | {"points": "100", "roll": "2,3,4"})
    assert "Bust" in bust.text
    assert "own=100" in links(bust)[0]
    assert "points" not in links(bust)[0]
    assert "you win with" in answered("/play/farkle", state | {"own": "400"}).text


def test_the_farkle_page_keeps_what_stands_there_and_leads_to_the_form_of_the_turn(answered):
    # Typed scores and dice are fields of one form; Enter means its first button.
    got = answered("/play/farkle", {"left": "3", "roll": "1"})
    (form,) = re.findall("<form.*?</form>", got.text, re.S)
    fields = re.findall(r"<(?:input|button)(?![\w-])[^>]*>", form)
    names = [(re.findall(r' name="(\w+)"', field) or [None])[0] for field in fields]
    above = ["roll", "old_rules", "own", "other", "points", None]
    table = ["target", *["hand"] * 6, "set"]  # below the dice; rules and dice are lists
    assert names == [*above, "remove", *["add"] * 6, "throw", *table]
    got = answered("/play/farkle", {"own": "x", "other": "3800", "left": "3", "roll": "1,5"})
    for name, value in (("own", "x"), ("other", "3800")):
        assert f'name="{name}" value="{value}"' in got.text
    assert 'name="roll" value="1,5"' in got.text
    state = {"own": "100", "other": "150", "target": "400", "left": "3", "points": "50"}
    words = "farkle advise --roll 1,5,2 --left 3 --points 50 --target 400 --scores 100,150"
    *_, form = links(answered("/play/farkle", state | {"roll": "1,5,2"}), "/ask/farkle/advise")
    assert form == canonical(question(words))
    *_, form = links(answered("/play/farkle", state), "/ask/farkle/advise")  # before the roll
    assert "target=400" in form
    assert "scores=100%2C150" in form


@pytest.mark.slow
def test_the_farkle_page_plays_to_the_target_of_the_rules(answered):
    got = answered("/play/farkle", {"roll": "1,1,5,3,4,6", "points": "650"})
    advice = ask("farkle advise --roll 1,1,5,3,4,6 --points 650 --scores 0,0")  # to its own default
    chance = advice.table("choices").rows[0][5]
    assert f"{decimal((chance.lower + chance.upper) * 50, 2)} %" in got.text
    assert f"to {advice.provenance.conventions['target']} points;" in got.text


@pytest.mark.parametrize(("given", "line"), [
    ({"own": "x"}, "Your score: got 'x'; expected a whole number"),
    ({"left": "7"}, "Dice in hand: got '7'; expected a whole number from 1 to 6"),
    ({"roll": "1,7"}, "Roll: got '7'; expected faces from 1 to 6"),
    ({"left": "2", "roll": "1,2,3"}, "Roll: got '1,2,3'; expected at most 2 dice"),
    ({"own": "4", "roll": "1,1,1,1,1,1"}, "Scores: got 4; expected"),
])  # fmt: skip
def test_a_state_of_farkle_that_cannot_be_is_refused(answered, given, line):
    got = answered("/play/farkle", given)
    assert got.status_code == 422
    assert line in unescape(got.text)


def test_advice_in_the_software_engineering_game_is_the_questions(answered):
    got = answered("/play/swe?rounds=10&round=6&score=8&r6=1&r8=1")
    advice = ask("swe advise 10 --score 8 --revenue 0,1,1,0,0 --round 6")
    for action, value, *_ in advice.table("actions").rows:
        assert f">{action}</td>" in got.text
        assert re.search(rf">{float(value):.6g}<", got.text)
    got = answered("/play/swe?round=2&r6=2")
    line = "Round that begins: got '2'; expected at least 5, because"
    assert line in unescape(got.text)
    assert got.text.count('aria-invalid="true"') == 1
    line = "Rounds of the game: got '99'; expected a whole number from 1 to 30"
    assert line in unescape(answered("/play/swe?rounds=99").text)


def test_an_advised_roll_or_duel_shows_how_often_to_choose_what(answered):
    got = answered("/play/reroll?roll=1,1,1")
    assert "points on average: stick" in got.text  # as the coursework says
    got = answered("/play/reroll?roll=4,4,4")
    assert got.text.count("<span>roll</span>") == 3  # as the coursework says
    assert answered("/play/reroll?roll=1,1,1,1,1,1").status_code == 422
    got = answered("/play/fatestones?row0=111666&row1=123456&column0=114456&column1=333336")
    assert "An even duel" in got.text
    duel = ask("fatestones duel 111666,123456 114456,333336")
    for _, die, chance in duel.table("first_choices").rows:
        assert re.search(rf"<td>{die}</td>.*>{chance}<", got.text)
    assert answered("/play/fatestones?row0=111111&column0=123456").status_code == 422
    for place, called in (("row1", "Die 2 of player 1"), ("column0", "Die 1 of player 2")):
        got = answered("/play/fatestones", {"row0": "123456", place: "12345"})
        assert got.status_code == 422
        assert f"{called}: got '12345'; expected 6 digits" in unescape(got.text)


@pytest.mark.parametrize(("row", "column", "shown"), [
    ("111666", "114456", ["8.33 %", "1/12", "0.0833333"]),
    ("114456", "111666", ["8.33 %", "1/12", "-0.0833333"]),
    ("222555", "133446", ["An even duel"]),
])  # fmt: skip
def test_a_duel_of_one_die_each_is_won_as_often_as_its_faces_say(answered, row, column, shown):
    """A tie leaves no dice, so that the edge is the 36 pairs of faces won less those lost."""
    edge = sum((mine > theirs) - (mine < theirs) for mine in row for theirs in column)
    page = answered(f"/play/fatestones?row0={row}&column0={column}").text
    assert all(words in page for words in shown)
    said = [f"edge of player {player}" in page for player in (1, 2)]
    assert said == [edge > 0, edge < 0]


def test_the_smallest_armies_are_the_first_that_win_often_enough():
    """Held against the chance of every smaller army by itself; one that is just as wanted is so."""
    # One tossed coin each, ties to the attacker: it loses one of the four.
    coins = {"attacker_dice": 1, "defender_dice": 1, "sides": 2, "ties": "attacker"}
    rows = RiskLeast(defenders=1, **coins).answer().table("least").rows
    assert list(rows) == [(50, 2, mpq(3, 4)), (75, 2, mpq(3, 4)), (90, 3, mpq(15, 16))]
    for rules in ({}, {"sides": 8}, {"defender_dice": 3}, {"ties": "attacker"}):
        sides = {f"{player}_sides": 8 for player in ("attacker", "defender") if "sides" in rules}
        battle = RiskRules(**(sides or rules))
        for defenders in (1, 2, 7):
            armies = list(RiskLeast(defenders=defenders, **rules).answer().tables[0].rows)
            assert [row[0] for row in armies] == [50, 75, 90]
            for wanted, army, chance in armies:
                sizes = range(2, army + 1)
                by_size = [win_probability(size, defenders, rules=battle) for size in sizes]
                assert by_size[-1] == chance
                assert [p * 100 >= wanted for p in by_size] == [False] * (army - 2) + [True]


@pytest.mark.parametrize(("fields", "number"), [
    ({"expression": "2d20kh1+5 v 15"}, 15),
    ({"expression": "15", "other": "2d20kh1+5"}, 15),
    ({"expression": "15 vs 2d20kh1+5", "show": "at least"}, 15),
    ({"expression": "2d20kh1+5", "other": "40"}, 40),  # beyond the chart
])  # fmt: skip
def test_a_plain_number_is_met_or_beaten_and_a_line_beside_the_bars(answered, fields, number):
    text = unescape(answered("/play/dice", fields).text)
    totals = [max(pair) + 5 for pair in product(range(1, 21), repeat=2)]
    meets = percent(mpq(sum(total >= number for total in totals), 400))
    above = percent(mpq(sum(total > number for total in totals), 400))
    assert f"<strong>{meets}</strong>" in text
    assert f"meets or beats {number}; {above} it is above {number}" in text
    assert len(re.findall('class="bar k0"', text)) == 20  # of the roll alone
    assert 'class="bar k1"' not in text
    assert ('class="target"' in text) == (number in totals)
    assert f"arrow keys select bars; a line marks {number}" in text
    assert '<th scope="col" class="r">fraction</th>' in text  # a table of the roll alone
    assert 'expression=2d20+keep+highest+%2B+5&table=outcomes" download' in text


def moves(seed, game, choose):
    """A game played out, each time by the place that is chosen of the options."""
    choices = ""
    while True:
        played = PlayedMatch(game=game, seed=seed, choices=choices or None).answer()
        options = list(played.table("options").rows)
        if not options:
            return played, choices
        choices += KEYS[choose(options)]


def costs_least(options):
    return min(range(len(options)), key=lambda place: options[place][2].middle)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig-20", "two-dice-15", "reroll", "swe-10", "fatestones"])
def test_best_play_gives_nothing_away_and_other_play_what_its_choices_cost(game):
    for seed in range(3):
        played, _ = moves(seed, game, costs_least)
        assert played.value("value").point == 0
        assert played.value("result") != "open"
        if game in ("pig-20", "two-dice-15"):
            continue  # who never holds does not come to an end
        played, choices = moves(seed, game, lambda options: len(options) - 1)
        decisions = list(played.table("decisions").rows)
        assert len(decisions) == len(choices)
        assert played.value("value").point == sum(row[2].middle for row in decisions)


def test_what_came_of_each_choice_stands_beside_it_and_what_waits_is_shown():
    is_rolled = False
    for seed in range(8):
        begun = PlayedMatch(game="pig-20", seed=seed).answer()
        assert (begun.title, begun.value("result")) == ("Pig to 20", "open")
        assert not begun.table("decisions").rows
        names = [row[0] for row in begun.table("options").rows]
        choices = KEYS[names.index("roll")] * 2
        played = PlayedMatch(game="pig-20", seed=seed, choices=choices).answer()
        decisions = list(played.table("decisions").rows)
        assert [row[:2] for row in decisions] == [(1, "roll"), (2, "roll")]
        rolls = [re.fullmatch(r"you rolled ([2-6])", row[4]) for row in decisions]
        if all(rolls):
            is_rolled = True
            shown = dict(played.table("board").rows)
            assert str(sum(int(roll[1]) for roll in rolls)) in shown.values()
        else:
            assert "you rolled a 1" in "; ".join(row[4] for row in decisions)
    assert is_rolled


def test_five_duels_are_worth_the_sum_of_their_values_and_show_what_was_rolled():
    """Held against the duels' own solver."""
    draw = Random(5)  # noqa: S311 - dice of a game
    hands = [deal(draw) for _ in range(5)]
    begun = PlayedMatch(game="fatestones", seed=5).answer()
    best = max(row[1].middle for row in begun.table("options").rows)
    assert best == sum(solve_duel(*pair).value for pair in hands)
    assert _Duels(hands).at(None) == 0  # when all have been fought
    played, _ = moves(5, "fatestones", costs_least)
    happened = [row[4] for row in played.table("decisions").rows]
    told = r"you rolled [1-6], the opponent [1-6] with \d{6}: "
    assert all(re.match(told, one) for one in happened)
    won = sum("you have won" in one for one in happened)
    lost = sum("opponent has won" in one for one in happened)
    many = f"{abs(won - lost)} {'more' if won > lost else 'fewer'} duels than"
    assert f"won {many if won != lost else 'as many duels as'}" in str(played.value("result"))


@pytest.mark.slow
def test_a_sheet_of_upper_boxes_is_played_to_its_end(monkeypatch):
    """As Yahtzee is, which takes a minute to solve."""
    upper = replace(MATCHES["yahtzee"], look=_of_book("yahtzee", "upper"), known=[])
    monkeypatch.setitem(MATCHES, "yahtzee", upper)
    played, choices = moves(2, "yahtzee", costs_least)
    decisions = list(played.table("decisions").rows)
    assert played.value("value").lower == 0
    assert len(decisions) == len(choices) == 6 * 3
    assert [row[1].startswith("write into") for row in decisions] == [False, False, True] * 6
    assert all(row[4].startswith("you rolled") for row in decisions[:-1])


def test_games_of_swe_and_reroll_are_judged_as_advice_and_policy_are():
    played, _ = moves(4, "swe-10", costs_least)
    (first, *_) = played.table("decisions").rows
    begun = PlayedMatch(game="swe-10", seed=4).answer()
    (option,) = begun.table("options").rows
    assert option[0] == first[1] == "create d4"
    assert option[1].point == ask("swe value 10").value("value")
    # The best choice of each roll is one of the policy's, and what it is worth the policy's.
    policy = ask("reroll policy").table("states")
    for seed in range(20):
        played = PlayedMatch(game="reroll", seed=seed).answer()
        board = dict(played.table("board").rows)
        roll = tuple(map(int, board["dice"].split()))
        best = max(row[1].middle for row in played.table("options").rows)
        assert best == policy.cell("value", state=roll)
    for choices, paid in (("", "0"), ("0", "1"), ("01", "2")):
        played = PlayedMatch(game="reroll", seed=3, choices=choices or None).answer()
        assert dict(played.table("board").rows)["paid so far"] == paid


def test_a_game_is_played_by_links_and_the_same_dice_fall_again(client, answered):
    begun = client.get("/play/against?game=reroll")
    assert begun.status_code == 303
    assert re.fullmatch(r"/play/against\?game=reroll&seed=\d+", begun.headers["location"])
    address, made = "/play/against?game=reroll&seed=7", 0
    link = r'<a href="([^"]*choices=[^"]*)" data-key="\d"'
    while choices := re.findall(link, text := answered(address).text):
        counted = " in 1 choice of " if made == 1 else f" in {made} choices of "
        assert (counted in text) is (made > 0)
        assert 'data-key="n">New game<' not in text
        address, made = unescape(choices[-1]), made + 1  # at last to stick
    page = answered(address).text
    assert "points lost in" in page
    assert re.search(r'<p class="lead">You have \S+ points\.</p>', page)
    assert 'data-key="n">New game<' in page
    assert answered(address).text == page
    wrong = answered("/play/against?game=chess")
    assert "Game: got 'chess'; expected one of" in unescape(wrong.text)
    wrong = answered("/play/against?game=reroll&seed=7&choices=z")
    assert wrong.status_code == 422
    assert "as choice 1; expected a valid choice of this game" in unescape(wrong.text)


def test_totals_pass_through_rolls_between_choices():
    """Roll a die and stick, or pay 1 to roll again; sticking on 3 or more is best, for 7/2 - 1."""

    def moves(state):
        kind, face = state
        return {
            "begin": [
                Choice("roll", 0, point_mass(("roll", 0))),
                Choice("pass", 2, point_mass(over)),
            ],
            "roll": Distribution({("die", n): 1 for n in range(1, 7)}),
            "die": [
                Choice("stick", face, point_mass(over)),
                Choice("pay", -1, point_mass(("again", 0))),
            ],
            "again": Distribution({("paid", n): 1 for n in range(1, 7)}),
            "paid": End(face),
            "over": None,
        }[kind]

    over = "over", 0
    look = Lookahead(Game(("begin", 0), moves), lambda _: None)
    law = defaultdict(mpq)
    for first, second in product(range(1, 7), repeat=2):
        law[first if first >= 3 else second - 1] += mpq(1, 36)
    assert dict(totals(look, ("begin", 0), "roll")) == law
    assert totals(look, ("begin", 0), "pass") == next_values(look, ("begin", 0), "pass") == [(2, 1)]
    expected = {face: mpq(3 if face == 3 else 1, 6) for face in range(3, 7)}  # 1 and 2: worth 5/2
    assert dict(next_values(look, ("begin", 0), "roll")) == expected


@pytest.mark.slow
def test_a_choice_is_compared_with_the_best_one_by_two_distributions(answered):
    """Held against the values of both choices, which are the means of the distributions."""
    # The longest games of Reroll are missing; they lose at most 20 points a thousandth of the time.
    # Many positions can follow the second choice of SWE: expected values are shown, rounded.
    late = mpq(1, 1000)
    cases = [("reroll", "000", late, 20 * late), ("swe-10", "00001", 0, 0)]
    for game, choices, late, slack in [*cases, ("swe-10", "01", 0, mpq(1, 2))]:
        before = PlayedMatch(game=game, seed=3, choices=choices[:-1] or None).answer()
        worths = {name: Enclosure.of(value) for name, value, _ in before.table("options").rows}
        asked = PlayedMatch(game=game, seed=3, choices=choices, why=len(choices)).answer()
        took = asked.table("decisions").rows[-1]
        laws = defaultdict(dict)
        for total, name, chance in asked.table("why").rows:
            laws[name][total] = chance
        assert [*laws] == [took[3], took[1]]
        for name, law in laws.items():
            assert 1 - late <= sum(law.values()) <= 1
            mean = sum(n * p for n, p in law.items())
            assert worths[name].lower - slack <= mean <= worths[name].upper + slack
        address = f"/play/against?game={game}&seed=3&choices={choices}"
        link = f"{address}&why={len(choices)}"
        assert f'href="{link}#why"' in unescape(answered(address).text)
        page = answered(link).text
        assert page.count("<polyline") == 2
        assert ("to expect once the next roll is known" in page) is (choices == "01")
        assert "Cite (BibTeX)" in page


@pytest.mark.slow
def test_farkle_is_advised_by_the_rules_and_dice_that_are_chosen(answered):
    state = {"rules": "zilch", "target": "500", "dice": "fair*5,odd", "roll": "1,5,2,3,3,4"}
    got = answered("/play/farkle", state)
    words = "--rules zilch --target 500 --streak-penalty 0 --dice fair*5,odd --scores 0,0"
    advice = ask(f"farkle advise --roll 1,5,2,3,3,4 {words}")
    best = advice.table("choices").rows[0]
    assert f"<strong>{percent(best[5])}</strong>" in got.text
    assert "ignores the penalty for three busts in a row" in got.text
    thrown = answered("/play/farkle", {"rules": "zilch", "target": "500", "throw": "1"})
    assert len(re.findall('name="remove"', thrown.text)) == 6


def filled(page):
    """The form of the table as it is sent: what stands in its fields, and the options chosen."""
    sent = re.findall(r'<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"(?! checked)', page)
    form = {name: unescape(value) for name, value in sent if name != "hand"}
    form["rules"] = re.findall(
        r'<select[^>]* name="rules".*?<option value="([^"]*)" selected', page
    )
    form["die"] = re.findall(r'<option value="([^"]*)" selected>[^<]* \(', page)
    return form | {"hand": re.findall(r'name="hand" value="(\d)" checked', page)}


def test_dice_in_hand_are_those_picked_and_after_mistakes(answered):
    """The choice of two lucky dice was once refused, because the hand was still six fair ones."""
    first = filled(answered("/play/farkle", {"target": "100"}).text)
    assert (first["die"], first["hand"]) == (["fair"] * 6, list("012345"))
    dice = ["lucky", "lucky", *["fair"] * 4]
    got = answered("/play/farkle", first | {"die": dice})
    assert got.status_code == 200
    loaded = filled(got.text)
    assert (loaded["die"], loaded["hand"]) == (dice, list("012345"))
    by_hand = filled(answered("/play/farkle", loaded | {"hand": ["0", "2", "3"]}).text)
    assert by_hand["hand"] == ["0", "2", "3"]
    rolled = answered("/play/farkle", by_hand | {"roll": "1,5,2"})
    words = "--target 100 --scores 0,0 --dice lucky*2,fair*4 --left lucky,fair*2"
    best = ask(f"farkle advise --roll 1,5,2 {words}").table("choices").rows[0]
    assert f"<strong>{percent(best[5])}</strong>" in rolled.text
    assert '<small class="loaded">lucky</small>' in rolled.text  # on the die in the tray
    # The lucky die shows 1 with 6 of 22 ways, as the weight table of the game says.
    assert "lucky (1: 27 %, 2: 5 %, 3: 9 %, 4: 14 %, 5: 18 %, 6: 27 %)" in got.text
    assert "at least one die" in answered("/play/farkle", loaded | {"hand": []}).text
    wrong = answered("/play/farkle", first | {"die": dice, "own": "x"})
    assert wrong.status_code == 422
    assert filled(wrong.text)["die"] == dice
    # The best choice banks; then all dice are in hand again.
    after = filled(answered(links(rolled)[0]).text)
    assert (after["die"], after["hand"]) == (dice, list("012345"))


@pytest.mark.slow
def test_advice_on_farkle_is_a_sentence_about_the_dice_on_the_table(answered):
    words = "--roll 5,2,3 --dice lucky,fair*5 --left lucky,fair*2 --target 400 --scores 0,300"
    keep, kept, then, *_ = ask(f"farkle advise {words}").table("choices").rows[0]
    assert (keep, kept, then) == ("5", "lucky", "roll")  # the only die that scores
    state = {"other": "300", "target": "400", "roll": "5,2,3"}
    got = answered("/play/farkle", state | {"dice": "lucky,fair*5", "left": "lucky,fair*2"}).text
    assert "to win: keep the ⚄ (lucky) (50 points), roll the other two" in got


def test_a_target_follows_the_rules_until_somebody_changes_it(answered):
    first = filled(answered("/play/farkle", {"own": "10000"}).text)  # won: nothing is computed
    assert first["target"] == "6000"  # of Kingdom Come; the others go to 10000
    for sent, target in ((first, "10000"), (first | {"target": "5000"}, "5000")):
        got = answered("/play/farkle", sent | {"rules": "facebook"})
        assert filled(got.text)["target"] == target


def test_chances_and_points_are_shown_as_far_as_they_are_certain():
    shown = [MATCHES["pig-20"].as_asked(Enclosure.of(value)) for value in (-1, 0, 1)]
    assert shown == [0, Enclosure.of("1/2"), 1]
    assert MATCHES["yahtzee"].as_asked(Enclosure.of(254)) == 254  # points are as they are
    numbers = mpq(1, 50_000), mpq(49_999, 50_000), mpq(1, 5000), mpq(4999, 5000)
    shares = ["< 0.01 %", "> 99.99 %", "0.02 %", "99.98 %"]
    assert [percent(number, 2) for number in numbers] == shares
    # zeros before the point stay, and those of the exponent
    shown = [points(number) for number in (100, mpq(1, 2), mpq(1, 10**30))]
    assert shown == ["100", "0.5", "1.00000e-30"]


@pytest.mark.parametrize(("game", "seed"), [("reroll", 1), ("reroll", 2), ("pig-20", 1)])
def test_hints_mark_the_choices_that_cost_nothing_and_say_what_others_cost(answered, game, seed):
    options = PlayedMatch(game=game, seed=seed).answer().table("options").rows
    page = answered(f"/play/against?game={game}&seed={seed}&hint=1").text
    plain = answered(f"/play/against?game={game}&seed={seed}").text
    free = [regret == 0 for _, _, regret in options]
    assert page.count('class="best"') == (sum(free) if not all(free) else 0)
    assert page.count(", costs ") == len(options) - sum(free)
    assert 'class="best"' not in plain
    assert ", costs " not in plain


#: Hands of FateStones, by their encodings.
HANDS = decode_hand("111666,123456,222555"), decode_hand("114456,333336,133446")


@pytest.mark.parametrize(("game", "state", "action", "words"), [
    ("reroll", (1, 1, 5), (), "roll all again"), ("reroll", (1, 1, 5), (0, 2), "hold 1 5"),
    # the two ones are turned over to sixes
    ("reroll", (1, 1, 5), (0, 1, 2), "stick, for 17 points"),
    ("swe-10", None, "create", "create d4"), ("swe-10", None, "promote 1", "promote d6"),
    ("swe-10", None, "fix 4", "fix d20"),
    ("yahtzee", ((), 0, False, (2, 3, 3, 6, 6), 1), "threes", "write into threes"),
    ("yahtzee", ((), 0, False, (2, 3, 3, 6, 6), 1), (), "roll all again"),
    ("yahtzee", ((), 0, False, (2, 3, 3, 6, 6), 1), (3, 3), "keep 3 3"),
    ("yahtzee", ((), 0, False, (2, 3, 3, 6, 6), 1), (2, 3, 3, 6, 6), "keep all"),
    ("fatestones", (0, *HANDS), 1, "roll 123456"), ("pig", None, "hold", "hold"),
])  # fmt: skip
def test_a_choice_is_called_by_what_it_does_with_the_dice(game, state, action, words):
    assert MATCHES[game].calls(state, action) == words


TABLE = State((2, 1, 0, 0, 0), (0, 0, 0, 0, 1), 3)  # revenue, legacy, score


@pytest.mark.parametrize(("game", "player", "state", "action", "later", "words"), [
    ("pig", 1, (0, 0, 5), "roll", (1, (0, 0, 9)), "you rolled 4"),
    ("pig", 2, (0, 0, 5), "roll", (2, (0, 0, 11)), "the opponent rolled 6"),
    ("pig", 1, (0, 0, 5), "roll", (2, (0, 0, 0)), "you rolled a 1"),
    ("pig", 2, (0, 0, 5), "roll", (1, (0, 0, 0)), "the opponent rolled a 1"),
    ("pig", 1, (0, 0, 5), "hold", (2, (0, 5, 0)), "you held 5"),
    ("pig", 2, (0, 0, 5), "hold", (1, (0, 5, 0)), "the opponent held 5"),
    ("pig", 1, (90, 0, 10), "hold", None, "you reached the target"),
    ("pig", 2, (90, 0, 10), "hold", None, "the opponent reached the target"),
    ("reroll", 1, (2,), "roll", (1, (2, 5)), ""),  # one of the three is still to be rolled
    ("reroll", 1, (2, 5), "roll", (1, (2, 3, 5)), "you rolled 2 3 5"),
    ("reroll", 1, (2, 3, 5), (), (1, ()), ""),
    ("reroll", 1, (2, 3, 5), (0, 1, 2), None, ""),
    ("swe-10", 1, (TABLE, 5), "fix 4", None, ""),
    # a die is fixed, and with the score all four stay
    ("swe-10", 1, (TABLE, 5), "fix 4", (1, (State((2, 1, 0, 0, 1), (0,) * 5, 7), 4)),
     "no die failed; the score is 7"),
    # a die is fixed, and fails again with one more
    ("swe-10", 1, (TABLE, 5), "fix 4", (1, (State((1, 1, 0, 0, 0), (1, 0, 0, 0, 1), 5), 4)),
     "2 of the dice failed; the score is 5"),
    # nothing is fixed, and a die fails beside those that have
    ("swe-10", 1, (TABLE, 5), "create", (1, (State((2, 1, 0, 0, 0), (1, 0, 0, 0, 1), 6), 4)),
     "1 of the dice failed; the score is 6"),
    ("swe-10", 1, (TABLE, 5), "fix 4", (1, (State((0,) * 5, (2, 1, 0, 0, 1), 0), 4)),
     "every die failed: a catastrophe; the score is 0"),
    ("yahtzee", 1, None, "ones", (1, (("twos",), 3, False, (1, 2, 3, 4, 6), 2)),
     "you rolled 1 2 3 4 6"),
    ("yahtzee", 1, None, "ones", None, ""),
    ("fatestones", 1, (0, *HANDS), 0, (1, (0, HANDS[0][1:], HANDS[1][1:], 6, 4)), ""),
    ("fatestones", 2, (0, *HANDS), 0, (1, (0, HANDS[0][1:], HANDS[1][1:], 6, 4)),
     "you rolled 6, the opponent 4 with 114456: you have won the duel"),
    ("fatestones", 2, (0, *HANDS), 1, (1, (0, HANDS[0][1:], HANDS[1][1:], 1, 3)),
     "you rolled 1, the opponent 3 with 333336: the opponent has won the duel"),
    ("fatestones", 2, (0, *HANDS), 2, (1, (0, HANDS[0][1:], HANDS[1][1:], 6, 6)),
     "you rolled 6, the opponent 6 with 133446: a tie, both dice are out"),
    ("fatestones", 2, (0, *HANDS), 2, (1, (0, (), (), 6, 6)),
     "you rolled 6, the opponent 6 with 133446: a tie, and no dice are left: a scratch"),
])  # fmt: skip
def test_what_came_of_a_step_is_told_by_the_states_around_it(
    game, player, state, action, later, words
):
    assert MATCHES[game].said(JudgedStep(player, state, action, {}), later) == words


def test_what_stands_on_the_table_is_the_state_by_its_names():
    def shown(game, state, steps=()):
        return dict(MATCHES[game].shows(state, steps))

    assert shown("pig", (40, 30, 7)) == {"you": "40", "opponent": "30", "this turn": "7"}
    steps = [JudgedStep(1, (), action, {}) for action in ("roll", "roll", "roll", (), "roll", (0,))]
    assert shown("reroll", (2, 3, 5), steps) == {"dice": "2 3 5", "paid so far": "2"}
    assert shown("swe-10", (TABLE, 8)) == {
        "round": "3 of 10", "score": "3", "revenue": "d4 d4 d6", "legacy": "d20"
    }  # fmt: skip
    assert shown("swe-10", (State((0,) * 5, (0,) * 5, 0), 10))["legacy"] == "none"
    assert shown("yahtzee", (("ones", "chance"), 7, False, (1, 1, 2, 3, 4), 2)) == {
        "dice": "1 1 2 3 4", "rolls left": "2", "points of the upper boxes": "7",
        "open boxes": "ones, chance",
    }  # fmt: skip
    faces = (6, 1), (1, 6), (3, 3), (5, 2)
    ended = [JudgedStep(1, (0, *HANDS, *both), "on", {}) for both in faces]
    assert shown("fatestones", (3, *HANDS), [JudgedStep(1, (0, *HANDS), 0, {}), *ended]) == {
        "duel": "4 of 5", "won": "2", "lost": "1", "your dice": "111666 123456 222555",
        "the opponent's": "114456 333336 133446",
    }  # fmt: skip


def test_keys_that_stand_for_no_choice_are_refused():
    begun = PlayedMatch(game="reroll", seed=3).answer()
    many = len(begun.table("options").rows)
    PlayedMatch(game="reroll", seed=3, choices=KEYS[many - 1]).answer()
    for keys, wrong in ((KEYS[many], 1), ("0!", 2), (f"0{KEYS[-1]}", 2)):
        with pytest.raises(InputError, match=rf"as choice {wrong}; expected a valid choice"):
            PlayedMatch(game="reroll", seed=3, choices=keys).answer()
    # sticking ends the game, and nothing is chosen after it
    with pytest.raises(InputError, match="got '7' as choice 2; expected"):
        PlayedMatch(game="reroll", seed=3, choices=f"{KEYS[many - 1]}79").answer()


@pytest.fixture
def opened(monkeypatch):
    """What a page of play asks and shows, by itself: without a server and its workers."""

    async def played(_request, _template, ask, show, labels, **context):
        return SimpleNamespace(ask=ask, show=show, labels=labels, **context)

    def opening(page, **query):
        monkeypatch.setattr(sys.modules[page.__module__], "played", played)
        asked = SimpleNamespace(query=urlencode(query), path="/play")
        return asyncio.run(page(SimpleNamespace(query_params=query, url=asked)))

    return opening


def test_a_table_of_dice_asks_for_what_lies_there_and_shows_each_action_with_its_cost(opened):
    page = opened(advice._table)  # the example of its question: a d6 and a d8 in round 6
    (asked,) = page.ask()
    words = "--round 6 --score 8 --revenue 0,1,1,0,0 --legacy 0,0,0,0,0"
    assert asked == question(f"swe advise 10 {words}")
    assert (page.labels["r6"], page.labels["l20"]) == ("Revenue d6", "Legacy d20")
    given = {"rounds": "30", "round": "16", "score": "2", "r4": "1", "r20": "1", "l12": "1"}
    (asked,) = opened(advice._table, **given).ask()
    words = "--round 16 --score 2 --revenue 1,0,0,0,1 --legacy 0,0,0,1,0"
    assert str(asked) == str(question(f"swe advise 30 {words}"))
    page = opened(advice._table)
    (asked,) = page.ask()
    report = asked.answer()
    shown = page.show(report)
    rows = sorted(report.table("actions").rows, key=lambda row: row[1], reverse=True)
    best = rows[0][1]
    assert (shown["headline"].big, shown["headline"].exact) == (points(best), str(best))
    (named,) = (row[0] for row in rows if row[1] == best)
    assert shown["headline"].sentence.endswith(f": {named}")
    expected = [(name, points(worth), amount(best - worth, 3), best == worth)
                for name, worth, *_ in rows]  # fmt: skip
    assert (shown["rows"], shown["reachable"]) == (expected, report.value("reachable"))


@pytest.mark.parametrize(("given", "line"), [
    # a die on a rung takes as many rounds as the rung is high: 1 + 5 + 3 + 4 here
    ({"rounds": "30", "round": "13", "r4": "1", "r20": "1", "l12": "1", "l8": "1"},
     "round: got '13'; expected at least 14, because these dice take 13 rounds"),
    ({"rounds": "3", "round": "1", "r4": "1"},
     "round: got '1'; expected at least 2, because these dice take 1 rounds"),
    ({"rounds": "3", "round": "2"}, "round: got '2'; expected 1, because there are no dice"),
    ({"rounds": "3", "round": "4", "r4": "1"}, "round: got '4'; expected a whole number"),
    ({"rounds": "3", "round": "0", "r4": "1"}, "round: got '0'; expected a whole number"),
    ({"rounds": "30", "round": "30", "r4": "30"}, "round: got '30'; expected at least 31"),
    ({"rounds": "31", "round": "2", "r4": "1"}, "rounds: got '31'; expected a whole number"),
    ({"rounds": "0", "round": "2", "r4": "1"}, "rounds: got '0'; expected a whole number"),
    ({"r4": "31"}, "r4: got '31'; expected a whole number from 0 to 30"),
    ({"l20": "-1"}, "l20: got '-1'; expected a whole number from 0 to 30"),
    ({"rounds": "30", "round": "14", "r4": "1", "r20": "1", "l12": "1", "l8": "1"}, ""),
    ({"rounds": "3", "round": "2", "r4": "1"}, ""),
    ({"rounds": "3", "round": "3", "l4": "1"}, ""),
    ({"rounds": "30", "round": "30", "r4": "29"}, ""),
    ({"rounds": "1", "round": "1", "score": "0"}, ""),
])  # fmt: skip
def test_a_table_of_dice_is_taken_or_refused_at_its_limit(opened, given, line):
    if line:
        with pytest.raises(InputError, match=f"^{re.escape(line)}"):
            opened(advice._table, **given).ask()
    else:
        (asked,) = opened(advice._table, **given).ask()
        assert (asked.rounds, asked.round) == (int(given["rounds"]), int(given["round"]))


def test_a_roll_is_advised_as_its_policy_says(opened):
    policy = ask("reroll policy")
    rolls = combinations_with_replacement(range(6, 0, -1), 3)
    for place, roll in enumerate(rolls):
        page = opened(advice._roll, roll=("", ", ", " ")[place % 3].join(map(str, roll)))
        (asked,) = page.ask()
        assert asked == question("reroll policy --dice 3 --penalty 1")
        ordered = tuple(sorted(roll))
        shown, states = page.show(policy), policy.table("states")
        value, ties = (states.cell(name, state=ordered) for name in ("value", "ties"))
        kept = [str(ordered[at]) for at in ties[0]]
        does = "stick" if len(kept) == 3 else (
            f"hold {' and '.join(kept) or 'nothing'} and roll the rest again")  # fmt: skip
        assert shown["headline"].sentence == f"points on average: {does}"
        assert (shown["headline"].big, shown["headline"].exact) == (points(value), str(value))
        assert shown["game"] == points(policy.value("value"))
        held = [[(face, at in tie) for at, face in enumerate(ordered)] for tie in ties]
        assert shown["actions"] == held


def test_a_die_is_taken_from_the_table_or_added_to_it(opened):
    for many in range(5):
        roll = tuple(range(1, many + 1))
        for place in range(many):
            request = SimpleNamespace(query_params={"remove": str(place)})
            assert farkle._rolled(request, roll) == roll[:place] + roll[place + 1 :]
        with pytest.raises(InputError, match=f"remove: got '{max(many, 1)}'; expected"):
            farkle._rolled(SimpleNamespace(query_params={"remove": str(max(many, 1))}), roll)
        request = SimpleNamespace(query_params={"remove": "0", "add": "6"})
        assert farkle._rolled(request, roll) == (*roll[1:], 6)
        assert farkle._rolled(SimpleNamespace(query_params={}), roll) == roll


@pytest.mark.parametrize(("given", "lost", "ended"), [
    ({}, "0.25", ""),
    ({"ended": "bust"}, "0.25", "bust"),  # the page of how the turn has ended
    ({"ended": "bust", "roll": "1"}, "0", ""),  # the first roll of the next one
    ({"ended": "bust", "roll": "1", "points": "50"}, "0.25", ""),
    ({"roll": "1"}, "0.25", ""),
])  # fmt: skip
def test_what_a_turn_has_cost_is_told_until_the_next_one_is_rolled(client, given, lost, ended):
    request = SimpleNamespace(query_params=QueryParams({"lost": "0.25", **given}))
    turn = farkle._read(request, farkle._roll_in(request))
    assert (turn.lost, turn.ended) == (mpq(lost), ended)
    if "roll" not in given:  # thrown by the page
        sent = {"lost": "0.25", "left": "2", "throw": "1"} | given
        thrown = client.get("/play/farkle", params=sent)
        assert thrown.status_code == 303
        after = parse_qs(thrown.headers["location"].partition("?")[2])
        assert after.get("lost") == (None if given else ["0.25000000"])
        assert len(after["roll"][0].split(",")) == 2
        assert "ended" not in after
