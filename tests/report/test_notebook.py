"""Results in a notebook: each is shown as its report, long tables cut."""

import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import significant
from exactdice.dice import Distribution, d, fair, repeat
from exactdice.formats.explicit import explicit
from exactdice.formats.openspiel_hidden import TreeNode
from exactdice.games import farkle, fatestones, reroll, risk, swe
from exactdice.models import End, Game, optimum, reward_distribution
from exactdice.report.html import MAX_ROWS
from exactdice.report.model import Formula, Quantity, Report, Table, exact, text_column, whole
from exactdice.report.notebook import load_ipython_extension
from exactdice.report.writers import Format, render
from exactdice.rooms import ask
from exactdice.solve.keeping import FreeRerolls
from exactdice.studies.risk.closed_forms import power_sum, winning_chance
from exactdice.studies.risk.sources import POSTS_WIN
from exactdice.symbolic.ehrhart import ehrhart

STANDARD_DIE = (1, 2, 3, 4, 5, 6)

GAMES = {
    "reroll": lambda: reroll.solve(),
    "swe": lambda: swe.solve(5),
    "farkle": lambda: farkle.solve("fair*2"),
    "fatestones": lambda: fatestones.solve((STANDARD_DIE,), (STANDARD_DIE,)),
    "risk": lambda: risk.solve(4, 3),
    "risk table": lambda: risk.win_table(4, 3),
    "risk dice": lambda: risk.dice_game(4, 3),
    "risk campaign": lambda: risk.campaign(5, [1, 2]),
    "model": lambda: reroll.solve().optimum,
}


class Balanced(HTMLParser):
    """Checks that every tag is closed in the right order."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def assert_balanced(html):
    parser = Balanced()
    parser.feed(html)
    assert not parser.open


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_is_shown_as_its_report(name):
    solved = GAMES[name]()
    report = solved.report()
    assert isinstance(report, Report)
    assert_balanced(solved._repr_html_())
    assert report.title.split(":")[0].split()[0] in solved._repr_html_()
    latex = solved._repr_latex_()
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}")
    assert latex.count("{") == latex.count("}")


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_prints_short(name):
    assert len(str(GAMES[name]())) < 400


def test_risk_shows_the_chance_of_the_post():
    for name in ("risk table", "risk dice"):
        cells = ["4", "2", "0.65595400"]  # the decimal is that of the fraction, by long division
        row = "".join(f'<td class="r">{cell}</td>' for cell in cells)
        assert re.search(f"{row}.*<td class=.r.>{POSTS_WIN}</td>", GAMES[name]()._repr_html_())


def test_a_short_distribution_is_shown_whole():
    coin = Distribution({0: 1, 1: 2})
    cells = '<td class="r">1</td><td class="r">0.66666667</td><td class="r">2/3</td>'
    assert cells in coin._repr_html_()
    assert "1 & 2/3" in coin._repr_latex_()
    assert "more rows" not in coin._repr_html_()


def test_a_long_distribution_is_cut_and_says_so():
    pool = fair(6).sum_of(10)  # 51 outcomes, from 10 to 60
    html = pool._repr_html_()
    assert html.count("<tr>") == MAX_ROWS + 1
    assert f"… and {51 - MAX_ROWS} more rows" in html


def test_a_report_shows_quantities_and_tables():
    table = Table(
        "t",
        "A <b>title</b> & more",
        [whole("n", "number"), text_column("words", "words"), exact("p", "chance")],
        [(1, "50 %", mpq(-1, 2)), (2, Formula("x^2", "x^{2}"), None), (3, "", mpq(4))],
    )
    report = Report("R", [Quantity(exact("v", "value"), mpq(1, 2**100))], [table])
    html = report._repr_html_()
    assert_balanced(html)
    assert "A &lt;b&gt;title&lt;/b&gt; &amp; more" in html
    assert "7.8886091e-31" in html  # 2^-100 = 7.888609052…e-31, as any double says
    assert table._repr_html_() in html
    latex = report._repr_latex_()
    assert r"50 \%" in latex
    assert "$-$1/2" in latex
    assert "$x^{2}$" in latex


def test_closed_forms_show_themselves():
    pairs = ehrhart(1, 2)
    assert pairs._repr_latex_() == f"${pairs.latex()}$"
    counts = pairs.quasi_polynomial
    assert counts._repr_latex_() == f"${counts.latex()}$"
    assert power_sum(1)._repr_latex_() == f"${power_sum(1).latex()}$"
    # One die against one: (s − 1)/(2s), by hand.
    assert winning_chance(1, 1)._repr_latex_() == r"$\frac{s - 1}{2 s}$"


def test_the_notebook_extension_shows_rationals_as_fractions():
    shown = {}
    formatter = SimpleNamespace(for_type=shown.__setitem__)
    formatters = {"text/latex": formatter}
    load_ipython_extension(
        SimpleNamespace(display_formatter=SimpleNamespace(formatters=formatters))
    )
    assert shown[type(mpq())](mpq(-2, 6)) == r"$-\frac{1}{3}$"
    assert shown[type(mpq())](mpq(1, 2)) == r"$\frac{1}{2}$"
    assert shown[type(mpq())](mpq(-4, 2)) == "$-2$"


def test_a_report_prints_as_the_command_does_and_a_law_is_a_data_frame():
    report = ask("risk win 4 2")
    assert str(report) == render(report).rstrip("\n")
    frame = d(3).to_pandas()
    assert list(frame["outcome"]) == [1, 2, 3]
    assert list(frame["probability"]) == ["1/3"] * 3


def test_what_may_be_large_is_not_shown_at_the_prompt():
    """States, chains and parts of fractions; what is named is short, and so is an answer."""
    coin = Game(0, lambda n: fair(2).map(lambda f: n + f) if n < 9 else End(n)).explored()
    best, law = optimum(coin, infinite="draw"), reward_distribution(coin)
    assert repr(best) == f"{best.question}: {significant(best.value, 10)} (exact)"
    shown = {
        "initial, least, draws": best.certificate(),
        "total, mean, variance": law,
        "turns, dice, face, rolls, denominator": FreeRerolls(2, fair(6), 2).solve(sum),
        "lowest": d(6).exploding(),
        "law, mean, variance": repeat(0, lambda _: d(6), lambda face: face == 6),
        "initial, labels, players": explicit(coin),
        "history": TreeNode((1,), coin),
    }
    for fields, answer in shown.items():
        assert ", ".join(re.findall(r"(\w+)=", repr(answer))) == fields


def test_a_result_gives_its_report_as_json_and_as_data_frames():
    pytest.importorskip("pandas")
    battle = risk.solve(4, 2)
    assert battle.to_json() == battle.report().to_json() == render(battle.report(), Format.JSON)
    frames = battle.to_pandas()
    assert frames.keys() == battle.report().to_pandas().keys()
    # the Risk post's value of four total units against two
    assert "6610505/10077696" in frames["quantities"].to_string()
