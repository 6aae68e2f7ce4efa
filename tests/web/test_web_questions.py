"""Questions in a browser: forms, answers as the command gives them, errors and charts."""

import dataclasses
import io
import json
import re
import zipfile
from dataclasses import replace
from html import unescape
from importlib.util import find_spec
from itertools import pairwise
from urllib.parse import parse_qs, unquote_plus

import pytest
from cases import CASES, written
from printed import POSTS_WIN

from exactdice.arithmetic import decimal, mpq
from exactdice.dice import d
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.games.risk.exact import win_probability
from exactdice.jobs.claims import CLAIMS
from exactdice.question.domains import OneOf, Text
from exactdice.report.model import (
    Grid,
    Provenance,
    Quantity,
    Report,
    Table,
    enclosed,
    exact,
    text_column,
    whole,
)
from exactdice.report.writers import Format, rendered_files
from exactdice.rooms import ROOMS, ask, classes, question, question_class
from exactdice.web.application import _schema, description
from exactdice.web.asking import address_of
from exactdice.web.forms import (
    address_for,
    canonical,
    example_of,
    fields_of,
    find,
    is_offered,
    offered,
    path_of,
    question_from,
)
from exactdice.web.pieces import bars, headline, law_in, percent, plain, reading, shown
from exactdice.web.play import advice
from exactdice.web.play.against import MATCHES

OFFERED = [asked for room in ROOMS for asked in offered(room)]

#: Questions of every room that are answered in an instant, one with an option and a list each.
SAMPLED = [
    "risk win 4 2", "risk campaign 12 3 2 1 --ties attacker", "risk table 6 5 --units fighting",
    "swe value 6", "swe advise 10 --score 8 --revenue 0,1,1,0,0 --round 6",
    "swe policies 4 --policy Promo --policy NewOnly --fixed",
    "reroll policy --dice 2 --penalty 1/2", "reroll value --dice 2 --bias 1/2,1/4,1/4",
    "farkle advise --roll 1,1,5 --left 3 --points 300",
    "farkle value --dice fair*2,1:1:1:1:1:5 --target 1000",
    "fatestones duel 111666,123456 114456,333336",
    "fatestones play --players best,equilibrium --seed 4", "fatestones count 3 4",
    "symbolic risk-round 3 2", "symbolic ehrhart 1,2,3 --count 9",
    "dice distribution '2d6 explode 2 times > d20'",
]  # fmt: skip


@pytest.mark.parametrize("asked", OFFERED, ids=lambda asked: asked.command)
def test_every_question_has_a_form_with_a_labelled_input_for_each_field(client, asked):
    got = client.get(path_of(asked))
    assert got.status_code == 200
    for parameter in asked.parameters():
        if not parameter.domain.is_file:
            assert f'id="f-{parameter.field}"' in got.text
            assert f'for="f-{parameter.field}"' in got.text or parameter.is_flag
    assert "<script>" not in got.text
    assert "style=" not in got.text
    chosen = {
        p.field
        for p in asked.parameters()
        if not p.is_many and (isinstance(p.domain, OneOf) or type(p.domain) is Text)
        if p.domain.words
    }
    assert {*re.findall(r'<select[^>]* id="f-(\w+)"', got.text)} == chosen


@pytest.mark.parametrize("text", SAMPLED)
def test_an_answer_is_the_commands_in_every_format(answered, client, text):
    asked = question(text)
    report = ask(asked)
    page = answered("/ask", params={"q": text})
    assert page.status_code == 200
    for quantity in report.quantities:
        value = quantity.value
        if type(value).__name__ == "mpq" and len(str(value)) < 40:
            assert f">{value}<" in page.text
    for form in Format:
        if form is Format.PARQUET and find_spec("pyarrow") is None:
            continue
        got = answered(canonical(asked, suffix=form.suffix))
        assert got.status_code == 200
        files = rendered_files(report, form, asked.command.replace(" ", "-"))
        expected = {name: text if isinstance(text, bytes) else text.encode()
                    for name, text in files.items()}  # fmt: skip
        if len(expected) == 1:
            assert [got.content] == list(expected.values())
        else:
            with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
                assert {name: archive.read(name) for name in archive.namelist()} == expected


@pytest.mark.parametrize("command", CASES)
def test_the_web_answers_each_case_as_python_does(answered, command):
    address = canonical(question(command), suffix=".json")
    assert answered(address).text == written(command)


def test_addresses_read_back_and_leave_out_what_is_not_said():
    for text in SAMPLED:
        asked = question(text)
        path, _, query = canonical(asked).partition("?")
        assert find(path.removeprefix("/ask/")) is type(asked)
        assert question_from(type(asked), parse_qs(query)) == asked


