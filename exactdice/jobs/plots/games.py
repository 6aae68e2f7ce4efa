"""Figures of Risk, SWE, reroll, Farkle and FateStones, one function each.

The decorator names the question whose answer is drawn, the unit of a size, and the smallest, the
usual and the largest size; the docstring is the caption.
"""

from itertools import accumulate, pairwise
from math import isqrt
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.errors import InputError, Unquoted
from exactdice.jobs.plots.figure import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
    VERMILION,
    YELLOW,
    Canvas,
    column,
    figure,
    frame,
    heat,
    note,
    number,
    numbers,
    rows_of,
    sheet,
    upright,
)
from exactdice.report.model import Report
from exactdice.studies.fatestones.censuses import bag_text, bags
from exactdice.studies.reroll.sources import COURSEWORK

_ARMIES = ("defending army [units]", "attacking army, one stays behind [units]")
_CHANCE = "probability"


@figure(lambda n: f"risk table {n + 1} {n}", "units on each side", (5, 30, 120))
def _risk_win(report: Report) -> Canvas:
    """Risk: who wins, by the sizes of both armies."""
    cells, even = report.tables
    most, largest = max(column(cells, "defenders")), max(column(cells, "attackers"))
    chances = numbers(column(cells, "probability"))
    grid = [chances[start : start + most] for start in range(0, len(chances), most)]
    canvas, axes = sheet(4.6, 3.8)
    image = heat(axes, grid, (1, 2), vmin=0, vmax=1)
    # The contour runs along the edges of cells, each of which has one probability.
    steps = {d: a for d, a, *_ in rows_of(even)}
    along = [d + shift for d in range(1, most + 1) for shift in (-0.5, 0.5)]
    edges = [steps.get(d, largest + 1) - 0.5 for d in range(1, most + 1) for _ in (0, 1)]
    axes.plot(along, edges, color="white", linewidth=2.6)
    axes.plot(along, edges, color=BLACK, linewidth=1.1)
    axes.locator_params(integer=True)
    frame(axes, *_ARMIES)
    within = {"transform": axes.transAxes}
    axes.text(0.03, 0.95, "attacker wins\nmore often", va="top", **within)
    axes.text(0.97, 0.05, "defender wins\nmore often", ha="right", color="white", **within)
    canvas.colorbar(image, ax=axes, label="probability that the attacker wins")
    return canvas


