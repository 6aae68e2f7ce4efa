"""The pages in a real browser: what a person sees, types and clicks."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from exactdice.games.risk.sources import POSTS_WIN
from exactdice.report.eyes import decimal
from exactdice.rooms import ROOMS, ask, question
from exactdice.web.forms import canonical, offered, path_of, query_of
from exactdice.web.play import PLAY

pytestmark = pytest.mark.browser

FORMS = [path_of(asked) for room in ROOMS for asked in offered(room)]
TABLE = "/play/farkle?own=1500&other=2300&points=300&roll=1,1,5,3,4,6"
LOOKED_AT = [
    "/",
    "/rooms/farkle",
    "/about",
    "/nowhere",
    "/ask/risk/win",
    "/ask/farkle/advise?roll=1,1,5,3,4,7",
    "/ask/risk/survivors?attackers=8&defenders=5",
    "/ask/risk/table?attackers=10&defenders=10",
    TABLE,
    *(game.path for game in PLAY),
]

#: One question of each room, answered in an instant, as its form is filled in.
ASKED = [
    "risk campaign 12 3 2 1 --ties attacker",
    "swe advise 10 --score 8 --revenue 0,1,1,0,0 --round 6",
    "reroll value --penalty 1/2 --dice 2",
    "farkle value --points 450 --left 2",
    "fatestones duel 111666,123456 114456,333336",
    "symbolic catastrophe --rounds 5",
    "dice law '4d6 keep highest 3'",
]

PHONE = {"viewport": {"width": 360, "height": 640}}


def settled(page):
    """Wait until a page shows its answer rather than how far it is."""
    page.wait_for_load_state("networkidle")
    page.wait_for_selector("[data-job]", state="detached")
    page.wait_for_load_state("networkidle")
    return page


def width_of(page):
    return page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("path", LOOKED_AT)
def test_axe_finds_no_serious_fault(opened, path, colours):
    page = settled(opened(path, color_scheme=colours, **(PHONE if colours == "dark" else {})))
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true; }")
    found = Axe().run(page)
    serious = [
        (one["id"], [node["target"] for node in one["nodes"]][:3])
        for one in found.response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert not serious
    assert width_of(page) <= page.viewport_size["width"]


def test_every_form_fits_a_phone_and_complains_of_nothing(opened):
    page = opened("/", **PHONE)
    for path in FORMS:
        page.goto(path)
        for details in page.locator("details").all():
            details.evaluate("each => { each.open = true; }")
        assert page.locator("h1").inner_text()
        assert width_of(page) <= 360, path


def value_shown(text):
    """What a page shows of the value of a question: exact, or a decimal where that is too long."""
    value = ask(text).value("value")
    return str(value) if len(str(value)) <= 48 else decimal(value, 10)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
@pytest.mark.parametrize("text", ASKED)
def test_a_form_that_is_filled_in_answers_what_the_command_answers(opened, text, scripts):
    if not scripts and text != ASKED[0]:
        return
    asked = question(text)
    page = opened(path_of(type(asked)), java_script_enabled=scripts)
    if page.locator("details.options:not([open])").count():
        page.locator("details.options summary").click()
    for name, value in query_of(asked):
        field = page.locator(f"#f-{name}")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_selector("#answer")
    assert page.url.endswith(canonical(asked))
    assert f"exactdice {asked}" in page.locator(".same").inner_text()
    name = "win_probability" if "campaign" in text else "value"
    report = ask(asked)
    shown = str(report.value(name)) if name in {q.column.name for q in report.quantities} else ""
    if shown and len(shown) <= 48:
        assert shown in page.locator(".report").inner_text()


def test_a_mistake_is_said_beside_its_field_and_mended_there(opened):
    page = opened("/ask/risk/win")
    page.fill("#f-attackers", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#p-attackers")
    said = page.locator("#p-attackers").inner_text()
    assert said.startswith("attackers: got 1; give a whole number of at least 2 total units")
    assert page.locator("#f-attackers").get_attribute("aria-invalid") == "true"
    page.fill("#f-attackers", "4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer")
    assert POSTS_WIN in page.locator(".report").inner_text()


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.innerText")


def tab_to(page, name):
    for _ in range(60):
        page.keyboard.press("Tab")
        if focused(page).strip() == name:
            return
    raise AssertionError(f"the keyboard does not come to {name}")


def test_a_question_is_asked_with_the_keyboard_alone(opened):
    page = opened("/")
    page.keyboard.press("Tab")
    assert focused(page) == "To the content"
    page.keyboard.press("Enter")
    tab_to(page, "risk")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rooms/risk")
    tab_to(page, "risk win")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask/risk/win")
    tab_to(page, "f-attackers")
    page.keyboard.type("10")
    tab_to(page, "f-defenders")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer")
    assert page.url.endswith("/ask/risk/win?attackers=10&defenders=7")


def test_tables_are_sorted_by_their_headings(opened):
    page = opened("/ask/risk/survivors?attackers=5&defenders=3")
    page.wait_for_selector("#answer")
    heading = page.locator("table.sortable").first.get_by_role("button", name="probability")
    heading.click()
    cells = page.locator("table.sortable").first.locator("tbody td:nth-child(4)").all_inner_texts()
    assert [float(cell) for cell in cells] == sorted(float(cell) for cell in cells)


def test_the_calculator_answers_while_one_types(opened):
    page = settled(opened("/play/dice"))
    page.fill("#f-expression", "")
    page.locator("#f-expression").press_sequentially("2d6 >= 10")
    page.wait_for_selector("text=Dice: 2d6 >= 10")
    assert "1/6" in page.locator("#answer").inner_text()  # 6 of 36 rolls
    assert page.url.endswith("/play/dice?expression=2d6+%3E%3D+10")
    page.locator("#f-expression").press_sequentially(" +")
    page.wait_for_selector("#answer .problem")
    assert page.locator("#f-expression").get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "f-expression"


def test_sliders_are_moved_by_keys_and_the_odds_follow(opened):
    page = settled(opened("/play/risk?attackers=4&defenders=2"))
    assert POSTS_WIN in page.locator("#answer").inner_text()
    page.focus("#f-attackers")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=235/648")  # 3 against 2, as the README of the post tabulates it
    assert page.locator("output").first.inner_text() == "3"
    assert page.locator("[aria-current=true]").inner_text() == "36"
    page.locator("img.drawn").evaluate("image => image.decode()")


def test_a_turn_of_farkle_is_played_by_clicks(opened):
    page = settled(opened("/play/farkle?target=1000&own=500&other=300&left=3"))
    for face in "155":
        page.locator(f".palette button[value='{face}']").click()
        page.wait_for_load_state()
    settled(page)
    assert page.locator(".choices tbody tr").count() > 3
    page.get_by_role("link", name="bank 200 keeping 1 5 5").click()
    settled(page)
    assert page.locator("#f-own").input_value() == "700"
    assert "6 of 6 to go" in page.locator("#rolled").inner_text()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_scores_that_were_typed_are_kept_when_a_die_is_clicked(opened, scripts):
    page = opened("/play/farkle", java_script_enabled=scripts)
    page.fill("#f-own", "3000")
    page.fill("#f-other", "3800")
    page.locator(".palette button[value='5']").click()
    page.wait_for_url("**add=5*")
    assert page.locator("#f-own").input_value() == "3000"
    assert page.locator("#f-other").input_value() == "3800"
    assert "5 of 6 to go" in page.locator("#rolled").inner_text()


def test_what_is_typed_in_one_browser_ends_no_answer_of_another(opened):
    """Until both have gone on to something else."""
    long = "/play/dice?expression=400d200+keep+highest+200"
    one, other = opened(long), opened(long)
    for page in (one, other):
        page.wait_for_selector("[data-job]")
    job = other.locator("[data-job]").get_attribute("data-job")
    one.fill("#f-expression", "d6")
    one.wait_for_selector("text=Dice: d6")
    other.wait_for_timeout(5_000)
    assert other.locator("[data-job]").count() == 1
    other.goto("/about")
    other.wait_for_timeout(5_000)
    other.goto(job)
    assert "cancelled" in other.locator(".problem").inner_text()


LONG = "/ask/swe/value?rounds=60&exact=true"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_long_answer_shows_how_far_it_is_and_can_be_cancelled(opened, scripts):
    page = opened(LONG, java_script_enabled=scripts)
    assert "/jobs/" in page.url
    assert page.locator("progress").count() == 1
    assert "swe value 60 --exact" in page.locator("main").inner_text()
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("text=No answer")
    assert "cancelled" in page.locator(".problem").inner_text()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_waiting_page_goes_on_to_its_answer_by_itself(opened, scripts):
    seconds = "3" if scripts else "4"  # two questions, for the second would be known
    address = f"/ask/fatestones/results?games=40&seed={seconds}"
    page = opened(address, java_script_enabled=scripts)
    page.wait_for_selector("#answer")
    assert page.url.endswith(address)


def test_pages_look_as_they_should(opened):
    """Writes pictures for eyes into the folder that EXACTDICE_SCREENSHOTS names."""
    folder = os.environ.get("EXACTDICE_SCREENSHOTS")
    if not folder:
        pytest.skip("EXACTDICE_SCREENSHOTS names no folder for them")
    for kind, options in {
        "desk": {"viewport": {"width": 1100, "height": 800}},
        "phone": PHONE,
        "dark": {"viewport": {"width": 1100, "height": 800}, "color_scheme": "dark"},
    }.items():
        for path in LOOKED_AT:
            page = settled(opened(path, **options))
            name = path.partition("?")[0].strip("/").replace("/", "-") or "start"
            page.screenshot(path=Path(folder, f"{kind}-{name}.png"), full_page=kind == "phone")
