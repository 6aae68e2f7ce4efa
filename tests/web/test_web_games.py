"""Pages of the games of the book: what they declare, and the numbers that they show."""

import re
import runpy
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdice.book import PAGES, load
from exactdice.book.questions import read_state
from exactdice.book.shelf import choices_in_words, names, pictures, shelf, stored
from exactdice.enclosure import percent
from exactdice.models import Game
from exactdice.rooms import ask
from exactdice.web.play import PLAY
from exactdice.web.play.against import MATCHES
from exactdice.web.play.games import board_of, cards, state_of


def fields(page):
    """The board as it is sent: the contents of its fields, and the tiles that are open."""
    form = page.text.partition('id="board"')[2].partition("</form>")[0]
    sent = re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', form)
    tiles = re.findall(r'type="checkbox" name="(\w+)" value="([^"]*)"( checked)?', form)
    given = {name: [value] for name, value in sent}
    for name, *_ in tiles:
        given[name] = [value for other, value, is_open in tiles if other == name and is_open]
    chosen = re.findall(r'<select[^>]*name="(\w+)".*?<option value="([^"]*)" selected', form, re.S)
    return given | {name: [value] for name, value in chosen}


def test_entries_belong_to_pages_variants_and_games_that_exist():
    assert all(entry.get("rules") for entry in shelf().values())
    for name, entry in shelf().items():
        assert len(entry["rules"]) <= 5
        assert entry.get("play", "pig") in MATCHES
        assert entry.get("page", "/play/risk") in {page.path for page in PLAY}
        for begin in entry.get("board", {}).get("variants", ()):
            assert any(variant.startswith(begin) for variant in PAGES[name].variants)
    for page, *variant in names().values():
        assert not variant or variant[1] in PAGES[page].variants


@pytest.mark.parametrize("name", PAGES)
def test_every_game_has_a_page_with_its_value_and_rules_before_anything_is_computed(client, name):
    got = client.get(f"/games/{name}")
    assert got.status_code == 200
    page, variant = PAGES[name], PAGES[name].variant()
    (card,) = [card for card in cards() if card["title"] == page.title]
    assert f"<strong>{card['big']}</strong>" in got.text  # the value of the first variant
    assert variant.rules in unescape(got.text)
    assert all(rule in unescape(got.text) for rule in shelf()[name]["rules"])
    assert "year = {20" in got.text
    shown = re.sub(r"<(script|pre|code)\b.*?</\1>|<[^>]*>", "", got.text, flags=re.S)
    assert "((" not in shown  # no tuple


def test_the_first_page_has_a_shelf_of_all_games(answered):
    got = unescape(answered("/").text)
    for card in cards():
        assert f'<a href="{card["address"]}">' in got
        assert card["title"] in got
    # 0.5306 of Neller and Presser 2004, 254.5896 of Verhoeff 1999, 244/495 of textbooks
    assert all(f"<strong>{big}</strong>" in got for big in ("53.06 %", "254.59", "49.29 %"))


@pytest.mark.parametrize("name", [name for name, entry in shelf().items() if "board" in entry])
def test_the_first_state_of_a_board_can_be_read_by_the_rules(name):
    board = shelf()[name]["board"]
    variant = next(v for n, v in PAGES[name].variants.items() if n.startswith(board["variants"][0]))
    fields = board_of({}, board, board["variants"][0])
    if not isinstance(variant.game(), Game):
        return  # its states are names, of which the picture has some
    read_state(variant, state_of(board, fields))


def test_a_board_is_filled_in_and_the_best_choice_is_that_of_the_book(answered):
    state = {"look": "1", "tiles": ["1", "3", "5", "6", "8"], "roll": "9", "rival": "-1"}
    got = answered("/games/shut-the-box", state)
    assert fields(got)["tiles"] == state["tiles"]
    advice = ask("book shut-the-box --state '((1, 3, 5, 6, 8), 9, -1)'")
    rows = [
        (re.sub(r"[(),]", "", action), regret) for action, regret in advice.table("choices").rows
    ]
    shown = re.findall(r"<td>shut ([\d ]+)</td><td class=\"r\">([\d.]+)(?: %)?</td>", got.text)
    assert [does for does, _ in shown] == [does for does, _ in rows]
    assert [f"{cost} %" for _, cost in shown[1:]] == [percent(lost, 2) for _, lost in rows[1:]]
    assert f"<strong>{percent(advice.value('value'), 2)}</strong> <span>shut 1 8</span>" in got.text


