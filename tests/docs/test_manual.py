"""Mistakes in the manual stop the build with their place: small builds with only the extension."""

import subprocess
import sys
from pathlib import Path

import pytest
from cases import rows_of
from printed import POSTS_WIN

ROOT = Path(__file__).resolve().parents[2]
REASON = "needs the group docs: pip install --editable . --group docs"
for needed in ("sphinx", "myst_nb", "latex2mathml", "ipykernel"):
    pytest.importorskip(needed, reason=REASON)
sys.path.append(str(ROOT / "docs"))

from exactdice_docs import answers, book, claims, questions  # noqa: E402
from exactdice_docs.build import write_pages  # noqa: E402
from exactdice_docs.checks import problems  # noqa: E402
from exactdice_docs.mathml import converted  # noqa: E402

from exactdice.book import PAGES  # noqa: E402
from exactdice.claims.certificates import checkout, stated  # noqa: E402
from exactdice.dice import fair  # noqa: E402
from exactdice.jobs.claims import CLAIMS  # noqa: E402
from exactdice.rooms import ROOMS, classes  # noqa: E402

CONF = """
import sys
sys.path[:0] = [{docs!r}, {root!r}]
extensions = ["myst_nb", "exactdice_docs"]
exactdice_made_pages = False
nitpicky = True
html_theme = "basic"
html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath"]
nb_execution_mode = "force"
exclude_patterns = ["out"]
"""

NOTEBOOK = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n"


def build(home, *more, **pages):
    conf = CONF.format(docs=str(ROOT / "docs"), root=str(ROOT))
    (home / "conf.py").write_text("\n".join([conf, *more]))
    for name, text in pages.items():
        (home / f"{name}.md").write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    words += [str(home), str(home / "out")]
    return subprocess.run(words, capture_output=True, text=True, check=False)


MISTAKES = dict(rows_of("tables/manual_mistakes"))


def test_each_mistake_of_a_page_is_reported_with_its_line(tmp_path):
    lines, places = ["# A page", ""], {}
    for mistake in MISTAKES:
        places[mistake] = len(lines) + 1
        lines += [*mistake.split("\n"), ""]
    done = build(tmp_path, index="\n".join(lines))
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    for mistake, said in MISTAKES.items():
        about = [line for line in done.stderr.splitlines() if said in line]
        assert about, f"{mistake}\n{done.stderr}"
        wanted = {f"index.md:{places[mistake] + extra}" for extra in (0, 1)}
        assert any(place + ":" in line for line in about for place in wanted), about


def test_a_page_without_mistakes_is_built_with_the_answers(tmp_path):
    page = (
        "# A page\n\n{quantity}`risk win 4 2 : value` {exact}`risk win 4 2 : value` "
        "{verdict}`swe.never-skip` $\\tfrac12$\n\n```{answer} risk win 4 2\n```\n\n"
        "```{answer} risk table 4 3\n:as: table\n```\n\n```{refused} risk win 1 2\n```\n"
        "```{answer} dice chance 'd6 >= 5'\n:chart: d6\n```\n"
        "```{answer} dice compare 'd6 vs d4'\n:chart: win = value, tie = tie, loss\n```\n"
        "```{answer} risk least 3\n:chart: table least: wanted attackers\n```\n"
    )
    done = build(tmp_path, index=page)
    assert (done.returncode, done.stderr) == (0, "")
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert html.count(POSTS_WIN) == 4  # twice in the tables
    assert "0.6559539998" in html
    assert "proved" in html
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in html
    assert "commit" not in html
    # The bars of a die, and of the tie: 4 of 24.
    assert html.count(": 16.7 %</title>") == 7
    # By hand: d6 beats d4 in 0 + 1 + 2 + 3 + 4 + 4 = 14 of 24 cases, and loses in 6.
    assert "win: 58.3 %</title>" in html
    assert "loss: 25.0 %</title>" in html
    assert html.count('class="bars"') == 3


def test_bars_of_a_distribution_are_those_of_its_probabilities():
    svg = answers.bars(fair(6).map(lambda face: "high" if face > 4 else "<low>"))._repr_html_()
    assert svg.count("<rect") == 2
    assert "<title>high: 33.3 %</title>" in svg
    assert "&lt;low&gt;: 66.7 %" in svg


@pytest.mark.parametrize(
    ("formula", "said"), [("$$\\chess$$", "chess"), ("$$a \\\\le b$$", "two backslashes")]
)
def test_an_invalid_formula_stops_the_build(formula, said):
    with pytest.raises(ValueError, match=said):
        converted(formula.strip("$"), is_block=True)


def test_an_example_that_raises_an_error_stops_the_build(tmp_path):
    index = f"{NOTEBOOK}\n# A page\n\n```{{code-cell}} python\n1 / 0\n```\n"
    for _ in range(2):  # the page is unchanged in the second build
        done = build(tmp_path, index=index)
        assert done.returncode != 0
        assert "index.md: WARNING: an example raises ZeroDivisionError: division" in done.stderr