def test_what_a_form_sends_leads_to_the_one_address_of_page_json_and_digits(client, answered):
    got = client.get("/ask/risk/win?attackers=4&defenders=2&sides=&ties=defender&units=total")
    assert got.status_code == 303
    assert got.headers["location"] == "/ask/risk/win?attackers=4&defenders=2"
    got = client.get("/ask/risk/campaign?attackers=9&territories=3&territories=2+1")
    assert got.headers["location"] == "/ask/risk/campaign?attackers=9&territories=3+2+1"
    address = "/ask/risk/win?attackers=4&defenders=2"
    assert answered(address).headers["content-type"].startswith("text/html")  # is kept from now on
    got = client.get(address, headers={"accept": "application/json"})
    assert got.json()["value"] == POSTS_WIN
    got = answered(f"{address}&digits=30")
    assert "0.655953999803" in got.text
    assert re.search(r"0\.\d{30}<", got.text)


@pytest.mark.parametrize(("path", "given"), [
    ("risk/win", {"attackers": "1", "defenders": "2"}),
    ("risk/win", {"attackers": "4", "defenders": "two"}),
    ("risk/win", {"attackers": "4", "defenders": "2", "ties": "us"}),
    ("risk/win", {"attackers": "4", "defenders": "2", "stop_below": "1"}),
    ("swe/advise", {"rounds": "10", "revenue": "1,2"}),
    ("farkle/advise", {"roll": "1,7"}),
    ("dice/distribution", {"expression": "4d6 keep"}),
    ("fatestones/duel", {"row": "111111", "column": "123456"}),
])  # fmt: skip
def test_a_mistake_costs_the_commands_line_beside_the_field(client, path, given):
    asked = find(path)
    with pytest.raises(InputError) as problem:
        asked(**given)
    line, name = str(problem.value), problem.value.argument.replace("-", "_")
    got = client.get(f"/ask/{path}.json", params=given)
    assert (got.status_code, got.json()) == (422, {"error": line, "field": name})
    got = client.get(f"/ask/{path}", params=given)
    assert (got.status_code, unescape(got.text).count(line)) == (422, 1)
    if f'id="f-{name}"' in got.text:
        assert f'id="p-{name}"' in got.text


@pytest.mark.parametrize(("address", "status", "line"), [
    ("/ask/risk/win.json?attackers=4", 422, "defenders: got nothing; expected Defending units"),
    ("/ask/risk/win.json?attackers=4&defenders=2&speed=3", 422, "field: got 'speed'; expected one"),
    ("/ask/risk/win.json?attackers=4&attackers=5&defenders=2", 422, "attackers: got 2 values"),
    ("/ask/risk/win.json?attackers=4&defenders=2&digits=0", 422, "digits: got '0'; expected a"),
    ("/ask/risk/win.json?attackers=9000000&defenders=9000000", 422, "needs about"),
    ("/ask/risk/chess.json", 404, "/ask/risk/chess.json: there is no page"),
    ("/ask/model/solve.json?file=x.drn", 404, "there is no page at this address"),
    ("/ask/verify.json", 404, "there is no page at this address"),
    ("/ask/risk/win.chess.json?attackers=4&defenders=2", 404, "there is no page at this address"),
    ("/ask/farkle/value.json?rules=/etc/passwd", 422, "rules: got '/etc/passwd'; expected a value"),
    ("/ask/farkle/value.json?rules=setup.toml", 422, "not the name of a file"),
    ("/ask/book.json?name=rules.py", 422,
     "name: got 'rules.py'; expected a value, not the name of a file"),
    ("/ask/farkle/best.json?own=/etc/dice.txt", 422, "own: got '/etc/dice.txt'; expected a value"),
    ("/ask/fatestones/dice.json?write=/tmp/x.csv", 422, "field: got 'write'; expected one of"),
    ("/ask/fatestones/simulate.json?log=x.csv", 422, "field: got 'log'; expected one of"),
    ("/ask/fatestones/play.json?players=human,best", 422, "is interactive with these fields"),
    ("/ask.json", 404, "there is no page at this address"),
    ("/jobs/0123.json", 404, "there is no page at this address"),
])  # fmt: skip
def test_what_cannot_be_answered_is_refused_in_one_line(answered, address, status, line):
    got = answered(address)
    assert got.status_code == status
    assert line in got.json()["error"]
    assert "\n" not in got.json()["error"]


@pytest.mark.parametrize("address", [
    "/rooms/chess",
    "/rooms/verify",  # of which no question is asked here
    "/static/1/none.css",
    "/ask/risk/win.png",
])  # fmt: skip
def test_an_address_that_leads_nowhere_is_not_found(answered, address):
    got = answered(address)
    assert got.status_code == 404
    assert "there is no page at this address" in got.text