@figure(lambda n: f"risk survivors {n} {n}", "units on each side", (2, 12, 60))
def _risk_survivors(report: Report) -> Canvas:
    """Risk: the units left after a battle of equal armies."""
    rows = rows_of(report.table("outcomes"))
    lost, won = [(d, p) for _, d, p in rows if d], [(a, p) for a, d, p in rows if not d]
    canvas, panels = sheet(5.4, 2.7, panels=2, sharey=True)
    sides = (
        (panels[0], lost, "defender holds", "defending units left [units]", ORANGE),
        (panels[1], won, "attacker wins", "attacking units left, in total [units]", BLUE),
    )
    for axes, bars, title, label, colour in sides:
        left, chances = zip(*bars, strict=True)
        axes.bar(left, numbers([*chances]), color=colour, width=0.8)
        axes.set_title(f"{title}: {number(sum(chances, mpq(0))):.1%}")
        axes.set_xticks(range(min(left), max(left) + 1, max(1, len(left) // 8)))
        frame(axes, label, "" if axes is panels[1] else _CHANCE, "y")
    panels[0].invert_xaxis()  # both sides count from 0 in the middle
    return canvas


_LEAST = 1e-8  # the smallest cost with a colour of its own


@figure(lambda n: f"risk dice {n} {n}", "units on each side", (5, 40, 100))
def _risk_dice(report: Report) -> Canvas:
    """Risk: the cost of rolling one die fewer, for either side."""
    from matplotlib.colors import LogNorm

    states = report.table("states")
    armies = states.select("attackers", "defenders")
    least, largest = min(armies)[0], max(armies)[0]
    most = max(defenders for _, defenders in armies)
    canvas, panels = sheet(6.4, 3.2, panels=2, sharey=True)
    costs = {side: column(states, f"{side}_cost") for side in ("attacker", "defender")}
    shown = [number(cost) for of in costs.values() for cost in of if cost is not None and cost > 0]
    low, high = max(min(shown, default=_LEAST), _LEAST), max(shown, default=1)
    for axes, (side, of) in zip(panels, costs.items(), strict=True):
        grid = [[float("nan")] * most for _ in range(least, largest + 1)]
        for (a, d), cost in zip(armies, of, strict=True):
            if cost is not None and cost > 0:
                grid[a - least][d - 1] = number(cost)
        image = heat(axes, grid, (1, least), norm=LogNorm(low, high))
        wrong = [(d, a) for (a, d), cost in zip(armies, of, strict=True) if cost and cost < 0]
        axes.plot([d for d, _ in wrong], [a for _, a in wrong], "x", color=VERMILION)
        axes.set_facecolor(GREY)
        axes.set_title(f"the {side} rolls one die fewer")
        axes.locator_params(integer=True)
        frame(axes, _ARMIES[0], "" if axes is panels[1] else _ARMIES[1])
    label = "cost in probability of winning (grey: no choice)"
    canvas.colorbar(image, ax=panels, label=label, extend="min")
    return canvas


@figure(lambda n: f"swe values {n}", "rounds", (2, 24, 40))
def _swe_values(report: Report) -> Canvas:
    """SWE: the expected score, and the loss by always creating."""
    (games,) = report.tables  # without the game of no rounds
    rounds, best, create = (column(games, name)[1:] for name in ("rounds", "value", "new_only"))
    canvas, (left, right) = sheet(5.6, 2.7, panels=2)
    left.plot(rounds, numbers(best), "o-", color=BLUE, markersize=2.5)
    left.plot(rounds, numbers(create), "s--", color=ORANGE, markersize=2.5)
    left.legend(["optimal play", "always create"])
    gains = [more - less for more, less in zip(best, create, strict=True)]
    right.plot(rounds, numbers(gains), "o-", color=VERMILION, markersize=2.5)
    x = "game length [rounds]"
    frame(left, x, "expected final score [points]", "both", whole=True)
    frame(right, x, "optimal play less always create [points]", "both", whole=True)
    return canvas


_ACTIONS = {"create d4": GREY, "promote d4": BLUE, "promote d6": ORANGE, "promote d8": SKY}


# In shorter games the score never decides under the optimal policy.
@figure(lambda n: f"swe policy {n} --path --first", "rounds", (12, 25, 26))
def _swe_policy(report: Report) -> Canvas:
    """SWE: where the optimal policy does not create, and where the score decides."""
    from matplotlib.patches import Patch, Rectangle

    rows = rows_of(report.table("states"))
    if not rows:
        wanted = "more rounds, for example 12; in shorter games the optimal policy only creates"
        raise InputError("rounds", Unquoted(report.title), wanted)
    dice = list(dict.fromkeys(row[0] for row in rows))
    last = max(row[1] for row in rows)
    canvas, axes = sheet(5.4, 1.1 + 0.16 * len(dice))
    for name, now, low, _, scores, action, score_decides in rows:
        # If the score decides, the cell is divided among the scores, low ones to the left.
        lower = {r[2]: r[4] for r in rows if r[:2] == (name, now)}
        start = sum(n for least, n in lower.items() if least < low) / sum(lower.values())
        x, y = now - 0.5, dice.index(name) - 0.5
        width = scores / sum(lower.values())
        colour = _ACTIONS.get(action, VERMILION)
        axes.add_patch(Rectangle((x + start, y), width, 1, facecolor=colour))
        if score_decides:
            axes.add_patch(Rectangle((x, y), 1, 1, fill=False, edgecolor=BLACK, zorder=3))
    axes.set_xlim(0.5, last + 0.5)
    axes.set_ylim(-0.5, len(dice) - 0.5)
    axes.set_yticks(range(len(dice)), dice)
    axes.set_xticks(range(2, last + 1, 2))
    axes.set_xticks([x - 0.5 for x in range(1, last + 1)], minor=True)
    axes.set_yticks([y - 0.5 for y in range(len(dice))], minor=True)
    axes.grid(which="minor", color="white", linewidth=0.6)
    axes.set_axisbelow(False)
    axes.tick_params(which="minor", length=0)
    frame(axes, f"round that begins, of {last}", "revenue dice")
    present = {row[5] for row in rows}
    handles = [Patch(facecolor=c, label=a) for a, c in _ACTIONS.items() if a in present]
    if present - set(_ACTIONS):
        handles.append(Patch(facecolor=VERMILION, label="promote higher"))
    divided = "score decides: low scores to the left"
    handles.append(Patch(facecolor="none", edgecolor=BLACK, label=divided))
    canvas.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), 3))
    return canvas