SITES = dict(rows_of("tables/manual_sites"))


@pytest.mark.parametrize("content", SITES)
def test_a_request_to_another_host_or_a_dead_link_is_found(content, tmp_path):
    (tmp_path / "index.html").write_text(f"<html><body>{content}</body></html>")
    found = list(problems(tmp_path))
    assert len(found) == 1
    assert found[0].startswith("index.html: ")
    assert SITES[content] in found[0]


def test_style_sheets_are_checked_and_ordinary_links_are_no_requests(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "index.html").write_text('<p id="a">')
    (tmp_path / "index.html").write_text(
        '<a href="https://a.example">x</a><a href="mailto:a@b.example">x</a>'
        '<a href="x/">x</a><a href="x/index.html#a">x</a><img src="data:image/png;base64,">'
    )
    assert not list(problems(tmp_path))
    (tmp_path / "x.css").write_text("@import 'https://fonts.example/css';")
    assert list(problems(tmp_path)) == ["x.css: loads https://fonts.example/css from another host"]


def test_pages_of_questions_have_every_field_default_and_usage():
    pages = dict(questions.pages())
    for room in ROOMS:
        for asked in classes(room):
            page = pages[f"questions/{questions.slug(asked.command)}.md"]
            for parameter in asked.parameters():
                assert parameter.help.replace("|", r"\|") in page
            assert asked.example in page
    # From `exactdice swe simulate --help` and `risk campaign --help`: 0 is also a default.
    assert "| `--seed` | `S` | `0` |" in pages["questions/swe-simulate.md"]
    assert "| `--points` | `P` | `0` |" in pages["questions/farkle-value.md"]
    usage = "exactdice risk campaign ATTACKERS TERRITORIES… [options]"
    assert usage in pages["questions/risk-campaign.md"]
    # `none` is a valid target, so the default must not be shown as none.
    assert "| `--target` | `N\\|none` | not set |" in pages["questions/farkle-value.md"]


def test_the_answers_beside_those_of_anydice_are_right():
    """By hand: 3 hundreds with sums of 3 to 18; 0^0 is 1; 9^10 to 9^100; 3 of 8 faces; 1+…+5."""
    page = (ROOT / "docs/how-to/anydice-programs.md").read_text(encoding="utf-8")
    cell = page.split("[remove-input]\n")[1].partition("```")[0]
    space = {}
    exec(cell, space)  # noqa: S102 - a page of ours
    answers = [space["ours"](program) for program, _, _ in space["ROWS"]]
    assert answers[:3] == ["48 outcomes from 103 to 318", "0: 80 %, 1: 20 %", "0: 100 %"]
    assert answers[3].startswith(f"10 outcomes from {9**10} to {str(9**100)[:9]}")
    assert answers[4:9] == ["5: 100 %", "0: 62.5 %, 1: 37.5 %", "0: 100 %", "15: 100 %", "0: 100 %"]
    assert "legacy" in answers[9]


def test_a_game_page_links_to_answers_and_to_play_of_its_variants():
    # Turns of https://zilch.playr.co.uk are unlimited, so only the one-turn variant has states.
    assert list(book.played(PAGES["ten-thousand"])) == ["book ten-thousand --variant turn --play 1"]
    assert not list(book.played(PAGES["qwixx"]))  # seven million sheets
    page = dict(book.pages({"book/craps/field.html": Path("field.html")}))["book/craps.md"]
    assert '<a href="craps/field.html"><code>field</code></a>' in page
    assert "craps/odds.html" not in page  # not made


def test_the_hyphens_of_an_option_are_kept(tmp_path):
    conf = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    said = next(line for line in conf.splitlines() if line.startswith("smartquotes_action"))
    done = build(tmp_path, said, index="# A page\n\nNo --penalty.\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "No --penalty." in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_every_claim_has_a_page_with_its_verdict_and_its_formula():
    pages = dict(claims.pages())
    for claim in CLAIMS:
        page = pages[f"claims/{claim.id}.md"]
        verdict, formal = stated(claim, checkout())
        assert formal["sentence"] in page
        if formula := formal["formula"]:
            assert "<math" in converted(formula, is_block=True)
        assert f"}} {verdict}\n" in page
        assert (not claim.kind) == ("proofs/certificates" not in page)


def test_outdated_pages_are_removed_and_unchanged_ones_keep_their_time(tmp_path):
    write_pages(tmp_path, {"claims/a.md": "a", "claims/b.md": "b"})
    (tmp_path / "own.md").write_text("mine")
    before = (tmp_path / "claims" / "a.md").stat().st_mtime_ns
    write_pages(tmp_path, {"claims/a.md": "a"})
    assert not (tmp_path / "claims" / "b.md").exists()
    assert (tmp_path / "claims" / "a.md").stat().st_mtime_ns == before
    assert (tmp_path / "own.md").exists()