def test_cells_of_a_picture_are_those_of_the_file_and_lead_to_their_states(client):
    page = client.get("/games/pig?variant=pig").text
    ((_, ((_, *columns), *rows)),) = pictures("pig", "pig")
    found = re.findall(
        r"look=1&amp;mine=(\d+)&amp;theirs=(\d+)&amp;turn=\d+#board\" tabindex=\"-?\d\">([^<]+)<",
        page,
    )
    assert found == [(x, y, cell) for x, *line in rows
                     for y, cell in zip(columns, line, strict=True)]  # fmt: skip
    # Neller and Presser 2004: the first player of a game of Pig holds at 21
    assert found[0] == ("0", "0", "21")
    # The board is that of the other variant.
    assert "look=1" not in client.get("/games/ten-thousand?variant=zilch").text


def test_every_game_has_a_picture_whose_rows_fill_it():
    # each state of Qwixx would take two minutes
    assert [name for name, entry in shelf().items() if "pictures" not in entry] == ["qwixx"]
    for name, entry in shelf().items():
        for picture in entry.get("pictures", ()):
            for variant in picture.get("variants", [next(iter(PAGES[name].variants))]):
                tables = {id(one): table for one, table in pictures(name, variant)}
                head, *rows = tables[id(picture)]
                assert rows
                assert all(len(row) == len(head) for row in rows)


def _quick(name):
    made = shelf()[name].get("pictures", ())
    variants = [v for one in made for v in one.get("variants", [*PAGES[name].variants][:1])]
    return name != "farkle" and all(PAGES[name].variants[v].takes == "a second" for v in variants)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.slow if _quick(name) else pytest.mark.long)
    for name in PAGES
])  # fmt: skip
def test_the_stored_pictures_are_those_of_the_solvers(name):
    made = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "pictures.py"))
    for picture in shelf()[name].get("pictures", ()):
        for variant in picture.get("variants", [*PAGES[name].variants][:1]):
            (kept,) = [rows for one, rows in pictures(name, variant) if one is picture]
            assert made["table"](name, variant, picture) == kept


def test_a_certificate_is_downloaded_and_accepted_by_its_checker(answered, tmp_path):
    got = answered("/games/craps/certificate", {"variant": "pass"})
    file = tmp_path / "craps.txt"
    file.write_text(got.text, encoding="ascii")
    checker = Path(__file__).parents[2] / "proofs" / "certificate_check.py"
    said = subprocess.run(
        [sys.executable, checker, file], capture_output=True, text=True, check=True
    )
    assert "244/495" in said.stdout  # textbooks of probability
    assert answered("/games/pig/certificate", {"variant": "pig"}).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [n for n, page in PAGES.items() if page.variant().takes == "a second"]
)
def test_a_stored_answer_of_a_second_is_that_of_the_solver(name):
    page = PAGES[name]
    value = page.variant().answer().value
    kept = stored(page, next(iter(page.variants)))
    assert (kept.lower, kept.upper) == (value.lower, value.upper)


@pytest.mark.parametrize(("address", "says"), [
    ("/games/pig?variant=chess", "variant: got 'chess'"),
    ("/games/pig?look=1&mine=x&theirs=0&turn=3", "Your score: got 'x'; expected a whole number"),
    ("/games/shut-the-box?look=1&tiles=77&roll=3&rival=-1", "Open tiles: got '77'; expected"),
    ("/games/shut-the-box?look=1&tiles=1&roll=1+2&rival=-1", "Total of the roll; 0 before it: got"),
])  # fmt: skip
def test_a_field_that_cannot_be_read_is_named_by_its_label(answered, address, says):
    got = answered(address)
    assert got.status_code == 422
    assert says in unescape(got.text)


def test_a_game_that_is_not_in_the_book_has_no_page(client, answered):
    assert client.get("/games/chess").status_code == 404
    assert load("pig", "piglet").answer().value.point == mpq(4, 7)  # Neller and Presser 2004
    assert "57.14 %" in answered("/games/pig?variant=piglet").text


@pytest.mark.parametrize(("game", "text", "words"), [
    ("shut-the-box", "((1, 2, 3, 4, 5, 6, 7, 8, 9), 3, -1): (3,); ((1, 2, 3, 4, 5, 6, 7, 8, 9), "
     "4, -1): (1, 3) | (4,); …", "Total of the roll 3: shut 3; 4: shut 1 3 or shut 4; …"),
    ("pig", "(0, 0, 1): roll; (0, 1, 1): roll", "Their score 0: roll; 1: roll"),
    ("pig", "(0, 0, 1): roll; (1, 1, 1): roll", None),  # two numbers differ
    ("liars-dice", "((1,), ()): (1, 2) with 1/2, (1, 4) with 1/2; ((2,), ()): (1, 2)", None),
    ("cant-stop", "{((0, 0, 0), (0, 2, 0))}: (0, 2, 0); ((0, 0, 0), (1, 0, 0)): roll", None),
    ("pig", "roll", None),
])  # fmt: skip
def test_first_choices_are_in_words_if_one_number_tells_them_apart(game, text, words):
    assert choices_in_words(shelf()[game]["board"], text) == (words or text)
