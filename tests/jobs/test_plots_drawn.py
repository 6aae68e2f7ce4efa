"""The elements of each figure agree with its table of exact numbers."""

from itertools import combinations

import numpy as np
import pytest
from gmpy2 import mpq
from matplotlib.text import Text

from exactdice.dice import Distribution, d
from exactdice.enclosure import Enclosure
from exactdice.jobs.plots import figure as dice
from exactdice.jobs.plots import figure as sheets
from exactdice.jobs.plots import figure_named
from exactdice.report.model import Report, Table
from tests.jobs.conftest import EACH, SMALL

# The directions in which lines of a grid help to read a value off.
GRIDS = {
    "risk-survivors": ["y", "y"], "reroll-theta": ["", "y"], "swe-values": ["xy", "xy"],
    "swe-distributions": ["xy"], "fatestones-deals": ["y"], "fatestones-bags": ["y", "y"],
    "farkle-turn": ["y"], "dice-distribution": ["y"], "dice-compare": ["y"], "anydice": ["y"],
    "total": ["y"],
}  # fmt: skip


def panels(canvas):
    return [axes for axes in canvas.axes if axes.get_label() != "<colorbar>"]


def near(numbers):
    return [[float(f"{float(x):.9g}") for x in row] for row in numbers]


def boxes(axes):
    filled = [box for box in axes.patches if box.get_fill()]
    return near((b.get_x(), b.get_y(), b.get_width(), b.get_height()) for b in filled)


def bars(axes):
    assert all(bottom == 0 for _, bottom, _, _ in boxes(axes))
    return near((x + width / 2, height) for x, _, width, height in boxes(axes))


def lines(axes):
    return [near(line.get_xydata()) for line in axes.lines]


def texts(axes):
    return [text.get_text() for text in axes.texts]


def named(legend):
    return [text.get_text() for text in legend.get_texts()]


def middle(cell):
    return cell.middle if isinstance(cell, Enclosure) else cell


def redrawn(report, name, rows, *columns, quantity=""):
    """A figure of these rows, in columns of the report's first table."""
    table = report.tables[0]
    shown = [column for column in table.columns if not columns or column.name in columns]
    quantities = [q for q in report.quantities if q.column.name == quantity]
    with sheets.style():
        return figure_named(name).draw(
            Report("t", quantities, [Table(table.name, "t", shown, rows)])
        )


@pytest.mark.parametrize("name", EACH)
def test_grid_lines_are_shown_for_reading_values(name, drawn):
    def grid(axes):
        sides = {"x": axes.xaxis, "y": axes.yaxis}
        visible = {s: any(g.get_visible() for g in a.get_gridlines()) for s, a in sides.items()}
        return "".join(side for side in sides if visible[side])

    shown = [grid(axes) for axes in panels(drawn[name][1])]
    assert shown == GRIDS.get(name, [""] * len(shown))


def test_probabilities_of_two_armies_are_at_their_sizes(drawn):
    report, canvas = drawn["risk-win"]
    axes = panels(canvas)[0]
    [image] = axes.images
    size = SMALL["risk-win"]
    chances = {(a, d): p for a, d, p in report.tables[0].rows}
    grid = [[chances[a, d] for d in range(1, size + 1)] for a in range(2, size + 2)]
    assert near(image.get_array()) == near(grid)
    assert image.get_extent() == [0.5, size + 0.5, 1.5, size + 1.5]
    assert (image.origin, image.get_clim()) == ("lower", (0, 1))
    for text in axes.texts:
        assert text.get_transform() == axes.transAxes
    at = {text.get_text().split()[0]: text.get_position() for text in axes.texts}
    assert {who: (x < 0.5, y < 0.5) for who, (x, y) in at.items()} == {
        "attacker": (True, False),  # above the line: more attackers than defenders
        "defender": (False, True),
    }


