"""The pages in a real browser: what a person sees, types and clicks."""

import os
import re
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from gmpy2 import mpq
from printed import POSTS_WIN

from exactdice.report.eyes import decimal
from exactdice.rooms import ROOMS, ask, question
from exactdice.web.forms import canonical, offered, path_of, query_of
from exactdice.web.play import PLAY

pytestmark = pytest.mark.browser

FORMS = [path_of(asked) for room in ROOMS for asked in offered(room)]
TABLE = "/play/farkle?own=1500&other=2300&points=300&roll=1,1,5,3,4,6"
LOOKED_AT = [
    "/", "/rooms/farkle", "/about", "/nowhere", "/ask/risk/win",
    "/ask/farkle/advise?roll=1,1,5,3,4,7", "/ask/risk/survivors?attackers=8&defenders=5",
    "/ask/risk/table?attackers=10&defenders=10", TABLE, *(game.path for game in PLAY),
    "/play/dice?expression=4d6kh3&other=3d6",
    "/play/risk?attackers=30&defenders=3&then=2+1&sides=8",
    "/play/against?game=reroll&seed=3&choices=000&why=3",
    "/ask?q=monopoli", "/games/pig", "/games/qwixx",
    "/games/shut-the-box?variant=9&look=1&tiles=1&tiles=8&roll=9&rival=-1", "/games/yahtzee",
    "/games/craps", "/games/hog?variant=to-15&look=1&mine=9&theirs=3", "/games/zombie-dice",
    "/play/anydice?program=loop+N+over+{1..9}+{+output+Nd4+}&view=transposed",
]  # fmt: skip

#: One question of each room, answered in an instant, as its form is filled in.
ASKED = [
    "risk campaign 12 3 2 1 --ties attacker",
    "swe advise 10 --score 8 --revenue 0,1,1,0,0 --round 6", "reroll value --penalty 1/2 --dice 2",
    "farkle value --points 450 --left 2", "fatestones duel 111666,123456 114456,333336",
    "symbolic catastrophe --rounds 5", "dice distribution '4d6 keep highest 3'",
]  # fmt: skip

PHONE = {"viewport": {"width": 360, "height": 640}}


def settled(page):
    """Wait until a page shows its answer rather than how far it is."""
    page.wait_for_selector("[data-job]", state="detached")
    page.wait_for_load_state("networkidle")
    return page