def test_files_are_neither_read_nor_run_for_a_browser(answered, tmp_path, client):
    rules = tmp_path / "rules.json"
    rules.write_text('{"name": "ones", "scores": {"1": 100}}')
    got = answered("/ask", {"q": f"farkle value --rules {rules}"})
    assert got.status_code == 422
    assert "not the name of a file" in got.text
    assert answered("/ask", {"q": f"model solve {rules}"}).status_code == 422
    rules, mark = tmp_path / "own.py", tmp_path / "mark"
    rules.write_text(f"open({str(mark)!r}, 'w').close()", encoding="utf-8")
    for asked in ("book", f"book {rules}", f"exactdice book '{rules}' --variant x"):
        got = client.get("/ask", params={"q": asked}, follow_redirects=True)
        assert ("not the name of a file" in got.text) == (str(rules) in asked)
    assert client.get("/ask/book", params={"name": str(rules)}).status_code == 422
    assert client.get("/ask/book/", params={"name": str(rules)}).status_code in (404, 422)
    assert not mark.exists()


@pytest.mark.parametrize(("written", "address"), [
    ("risk 12 8", "/play/risk?attackers=12&defenders=8"),
    ("115346 farkle", "/play/farkle?roll=1%2C1%2C5%2C3%2C4%2C6"),
    ("5 farkle", "/play/farkle?roll=5&left=1"), ("346 reroll", "/play/reroll?roll=346"),
    ("15", "/play/farkle?roll=1%2C5&left=2"),
    ("5", "/play/dice?expression=5"),  # one figure is no roll
    ("4d6 or 3d6 or 2d6", "/ask/dice/compare?expressions=4d6+vs+3d6+vs+2d6"),
    ("15 V. 2d20kh1", "/play/dice?expression=15&other=2d20kh1"),
    ("5d10>=8", "/play/dice?expression=5d10%3E%3D8"),  # whose page says what two programs mean
    ("roll d6", "/play/dice?expression=d6"), ("adv", "/play/dice?expression=adv"),
    ("dice chance", ""),
])  # fmt: skip
def test_words_of_a_table_lead_to_a_page_in_either_order(written, address):
    assert address_for(written) == address


def test_a_box_leads_to_a_page_with_python_and_its_number_or_to_what_may_be_meant(client, answered):
    assert client.get("/ask?q=").headers["location"] == "/"
    assert 'href="/ask/risk/win"' in answered("/ask?q=risk+wn").text
    got = answered("/ask?q=risk+win+1+2")  # the form, its field marked and what was typed kept
    assert got.status_code == 422
    assert 'id="p-attackers">attackers: got 1; expected' in got.text
    assert 'name="defenders" value="2"' in got.text
    assert client.get("/ask?q=Ur").headers["location"] == "/games/ur"
    got = answered("/ask?q=dice+distribution+'4d6kh3'")
    assert "exactdice dice distribution &#39;4d6 keep highest 3&#39;" in got.text
    assert "exactdice.ask(" in got.text
    got = answered("/ask/farkle/advise?roll=1,1,5,3,4,6&points=650&scores=3000,3800").text
    assert got.index('class="lead"') < got.index("<form")
    assert "bounds" in got  # a value between bounds is not said to be exact
    assert "<summary>exactly" not in got


@pytest.mark.parametrize(("text", "meant", "says"), [
    ("monopoli and yatzee", "/games/yahtzee", "neither dice nor a game"),
    ("4d6hk3", "/play/dice?expression=4d6kh3", "  4d6hk3\n     ^"),
    ("d6/2", "/play/dice?expression=d6%2F%2F2", "to divide and round down"),
    ("chess", "/ask?q=pig", "neither dice nor a game"),
    ("risc win 4 2", "/ask/risk/round?attackers=3&amp;defenders=2", "neither dice nor a game"),
])  # fmt: skip
def test_a_page_that_cannot_read_a_text_keeps_it_and_leads_on(answered, text, meant, says):
    got = answered("/ask", {"q": text})
    assert got.status_code == 422
    assert f'value="{text}"' in got.text
    assert says in got.text
    assert f'href="{meant}"' in got.text
    assert "claims, verify" not in got.text  # no list of commands


def test_help_lists_texts_that_all_have_an_answer(answered):
    got = answered("/ask?q=help")
    assert got.status_code == 200
    for text in re.findall(r'href="/ask\?q=([^"]+)"', got.text):
        assert address_for(unquote_plus(text)) or address_of(unquote_plus(text))


def test_a_law_is_drawn_beside_its_table_of_which_it_is_the_first_column(answered):
    got = answered("/ask/dice/distribution?expression=2d4")
    said = re.findall(r'data-is="([^"]+)"', got.text)
    # Of 16 rolls 1, 2, 3, 4, 3, 2, 1 have the sums 2 to 8.
    assert [line.split(": ")[0] for line in said] == list("2345678")
    assert [line.split(": ")[1] for line in said][:4] == ["6.25 %", "12.50 %", "18.75 %", "25.00 %"]
    assert "data-chart" not in answered("/ask/risk/win?attackers=4&defenders=2").text
    assert answered("/ask/risk/win.svg?attackers=4&defenders=2").status_code == 404
    table = ask("dice distribution 'd4'").table("outcomes")
    assert law_in(table) == {n: mpq(1, 4) for n in range(1, 5)}
    assert law_in(table, "at_least") == {n: mpq(5 - n, 4) for n in range(1, 5)}