_LAWS = {
    "optimal": (BLUE, "-", "optimal play"),
    "newonly": (ORANGE, "--", "always create"),
    "promoonce": (VERMILION, "-.", "promote each d4 once"),
    "promo": (BLACK, ":", "promote if possible"),
}


@figure(lambda n: f"swe distributions {n}", "rounds", (2, 10, 14))
def _swe_distributions(report: Report) -> Canvas:
    """SWE: distributions of the final score under several policies."""
    (scores,) = report.tables
    canvas, axes = sheet(5.0, 3.0)
    drawn: dict[tuple[object, ...], Any] = {}
    for name, (colour, line, label) in _LAWS.items():
        law = tuple(column(scores, name))
        if law in drawn:  # one curve would hide the other
            drawn[law].set_label(f"{drawn[law].get_label()} = {label}")
            continue
        # The probability of at least so many points separates the policies better.
        tail = accumulate(law[:-1], lambda rest, chance: rest - chance, initial=mpq(1))
        look = {"color": colour, "linestyle": line, "label": label, "where": "post"}
        (drawn[law],) = axes.step(column(scores, "score"), numbers([*tail]), **look)
    frame(axes, "final score [points]", "probability of at least that score", "both")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(left=0)
    axes.legend()
    return canvas


_HELD = {0: GREY, 1: YELLOW, 2: ORANGE, 3: SKY}  # colour by dice held; 3: stick
_ROLLED = "#777777"