def until(page, is_so):
    """Wait for something that a page shows; its policy lets no text be run as a script."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end, "it did not come to be"
        page.wait_for_timeout(5)


def width_of(page):
    return page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("path", LOOKED_AT)
def test_axe_finds_no_fault_in_either_theme_and_pages_fit_a_narrow_screen(opened, path):
    page = settled(opened(path))
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true; }")
    for colours, width in (("light", 1280), ("dark", 360)):
        page.emulate_media(color_scheme=colours)
        page.set_viewport_size({"width": width, "height": 640})
        found = Axe().run(page).response["violations"]
        assert not [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found]
        assert width_of(page) <= width
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 640})
    assert width_of(page) <= 320


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
    page.get_by_role("button", name="Calculate", exact=True).click()
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
    assert said.startswith("attackers: got 1; expected a whole number of at least 2 total units")
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
    page = opened("/about")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to content"
    page.goto("/")
    page.wait_for_function("document.activeElement.id === 'q'")  # the box has the keyboard
    tab_to(page, "Closed forms")  # the last of a long page but two
    page.goto("/rooms/risk")
    tab_to(page, "Probability that the attackers beat the defenders")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask/risk/win")
    for name, number in (("f-attackers", "10"), ("f-defenders", "7")):
        tab_to(page, name)
        page.keyboard.type(number)
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer")
    assert page.url.endswith("/ask/risk/win?attackers=10&defenders=7")


def test_tables_are_sorted_by_headings_and_charts_read_by_pointer_and_keys(opened):
    page = opened("/ask/risk/survivors?attackers=5&defenders=3")
    page.wait_for_selector("#answer")
    heading = page.locator("table.sortable").first.get_by_role("button", name="probability")
    heading.click()
    cells = page.locator("table.sortable").first.locator("tbody td:nth-child(3)").all_inner_texts()
    assert [float(cell) for cell in cells] == sorted(float(cell) for cell in cells)
    page = settled(opened("/play/dice?expression=2d6"))
    page.locator("[data-is^='7:']").hover()
    reads = page.locator("[data-reads]")
    assert reads.inner_text() == "7: 16.67 %"  # 6 of 36
    page.locator("[data-chart] svg").focus()
    page.keyboard.press("Home")
    assert reads.inner_text() == "2: 2.78 %"
    page.keyboard.press("ArrowRight")
    assert reads.inner_text() == "3: 5.56 %"
    page.get_by_role("link", name="at least").click()
    page.wait_for_selector("[data-is='at least 2: 100 %']", state="attached")


def test_the_calculator_answers_while_one_types(opened):
    page = settled(opened("/play/dice"))
    page.fill("#f-expression", "")
    page.locator("#f-expression").press_sequentially("2d6 >= 10")
    page.wait_for_selector("text=probability of 2d6 >= 10")
    assert "1/6" in page.locator("#answer").inner_text()  # 6 of 36 rolls
    assert "expression=2d6+%3E%3D+10" in page.url
    page.locator("#f-expression").press_sequentially(" +")
    page.wait_for_timeout(500)
    assert page.locator(".problem").count() == 0  # while it may still become something
    page.wait_for_selector("#answer .problem", timeout=3_000)
    assert page.locator("#f-expression").get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "f-expression"


def test_an_anydice_program_is_typed_drawn_viewed_and_shared(opened):
    page = settled(opened("/play/anydice"))
    page.fill("#f-program", "")
    page.locator("#f-program").press_sequentially('output 2d6 named "two"\noutput d4 + 4')
    names = page.locator(".legend li")
    until(page, lambda: [n.strip() for n in names.all_inner_texts()] == ["two", "output 2"])
    assert page.locator("polyline").count() == 2
    page.locator("[data-is^='7:']").hover()
    # 6 of 36 and 1 of 4
    assert page.locator("[data-reads]").inner_text() == "7: two 16.67 %, output 2 25.00 %"
    page.get_by_role("link", name="at least", exact=True).click()
    page.wait_for_selector("[data-is='5: two 83.33 %, output 2 100 %']", state="attached")
    page = settled(opened(page.url))
    assert page.input_value("#f-program") == 'output 2d6 named "two"\noutput d4 + 4'
    assert page.locator(".chip[aria-current]").inner_text() == "at least"
    page.press("#f-program", "Control+End")
    page.locator("#f-program").press_sequentially("\noutput 3d")
    page.wait_for_selector(".problem")
    assert "line 3, column " in page.inner_text(".problem")


def test_armies_are_moved_by_keys_sliders_and_the_map_and_the_odds_follow(opened):
    page = settled(opened("/play/risk?attackers=4&defenders=2"))
    page.locator(".exactly summary").first.click()
    assert POSTS_WIN in page.locator("#answer").inner_text()
    page.focus("#f-attackers")
    page.keyboard.press("ArrowDown")
    # 3 against 2, as the README of the post tabulates it
    page.wait_for_selector("text=235/648", state="attached")
    assert page.locator("[aria-current=true]").inner_text() == "36"
    page.locator("input[type=range]").first.fill("4")
    page.wait_for_selector(f"text={POSTS_WIN}", state="attached")
    assert page.locator("#f-attackers").input_value() == "4"
    page.locator(".map tr", has=page.locator("th", has_text="12")).locator("a").nth(7).click()
    page.wait_for_selector("text=12 attackers (11 fight) beat 8")
    assert page.locator("#f-defenders").input_value() == "8"
    page.go_back()
    page.wait_for_selector("text=4 attackers (3 fight) beat 2")


class Hands:
    """Counts what a person does on a page, and how many pages that loads."""

    def __init__(self, page):
        self.page, self.clicks, self.keys, self.loads = page, 0, 0, []
        page.on("load", lambda one: self.loads.append(one))

    def click(self, what):
        self.clicks += 1
        what.click()

    def press(self, *keys):
        for key in keys:
            self.keys += 1
            self.page.keyboard.press(key)


def test_twelve_against_eight_is_a_click_and_four_keys_and_a_duel_two_fields(opened):
    hands = Hands(opened("/"))
    hands.click(hands.page.get_by_role("link", name="Risk", exact=True).first)
    hands.page.wait_for_url("**/play/risk")
    settled(hands.page)
    hands.press("1", "2", "Tab", "8")
    hands.page.wait_for_selector("text=12 attackers (11 fight) beat 8")
    assert hands.page.locator(".lead strong").inner_text() == "79.4 %"
    assert (hands.clicks, hands.keys) == (1, 4)
    page = settled(opened("/play/fatestones"))
    before = page.locator(".lead strong").inner_text()
    page.fill("#f-row0", "222456")
    page.fill("#f-row1", "224445")
    until(page, lambda: page.locator(".lead strong").inner_text() != before)
    page.fill("#f-row0", "123")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Die 1 of player 1: got '123'")
    assert page.locator("[aria-invalid=true]").count() == 1


def test_farkle_advice_is_three_fields_and_six_keys_without_a_page_load(opened):
    page = settled(opened("/play/farkle"))
    hands = Hands(page)
    for name, value in (("own", "3000"), ("other", "3800"), ("points", "650")):
        page.fill(f"#f-{name}", value)
    page.keyboard.press("Tab")
    for count, key in enumerate("115346", 1):
        hands.press(key)
        until(page, lambda count=count: page.locator("[name=remove]").count() == count)
    page.wait_for_selector(".choices")
    # As `farkle advise` says of the same turn, whose own tests hold it against others.
    advice = ask("farkle advise --roll 1,1,5,3,4,6 --points 650 --scores 3000,3800")
    assert advice.value("keep") == "1"
    assert "keep the ⚀ (100 points), roll the other five" in page.locator(".lead").inner_text()
    assert (hands.keys, hands.loads) == (6, [])
    for key, left in (("Enter", 5), ("3", 4), ("Backspace", 5)):  # first the best choice
        page.keyboard.press(key)
        page.wait_for_selector(f"text={left} of 5 dice missing")
    assert not hands.loads
    assert page.locator("#f-own").input_value() == "3000"


def test_an_answer_is_shared_by_one_click_and_taken_away_by_two(opened):
    page = settled(opened("/play/risk?attackers=12&defenders=8"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands = Hands(page)
    hands.click(page.get_by_role("button", name="Copy answer and link"))
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"79.4 % 12 attackers (11 fight) beat 8 defenders\n{page.url}"
    hands = Hands(page)
    hands.click(page.locator(".away summary"))
    with page.expect_download() as download:
        hands.click(page.get_by_role("link", name="CSV"))
    assert download.value.suggested_filename.endswith((".csv", ".zip"))
    assert hands.clicks == 2
    dice = settled(opened("/play/dice?expression=4d6kh3"))
    with dice.expect_download() as download:
        dice.get_by_role("link", name="CSV of all outcomes").click()
    assert download.value.suggested_filename == "dice-distribution.csv"
    for button, kind, begins in (("SVG", "svg", b"<svg"), ("Save picture", "png", b"\x89PNG")):
        with dice.expect_download() as download:
            dice.get_by_role("button", name=button).click()
        assert download.value.suggested_filename == f"exactdice.{kind}"
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(begins)
        assert kind == "png" or "12.2446 on average with 4d6 keep highest 3" in content.decode()


def test_loaded_dice_are_picked_from_lists_and_marked_in_the_tray(opened):
    page = settled(opened("/play/farkle?target=200&own=0&other=100"))
    page.locator("#table summary").click()
    for place in (1, 2):
        page.select_option(f"#f-die{place}", "lucky")
    page.get_by_role("button", name="Use these dice").click()
    page.wait_for_selector(".empty:has-text('lucky')")
    page.keyboard.press("Escape")
    for key in "115346":
        page.locator("h1").press(key)
        page.wait_for_timeout(50)
    page.wait_for_selector(".choices")
    assert page.locator(".tray button .loaded").all_inner_texts() == ["lucky", "lucky"]
    page.set_viewport_size({"width": 360, "height": 640})
    assert width_of(page) <= 360


def test_a_tap_reads_a_chart(opened):
    page = settled(opened("/play/dice?expression=4d6", **PHONE, has_touch=True))
    page.locator(".chart svg").tap()
    page.wait_for_selector("[data-reads]:has-text('%')")


def test_a_board_is_clicked_and_shows_the_best_choice(opened):
    page = settled(opened("/games/shut-the-box"))
    for tile in (2, 4, 7, 9):  # to shut them
        page.locator(f".tiles label:has(input[value='{tile}'])").click()
    page.get_by_role("button", name="Show the best choice").click()
    page.wait_for_selector(".lead:has-text('shut 1 8')")  # of a total of 9, as the web's test


def test_a_player_of_dungeons_and_dragons_meets_a_number_and_compares_two_rolls(opened):
    page = opened("/")
    page.fill("#q", "2d20kh1+5 v 15")
    page.keyboard.press("Enter")
    page.wait_for_selector(".lead:has-text('79.8 %')")  # 1 - (9/20)**2 = 79.75 %
    page.goto("/play/dice?expression=4d6kh3&other=3d6")
    assert page.locator("#all[open] th").all_inner_texts()[1:3] == [
        "4d6kh3\nexactly",
        "3d6\nexactly",
    ]
    assert page.locator("#all tr:has-text('18') td").all_inner_texts()[1:] == [
        "1.62 %", "0.46 %", "1.62 %", "0.46 %"]  # 21/1296 and 1/216  # fmt: skip
    hatched = page.locator(".bar.k1[fill]").first
    assert "hatch" in hatched.evaluate("each => getComputedStyle(each).fill")
    page.emulate_media(media="print")
    assert [one.strip() for one in page.locator(".named").all_inner_texts()] == ["4d6kh3", "3d6"]
    assert page.url in page.locator("p.printed").last.inner_text()
    assert page.locator("#f-expression").is_hidden()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/ask?q=help",
        "/ask/claims",
        "/ask/swe/value?rounds=3",
        "/games/shut-the-box",
        "/nonsense",
        "/play/against?game=reroll&seed=3&choices=000&why=3",
        "/play/anydice?program=output+3d6",
        "/play/reroll?roll=346",
        "/play/risk?attackers=12&defenders=8",
    ],
)
def test_a_printed_page_has_its_address_and_nothing_to_press(opened, path):
    page = settled(opened(path))
    page.emulate_media(media="print")
    assert page.locator("p.printed").last.inner_text().startswith(page.url)
    pressed = (
        "button, input, select, .button, a:text-matches('^(Why|Show|Restart|Play a |All numbers)')"
    )
    assert page.locator(pressed).locator("visible=true").all_inner_texts() == []
    assert "lick" not in page.inner_text("main")


def test_a_player_of_risk_with_a_phone_sees_the_odds_and_the_army_that_is_needed(opened):
    page = opened("/", viewport={"width": 390, "height": 844}, has_touch=True)
    page.get_by_role("link", name="Risk", exact=True).first.tap()
    page.wait_for_url("**/play/risk")
    settled(page)
    for name, number in (("attackers", "12"), ("defenders", "8")):
        page.locator(f"#f-{name}").tap()
        page.keyboard.type(number)  # replaces the number
    page.wait_for_selector(".lead:has-text('12 attackers (11 fight) beat 8')")
    assert page.locator(".lead strong").inner_text() == "79.4 %"
    lead = page.locator(".lead").bounding_box()
    assert lead["y"] + lead["height"] <= 844  # without scrolling
    chances = {army: ask(f"risk win {army} 8").value("value") for army in (11, 12)}
    assert chances[11] < mpq(3, 4) <= chances[12]
    assert "12 for 75 %" in page.inner_text("#least")
    page.locator("#least a").first.tap()
    page.wait_for_selector(".lead:has-text('9 attackers (8 fight) beat 8')")
    assert width_of(page) <= 390


def test_a_teacher_finds_the_picture_of_pig_and_moves_in_it_by_keys(opened):
    page = opened("/")
    page.fill("#q", "pig")
    page.keyboard.press("Enter")
    page.wait_for_selector(".lead:has-text('53.06 %')")  # Neller and Presser 2004
    assert page.locator(".cutting strong").first.inner_text().lower() == "confirmed"
    cells = page.locator("table.map").first
    cells.locator("a").first.focus()  # at 0 to 0
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert "mine=5&theirs=10" in page.locator("a:focus").get_attribute("href")
    page.emulate_media(media="print")
    assert cells.is_visible()


def test_a_researcher_gets_value_certificate_checker_and_citation(opened):
    page = opened("/games/shut-the-box")
    page.locator("#variants summary").click()
    page.get_by_role("link", name="two players, 9 tiles; one die may be rolled").first.click()
    page.wait_for_selector(".lead:has-text('49.68 %')")  # Ewing, Fields, Moyes and Sohoni 2024
    assert "certificate_check.py" in page.locator("#proof ~ p").nth(1).inner_text()
    page.locator(".cite summary").click()
    cited = page.locator(".cite pre").inner_text()
    assert re.search(r"year = \{20\d\d\}", cited)
    assert page.url in cited.replace("{", "").replace("}", "")
    page.goto("/games/intransitive-dice")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the certificate").click()
    assert "claim 2/3 2/3" in Path(download.value.path()).read_text("ascii")  # Efron's dice


def test_one_box_takes_any_of_it(opened):
    said = {"12 v 8 risk": "12 attackers (11 fight) beat 8", "4d6kh3": "on average with 4d6"}
    said |= {"farkle 115346": "keep the", "reroll 346": "points on average"}
    said |= {
        "chance of 3 sixes with 5 dice": "probability of",
        "Liar's dice": "wins minus losses of the starting player",
    }
    for text, seen in (said | {"swe value 6": "exactdice swe value 6"}).items():
        page = opened("/")
        page.wait_for_selector("#q:focus")  # without a click; it comes with the first frame
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/(play|ask|games)/"))
        settled(page).wait_for_selector(f"text={seen}")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
@pytest.mark.parametrize("game", ["reroll", "pig-20"])
def test_a_whole_game_is_played_against_the_optimum(opened, game, scripts):
    page = opened(f"/play/against?game={game}&seed=11", java_script_enabled=scripts)
    settled(page)
    hands = Hands(page)
    for _ in range(40):
        choices = page.locator(".choice a")
        if not choices.count():
            break
        place, address = choices.count() - 1, page.url
        if scripts:
            hands.press(str(place + 1))
        else:
            hands.click(choices.nth(place))
        until(page, lambda address=address: page.url != address)
        settled(page)
    assert "You have" in page.locator("#answer").inner_text()
    assert page.locator(".choice").count() == 0
    assert not scripts or not hands.loads


def test_a_key_is_answered_in_a_tenth_of_a_second_and_pages_are_light_and_fast(opened):
    page = settled(opened("/play/against?game=pig-20&seed=3"))
    took = []
    for _ in range(9):
        begun = time.monotonic()
        was = page.url
        page.keyboard.press("h")
        until(page, lambda was=was: page.url != was)
        took.append(time.monotonic() - begun)
    print("a key, median:", sorted(took)[len(took) // 2])
    for path in ("/", *(game.path for game in PLAY), "/ask/risk/table?attackers=21&defenders=20"):
        opened(path).wait_for_selector(".lead, .shelf, .choice, .palette, .report")  # computed
        page = opened("/openapi.json")  # which loads nothing beside itself
        sent = []
        page.on("requestfinished", lambda one, sent=sent: sent.append(
            one.sizes()["responseBodySize"] + one.sizes()["responseHeadersSize"]))  # fmt: skip
        page.goto(path, wait_until="networkidle")
        paint = page.evaluate("""() => new Promise(done => new PerformanceObserver(list =>
            done(list.getEntries().at(-1).startTime)).observe(
            {type: "largest-contentful-paint", buffered: true}))""")
        print(path, "LCP", round(paint), "ms;", sum(sent), "bytes in", len(sent))
        assert sum(sent) <= 60 * 1024, path


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_scores_that_were_typed_are_kept_when_a_die_is_clicked(opened, scripts):
    page = opened("/play/farkle", java_script_enabled=scripts)
    page.fill("#f-own", "3000")
    page.fill("#f-other", "3800")
    page.locator(".palette button[value='5']").click()
    until(page, lambda: page.locator("[name=remove]").count() == 1)
    assert page.locator("#f-own").input_value() == "3000"
    assert page.locator("#f-other").input_value() == "3800"
    assert "5 of 6 dice missing" in page.locator("#rolled").inner_text()


def test_what_is_typed_in_one_browser_ends_no_answer_of_another(opened):
    """Until both have gone on to something else."""
    long = "/play/dice?expression=400d200+keep+highest+200"
    one, other = opened(long), opened(long)
    for page in (one, other):
        page.wait_for_selector("[data-job]")
    job = other.locator("[data-job]").get_attribute("data-job")
    one.fill("#f-expression", "d6")
    one.wait_for_selector("text=on average with d6")
    other.wait_for_timeout(5_000)
    assert other.locator("[data-job]").count() == 1
    other.goto("/about")
    other.wait_for_timeout(5_000)
    other.goto(job)
    assert "cancelled" in other.locator(".problem").inner_text()


LONG = "/ask/swe/value?rounds=60&exact=true"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_long_answer_can_be_cancelled_and_a_waiting_page_goes_on_by_itself(opened, scripts):
    page = opened(LONG, java_script_enabled=scripts)
    assert "/jobs/" in page.url
    assert page.locator("progress").count() == 1
    assert "swe value 60 --exact" in page.locator("main").inner_text()
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("text=No answer")
    assert "cancelled" in page.locator(".problem").inner_text()
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
    desk = {"viewport": {"width": 1100, "height": 800}}
    kinds = {"desk": desk, "phone": PHONE, "dark": desk | {"color_scheme": "dark"}}
    for kind, options in kinds.items():
        for path in LOOKED_AT:
            page = settled(opened(path, **options))
            name = path.partition("?")[0].strip("/").replace("/", "-") or "start"
            page.screenshot(path=Path(folder, f"{kind}-{name}.png"), full_page=kind == "phone")