def test_a_certificate_stands_beside_the_answer_that_it_belongs_to(answered, client):
    assert "/certificates/risk.four-against-two.json" in answered("/ask?q=risk+win+4+2").text
    shown = [claim for claim in CLAIMS if claim.shown_by]
    assert {claim.game for claim in shown} == {*GAMES, "book"}
    for claim in shown:
        for text in claim.shown_by:
            assert str(question(text)) == text
            assert is_offered(type(question(text))), text
        assert client.get(f"/certificates/{claim.id}.json").json()["claim"] == claim.id
    assert client.get("/certificates/risk.limit.json").status_code == 404
    assert client.get("/certificates/..%2F..%2FREADME.json").status_code == 404


def test_what_is_offered_is_described_by_openapi_and_neither_reads_nor_writes_files(client):
    described = client.get("/openapi.json").json()
    assert described == json.loads(json.dumps(description()))
    assert described["openapi"].startswith("3.1")
    paths = {f"{path_of(asked)}.json" for asked in OFFERED}
    assert paths == {path for path in described["paths"] if path.startswith("/ask")}
    names = [op["get"]["operationId"] for p, op in described["paths"].items() if "/ask" in p]
    assert len(set(names)) == len(names)
    for asked in OFFERED:
        listed = described["paths"][f"{path_of(asked)}.json"]["get"]["parameters"]
        fields = {p.field for p in asked.parameters() if not p.domain.is_file}
        assert {one["name"] for one in listed} == fields
        example = {one["name"]: one["example"] for one in listed if "example" in one}
        again = question_from(asked, {k: [v] for k, v in example.items()})
        assert str(again) == str(question(asked.example))
        flags = [one for one in listed if one["schema"].get("type") == "boolean"]
        unset = {field.name: field.default for field in dataclasses.fields(asked)}
        assert all(flag["schema"]["default"] == unset[flag["name"]] for flag in flags)
    kept = [asked.command for room in ROOMS for asked in classes(room) if not is_offered(asked)]
    asking = ["swe play", "reroll play", "farkle play"]  # a person is asked
    assert kept == [*asking, "model solve", "model convert", "model export", "certify", "verify"]


# Measures of the picture: it is 640 wide and 256 high; 30 are left beside the bars for the marks,
# 40 below them for the outcomes and their title, and 20 above.
LEFT, RIGHT, BOTTOM, HIGH = 30, 640, 216, 196


def law_of(distribution):
    return dict(distribution.probabilities())


def drawn(*laws):
    return bars(laws, lambda kind, outcome: f"{kind} {outcome}", "label", "caption")


LAWS = {
    "a coin": [{"heads": mpq(1, 2), "tails": mpq(1, 2)}], "two dice": [law_of(2 @ d(6))],
    "ten dice": [law_of(10 @ d(6))], "a rare one": [{0: mpq(999, 1000), 1: mpq(1, 1000)}],
    "rare ones": [{0: mpq(1, 10**6), 1: mpq(3, 10**6)}], "one of 60": [law_of(d(60))],
    "one of 61": [law_of(d(61))], "one of many": [law_of(d(300))],
    "beside each other": [law_of(3 @ d(4)), law_of(d(12))],
    "apart": [{-2: mpq(1, 4), -1: mpq(1, 4)}, {1: mpq(1, 8), 2: mpq(3, 8)}],
    "in no order": [{3: mpq(1, 6), 1: mpq(1, 3), 2: mpq(1, 2)}], "sure": [{7: mpq(1)}],
}  # fmt: skip


