"""The page that computes without a server, from the folder that `make play` builds."""

import functools
import http.server
import json
import threading
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from gmpy2 import mpq

from exactdice.errors import ExactDiceError
from exactdice.report.writers import Format, render
from exactdice.rooms import ask, question

BUILT = Path(__file__).parents[2] / "build" / "site" / "play"

_IS_MISSING = pytest.mark.skipif(not BUILT.is_dir(), reason="make play has not built the page")
pytestmark = [pytest.mark.browser, _IS_MISSING]

SHOWN = """words => document.getElementById("answer").dataset.words === words
    && !document.getElementById("status").textContent"""
KEPT = "() => localStorage.getItem('exactdice-memory')"  # once the memory is in the cache
HAS = "([id, words]) => document.getElementById(id).textContent.includes(words)"
READY = "() => document.documentElement.dataset.ready"
MORE = [
    *(f"swe value {rounds}" for rounds in (1, 7, 12)),
    *(f"farkle value --points {points} --left 3" for points in (0, 900)),
    *(f"fatestones duel {hands}" for hands in ("111666 133446", "123456,333336 133446,222555")),
    "farkle turns --target 1500",
    *(f"risk win {a} {d}" for a in (3, 12, 40) for d in (1, 7, 30)),
    *(
        f"dice distribution {words}"
        for words in ("d6", "100d6", "4d6kh3", "20d20kh5", "3d6!", "2d20kh1")
    ),
    *(f"dice distribution '{words}'" for words in ("d6 > d8", "max(2, d6)", "5d10 count >= 8")),
    *(f"risk survivors {n} {n}" for n in (2, 5, 9)),
    *(f"reroll value --dice {n} --penalty {p}" for n in (1, 2) for p in ("1/2", "3")),
    *(f"risk round {a} {d}" for a in (1, 2, 3) for d in (1, 2)),
]
SLOW = ["swe rivals 5", "swe values 22", "farkle turns --target 4000", "farkle horizon 3"]
SLOW += ["farkle race --target 4000", "farkle chance --target 2000 --turns 2", "farkle printed"]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""

    def copyfile(self, source, outputfile):
        """Send a file, and count its bytes."""
        content = source.read()
        self.server.sent.append((self.path, len(content)))
        outputfile.write(content)