def test_the_line_of_equal_chances_leaves_a_picture_in_which_it_does_not_end(drawn):
    # Rows made up here: against two defenders no army shown wins more often than not.
    cells, even = (table.columns for table in drawn["risk-win"][0].tables)
    of_cells = [(a, d, mpq(1, 4)) for a in (2, 3) for d in (1, 2)]
    made_up = Table("c", "", cells, of_cells), Table("e", "", even[:2], [(1, 3)])
    with sheets.style():
        axes = figure_named("risk-win").draw(Report("t", (), made_up)).axes[0]
    assert lines(axes)[0] == [[0.5, 2.5], [1.5, 2.5], [1.5, 3.5], [2.5, 3.5]]


def test_survivors_of_both_sides_have_separate_panels(drawn):
    report, canvas = drawn["risk-survivors"]
    rows = report.table("outcomes").rows
    held, won = panels(canvas)
    assert bars(held) == near((d, p) for _, d, p in rows if d)
    assert bars(won) == near((a, p) for a, d, p in rows if not d)
    assert sum(p for *_, p in rows) == 1
    for axes in (held, won):  # units are counted below their bars
        assert sorted(axes.get_xticks()) == sorted(x for x, _ in bars(axes))
    assert held.xaxis_inverted()  # nobody is left in the middle
    assert not won.xaxis_inverted()
    chance = float(report.value("win_probability"))
    assert held.get_title() == f"defender holds: {1 - chance:.1%}"
    assert won.get_title() == f"attacker wins: {chance:.1%}"


def test_units_left_are_marked_at_every_bar_or_at_eight_steps():
    with sheets.style():
        figure = figure_named("risk-survivors")
        held, won = figure.draw(figure.data(20)).axes
    assert list(held.get_xticks()) == list(range(1, 21, 2))  # 20 bars: every second one
    assert list(won.get_xticks()) == list(range(2, 21, 2))  # 19 bars


def test_the_cost_of_a_die_fewer_is_at_the_sizes_of_the_armies(drawn):
    report, canvas = drawn["risk-dice"]
    size = SMALL["risk-dice"]
    states = report.table("states")
    for axes, side in zip(panels(canvas), ("attacker", "defender"), strict=True):
        assert axes.get_title() == f"the {side} rolls one die fewer"
        [image] = axes.images
        shown = image.get_array().filled(-1)
        at = states.select("attackers", "defenders", f"{side}_cost")
        for a, n, cost in at:
            expected = float(cost) if cost is not None and cost > 0 else -1
            assert shown[a - 2, n - 1] == pytest.approx(expected, rel=1e-12)
        assert len(at) == shown.size == size * (size - 1)
        assert image.get_extent() == [0.5, size + 0.5, 1.5, size + 0.5]
        assert image.origin == "lower"
        assert lines(axes) == [[]]  # under the usual rules fewer dice never help
        costs = [c for s in ("attacker", "defender") for c in states.cells(f"{s}_cost") if c]
        assert image.norm.vmin == float(min(costs))
        assert image.norm.vmax == float(max(costs))


def test_a_die_fewer_that_helps_is_marked_by_a_cross(drawn):
    # A table made up here: costs of 0 are left grey, negative ones are crossed.
    report, _ = drawn["risk-dice"]
    names = ("attackers", "defenders", "attacker_cost", "defender_cost")
    changed = [list(row) for row in report.table("states").select(*names)]
    for row, cost in zip(changed, (mpq(-1, 8), mpq(0), mpq(1, 4)), strict=False):
        row[2] = cost
    attacker, defender = panels(redrawn(report, "risk-dice", [*map(tuple, changed)], *names))
    a, d = changed[0][:2]
    assert (lines(attacker), lines(defender)) == ([[[d, a]]], [[]])
    shown = attacker.images[0].get_array().filled(-1)
    assert [shown[row[0] - 2, row[1] - 1] for row in changed[:3]] == [-1, -1, 0.25]