@pytest.mark.parametrize("laws", LAWS.values(), ids=LAWS)
def test_bars_are_as_high_as_chances_by_the_marks_beside_them(laws):
    chart = drawn(*laws)
    assert (chart["width"], chart["height"]) == (640, 256)
    assert (chart["label"], chart["caption"]) == ("label", "caption")
    most = max(chance for law in laws for chance in law.values()) * 100
    marks = [(mpq(y), mpq(words), share) for y, words, share in chart["marks"]]
    shares = [mpq(share.removesuffix(" %") or 0) for *_, share in marks]
    # Lines at equal steps from nothing on, the last the first that no bar passes.
    step = shares[1]
    assert shares == [n * step for n in range(len(shares))]
    assert shares[-2] < most <= shares[-1]
    assert len(shares) <= 6  # five steps at most, of 1, 2 or 5 times a power of ten
    assert {c for c in decimal(step, 8) if c not in "0."} <= {"1", "2", "5"}
    smaller = step * (mpq(2, 5) if "5" in decimal(step, 8) else mpq(1, 2))
    assert 5 * smaller < most  # which would take more than five
    for (y, words, _), share in zip(marks, shares, strict=True):
        assert abs(y - (BOTTOM - share / shares[-1] * HIGH)) <= mpq(1, 20)
        assert y - words == 3
    outcomes = list(dict.fromkeys(outcome for law in laws for outcome in law))
    if isinstance(outcomes[0], int):
        outcomes.sort()
    room = mpq(RIGHT - LEFT, len(outcomes))
    pairs = ((kind, law, one) for one in outcomes for kind, law in enumerate(laws) if one in law)
    expected = [(kind, one, law[one]) for kind, law, one in pairs]
    assert [bar.says for bar in chart["bars"]] == [f"{kind} {one}" for kind, one, _ in expected]
    for bar, (kind, outcome, chance) in zip(chart["bars"], expected, strict=True):
        height = chance * 100 / shares[-1] * HIGH
        x = LEFT + outcomes.index(outcome) * room
        assert bar.kind == kind
        assert abs(mpq(bar.height) - height) <= mpq(1, 20)
        assert abs(mpq(bar.y) + height - BOTTOM) <= mpq(1, 10)
        assert x - mpq(1, 20) <= mpq(bar.x)
        assert mpq(bar.x) + mpq(bar.width) <= x + room + mpq(1, 10)
    for before, after in pairwise(chart["bars"]):
        assert mpq(before.x) + mpq(before.width) <= mpq(after.x) + mpq(1, 10)
    # Of a law alone, and where laws share no outcome, a bar takes its room, less a tenth or none.
    shared = len(laws) if sum(map(len, laws)) > len(outcomes) else 1
    part = mpq(9 if len(outcomes) <= 60 else 10, 10)
    assert abs(mpq(chart["bars"][0].width) - room * part / shared) <= mpq(1, 20)
    words = [word for _, word in chart["words"]]
    if len(words) < len(outcomes) and all(isinstance(one, int) for one in outcomes):
        every = int(words[1]) - int(words[0])
        assert every in (2, 5, 10, 20, 25, 50, 100)  # round numbers
        assert words == [str(one) for one in outcomes if one % every == 0]
    else:
        every = outcomes.index(type(outcomes[0])(words[1])) if len(words) > 1 else 1
        assert words == [str(one) for one in outcomes[::every]]
    assert len(words) <= 10
    for x, word in chart["words"]:
        at = [str(one) for one in outcomes].index(word)
        assert abs(mpq(x) - (LEFT + (at + mpq(1, 2)) * room)) <= mpq(1, 20)


@pytest.mark.parametrize(("letters", "shown"), [(2, 10), (3, 5), (6, 5), (8, 4), (12, 3), (25, 1)])
def test_of_longer_names_fewer_stand_below_the_bars(letters, shown):
    # Of ten bars at most ten are named, and no more than 24 letters before the last name: all of
    # 2 letters; every second of 3 to 6, as nine do not fit equally far apart; every third of 8.
    law = {f"{n:0{letters}}": mpq(1, 10) for n in range(10)}
    assert len(drawn(law)["words"]) == shown


@pytest.mark.parametrize("many", [100, 101, 400, 401])
def test_ends_that_are_hardly_likely_are_left_out_of_many_outcomes(many):
    law = {n: mpq(1, many) for n in range(many)}
    chart = drawn(law)
    assert chart is None if many == 401 else len(chart["bars"]) == many
    # One in a thousand of the likeliest is shown, less is not; what lies between them is.
    chart = drawn(law | {-1: mpq(1, 1001 * many), many: mpq(1, 1000 * many), 50: mpq(1, 10**9)})
    said = [f"0 {n}" for n in range(many + 1)]
    assert chart is None if many >= 400 else [bar.says for bar in chart["bars"]] == said


def test_outcomes_and_laws_of_dice_are_told_as_people_write_them():
    outcomes = (True, False, mpq(4, 2), mpq(1, 2), "red", (1, 2), 7)
    assert [plain(one) for one in outcomes] == ["yes", "no", 2, "1/2", "red", "(1, 2)", 7]
    assert reading("red", {"red": mpq(1, 8)}) == "red: 12.50 %"
    law = ask("dice distribution 2d6")
    # 35/6 is the variance of two dice, 2.4152294577 its root.
    facts = {"mean": "7", "variance": "5.83333", "standard deviation": "2.41523", "median": "7"}
    assert advice._law_facts(law) == [*facts.items()]
    rows = advice._outcomes([law], ["2d6"])["rows"]
    assert rows[0] == (2, ["2.78 %", "100 %", "2.78 %"], ["1/36"])
    assert rows[5] == (7, ["16.67 %", "58.33 %", "58.33 %"], ["1/6"])  # 6, 21 and 21 of 36
    assert len(rows) == 11
    assert headline(law) == ("7", "on average with 2d6", "7")
    chance = ask("dice distribution 'd6 > 2'")
    assert advice._law_facts(chance) == [("probability", "66.7 %")]
    assert headline(chance).big == "66.7 %"