@pytest.fixture(scope="module")
def site():
    """A plain static server of the built folder, and its address."""
    handler = functools.partial(_Quiet, directory=str(BUILT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.sent = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def page(chromium, site):
    """The page, whose console stays empty, and which asks no other host."""
    home = f"http://127.0.0.1:{site.server_port}/"
    context = chromium.new_context(viewport={"width": 360, "height": 740})
    context.set_default_timeout(300_000)
    opened, complaints = context.new_page(), []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda problem: complaints.append(str(problem)))
    own = home, "data:", "blob:null/"
    opened.on("request", lambda asked: asked.url.startswith(own) or complaints.append(asked.url))
    opened.home, opened.complaints = home, complaints
    yield opened
    context.close()
    assert complaints == []


def is_command(words):
    """Whether a stored question is a command, and not a text as people type it or an address."""
    try:
        return bool(question(words))
    except ExactDiceError:
        return False


def enter(page, words):
    page.fill("#question", words)
    page.press("#question", "Enter")


def follow(page, *armies):
    """Follow a link to a question, and wait for its answer."""
    page.goto(f"{page.home}#risk%20win%20{armies[0]}%20{armies[1]}")
    page.wait_for_function(SHOWN, arg=f"risk win {armies[0]} {armies[1]}")


def answered(page, words):
    """Ask a question, and return the JSON that the page offers of the answer."""
    enter(page, words)
    page.wait_for_function(SHOWN, arg=words)
    return page.evaluate("decodeURIComponent(document.getElementById('json').href.split(',')[1])")


def test_a_question_is_put_together_from_fields_shared_and_answered_as_by_the_command(page):
    page.goto(page.home)
    known = json.loads(page.text_content("#stored"))["known"]
    known = [words for words in known if is_command(words)]
    rooms = {"dice", "risk", "reroll", "swe", "farkle", "fatestones", "book", "symbolic"}
    assert {words.split()[0] for words in known} == rooms
    asked = [words for words in (*known, *MORE) if words not in SLOW]
    assert len(asked) >= 60
    for words in asked:
        own = json.loads(render(ask(words), Format.JSON))
        there = json.loads(answered(page, words))
        del own["provenance"]["producer"], there["provenance"]["producer"]
        assert there == own, words
    page.goto(page.home)
    page.click("#kinds summary")
    page.select_option("#kind", "risk win")
    page.fill("#fields [name=attackers]", "4")
    page.fill("#fields [name=defenders]", "2")
    page.click("#fields button")
    page.wait_for_function(SHOWN, arg="risk win 4 2")
    assert page.url.endswith("#risk%20win%204%202")
    assert "6610505/10077696" in page.inner_text("#answer")
    for typed, words in {
        "12 v 8": "/play/risk?attackers=12&defenders=8",
        "12 v 8 3": "/play/risk?attackers=12&defenders=8&then=3",
        "4d6kh3 v 3d6": "/play/dice?expression=4d6kh3&other=3d6",
        "farkle 115346": "/play/farkle?roll=1%2C1%2C5%2C3%2C4%2C6",
    }.items():
        enter(page, typed)
        page.wait_for_function(SHOWN, arg=words)


TWO = 'output 2d6 named "two"\noutput d4 + 4'
AT_LEAST = "[data-is='5: two 83.33 %, output 2 100 %']"  # 30 of 36


def test_an_anydice_program_is_typed_drawn_viewed_and_shared(page):
    page.goto(page.home)
    page.click("#programs summary")
    page.fill("#program", "")
    page.locator("#program").press_sequentially(TWO)
    page.wait_for_function(HAS, arg=["answer", "output 2"])
    page.wait_for_selector("#answer polyline >> nth=1", state="attached")
    page.locator("[data-is^='7:']").hover()
    assert page.inner_text("[data-reads]") == "7: two 16.67 %, output 2 25.00 %"  # 6/36, 1/4
    page.select_option("#view", "at-least")
    page.wait_for_selector(AT_LEAST, state="attached")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(AT_LEAST, state="attached")
    assert (page.input_value("#program"), page.input_value("#view")) == (TWO, "at-least")
    page.press("#program", "Control+End")
    page.locator("#program").press_sequentially("\noutput 3d")
    page.wait_for_function(HAS, arg=["wrong", "line 3, column "])
    assert page.locator(AT_LEAST).count() == 1  # the last answer stays
    page.fill("#program", "loop X over {1..9} { loop Y over {1..9999999} { } } output 3d6")
    page.wait_for_function("() => document.getElementById('status').textContent")
    page.wait_for_timeout(500)
    page.fill("#program", "output {1..3}")  # ends the endless one
    page.wait_for_function(HAS, arg=["answer", "0.3333"])
    enter(page, "output 5d2")  # in the first box, too
    page.wait_for_function(HAS, arg=["answer", "15/2"])
    assert page.input_value("#program") == "output 5d2"


def test_it_weighs_twenty_megabytes_and_its_memory_is_steady(page, site):
    site.sent.clear()
    follow(page, 13, 8)
    later = json.loads((BUILT / "parts.json").read_text())["later"].values()
    assert sum(size for path, size in site.sent if path[1:] not in later) <= 9_000_000
    assert sum(path.stat().st_size for path in BUILT.rglob("*.*")) <= 20_000_000
    page.goto(page.home)
    taken = []
    for number in range(200):
        answered(page, f"risk survivors {2 + number % 20} {1 + number // 20}")
        if number in (99, 199):
            taken.append(page.workers[0].evaluate("self.python._module.HEAPU8.length"))
    assert taken[1] <= taken[0] + (4 << 20)


def test_a_game_written_down_in_the_page_is_solved_and_a_link_to_it_runs_nothing_by_itself(page):
    page.goto(page.home)
    page.click("#own summary")
    page.fill("#more", "--state 20")
    page.click("#game button")
    page.wait_for_function("() => location.hash.includes('mine.py')")
    asked = page.evaluate("decodeURI(location.hash.slice(1))")
    page.wait_for_function(SHOWN, arg=asked)
    shown = page.inner_text("#answer")
    assert "stop" in shown
    assert "roll" in shown  # both of which lose nothing with 20
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#own[open]")
    assert "press Calculate" in page.inner_text("#status")
    assert page.input_value("#more") == "--state 20"
    page.wait_for_function(READY)
    assert page.inner_text("#answer") == ""
    page.goto(page.home + """#["import os", "os.listdir()"]""")  # what examples of the manual send
    assert "no question" in page.inner_text("#status")
    page.goto(address.replace("#", "#exactdice%20"))  # is no way round
    page.wait_for_selector(".problem:visible")
    page.goto(address)
    page.fill("#mine", page.input_value("#mine").replace("face > 1", "face > 0"))
    page.fill("#more", "")
    page.click("#game button")
    page.wait_for_function(HAS, arg=["answer", "SHA-256"])
    best = [mpq(0)] * 36  # by the rule itself, in which a 1 counts like the others now
    for total in reversed(range(36)):
        rolled = sum(best[total + 1 : total + 7]) / 6 if total < 30 else 0
        best[total] = max(mpq(total), rolled)
    assert f"{best[0].numerator}/{best[0].denominator}" in page.content()


def test_the_certificate_of_a_famous_game_is_written_and_checked_in_the_page(page):
    page.goto(page.home + "#book craps")
    page.wait_for_function(SHOWN, arg="book craps")
    page.click("#check")
    # Won with 244/495, as every text on craps says.
    page.wait_for_function(
        HAS, arg=["checked", "accepted: the total reward from state 0 is 244/495"]
    )
    enter(page, "risk win 2 1")
    page.wait_for_function(SHOWN, arg="risk win 2 1")
    assert not page.is_visible("#check")


HTML = """postMessage({ asked, page: "<p onclick='forged = 1'>text"
  + "<style>* { display: none }</style><img src=x onerror='forged = 1'>"
  + "<svg onload='forged = 1'></svg></p>" });"""
BROKEN = "postMessage({ asked, tables: 5 });"
RULES = """
import json, js, answering
answering.render = lambda *_: "forged"
rules = open("mine.py").read()
asked = json.dumps({"words": "book mine.py", "rules": rules}, separators=(",", ":"))
code = f"const asked = {json.dumps(asked)};" + CODE
try:
    js.eval(code)
except BaseException:  # a policy forbids it, though not another script
    blob = js.Blob.new(js.Array.of(code))
    js.WorkerGlobalScope.prototype.importScripts.call(None, js.URL.createObjectURL(blob))
raise KeyboardInterrupt  # so that there is no other answer
"""
CACHES = """async () => {
  const all = [{ ...localStorage }];
  for (const name of await caches.keys())
    for (const one of await (await caches.open(name)).matchAll()) {
      const hash = await crypto.subtle.digest("SHA-256", await one.arrayBuffer());
      all.push([name, ...new Uint8Array(hash)].join());
    }
  return all;
}"""


@pytest.fixture
def catcher():
    """Another host, which lists the connections that somebody makes to it."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Quiet) as server:
        server.seen, server.sent, accept = [], [], server.process_request
        server.process_request = lambda *of: (server.seen.append(of[1]), accept(*of))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def solved(page, code):
    """Follow a link to a game, read its rules, and calculate; return what the answer shows."""
    asked = {"words": "book mine.py", "rules": RULES.replace("CODE", json.dumps(code))}
    page.goto("about:blank")
    page.goto(f"{page.home}#{quote(json.dumps(asked), safe=';/?:@&=+$,#')}")
    page.wait_for_selector("#own[open]")
    page.wait_for_function(READY)
    page.wait_for_timeout(300)
    assert page.inner_text("#status").endswith("read them, then press Calculate.")
    assert page.inner_text("#answer") == ""
    page.click("#game button")
    page.wait_for_function(
        "() => !/Calcul|Comput|oading|img/.test(document.getElementById('status').textContent)"
    )
    return page.text_content("#answer")


def visited(page):
    """Visit the page until all that it keeps is kept."""
    follow(page, 2, 1)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function(KEPT)


def test_rules_from_a_link_reach_no_network_cache_storage_or_page(page, site, catcher):
    visited(page)
    before = page.evaluate(CACHES)
    places = [f"http://127.0.0.1:{catcher.server_port}/", page.home]
    attack = (Path(__file__).parent / "attack.js").read_text()
    inner = f"const [hosts, inner] = {json.dumps([places, ''])};\n{attack}"
    outer = f"const [hosts, inner] = {json.dumps([places, inner])};\n{attack}"
    solved(page, outer)
    tried = json.loads(page.inner_text("#answer h2"))
    assert [len(one) for one in tried] == [44, 44]
    assert [name for one in tried for name, is_done in one.items() if is_done] == []
    assert "mine.py" in page.url  # and not the question whose answer it pretends to be
    assert (
        page.locator("#answer :is(img, script, a, form, button, iframe, [id], [style])").count()
        == 0
    )
    on = "[...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames())"
    assert [name for name in page.evaluate(on) if name.startswith("on")] == []
    assert "text" in solved(page, HTML)
    assert page.inner_html("#answer") == "<p>text<svg></svg></p>"
    solved(page, BROKEN)
    assert "cannot be shown" in page.inner_text("#status")
    assert (page.inner_text("#answer"), page.evaluate("typeof forged")) == ("", "undefined")
    assert "5/12" in answered(page, "risk win 2 1")  # by an engine that ran no program
    assert catcher.seen == []
    assert [path for path, _ in site.sent if "leak" in path] == []
    assert page.evaluate(CACHES) == before
    assert len(page.context.pages) == 1
    page.goto("about:blank")
    page.goto(page.home + "#4d6kh3")
    page.wait_for_function(SHOWN, arg="/play/dice?expression=4d6kh3")
    assert page.title() == "Exact dice, computed in this page"
    page.complaints.clear()  # the browser's, of what it refused


def test_what_the_cache_holds_is_served_only_as_it_was_built(page):
    visited(page)
    poison = """async () => {
      const kept = await caches.open((await caches.keys())[0]);
      const first = await caches.open("another");
      const headers = { "content-type": "text/javascript" };
      for (const { url } of await kept.keys())
        for (const cache of [kept, first])
          await cache.put(url, new Response("document.title = 'owned'", { headers }));
    }"""
    page.evaluate(poison)
    for _ in range(2):
        page.goto("about:blank")
        follow(page, 2, 1)
        assert page.title() == "Exact dice, computed in this page"
    page.wait_for_function(KEPT)
    healed = "caches.open('NAME').then(kept => kept.match('play.js')).then(one => one.text())"
    name = page.evaluate("caches.keys().then(names => names.find(name => name !== 'another'))")
    assert page.evaluate(healed.replace("NAME", name)) == (BUILT / "play.js").read_text()
    page.context.set_offline(True)
    page.goto("about:blank")
    follow(page, 3, 2)


def test_an_address_that_is_no_question_takes_the_old_answer_away(page):
    page.goto(page.home + "#d%")
    page.wait_for_function(HAS, arg=["status", "address"])
    page.wait_for_function(READY)
    bad = ["d%", "%ff", "%F0%9F", "{", "[1]", '{"words":5,"rules":"x"}', '{"words":"book mine.py"}']
    for address in bad:
        answered(page, "risk win 2 1")
        page.evaluate("address => { location.hash = address; }", address)
        page.wait_for_function("() => document.getElementById('status').textContent")
        assert page.inner_text("#status") == "This address holds no question."
        assert page.inner_text("#answer") == ""
        assert not page.is_visible("#take")
    enter(page, "risk dice 40 40")
    page.evaluate("location.hash = 'd%'")
    page.wait_for_function(READY)
    page.wait_for_timeout(500)
    assert page.inner_text("#status") == "This address holds no question."
    assert page.inner_text("#answer") == ""
    page.evaluate("document.getElementById('question').value = 'd6\\ud800'")
    page.press("#question", "Enter")
    page.wait_for_selector("#answer .problem")


EXAMPLE = """<html lang="en"><title>x</title><link rel="icon" href="data:,"><main>
<div data-run="risk win 4 2"></div><div data-run="risk dice 150 150"></div>
<div class="cell"><div class="cell_input"><pre>from gmpy2 import mpq
half = mpq(1, 2)</pre></div></div>
<div class="cell"><div class="cell_input"><pre>print("so"); half / 3</pre></div></div></main>
<script type="module" src="here.js"></script>"""


def test_an_example_of_the_manual_is_answered_where_it_stands(page):
    example = {"body": EXAMPLE, "content_type": "text/html"}
    page.route("**/manual.html", lambda route: route.fulfill(**example))
    page.goto(page.home + "manual.html")
    first, second = page.locator("[data-run]").all()
    assert first.locator("a").get_attribute("href") == f"{page.home}#risk%20win%204%202"
    first.locator("button").click()
    first.locator(".lead strong").wait_for()
    assert "6610505/10077696" in first.inner_text()  # of the Risk post
    second.locator("button").click()
    second.get_by_role("button", name="Cancel").click()
    assert "Cancelled." in second.inner_text()
    first.get_by_role("button", name="Run it again").click()
    first.get_by_role("button", name="Run it again").wait_for()
    last = page.locator(".cell").last
    last.get_by_role("button").click()
    last.locator("[role=status] pre").wait_for()
    assert last.locator("[role=status] pre").inner_text() == "so\nFraction(1, 6)"


def test_the_linked_answer_is_there_while_the_engine_loads_and_offline_afterwards(page, site):
    page.goto(page.home + "#risk%20win%2012%208")
    page.wait_for_selector("#answer .lead strong")
    assert page.inner_text("#answer .lead strong") == "79.4 %"
    page.wait_for_function(READY)
    page.wait_for_function("caches.keys().then(names => names.length)")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function(KEPT)
    page.context.set_offline(True)
    begun = time.monotonic()
    page.reload()
    page.wait_for_function(READY)
    print("warm start:", time.monotonic() - begun)
    drawn = "() => [...document.images].every(one => one.complete && one.naturalWidth)"
    page.wait_for_function(drawn)
    assert "5/12" in answered(page, "risk win 2 1")
    # By the library that comes later: stick on 4 to 6, so that v = 15/6 + (v - 1/2)/2.
    assert "9/2" in answered(page, "reroll value --dice 1 --penalty 1/2")


def test_what_cannot_be_answered_costs_a_line_and_cancel_a_second(page):
    page.goto(page.home)
    for words, line in {
        "risk win 1 2": "expected a whole number of at least 2",
        "risk table 5000 5000": "needs about",
        "swe policies 10 --policy Promo": "needs numpy",
        "swe enclosure 40": "needs a solver in C++",
        "symbolic risk-round 3 2": "needs sympy",
        "chess": "a command that begins with",
        "dice distribution 4d6kh9": "keep",
    }.items():
        enter(page, words)
        page.wait_for_function(SHOWN, arg=words)
        assert line in page.inner_text("#answer .problem")
    page.goto(page.home)
    page.wait_for_function(READY)
    enter(page, "risk dice 150 150")
    page.click("#cancel")
    begun = time.monotonic()
    page.wait_for_function("() => document.getElementById('status').textContent === 'Cancelled.'")
    assert time.monotonic() - begun < 1
    assert "5/12" in answered(page, "risk win 2 1")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(page, theme):
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=theme)
    page.goto(page.home)
    page.click("#kinds summary")
    page.click("#programs summary")
    page.wait_for_selector("#answer .lead strong")
    page.click("#answer summary")
    violations = Axe().run(page).response["violations"]
    assert [node["html"] for violation in violations for node in violation["nodes"]] == []
    for address in ("/play/dice?expression=4d6kh3&other=3d6", "/play/reroll", "/games/pig", "/"):
        page.goto(f"{page.home}#{address}")
        page.wait_for_function(SHOWN, arg=address)
        violations = Axe().run(page).response["violations"]
        assert [node["html"] for violation in violations for node in violation["nodes"]] == []


def test_pages_of_the_server_are_the_same_here(page):
    """Each is the server's page, with its sentence, charts, boards and forms."""
    page.goto(page.home + "#12%20v%208")
    page.wait_for_function(SHOWN, arg="/play/risk?attackers=12&defenders=8")
    assert page.inner_text("#answer .lead strong") == "79.4 %"
    assert "12 for 75 %" in page.inner_text("#least")
    page.fill("#f-attackers", "4")
    page.fill("#f-defenders", "2")
    page.wait_for_selector("#answer :text('4 attackers (3 fight) beat 2')")
    assert "6610505/10077696" in page.inner_text("#answer")  # of the Risk post
    assert page.evaluate("document.activeElement.id") == "f-defenders"
    page.locator("#answer .map a").first.click()
    page.wait_for_selector("#answer :text('21 attackers (20 fight) beat 1')")
    enter(page, "pig")
    page.wait_for_function(SHOWN, arg="/games/pig")
    assert page.inner_text("#answer .lead strong") == "53.06 %"  # Neller and Presser 2004
    assert "Neller and Presser 2004" in page.inner_text("#answer .cutting")
    page.emulate_media(media="print")
    assert page.locator("p.printed").last.inner_text().startswith(page.url)
    page.emulate_media(media="screen")
    page.locator("#answer .map a").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#answer a:focus").get_attribute("href").startswith("#/games/pig?")
    page.goto(page.home + "#/play/against?game=reroll&seed=3&choices=000&why=3")
    page.wait_for_selector("#answer #why polyline >> nth=1", state="attached")
    page.locator("#answer .cite summary").click()
    assert f"{page.home}#/play/against" in page.inner_text("#answer .cite pre")