@figure(lambda n: f"reroll policy --sides {n}", "sides of each die", (2, 6, 9))
def _reroll_policy(report: Report) -> Canvas:
    """Reroll: which of three dice to hold."""
    from matplotlib.patches import Patch, Rectangle

    action = dict(report.table("states").select("state", "action"))
    across = isqrt(len(action) - 1) + 1
    down = -(-len(action) // across)
    dice = len(next(iter(action)))
    kinds = [3 if len(held) == dice else min(len(held), 2) for held in action.values()]
    canvas, axes = sheet(0.5 + 0.19 * dice * across, 0.6 + 0.3 * down)
    for place, ((roll, held), kind) in enumerate(zip(action.items(), kinds, strict=True)):
        x, y = place % across, place // across
        look: Any = {"facecolor": _HELD[kind], "edgecolor": "white", "linewidth": 1.5}
        axes.add_patch(Rectangle((x, y), 1, 1, **look))
        for die, face in enumerate(roll):
            look = {"fontweight": "bold", "color": BLACK} if die in held else {"color": _ROLLED}
            at = x + (die + 1) / (dice + 1), y + 0.5
            axes.text(*at, str(face), ha="center", va="center", **look)
    axes.set_xlim(0, across)
    axes.set_ylim(down, 0)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_frame_on(False)
    frame(axes, "each cell a roll, in ascending order; bold: the dice to hold", "")
    two = "hold two" if dice == 3 else "hold two or more"
    words = {3: "stick", 2: two, 1: "hold one", 0: "roll all again"}
    patches = [Patch(facecolor=_HELD[n], label=w) for n, w in words.items() if n in kinds]
    canvas.legend(handles=patches, loc="outside upper center", ncols=4)
    return canvas


@figure(
    lambda n: f"reroll theta --dice {n} --tolerance {COURSEWORK['tolerance']}", "dice", (2, 3, 4)
)
def _reroll_theta(report: Report) -> Canvas:
    """Reroll: when value iteration stops, and its errors then."""
    stops = report.table("stops")
    sweeps, theta = column(stops, "sweeps"), number(report.value("tolerance"))
    change, error = numbers(column(stops, "above")), numbers(column(stops, "error"))
    wrong = column(stops, "greedy_wrong")
    thin = {"color": BLACK, "linewidth": 0.8, "linestyle": ":"}
    canvas, (left, right) = sheet(5.4, 2.8, panels=2)
    left.semilogy(sweeps, change, "o-", color=BLUE, markersize=3, label="change in the sweep")
    left.semilogy(sweeps, error, "s--", color=VERMILION, markersize=3, label="error of a value")
    left.axhline(theta, **thin)
    note(left, f"θ = {theta:g}", (sweeps[0], theta), (0, 3))
    frame(left, "sweeps made", "greatest over all rolls [points]", whole=True)
    left.legend()
    # The iteration stops at the first sweep that changes every value by less than θ. The first
    # range has no upper bound and is drawn up to twice its lower one.
    for (high, low), count in zip(pairwise([2 * change[0], *change]), wrong, strict=True):
        right.plot([low, high], [count, count], color=BLUE, linewidth=2.5, solid_capstyle="butt")
    right.set_xscale("log")
    upright(right, theta, f"θ = {theta:g}", max(wrong), (3, -4), **thin)
    frame(right, "tolerance θ [points]", "rolls with a wrong greedy action", "y")
    right.set_ylim(bottom=-max(wrong) / 40)
    return canvas


@figure(lambda n: f"farkle thresholds --dice fair*{n}", "dice", (1, 6, 6))
def _farkle_thresholds(report: Report) -> Canvas:
    """Farkle: the points at which to bank."""
    (table,) = report.tables
    dice, target = column(table, "dice"), _points(report, "target")
    ends = [target if end is None else end for end in column(table, "bank_from")]
    canvas, axes = sheet(5.0, 0.9 + 0.3 * len(dice))
    axes.barh(dice, ends, color=BLUE, height=0.7, label="roll on")
    rest = [target - end for end in ends]
    axes.barh(dice, rest, left=ends, color=GREY, height=0.7, label="bank")
    for count, end in zip(dice, ends, strict=True):
        words = "always roll" if end == target else f"bank from {end}"
        shift, side, colour = (-4, "right", "white") if end > target / 2 else (4, "left", "black")
        note(axes, words, (end, count), (shift, 0), ha=side, va="center", color=colour)
    return _by_dice(canvas, axes, dice, target)


@figure(
    lambda n: f"farkle thresholds --target 4000 --scores 2000,{100 * n}",
    "points of the opponent [hundreds]",
    (0, 35, 39),
)
def _farkle_opponent(report: Report) -> Canvas:
    """Farkle: when to bank with 2000 of 4000 points, against an optimal opponent."""
    (table,) = report.tables
    dice, needed = column(table, "dice"), _points(report, "needed")
    canvas, axes = sheet(5.0, 0.9 + 0.3 * len(dice))
    axes.barh(dice, [needed] * len(dice), color=GREY, height=0.7, label="bank")
    label = "roll on"
    for count, ranges in zip(dice, column(table, "roll"), strict=True):
        for part in (ranges or "").split():  # none if every number of points is banked
            low, _, high = part.partition("–")
            first, last = int(low), int(high or low)
            # From half a step below to half a step above; a turn begins with a roll.
            start = first - 25 if first > 50 else 0
            end = last + 25 if last + 50 < needed else needed
            axes.barh(count, end - start, left=start, color=BLUE, height=0.7, label=label)
            label = "_"
    return _by_dice(canvas, axes, dice, needed)


def _points(report: Report, name: str) -> int:
    value = report.value(name)
    assert isinstance(value, int)  # noqa: S101 - the question has a whole number of points
    return value


def _by_dice(canvas: Canvas, axes: Any, dice: list[int], most: int) -> Canvas:
    axes.set_yticks(dice)
    axes.set_xlim(0, most)
    frame(axes, "points of the turn so far [points]", "dice left to roll")
    canvas.legend(loc="outside upper center", ncols=2)
    return canvas


@figure(
    lambda n: f"farkle race --target 4000 --play optimal --step {n}",
    "points between the scores",
    (50, 100, 500),
)
def _farkle_looking(report: Report) -> Canvas:
    """Farkle: the advantage of seeing the opponent's score, in a race to 4000 points."""
    table = report.table("chances")
    scores = sorted(set(column(table, "own")))
    gains = numbers([100 * worth.middle for worth in column(table, "looking")])
    most = len(scores)
    step = scores[1] - scores[0] if most > 1 else 1  # only the initial scores
    canvas, axes = sheet(4.6, 3.7)
    rows = [gains[place : place + most] for place in range(0, len(gains), most)]
    image = heat(axes, rows, (0, 0), step)
    edges = (-step / 2, scores[-1] + step / 2)
    axes.plot(edges, edges, color="white", linewidth=0.9, linestyle="--")
    for name in ("most", "ahead"):
        at = report.value(f"{name}_other"), report.value(f"{name}_own")
        axes.plot(*([place] for place in at), "x", color=VERMILION, clip_on=False)
    whose = "score of the player who is to move [points]"
    frame(axes, "score of the opponent [points]", whose)
    canvas.colorbar(image, ax=axes, label="advantage of seeing the opponent [percentage points]")
    return canvas


#: The picture omits at most this part of all turns.
_TAIL = mpq(1, 200)


@figure(lambda n: f"farkle distribution --dice fair*{n}", "dice", (1, 6, 6))
def _farkle_turn(report: Report) -> Canvas:
    """Farkle: how a turn under the optimal policy ends."""
    shown = [row for row in rows_of(report.table("points")) if row[2] > _TAIL]
    points, parts = [row[0] for row in shown], [row[1] for row in shown]
    chances, mean = numbers(parts), number(report.value("value"))
    canvas, axes = sheet(5.2, 2.8)
    axes.bar(points, chances, width=38, color=[ORANGE if p == 0 else BLUE for p in points])
    look = {"color": "black", "linewidth": 0.9}
    upright(axes, mean, f"mean {mean:.1f}", max(chances), (4, -8), **look)
    note(axes, "bust", (0, chances[0]), (8, -8))
    left = number(1 - sum(parts, mpq(0)))
    axes.annotate(f"beyond: {left:.2%} of turns", (1, 0.12), xycoords="axes fraction", ha="right")
    frame(axes, "points of the turn [points]", _CHANCE, "y")
    return canvas


@figure(
    lambda n: f"farkle sets --hold weighted*5 --above {100 * n}",
    "least value of the sets shown [hundreds of points]",
    (40, 55, 66),
)
def _farkle_sets(report: Report) -> Canvas:
    """Farkle: the best sets of five weighted dice and one other."""
    table = report.table("sets")
    names = column(table, "dice")
    worths = numbers([worth.middle for worth in column(table, "value")])
    canvas, axes = sheet(5.4, 0.8 + 0.2 * len(names))
    axes.barh(names, worths, color=BLUE, height=0.7)
    for name, worth in zip(names, worths, strict=True):
        look = {"ha": "right", "va": "center", "color": "white"}
        note(axes, f"{worth:.0f}", (worth, name), (-4, 0), **look)
    axes.invert_yaxis()
    axes.set_xlim(0, None)
    frame(axes, "expected points of the best turn [points]", "")
    return canvas


@figure(lambda n: f"fatestones beats --faces {n} --pairs", "faces of each die", (4, 6, 6))
def _fatestones_beats(report: Report) -> Canvas:
    """FateStones: which die beats which."""
    # The first dice beat most dice and are beaten by few.
    order = sorted((lost - beats, die) for die, beats, lost in rows_of(report.table("dice")))
    names = [die for _, die in order]
    n = len(names)
    chances = report.table("pairs").select("first", "second", "margin")
    margins = {(first, second): number(margin) for first, second, margin in chances}
    grid = [[margins[die, other] for other in names] for die in names]
    most = max(margins.values())
    canvas, axes = sheet(6.4, 5.6)
    image = axes.imshow(grid, cmap="PuOr_r", vmin=-most, vmax=most)
    axes.set_xticks(range(n), names, rotation=90, fontsize=7)
    axes.set_yticks(range(n), names, fontsize=7)
    y = "die, by dice beaten minus dice that beat it"
    frame(axes, "against die, in the same order", y)
    even = [(j, i) for i in range(n) for j in range(n) if grid[i][j] == 0 and i != j]
    axes.plot([x for x, _ in even], [y for _, y in even], ".", color=BLACK, markersize=1.5)
    label = "probability of winning minus losing (dot: even)"
    canvas.colorbar(image, ax=axes, label=label, shrink=0.8)
    return canvas


@figure(lambda n: f"fatestones census --sample {n} --deals", "deals drawn", (200, 4000, 100_000))
def _fatestones_deals(report: Report) -> Canvas:
    """FateStones: the value of the deal."""
    worth = [abs(number(value)) for value in column(report.table("deals"), "value")]
    edge = number(report.value("best_response_edge"))
    canvas, axes = sheet(5.0, 2.8)
    bins = [k / 200 for k in range(int(max(worth) * 200) + 2)]
    axes.hist(worth, bins=bins, color=BLUE, weights=[1 / len(worth)] * len(worth))
    axes.axvline(edge, color=ORANGE, linewidth=1.4, linestyle="--")
    words = "gain of the optimal strategy\nagainst random choices"
    note(axes, words, (edge, axes.get_ylim()[1]), (5, -4), va="top")
    x = "advantage of the better hand, wins less losses [games]"
    frame(axes, x, f"part of {len(worth)} deals", "y")
    return canvas


@figure(lambda n: f"fatestones bags {n}", "faces of each die", (5, 5, 6))
def _fatestones_bags(report: Report) -> Canvas:
    """FateStones: the value of the deal, by the mean of the dice."""
    canvas, (left, right) = sheet(6.0, 2.9, panels=2)
    rests = {bag: rest for bag, *rest in rows_of(report.table("bags"))}
    for faces, colour, marker in ((5, ORANGE, "s"), (6, BLUE, "o")):
        rows = [
            (total / faces, *rests[bag])
            for total in bags(faces)
            if (bag := bag_text(faces, total)) in rests
        ]
        if rows:
            shared = {"color": colour, "marker": marker, "markersize": 3, "linewidth": 1.0}
            means = [row[0] for row in rows]
            worths = numbers([worth for _, _, _, _, worth, *_ in rows])
            left.plot(means, worths, label=f"{faces} faces", **shared)
            right.plot(means, [mixed / pairs for _, pairs, mixed, *_ in rows], **shared)
    x = "mean of each die in the bag"
    frame(left, x, "mean advantage of the better hand", "y")
    frame(right, x, "deals with a mixed first choice [part]", "y")
    for axes in (left, right):
        axes.set_ylim(bottom=0)
    left.legend()
    return canvas