def test_bars_say_of_which_dice_they_are_and_a_line_goes_up_before_one():
    one, other = ask("dice distribution d2"), ask("dice distribution d4")
    says = [bar.says for bar in advice._chart([one], "at least", ["d2", ""])["bars"]]
    assert says == ["at least 1: 100 %", "at least 2: 50.00 %"]
    says = [bar.says for bar in advice._chart([one, other], "exactly", ["d2", "d4"])["bars"]]
    assert says[:4] == ["d2: 1: 50.00 %", "d4: 1: 25.00 %", "d2: 2: 50.00 %", "d4: 2: 25.00 %"]
    assert len(says) == 6
    label = advice._chart([one, other], "at most", ["d2", "d4"])["label"]
    assert label == "Chances of d2 and d4, at most; arrow keys select bars"
    law = law_of(d(10))
    for place, outcome in enumerate(range(1, 11)):
        picture = bars([law], lambda _, shown: str(shown), "label", line=outcome)
        assert picture["line"] == decimal(LEFT + mpq(RIGHT - LEFT, 10) * place, 1)
    assert not bars([law], lambda _, shown: str(shown), "label", line=11)["line"]


def test_pages_of_risk_draw_who_is_left_odds_and_territories():
    battle = ask("risk survivors 5 4")
    chart = advice._left(battle)
    rows = battle.table("outcomes").rows
    held = [(d, p) for _, d, p in sorted(rows, key=lambda row: -row[1]) if d]
    won = [(a, p) for a, d, p in sorted(rows) if not d]
    says = [f"{d} defenders left: {percent(p, 2)}" for d, p in held]
    says += [f"{a} attackers left: {percent(p, 2)}" for a, p in won]
    assert [bar.says for bar in chart["bars"]] == says
    assert [bar.kind for bar in chart["bars"]] == [0] * len(held) + [1] * len(won)
    rows = advice._odds(ask("risk table 9 12"), 8, 5)
    assert [a for a, _ in rows] == list(range(9, 1, -1))
    for a, cells in rows:
        for n, cell in enumerate(cells, start=1):
            share = win_probability(a, n) * 100
            words = "<1" if share < 1 else ">99" if share > 99 else str(int(share))
            assert cell == {"percent": words, "shade": int(share / 5), "here": (a, n) == (8, 5)}
    campaign = ask("risk campaign 9 3 2 1")
    shown = advice._campaign(campaign)
    law = {int(n): p for n, p in campaign.table("territories").rows}
    says = [f"{n} taken: {percent(law[n], 2)}" for n in sorted(law)]
    assert [bar.says for bar in shown["chart"]["bars"]] == says
    said = "9 attackers (8 fight) take territories of 3, 2, 1, one after another"
    assert shown["headline"].sentence == said
    assert shown["headline"].big == percent(campaign.value("value"))


@pytest.mark.parametrize(("game", "result", "words"), [
    ("reroll", mpq(21, 2), "You have 21/2 points"),
    ("pig-20", 1, "You have won"),
    ("pig-20", -1, "You have lost"),
    ("pig-20", 0, "Nobody has won"),
    ("fatestones", 2, "You won 2 more duels than the opponent"),
    ("fatestones", -1, "You won 1 fewer duels than the opponent"),
    ("fatestones", 0, "You won as many duels as the opponent"),
])  # fmt: skip
def test_an_end_is_told_in_words(game, result, words):
    assert MATCHES[game].end(mpq(result)) == words