def test_each_roll_has_a_cell_with_held_faces_in_bold(drawn):
    report, canvas = drawn["reroll-policy"]
    [axes] = canvas.axes
    rows = report.table("states").select("state", "action")
    # The rolls of three dice are 8·7·6/6 = 56: eight in a row, as the root of 56 is 7.5.
    assert len(rows) == 56
    assert boxes(axes) == [[n % 8, n // 8, 1, 1] for n in range(56)]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 8), (7, 0))
    written = iter(axes.texts)
    kinds = {}
    for n, (roll, held) in enumerate(rows):
        cell = axes.patches[n]
        kinds.setdefault(len(held), set()).add(cell.get_facecolor())
        for place, face in enumerate(roll, start=1):
            text = next(written)
            assert text.get_text() == str(face)
            assert text.get_position() == pytest.approx((n % 8 + place / 4, n // 8 + 0.5))
            assert text.get_fontweight() == ("bold" if place - 1 in held else "normal")
    assert next(written, None) is None
    words = {3: "stick", 2: "hold two", 1: "hold one", 0: "roll all again"}
    [legend] = canvas.legends
    colours = {p.get_facecolor(): w for p, w in zip(legend.get_patches(), named(legend))}  # noqa: B905
    assert {n: [words[n]] for n in kinds} == {
        n: [colours[c] for c in of] for n, of in kinds.items()
    }
    assert len(colours) == len(kinds)


def test_four_dice_are_held_as_two_or_more(drawn):
    rolls = [((1, 1, 1, 1), (0, 1, 2)), ((1, 1, 1, 2), (0,))]
    canvas = redrawn(drawn["reroll-policy"][0], "reroll-policy", rolls, "state", "action")
    assert named(canvas.legends[0]) == ["hold two or more", "hold one"]
    assert boxes(canvas.axes[0]) == [[0, 0, 1, 1], [1, 0, 1, 1]]


def test_wrong_choices_are_drawn_over_tolerances(drawn):
    report, canvas = drawn["reroll-theta"]
    stops, (left, right) = report.table("stops"), panels(canvas)
    theta = float(report.value("tolerance"))
    change, wrong = stops.cells("above"), stops.cells("greedy_wrong")
    ranges = zip([2 * change[0], *change], change, wrong, strict=False)
    steps = [near([(low, count), (high, count)]) for high, low, count in ranges]
    at_theta = near([(theta, 0), (theta, 1)])
    assert lines(right) == [*(sorted(step) for step in steps), at_theta]
    shown = {"change in the sweep": "above", "error of a value": "error"}
    of_sweeps = [near(stops.select("sweeps", name)) for name in shown.values()]
    assert lines(left) == [*of_sweeps, near([(0, theta), (1, theta)])]
    assert [line.get_label() for line in left.lines[:2]] == named(left.get_legend()) == [*shown]
    assert texts(left) == texts(right) == [f"θ = {theta:g}"]
    assert left.texts[0].xy == (stops.cells("sweeps")[0], theta)
    assert right.texts[0].xy == (theta, max(wrong))
    scales = [(axes.get_xscale(), axes.get_yscale()) for axes in (left, right)]
    assert scales == [("linear", "log"), ("log", "linear")]
    assert right.get_ylim()[0] < 0  # a count of 0 stands above the edge


def test_values_and_the_loss_by_creating_are_drawn_by_rounds(drawn):
    report, canvas = drawn["swe-values"]
    left, right = panels(canvas)
    rows = report.tables[0].select("rounds", "value", "new_only")[1:]
    assert lines(left) == [near((n, v) for n, v, _ in rows), near((n, v) for n, _, v in rows)]
    assert lines(right) == [near((n, best - new) for n, best, new in rows)]
    assert named(left.get_legend()) == ["optimal play", "always create"]


@pytest.mark.parametrize(
    ("name", "size"), [("swe-values", 2), ("reroll-theta", 2), ("dice-distribution", 2)]
)
def test_counts_have_ticks_at_whole_numbers(name, size):
    with sheets.style():
        axes = figure_named(name).draw(figure_named(name).data(size)).axes[0]
    assert all(float(tick).is_integer() for tick in axes.get_xticks())


def test_each_state_of_optimal_play_has_a_cell_in_the_colour_of_its_action(drawn):
    report, canvas = drawn["swe-policy"]
    [axes] = canvas.axes
    table = report.table("states")
    rows = list(map(tuple, table.rows))
    assert not any(row[-1] for row in rows)  # each state has one action here
    names = list(dict.fromkeys(row[0] for row in rows))
    assert boxes(axes) == near((row[1] - 0.5, names.index(row[0]) - 0.5, 1, 1) for row in rows)
    assert [label.get_text() for label in axes.get_yticklabels()] == names
    assert list(axes.get_yticks()) == list(range(len(names)))
    last = max(row[1] for row in rows)
    assert list(axes.get_xticks()) == list(range(2, last + 1, 2))
    assert (axes.get_xlim(), axes.get_ylim()) == ((0.5, last + 0.5), (-0.5, len(names) - 0.5))
    # Lines between the cells, none beside the numbers.
    assert list(axes.get_xticks(minor=True)) == [n - 0.5 for n in range(1, last + 1)]
    assert list(axes.get_yticks(minor=True)) == [n - 0.5 for n in range(len(names))]
    for axis in (axes.xaxis, axes.yaxis):
        [*ticks] = axis.get_minor_ticks()
        assert {(t.gridline.get_visible(), t.tick1line.get_markersize()) for t in ticks} == {
            (True, 0)
        }
    assert not axes.get_axisbelow()  # cells would hide the lines
    [legend] = canvas.legends
    colour = dict(zip(named(legend), (p.get_facecolor() for p in legend.get_patches())))  # noqa: B905
    assert [p.get_facecolor() for p in axes.patches] == [colour[row[5]] for row in rows]


def test_a_cell_is_divided_and_framed_if_the_score_decides(drawn):
    # Rows made up here: of four scores the lowest three, three quarters, promote.
    rows = [("1 d4", 1, 3, 7, 3, "promote d4", True), ("1 d4", 1, 9, 9, 1, "create d4", True)]
    [axes] = redrawn(drawn["swe-policy"][0], "swe-policy", rows).axes
    frames = [box for box in axes.patches if not box.get_fill()]
    assert [(f.get_x(), f.get_y(), f.get_width(), f.get_height()) for f in frames] == [
        (0.5, -0.5, 1, 1)
    ] * 2
    assert all(frame.zorder > box.zorder for frame in frames for box in axes.patches[:1])
    assert [(left, width) for left, _, width, _ in boxes(axes)] == [(0.5, 0.75), (1.25, 0.25)]


def test_a_longer_game_has_actions_beyond_the_first_promotion(drawn):
    # Drawn from rows made up here, to see that the legend names what has no colour of its own.
    report, _ = drawn["swe-policy"]
    rows = [*report.tables[0].rows, ("1 d12", 3, 1, 2, 2, "promote d12", False)]
    *labels, divided = named(redrawn(report, "swe-policy", rows).legends[0])
    assert set(labels) == {"create d4", "promote d4", "promote higher"}
    assert divided.startswith("score decides")


def test_coinciding_distributions_of_scores_share_a_curve(drawn):
    report, canvas = drawn["swe-distributions"]
    [axes] = canvas.axes
    laws = report.tables[0]
    assert laws.cells("optimal") == laws.cells("newonly")
    shown = {"optimal": "optimal play = always create", "promoonce": "promote each d4 once"}
    shown |= {"promo": "promote if possible"}
    assert named(axes.get_legend()) == [*shown.values()]
    scores = laws.cells("score")
    for line, name in zip(lines(axes), shown, strict=True):  # chances of at least so many points
        law = laws.cells(name)
        assert line == near((score, sum(law[place:])) for place, score in enumerate(scores))
    assert axes.get_xlim()[0] == axes.get_ylim()[0] == 0
    assert axes.get_ylim()[1] > 1


def test_margins_are_at_both_dice_and_even_pairs_have_a_dot(drawn):
    report, canvas = drawn["fatestones-beats"]
    axes = panels(canvas)[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert [label.get_text() for label in axes.get_xticklabels()] == names
    assert list(axes.get_xticks()) == list(axes.get_yticks()) == list(range(len(names)))
    margins = {(a, b): m for a, b, m in report.table("pairs").select("first", "second", "margin")}
    assert all(margins[b, a] == -m for (a, b), m in margins.items())
    [image] = axes.images
    assert near(image.get_array()) == near([[margins[a, b] for b in names] for a in names])
    most = float(report.value("largest_margin"))
    assert image.get_clim() == (-most, most)  # nothing won and nothing lost in the middle
    even = [(x, y) for y, a in enumerate(names) for x, b in enumerate(names) if a != b]
    assert lines(axes) == [near((x, y) for x, y in even if margins[names[y], names[x]] == 0)]
    assert axes.yaxis_inverted()  # the dice that beat most more than beat them stand above
    lead = [sum((margins[a, b] > 0) - (margins[a, b] < 0) for b in names) for a in names]
    assert lead == sorted(lead, reverse=True)
    assert sorted(names) == sorted(report.table("dice").cells("die"))


@pytest.mark.slow
def test_deals_are_counted_by_half_hundredths_of_a_game(drawn):
    report, canvas = drawn["fatestones-deals"]
    [axes] = canvas.axes
    worths = [abs(value) for value in report.table("deals").cells("value")]
    counts = [0] * (int(max(worths) * 200) + 1)
    for worth in worths:
        counts[int(float(worth) * 200)] += 1
    edges = [(k / 200, 0, 1 / 200, n / len(worths)) for k, n in enumerate(counts)]
    assert np.allclose(boxes(axes), edges, atol=1.5 / len(worths))  # on an edge: either side
    assert sum(height for *_, height in boxes(axes)) == pytest.approx(1)
    edge = float(report.value("best_response_edge"))
    assert lines(axes) == [near([(edge, 0), (edge, 1)])]
    assert axes.texts[0].xy == (edge, axes.get_ylim()[1])
    assert "against random choices" in texts(axes)[0]


def test_bags_stand_at_the_mean_of_their_dice(drawn):
    report, canvas = drawn["fatestones-bags"]
    worth, part = panels(canvas)
    rows = report.table("bags").select("bag", "pairs", "mixed", "mean_absolute_value")
    # "the 6 dice with 5 faces, values 1 to 5 of total 10, once each": faces and total by name.
    means = [mpq(int(bag.split(" total ")[1].split(",")[0]), 5) for bag, *_ in rows]
    assert lines(worth) == [near((m, row[3]) for m, row in zip(means, rows, strict=True))]
    assert lines(part) == [near((m, mpq(r[2], r[1])) for m, r in zip(means, rows, strict=True))]
    assert named(worth.get_legend()) == ["5 faces"]
    assert [axes.get_ylim()[0] for axes in (worth, part)] == [0, 0]


def test_a_turn_continues_up_to_its_threshold(drawn):
    report, canvas = drawn["farkle-thresholds"]
    [axes] = canvas.axes
    rows, target = report.tables[0].select("dice", "bank_from"), 6000
    rolled = [(0, n - 0.35, end, 0.7) for n, end in rows]
    banked = [(end, n - 0.35, target - end, 0.7) for n, end in rows]
    assert boxes(axes) == near([*rolled, *banked])
    assert named(canvas.legends[0]) == ["roll on", "bank"]
    assert texts(axes) == [f"bank from {end}" for _, end in rows]
    assert [text.xy for text in axes.texts] == [(end, n) for n, end in rows]
    assert axes.get_xlim() == (0, target)
    assert list(axes.get_yticks()) == [n for n, _ in rows]


def test_words_about_banking_stand_on_the_longer_side(drawn):
    # Rows made up here, of a turn to 6000 points.
    rows = [(6, None), (4, 3050), (2, 3000)]
    of = ("farkle-thresholds", rows, "dice", "bank_from")
    canvas = redrawn(drawn["farkle-thresholds"][0], *of, quantity="target")
    with sheets.style():
        canvas.draw_without_rendering()
    [axes] = canvas.axes
    assert texts(axes) == ["always roll", "bank from 3050", "bank from 3000"]
    sides = [text.get_horizontalalignment() for text in axes.texts]
    assert sides == ["right", "right", "left"]
    for side, text in zip(sides, axes.texts, strict=True):
        edge, _ = axes.transData.transform(text.xy)
        box = text.get_window_extent()
        assert box.x1 < edge if side == "right" else box.x0 > edge


@pytest.mark.parametrize(("ranges", "bars_of_it"), [
    # From half a step before the first number of points to half a step behind the last one.
    ("", []),  # a bank of any number of points reaches the target
    ("0", [(0, 25)]), ("0–400", [(0, 425)]), ("100 200–300", [(75, 125), (175, 325)]),
    ("50–1950", [(0, 2000)]),  # there is nothing between 0 and 50, nor 1950 and the end
    ("150–1900", [(125, 1925)])
])  # fmt: skip
def test_ranges_of_points_to_roll_are_drawn_as_bars(drawn, ranges, bars_of_it):
    of = ("farkle-opponent", [(3, ranges), (4, ranges)], "dice", "roll")
    canvas = redrawn(drawn["farkle-opponent"][0], *of, quantity="needed")
    [axes] = canvas.axes
    banked = [(0, 2.65, 2000, 0.7), (0, 3.65, 2000, 0.7)]
    rolled = [(at, n - 0.35, end - at, 0.7) for n in (3, 4) for at, end in bars_of_it]
    assert boxes(axes) == near([*banked, *rolled])
    assert named(canvas.legends[0]) == ["bank", "roll on"][: 1 + bool(ranges)]
    assert (axes.get_xlim(), list(axes.get_yticks())) == ((0, 2000), [3, 4])


@pytest.mark.slow
def test_the_advantage_of_looking_is_at_both_scores(drawn):
    report, canvas = drawn["farkle-looking"]
    axes = panels(canvas)[0]
    [image] = axes.images
    scores = list(range(0, 4000, 500))
    rows = report.table("chances").select("own", "other", "looking")
    worth = {(own, other): 100 * middle(looking) for own, other, looking in rows}
    grid = [[worth[own, other] for other in scores] for own in scores]
    assert near(image.get_array()) == near(grid)
    assert image.get_extent() == [-250, 3750, -250, 3750]
    assert image.origin == "lower"
    marked = [[(report.value(f"{n}_other"), report.value(f"{n}_own"))] for n in ("most", "ahead")]
    assert lines(axes) == [near(points) for points in ([(-250, -250), (3750, 3750)], *marked)]


def test_ends_of_turns_stand_at_their_points(drawn):
    report, canvas = drawn["farkle-turn"]
    [axes] = canvas.axes
    rows = [(p, chance) for p, chance, _ in report.table("points").rows]
    shown = [row for row in rows if sum(c for p, c in rows if p >= row[0]) > mpq(1, 200)]
    assert bars(axes) == near(shown)
    mean = float(report.value("value"))
    assert lines(axes) == [near([(mean, 0), (mean, 1)])]
    beyond = sum(chance for _, chance in rows[len(shown) :])
    assert 0 < beyond <= mpq(1, 200)
    assert texts(axes) == [f"mean {mean:.1f}", "bust", f"beyond: {float(beyond):.2%} of turns"]
    assert axes.texts[1].xy == (0, float(report.value("bust_probability")))
    assert axes.texts[0].xy == (mean, float(max(chance for _, chance in shown)))
    colours = [box.get_facecolor() for box in axes.patches]
    assert colours[0] not in colours[1:]  # to bust is no number of points
    assert len(set(colours[1:])) == 1


def test_sets_of_dice_are_shown_by_rank_with_their_values(drawn):
    report, canvas = drawn["farkle-sets"]
    [axes] = canvas.axes
    rows = report.table("sets").select("dice", "value")
    worths = [float(middle(value)) for _, value in rows]
    assert boxes(axes) == near((0, n - 0.35, worth, 0.7) for n, worth in enumerate(worths))
    assert [label.get_text() for label in axes.get_yticklabels()] == [name for name, _ in rows]
    assert axes.yaxis_inverted()  # the best one above
    assert axes.get_xlim()[0] == 0
    assert texts(axes) == [f"{worth:.0f}" for worth in worths]
    assert [text.xy for text in axes.texts] == [
        (worth, name) for (name, _), worth in zip(rows, worths, strict=True)
    ]


def test_a_distribution_of_dice_is_drawn_with_its_mean(drawn):
    report, canvas = drawn["dice-distribution"]
    [axes] = canvas.axes
    rows = report.table("outcomes").select("outcome", "probability")
    assert bars(axes) == near(rows)
    assert lines(axes) == [near([(7, 0), (7, 1)])]  # the mean of two dice
    assert texts(axes) == ["mean 7"]
    assert axes.texts[0].xy == (7, 6 / 36)
    assert all(float(tick).is_integer() for tick in axes.get_xticks())


def test_a_distribution_of_yes_and_no_is_drawn_as_two_bars():
    figure = figure_named("dice-distribution")
    with sheets.style():
        [axes] = figure.draw(figure.data(None, ["d6 > 2"])).axes
    words = {label.get_text(): at for label, at in zip(axes.get_xticklabels(), axes.get_xticks())}  # noqa: B905
    heights = dict(map(tuple, bars(axes)))
    expected = {"no": float(f"{2 / 6:.9g}"), "yes": float(f"{4 / 6:.9g}")}
    assert {word: heights[at] for word, at in words.items()} == expected
    assert sorted(texts(axes)) == ["33.3%", "66.7%"]
    assert axes.get_ylim() == (0, 1.1)
    assert axes.get_ylabel() == "probability"
    assert axes.yaxis.get_gridlines()[0].get_visible()


@pytest.mark.parametrize("sides", [120, 121])
def test_a_distribution_of_more_than_120_outcomes_is_drawn_as_an_area(sides):
    figure = figure_named("dice-distribution")
    with sheets.style():
        [axes] = figure.draw(figure.data(None, [f"d{sides}"])).axes
    if sides == 120:
        assert bars(axes) == near((face, mpq(1, sides)) for face in range(1, sides + 1))
        return
    [area] = axes.collections
    corners = area.get_paths()[0].vertices
    assert (corners[:, 0].min(), corners[:, 0].max()) == (1, sides)
    assert {*corners[:, 1]} == {0, 1 / sides}
    assert axes.get_ylim()[0] == 0


def test_compared_rolls_are_drawn_as_lines_from_zero(drawn):
    report, canvas = drawn["dice-compare"]
    [axes] = canvas.axes
    rows, names = report.table("outcomes"), list(report.table("rolls").cells("roll"))
    assert lines(axes) == [
        near((x, p) for x, p in rows.select("outcome", f"probability_{place}") if p)
        for place in (1, 2)
    ]
    assert named(axes.get_legend()) == names
    assert axes.get_ylim()[0] == 0


@pytest.mark.slow
def test_the_outputs_of_a_program_are_lines_in_each_view():
    """2d2: 2, 3, 3, 4; the name has a formula of matplotlib, and the second output no outcomes."""
    program = 'output 2d2 named "$a$ b"\noutput d{}\noutput 4'
    seen = {}
    for view in ("normal", "at-least", "at-most", "transposed"):
        report = figure_named("anydice").data(None, [program, "--view", view])
        with sheets.style():
            [axes] = figure_named("anydice").draw(report).axes
        seen[view] = [[tuple(p) for p in zip(*line.get_data(), strict=True)] for line in axes.lines]
        names = [name.replace("\\", "") for name in named(axes.get_legend())]
        assert names == (["2", "3", "4"] if view == "transposed" else ["$a$ b", "output 3"])
        assert figure_named("anydice").picture(report, "svg")
    assert seen["normal"] == [[(2, 0.25), (3, 0.5), (4, 0.25)], [(4, 1)]]
    assert seen["at-least"] == [[(2, 1), (3, 0.75), (4, 0.25)], [(4, 1)]]
    assert seen["at-most"] == [[(2, 0.25), (3, 0.75), (4, 1)], [(4, 1)]]
    assert [[p for _, p in line] for line in seen["transposed"]] == [[0.25], [0.5], [0.25, 1]]


def test_a_constant_is_a_line_and_does_not_flatten_the_distributions():
    [axes] = dice.draw_laws([d(20), Distribution({15: 1})], ["d20", "15"]).axes
    roll, number = axes.get_lines()
    assert list(roll.get_xdata()) == list(range(1, 21))
    assert list(number.get_xdata()) == [15, 15]
    assert axes.get_ylim()[1] < 0.1
    assert named(axes.get_legend()) == ["d20", "15"]


def test_distributions_over_words_are_drawn_as_bars_side_by_side():
    first = Distribution({"red": 1, "blue": 3})
    second = Distribution({"blue": 1, "green": 1})
    [axes] = dice.draw_laws([first, second], ["first", "second"]).axes
    words = [label.get_text() for label in axes.get_xticklabels()]
    assert sorted(words) == ["blue", "green", "red"]
    assert list(axes.get_xticks()) == [0, 1, 2]
    # Two bars share 0.8 of a step: their middles stand 0.2 before and 0.2 behind its number.
    expected = []
    for law, shift in ((first, -0.2), (second, 0.2)):
        expected += [(words.index(x) + shift, p) for x, p in law.probabilities().items()]
    assert bars(axes) == near(expected)
    assert {width for _, _, width, _ in boxes(axes)} == {0.4}
    assert named(axes.get_legend()) == ["first", "second"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("outcome", "probability")
    assert axes.yaxis.get_gridlines()[0].get_visible()


def test_one_distribution_over_integers_is_bars_without_a_legend():
    [axes] = d(6).plot().axes
    assert bars(axes) == near((face, mpq(1, 6)) for face in range(1, 7))
    assert axes.get_legend() is None
    assert axes.get_ylim()[0] == 0
    [of_fractions] = (d(3) / 2).plot().axes
    assert lines(of_fractions) == [near((mpq(n, 2), mpq(1, 3)) for n in (1, 2, 3))]
    for law in (d(6) < d(8), Distribution({"red": 1, "blue": 3})):  # over words too
        assert bars(law.plot().axes[0]) == near(enumerate(law.probabilities().values()))


def test_distributions_of_numbers_in_one_chart_are_lines():
    laws = 2 @ d(6), d(6).keep_highest(3, 2)
    [axes] = laws[0].plot(laws[1], names=["2d6", "best two of three"]).axes
    assert lines(axes) == [near(law.probabilities().items()) for law in laws]
    assert named(axes.get_legend()) == ["2d6", "best two of three"]


def test_the_command_of_a_figure_is_below_it():
    figure = figure_named("dice-distribution")
    report = figure.data()
    with sheets.style():
        canvas = figure.draw(report)
        width, height = canvas.get_size_inches()
        sheets.sign(canvas, f"{report.title}\n{report.provenance.command}")
    assert [text.get_text() for text in canvas.texts] == [
        f"{report.title}\n{report.provenance.command}"
    ]
    assert canvas.get_size_inches()[0] == width
    assert canvas.get_size_inches()[1] > height
    with sheets.style():
        canvas.draw_without_rendering()
    [text], [axes] = canvas.texts, canvas.axes
    below, drawing = text.get_window_extent(), axes.get_tightbbox()
    assert below.y0 >= 0
    assert below.y1 <= drawing.y0  # the words and the drawing do not meet


def words_of(canvas):
    canvas.draw_without_rendering()
    beyond = set()  # ticks that matplotlib has made and does not draw
    for axis in (axis for axes in canvas.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not low <= tick.get_loc() <= high:
                beyond |= {tick.label1, tick.label2}
    texts = [text for text in canvas.findobj(Text) if text.get_visible() and text.get_text()]
    return [(text.get_text(), text.get_window_extent()) for text in texts if text not in beyond]


@pytest.mark.parametrize("name", EACH)
def test_no_words_lie_on_others_or_beyond_the_edge(name, drawn):
    _, canvas = drawn[name]
    with sheets.style():
        seen = words_of(canvas)
    width, height = canvas.bbox.max
    for words, box in seen:
        assert -1 <= box.x0 <= box.x1 <= width + 1, words
        assert -1 <= box.y0 <= box.y1 <= height + 1, words
    for (one, box), (other, beside) in combinations(seen, 2):
        across = min(box.x1, beside.x1) - max(box.x0, beside.x0)
        down = min(box.y1, beside.y1) - max(box.y0, beside.y0)
        assert across < 1 or down < 1, (one, other)  # a pixel is no letter
    for axes in canvas.axes:
        for text in axes.texts:
            if getattr(text, "xycoords", "") == "data":  # words beside a place, which they leave
                x, y = text.xy
                place = axes.transData.transform((axes.convert_xunits(x), axes.convert_yunits(y)))
                assert not text.get_window_extent().contains(*place), text.get_text()
