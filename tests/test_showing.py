from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from gmpy2 import mpq

from exactdice.dice import Distribution, fair
from exactdice.games import farkle, reroll, risk, swe
from exactdice.games.risk.battle_functions import winning_chance
from exactdice.games.risk.round_polynomials import power_sum
from exactdice.report.model import Formula, Quantity, Report, Table, exact, text_column, whole
from exactdice.report.notebook import MAX_ROWS, Sheet, load_ipython_extension
from exactdice.symbolic.ehrhart_polynomials import ehrhart

GAMES = {
    "reroll": lambda: reroll.solve(reroll.Rules()),
    "swe": lambda: swe.solve(5),
    "farkle": lambda: farkle.solve("fair*2"),
    "risk table": lambda: risk.win_table(4, 3),
    "risk dice": lambda: risk.dice_game(4, 3),
    "risk battle": lambda: risk.battle(4, 3),
    "process": lambda: reroll.solve(reroll.Rules()).solution,
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
def test_solutions_show_themselves(name):
    solved = GAMES[name]()
    assert_balanced(solved._repr_html_())
    latex = solved._repr_latex_()
    sheets = len(list(solved._sheets()))
    assert latex.count(r"\begin{array}") == latex.count(r"\end{array}") == sheets


def test_a_roll_of_the_reroll_game_shows_what_to_hold():
    # (1, 2, 2): hold the pair of 2s, worth 27/2: enumeration in the reroll tests.
    cells = [row for row in next(GAMES["reroll"]()._sheets()).rows if row[0] == (1, 2, 2)]
    assert cells == [((1, 2, 2), (2, 2), mpq(27, 2))]


def test_risk_shows_the_chance_of_the_posts():
    # The chance that the Risk posts give for (4, 2).
    for name in ("risk table", "risk dice"):
        assert "<td>4</td><td>2</td><td>6610505/10077696</td>" in GAMES[name]()._repr_html_()


def test_a_short_distribution_is_shown_whole():
    coin = Distribution({0: 1, 1: 2})
    assert "<td>1</td><td>2/3</td>" in coin._repr_html_()
    assert r"1 & \frac{2}{3}" in coin._repr_latex_()
    assert "more rows" not in coin._repr_html_()


def test_a_long_distribution_is_cut_and_says_so():
    pool = fair(6).sum_of(10)  # 51 outcomes, from 10 to 60
    html = pool._repr_html_()
    assert html.count("<tr>") == MAX_ROWS + 1
    assert f"… and {51 - MAX_ROWS} more rows" in html
    assert f"{51 - MAX_ROWS} more rows" in pool._repr_latex_()


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
    assert "≈ 7.8886091e-31" in html  # 2^-100 = 7.888609052…e-31, as any double says
    assert table._repr_html_() in html
    latex = report._repr_latex_()
    assert r"\text{50 \%}" in latex
    assert r"-\frac{1}{2}" in latex
    assert "x^{2}" in latex
    assert r"\approx 7.888" in latex
    assert table._repr_latex_() in latex


def test_a_report_without_quantities_shows_its_tables_alone():
    table = Table("t", "T", [whole("n", "number")], [(1,)])
    assert Report("R", (), [table])._repr_html_() == table._repr_html_()


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


def test_a_sheet_without_rows():
    assert_balanced(Sheet("nothing", ["n"], [], 0).html())