def test_fields_of_a_form_show_bounds_defaults_and_examples(client, answered):
    fields = {field.name: field for field in fields_of(question_class("risk win"), {})}
    assert list(fields)[:2] == ["attackers", "defenders"]
    attackers, sides = fields["attackers"], fields["attacker_dice"]
    assert (attackers.is_required, attackers.numeric, attackers.kind) == (True, True, "text")
    example = example_of(question_class("risk win"))["attackers"]
    assert attackers.hint.endswith(f"for example {example}")
    assert "if left empty" not in attackers.hint
    assert (sides.is_required, sides.label) == (False, "attacker dice")
    assert "default: 3" in sides.hint
    assert "for example" not in sides.hint
    units = fields["units"]
    assert (units.kind, units.value, set(units.words)) == ("choice", "total", {"total", "fighting"})
    wrong = {"attackers": ["x"]}, "attackers", "attackers: wrong"
    entered = fields_of(question_class("risk win"), *wrong)
    said = [(field.value, field.problem) for field in entered[:2]]
    assert said == [("x", "attackers: wrong"), ("", "")]
    given = fields_of(question_class("risk campaign"), {"territories": ["3", "2 1"]})
    (territories,) = (field for field in given if field.name == "territories")
    assert (territories.value, territories.kind, territories.numeric) == ("3 2 1", "text", False)
    assert "several, separated by spaces" in territories.hint
    of_play = fields_of(question_class("fatestones play"), {})
    (seed,) = (field for field in of_play if field.name == "seed")
    assert "random if empty" in seed.hint
    assert seed.value == ""
    hints = {field.name: field.hint for field in fields_of(type(question("farkle value")), {})}
    assert hints["points"] == "default: 0; for example 450"  # as `farkle value --help`
    assert hints["no_hot_dice"] == hints["minimum_bank"] == ""
    got = answered("/ask/fatestones/play.json?seed=4")
    named = answered("/ask/fatestones/play.json?seed=4&players=best,equilibrium")
    assert got.json() == named.json()
    assert "human" not in client.get("/ask/fatestones/play").text


LAW = Table("faces", "A die", [whole("face", "face"), exact("probability", "its chance")],
            [(1, mpq(1, 3)), (2, mpq(2, 3))])  # fmt: skip


def test_a_page_shows_quantities_and_tables_with_numbers_before_fractions():
    """As the words of `HtmlTable` say: the decimal first, the fraction where it is another."""
    report = Report(
        "Two dice",
        [Quantity(exact("value", "how many"), mpq(1, 3)), Quantity(whole("n", "rolls"), 7),
         Quantity(exact("sure", "all of it", "dice"), mpq(2)),
         Quantity(text_column("who", "who rolls"), "me"),
         Quantity(enclosed("about", "about"), Enclosure(mpq(1, 4), mpq(1, 2)))],
        [LAW, Table("two", "Two numbers", [text_column("who", "who"), exact("a", "a"),
                                           exact("b", "what b is", heading="B")],
                    [("me", mpq(1, 2), mpq(7, 3))])],
        Provenance("exactdice two", conventions={"ties": "none"}),
        "it failed",
    )  # fmt: skip
    page = shown(report, 3)
    assert (page.title, page.failure) == ("Two dice", "it failed")
    assert (page.big, page.meaning, page.exact) == headline(report)
    assert [name for name, _ in page.facts] == ["producer", "ties"]  # the command is beside it
    quantities, faces, two = page.tables
    assert quantities.headings == ["quantity", "value", "exactly"]
    assert (quantities.name, quantities.sides, quantities.left) == ("quantities", "lrr", 0)
    assert quantities.rows == [
        [("how many", ""), ("0.333", ""), ("1/3", "0.333")],
        [("rolls", ""), ("7", ""), ("", "")],
        [("all of it [dice]", ""), ("2", ""), ("", "2")],
        [("who rolls", ""), ("me", ""), ("", "")],
        [("about", ""), ("0.38 ± 0.13", "0.38"), ("", "")],
    ]
    assert (faces.name, faces.title, faces.left) == ("faces", "A die", 0)
    assert (faces.headings, faces.sides) == (["face", "probability", "exactly"], "rrr")
    assert faces.rows == [
        [("1", ""), ("0.333", ""), ("1/3", "0.333")],
        [("2", ""), ("0.667", ""), ("2/3", "0.667")],
    ]
    assert faces.legend == ("probability: its chance",)  # a face is a face
    assert (two.headings, two.sides) == (["who", "a", "B", "a exactly", "B exactly"], "lrrrr")
    row = [("me", ""), ("0.500", ""), ("2.33", ""), ("1/2", "0.500"), ("7/3", "2.33")]
    assert (two.rows, two.legend) == ([row], ("B: what b is",))
    assert page.chart == bars([law_in(LAW)], lambda _, face: reading(face, law_in(LAW)), "A die",
                              axes=("face", "probability"))  # fmt: skip
    of_dice = ask("dice distribution d4")  # its table has more columns
    law = law_in(of_dice.table("outcomes"))
    axes = ("outcome", "probability")
    drawn = bars([law], lambda _, of: reading(of, law), of_dice.table("outcomes").title, axes=axes)
    assert shown(of_dice, 3).chart == drawn
    for length, is_whole in ((48, True), (49, False)):
        third = mpq(1, 3 * 10 ** (length - 3))  # so many characters long
        (table, *_) = shown(Report("One", [Quantity(exact("n", "n"), third)]), 3).tables
        assert (table.rows[0][2][0] == str(third)) == is_whole
    (alone,) = shown(Report("One", [Quantity(whole("n", "rolls"), 7)]), 3).tables
    assert (alone.headings, alone.sides) == (["quantity", "value"], "lr")
    assert alone.rows == [[("rolls", ""), ("7", "")]]
    plain = replace(LAW, columns=[LAW.columns[0], exact("chance", "its chance")])
    page = shown(Report("One", [], [plain]), 3)  # no law by its name
    assert (page.chart, page.big, len(page.tables)) == (None, "", 1)


