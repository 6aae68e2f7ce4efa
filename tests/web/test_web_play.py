"""Pages of play: what they show is what the questions answer, and a game can be clicked through."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from exactdice.arithmetic import decimal
from exactdice.games.risk.sources import POSTS_WIN
from exactdice.rooms import ask
from exactdice.web.asking import question_from_text
from exactdice.web.forms import canonical
from exactdice.web.pieces import figure_of
from exactdice.web.play import EXAMPLES, PLAY


@pytest.mark.parametrize("game", PLAY, ids=lambda game: game.path)
def test_every_page_of_play_answers_as_it_is_opened(answered, game):
    got = answered(game.path)
    assert got.status_code == 200
    assert game.path in answered("/").text
    assert f'<a href="{game.path}">{game.tab}</a>' in answered("/about").text


def test_risk_shows_the_chance_that_the_post_prints(answered):
    got = answered("/play/risk?attackers=4&defenders=2")
    assert POSTS_WIN in got.text
    assert "65.6 %" in got.text
    assert re.findall('aria-current="true">([0-9]+)<', got.text) == ["65"]
    chances = ask("risk table 21 20").tables[0].cells("probability")
    shown = re.findall(r'<td class="s(\d+)"[^>]*>(\d+)</td>', got.text)
    assert sorted(int(p) for _, p in shown) == sorted(int(chance * 100) for chance in chances)
    assert answered("/play/risk?attackers=1&defenders=2").status_code == 422
    assert "attackers: got" in answered("/play/risk?attackers=1&defenders=2").text


@pytest.mark.parametrize("expression", EXAMPLES)
def test_the_calculator_answers_its_examples(answered, expression):
    got = answered("/play/dice", {"expression": expression})
    assert got.status_code == 200
    assert f">{ask(f'dice law {expression!r}').value('value')}<" in got.text


def test_the_calculator_says_what_is_wrong(answered):
    got = answered("/play/dice", {"expression": "4d6 kep"})
    assert got.status_code == 422
    assert "expression: got 'kep'; give an operator" in unescape(got.text)
    assert 'value="4d6 kep"' in got.text


def links(page):
    return [unescape(found) for found in re.findall(r'href="(/play/farkle\?[^"]*)"', page.text)]


def test_a_turn_of_farkle_is_clicked_through(answered):
    state = {"own": "100", "other": "150", "target": "400", "left": "3"}
    got = answered("/play/farkle", state | {"add": "1"})
    assert "2 of 3 to go" in got.text
    got = answered("/play/farkle", state | {"roll": "1,4", "remove": "1", "add": "5"})
    assert 'name="roll" value="1,5"' in got.text
    got = answered("/play/farkle", state | {"roll": "1,5", "add": "2"})
    advice = ask("farkle advise --roll 1,5,2 --left 3 --target 400 --scores 100,150")
    (best, *_) = advice.table("choices").rows
    assert f"{decimal(best[5] * 100, 2)} %" in got.text
    follow = links(got)
    assert len(follow) == len(advice.table("choices").rows)
    bank = next(link for link in follow if "own=250" in link)  # 100 for the 1, 50 for the 5
    assert "left=6" in bank
    assert "6 of 6 to go" in answered(bank).text
    roll = next(link for link in follow if "points=100" in link)  # a 1 kept, two dice left
    assert "2 of 2 to go" in answered(roll).text
    bust = answered("/play/farkle", state | {"points": "100", "roll": "2,3,4"})
    assert "Bust" in bust.text
    assert "own=100" in links(bust)[0]
    assert "points=0" in links(bust)[0]
    assert "You have won" in answered("/play/farkle", state | {"own": "400"}).text


class Forms(HTMLParser):
    """The forms of a page, each as the names of what it sends, in order."""

    def __init__(self, page):
        super().__init__()
        self.forms = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "form":
            self.forms.append([])
        elif tag in ("input", "button") and self.forms:
            self.forms[-1].append(dict(attributes).get("name"))


def test_a_click_on_a_die_sends_the_scores_as_they_stand(answered):
    """Typed scores and dice are fields of one form; Enter means its first button."""
    got = answered("/play/farkle", {"left": "3", "roll": "1"})
    (form,) = Forms(got.text).forms
    fields = ["own", "other", "target", "points", "left"]
    assert form == ["roll", *fields, None, "remove", *["add"] * 6]


def test_a_mistake_in_a_score_costs_neither_the_other_scores_nor_the_dice(answered):
    got = answered("/play/farkle", {"own": "x", "other": "3800", "left": "3", "roll": "1,5"})
    for name, value in (("own", "x"), ("other", "3800"), ("left", "3")):
        assert f'name="{name}" value="{value}"' in got.text
    assert 'name="roll" value="1,5"' in got.text


def forms(page):
    return [unescape(found) for found in re.findall(r'href="(/ask/farkle/advise[^"]*)"', page.text)]


def test_the_farkle_page_plays_to_the_target_of_the_rules(answered):
    got = answered("/play/farkle", {"roll": "1,1,5,3,4,6", "points": "650"})
    advice = ask("farkle advise --roll 1,1,5,3,4,6 --points 650 --scores 0,0")  # to its own default
    chance = advice.table("choices").rows[0][5]
    assert f"{decimal((chance.lower + chance.upper) * 50, 2)} %" in got.text
    assert f"to bank {advice.provenance.conventions['target']} points wins" in got.text


def test_the_farkle_page_leads_to_the_form_with_the_state_of_the_turn(answered):
    state = {"own": "100", "other": "150", "target": "400", "left": "3", "points": "50"}
    question = "farkle advise --roll 1,5,2 --left 3 --points 50 --target 400 --scores 100,150"
    *_, form = forms(answered("/play/farkle", state | {"roll": "1,5,2"}))
    assert form == canonical(question_from_text(question))
    *_, form = forms(answered("/play/farkle", state))  # before the roll
    assert "target=400" in form
    assert "scores=100%2C150" in form


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"own": "x"}, "own: got 'x'; give a whole number"),
        ({"left": "7"}, "left: got '7'; give a whole number from 1 to 6"),
        ({"roll": "1,7"}, "roll: got '7'; give a whole number from 1 to 6"),
        ({"left": "2", "roll": "1,2,3"}, "roll: got '1,2,3'; give at most 2 dice"),
        ({"own": "4", "roll": "1,1,1,1,1,1"}, "scores: got 4; give"),
    ],
)
def test_a_state_of_farkle_that_cannot_be_is_refused(answered, given, line):
    got = answered("/play/farkle", given)
    assert got.status_code == 422
    assert line in unescape(got.text)


def test_advice_in_the_software_engineering_game_is_the_questions(answered):
    got = answered("/play/swe?rounds=10&round=6&score=8&r6=1&r8=1")
    advice = ask("swe advise 10 --score 8 --revenue 0,1,1,0,0 --round 6")
    for action, value, *_ in advice.table("actions").rows:
        assert f"<td>{action}</td>" in got.text
        assert str(value) in got.text
        assert re.search(rf"{float(value):.8g}(?![0-9])", got.text)
    got = answered("/play/swe?rounds=99")
    assert "rounds: got '99'; give a whole number from 1 to 30" in unescape(got.text)


def test_three_ones_are_held(answered):
    got = answered("/play/reroll?roll=1,1,1")
    assert "Stick." in got.text  # as the coursework says
    got = answered("/play/reroll?roll=4,4,4")
    assert got.text.count("<span>roll</span>") == 3  # as the coursework says
    assert "103369/7744" not in got.text
    assert answered("/play/reroll?roll=1,1,1,1,1,1").status_code == 422


def test_a_duel_shows_how_often_to_choose_each_die(answered):
    got = answered("/play/fatestones?row0=111666&row1=123456&column0=114456&column1=333336")
    assert "An even duel" in got.text
    for _, die, chance in (
        ask("fatestones duel 111666,123456 114456,333336").table("first_choices").rows
    ):
        assert re.search(rf"<td>{die}</td>.*>{chance}<", got.text)
    assert answered("/play/fatestones?row0=111111&column0=123456").status_code == 422


def test_a_question_has_the_figure_that_is_drawn_of_it():
    from exactdice.rooms import question

    for text, name in {
        "risk table 31 30": "risk-win",
        "risk table 100 120": "risk-win",
        "risk table 100 121": None,
        "risk table 10 8": "risk-win",
        "risk table 10 8 --units fighting": None,
        "risk survivors 61 60": None,
        "risk dice 40 40": "risk-dice",
        "fatestones bags 5": "fatestones-bags",
        "swe laws 10": "swe-laws",
        "swe laws 15": None,
        "farkle thresholds": "farkle-thresholds",
        "farkle thresholds --target 4000 --scores 2000,3500": "farkle-opponent",
        "farkle sets --hold weighted*5 --above 5000": "farkle-sets",
        "farkle distribution --dice fair*3": "farkle-turn",
        "reroll policy --sides 4": "reroll-policy",
        "dice law 'd8 > d6'": "dice-law",
        "dice compare d6 d8": "dice-compare",
    }.items():
        figure = figure_of(question(text))
        assert (figure.name if figure else None) == name, text
