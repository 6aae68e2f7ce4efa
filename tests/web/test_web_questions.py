"""Every question in a browser: its form, its answer, which is the command's, and its errors."""

import dataclasses
import io
import json
import re
import zipfile
from html import unescape
from importlib.util import find_spec
from urllib.parse import parse_qs

import pytest
from cases import CASES, written

from exactdice.errors import InputError
from exactdice.games import GAMES
from exactdice.jobs.claims import CLAIMS
from exactdice.question.domains import OneOf, Text
from exactdice.report.writers import Format, rendered_files
from exactdice.rooms import ROOMS, ask, classes, question
from exactdice.studies.risk.sources import POSTS_WIN
from exactdice.web.application import description
from exactdice.web.forms import (
    address_for,
    canonical,
    fields_of,
    find,
    is_offered,
    offered,
    path_of,
    question_from,
)

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


def test_forms_say_the_default_and_ask_nobody_who_is_left_out(client, answered):
    hints = {field.name: field.hint for field in fields_of(type(question("farkle value")), {})}
    assert hints["points"] == "default: 0; for example 450"  # as `farkle value --help`
    assert hints["no_hot_dice"] == hints["minimum_bank"] == ""
    got = answered("/ask/fatestones/play.json?seed=4")
    named = answered("/ask/fatestones/play.json?seed=4&players=best,equilibrium")
    assert got.json() == named.json()
    assert "human" not in client.get("/ask/fatestones/play").text


def test_what_is_not_offered_reads_or_writes_files():
    kept = [asked.command for room in ROOMS for asked in classes(room) if not is_offered(asked)]
    assert kept == [
        *("swe play", "reroll play", "farkle play"),  # a person is asked
        *("model solve", "model convert", "model export", "certify", "verify"),
    ]


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


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("risk/win", {"attackers": "1", "defenders": "2"}),
        ("risk/win", {"attackers": "4", "defenders": "two"}),
        ("risk/win", {"attackers": "4", "defenders": "2", "ties": "us"}),
        ("risk/win", {"attackers": "4", "defenders": "2", "stop_below": "1"}),
        ("swe/advise", {"rounds": "10", "revenue": "1,2"}),
        ("farkle/advise", {"roll": "1,7"}),
        ("dice/law", {"expression": "4d6 keep"}),
        ("fatestones/duel", {"row": "111111", "column": "123456"}),
    ],
)
def test_a_mistake_costs_the_commands_line_beside_the_field(client, path, given):
    asked = find(path)
    with pytest.raises(InputError) as problem:
        asked(**given)
    line, name = str(problem.value), problem.value.argument.replace("-", "_")
    got = client.get(f"/ask/{path}.json", params=given)
    assert (got.status_code, got.json()) == (422, {"error": line, "field": name})
    got = client.get(f"/ask/{path}", params=given)
    assert got.status_code == 422
    assert unescape(got.text).count(line) == 1
    if f'id="f-{name}"' in got.text:
        assert f'id="p-{name}"' in got.text