@pytest.mark.parametrize("many", [99, 100, 101, 1000, 1001])
def test_a_page_shows_a_hundred_rows_and_maps_of_a_thousand_cells(many):
    """The map has a row for each ten, and shades of twentieths."""
    rows = [(n // 10, n % 10, mpq(n, 1001)) for n in range(many)]
    columns = [whole("tens", "t"), whole("ones", "o"), exact("p", "p")]
    table = Table("all", "All", columns, rows, Grid("tens", "ones", "p"))
    *maps, listed = shown(Report("Many", [], [table]), 5).tables
    assert (len(listed.rows), listed.left) == (min(many, 100), max(0, many - 100))
    assert len(maps) == (many <= 1000)
    for drawn in maps:
        assert (drawn.name, drawn.title, drawn.sides) == ("", "All, as a grid", "r" * 11)
        assert drawn.headings == ["tens \\ ones", *map(str, range(10))]
        cells = [cell for row in drawn.rows for cell in row[1:]][:many]
        assert [words for words, _ in cells] == [decimal(p, 4) for *_, p in rows]
        assert [mark for _, mark in cells] == [f"s{int(20 * mpq(words))}" for words, _ in cells]
        assert [row[0] for row in drawn.rows] == [(str(n), "") for n in range(len(drawn.rows))]
    (alone, *_) = shown(Report("Many", [], [replace(table, grid=None)]), 5).tables
    assert not alone.title.endswith("grid")


@pytest.mark.parametrize(("column", "value", "expected"), [
    (exact("p", "chance to win"), mpq(1, 3), ("33.3 %", "chance to win", "1/3")),
    (exact("p", "probability of it"), mpq(1), ("100 %", "probability of it", "1")),
    (exact("p", "chance, as an edge"), mpq(-1, 2), ("-0.5", "chance, as an edge", "-1/2")),
    (exact("p", "chances added"), mpq(3, 2), ("1.5", "chances added", "3/2")),
    (exact("p", "worth", "points"), mpq(40, 3), ("13.3333", "worth, in points", "40/3")),
    (exact("p", "chance to tie"), mpq(0), ("0 %", "chance to tie", "0")),
    (enclosed("p", "chance to tie"), Enclosure(mpq(1, 4), mpq(1, 2)),
     ("37.5 %", "chance to tie", "0.38 ± 0.13")),
    (enclosed("p", "chance to tie"), Enclosure(mpq(-1), mpq(1)), ("0", "chance to tie", "0 ± 1.0")),
    (enclosed("p", "chances"), Enclosure(mpq(0), mpq(3)), ("1.5", "chances", "1.5 ± 1.5")),
])  # fmt: skip
def test_the_first_number_of_an_answer_is_its_headline(column, value, expected):
    before = [Quantity(whole("n", "chance"), 1), Quantity(exact("none", "chance"), None)]
    after = [Quantity(exact("q", "chance"), mpq(1, 7))]
    assert headline(Report("A die", [*before, Quantity(column, value), *after])) == expected
    assert headline(Report("A die", before)) == ("", "", "")


def test_the_schema_of_a_field_takes_what_the_field_takes():
    """Each bound, word and default of a schema is held against the domain that reads it."""
    kinds, every = set(), (asked for room in ROOMS for asked in offered(room))
    for asked, field in ((a, f) for a in every for f in a.parameters() if not f.domain.is_file):
        schema = _schema(field)
        kinds.add(schema["type"])
        read = field.domain.read
        if field.is_many:
            assert schema == {"type": "string", "description": "several, separated by spaces"}
            continue
        if field.is_flag:
            assert schema == {"type": "boolean", "default": field.default}
            continue
        default = schema.get("default")
        assert (default is None) == (field.default is None or field.is_drawn), asked.command
        assert default is None or read(default, "it") == field.default
        for word in schema.get("enum", ()):
            assert str(read(word, "it")) == word
        if "enum" in schema:
            with pytest.raises(InputError):
                read("another", "it")
        elif field.domain.words:  # beside which a file of rules, or a name of the book, is read
            assert type(field.domain) not in (OneOf, Text)
        assert (schema["type"] == "integer") == (field.domain.metavar == "N")
        for name, step in (("minimum", -1), ("maximum", 1)):
            if name in schema:
                assert read(schema[name], "it") == schema[name]
                with pytest.raises(InputError):
                    read(schema[name] + step, "it")
        if schema["type"] == "integer":
            assert "minimum" in schema
            assert ("maximum" in schema) == (field.domain.most is not None)
            assert type(default) in (int, type(None))
    assert kinds == {"string", "integer", "boolean"}