@pytest.mark.parametrize(
    ("address", "status", "line"),
    [
        ("/ask/risk/win.json?attackers=4", 422, "defenders: got nothing; expected Defending units"),
        ("/ask/risk/win.json?attackers=4&defenders=2&speed=3", 422,
         "field: got 'speed'; expected one"),
        ("/ask/risk/win.json?attackers=4&attackers=5&defenders=2", 422, "attackers: got 2 values"),
        ("/ask/risk/win.json?attackers=4&defenders=2&digits=0", 422, "digits: got '0'; expected a"),
        ("/ask/risk/win.json?attackers=9000000&defenders=9000000", 422, "needs about"),
        ("/ask/risk/chess.json", 404, "/ask/risk/chess.json: there is no page"),
        ("/ask/model/solve.json?file=x.drn", 404, "there is no page at this address"),
        ("/ask/verify.json", 404, "there is no page at this address"),
        ("/ask/risk/win.chess.json?attackers=4&defenders=2", 404,
         "there is no page at this address"),
        ("/ask/farkle/value.json?rules=/etc/passwd", 422,
         "rules: got '/etc/passwd'; expected a value"),
        ("/ask/farkle/value.json?rules=setup.toml", 422, "not the name of a file"),
        ("/ask/book.json?name=rules.py", 422,
         "name: got 'rules.py'; expected a value, not the name of a file"),
        ("/ask/farkle/best.json?own=/etc/dice.txt", 422,
         "own: got '/etc/dice.txt'; expected a value"),
        ("/ask/fatestones/dice.json?write=/tmp/x.csv", 422, "field: got 'write'; expected one of"),
        ("/ask/fatestones/simulate.json?log=x.csv", 422, "field: got 'log'; expected one of"),
        ("/ask/fatestones/play.json?players=human,best", 422, "is interactive with these fields"),
        ("/ask.json", 404, "there is no page at this address"),
        ("/jobs/0123.json", 404, "there is no page at this address"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused_in_one_line(answered, address, status, line):
    got = answered(address)
    assert got.status_code == status
    assert line in got.json()["error"]
    assert "\n" not in got.json()["error"]


@pytest.mark.parametrize(
    "address",
    [
        "/rooms/chess",
        "/rooms/verify",  # of which no question is asked here
        "/static/1/none.css",
        "/ask/farkle/rules.png",  # which has no number that could stand first
    ],
)
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


def test_a_page_gives_the_question_in_python_and_its_number_before_the_form(answered):
    got = answered("/ask?q=dice+law+'4d6kh3'")
    assert "exactdice dice distribution &#39;4d6 keep highest 3&#39;" in got.text
    assert "exactdice.ask(" in got.text
    got = answered("/ask/farkle/advise?roll=1,1,5,3,4,6&points=650&scores=3000,3800").text
    assert got.index('class="lead"') < got.index("<form")
    assert "bounds" in got  # a value between bounds is not said to be exact
    assert "<summary>exactly" not in got


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("risk 12 8", "/play/risk?attackers=12&defenders=8"),
        ("115346 farkle", "/play/farkle?roll=1%2C1%2C5%2C3%2C4%2C6"),
        ("5 farkle", "/play/farkle?roll=5&left=1"), ("346 reroll", "/play/reroll?roll=346"),
        ("15", "/play/farkle?roll=1%2C5&left=2"),
        ("5", "/play/dice?expression=5"),  # one figure is no roll
        ("4d6 or 3d6 or 2d6", ""), ("15 V. 2d20kh1", "/play/dice?expression=15&other=2d20kh1"),
        ("5d10>=8", "/play/dice?expression=5d10%3E%3D8"),  # whose page says what two programs mean
        ("roll d6", "/play/dice?expression=roll+d6"), ("adv", "/play/dice?expression=adv"),
        ("dice chance", ""),
    ],
)  # fmt: skip
def test_words_of_a_table_lead_to_a_page_in_either_order(written, address):
    assert address_for(written) == address


def test_what_is_no_question_leads_to_what_may_be_meant(client, answered):
    assert client.get("/ask?q=").headers["location"] == "/"
    assert 'href="/ask/risk/win"' in answered("/ask?q=risk+wn").text
    got = answered("/ask?q=risk+win+1+2")  # the form, its field marked and what was typed kept
    assert got.status_code == 422
    assert 'id="p-attackers">attackers: got 1; expected' in got.text
    assert 'name="defenders" value="2"' in got.text
    assert client.get("/ask?q=Ur").headers["location"] == "/ask/book?name=ur"


def test_a_law_is_drawn_beside_its_table_each_bar_with_its_chance(answered):
    got = answered("/ask/dice/law?expression=2d4")
    said = re.findall(r'data-is="([^"]+)"', got.text)
    # Of 16 rolls 1, 2, 3, 4, 3, 2, 1 have the sums 2 to 8.
    assert [line.split(": ")[0] for line in said] == list("2345678")
    assert [line.split(": ")[1] for line in said][:4] == ["6.25 %", "12.50 %", "18.75 %", "25.00 %"]
    assert "data-chart" not in answered("/ask/risk/win?attackers=4&defenders=2").text
    assert answered("/ask/risk/win.svg?attackers=4&defenders=2").status_code == 404


def test_a_certificate_stands_beside_the_answer_that_it_belongs_to(answered, client):
    assert "/certificates/risk.four-against-two.json" in answered("/ask?q=risk+win+4+2").text
    shown = [claim for claim in CLAIMS if claim.shown_by]
    assert {claim.game for claim in shown} == set(GAMES)
    for claim in shown:
        for text in claim.shown_by:
            assert str(question(text)) == text
            assert is_offered(type(question(text))), text
        assert client.get(f"/certificates/{claim.id}.json").json()["claim"] == claim.id
    assert client.get("/certificates/risk.limit.json").status_code == 404
    assert client.get("/certificates/..%2F..%2FREADME.json").status_code == 404


def test_openapi_describes_each_question_that_is_offered(client):
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
        assert str(question_from(asked, {k: [v] for k, v in example.items()})) == str(
            question(asked.example)
        )
        flags = [one for one in listed if one["schema"].get("type") == "boolean"]
        unset = {field.name: field.default for field in dataclasses.fields(asked)}
        assert all(flag["schema"]["default"] == unset[flag["name"]] for flag in flags)
