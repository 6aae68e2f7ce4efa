"""Advice and play: regrets by a look ahead against those of the solver, and games to their end."""

import csv
import hashlib
import json
import random
from functools import partial

import pytest
from gmpy2 import mpq

from exactdice import ask
from exactdice.book import load
from exactdice.book.page import Variant
from exactdice.book.questions import lookahead
from exactdice.book.sets_of_dice import EFRON, choosing
from exactdice.book.sheet import Sheet, solved
from exactdice.book.turns import threes as three_dice
from exactdice.cli.app import main
from exactdice.dice import fair
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError
from exactdice.jobs import catalogue
from exactdice.models import Choice, End, FreeRerolls, Game, Other, optimum, point_mass
from exactdice.run import Run, run_levels
from exactdice.solve.play import Lookahead, optimally, person, play, play_report


@pytest.mark.parametrize(
    ("page", "name"),
    [("pig", "piglet-10"), ("shut-the-box", "9"), ("ur", "one"), ("orchard", "first")],
)
def test_regrets_are_those_of_the_solver(page, name):
    variant = load(page, name)
    answer = variant.answer()
    assert answer.optimum
    look = lookahead(variant, answer)
    scale = mpq(1, 2) if variant.wins else 1
    states = [state for _, state in answer.optimum.model.deciding()]
    chosen = random.Random(7).sample(states, min(80, len(states)))  # noqa: S311
    for state in chosen:
        solved = {a: lost * scale for a, lost in answer.optimum.regret(state).items()}
        assert look.regrets(state) == solved
        assert next(iter(look.regrets(state).values())) == 0


def test_values_that_are_not_known_are_found_from_the_ends_or_box_by_box():
    # Efron: whoever chooses last has a die that wins with 2/3; here the other one moves first, and
    # takes the least.
    look = Lookahead(choosing(EFRON), lambda state: None)
    assert look.worth(()) == Enclosure.of(mpq(2, 3))
    # Two dice of threes, alone and for the least: one is kept, and the other rolled again.
    threes = Lookahead(three_dice(2), lambda state: None, scale=mpq(-1))
    best = optimum(three_dice(2), least=True)
    assert threes.worth(best.model.game.initial) == Enclosure.of(best.value)
    sheet = Sheet(
        upper=("ones", "twos"), lower={"chance": sum}, full=4, turns=FreeRerolls(2, fair(3), 2)
    )
    variant = Variant("small", sheet.game, solve=partial(solved, sheet))
    look = lookahead(variant, solved(sheet, Run(), mpq(1, 10**6)))
    best = optimum(sheet.game())
    for _, state in best.model.deciding():
        for action, lost in best.regret(state).items():
            bounds = look.regrets(state)[action]
            assert lost.point is not None
            assert lost.point in bounds
            assert bounds.width < mpq(1, 10**6)


def lost(regrets):
    return sum((decision.regret for decision in regrets), Enclosure.of(0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "name"), [("pig", "piglet-10"), ("hog", "to-15"), ("shut-the-box", "9"), ("ur", "one")]
)
def test_best_play_loses_nothing(page, name):
    variant = load(page, name)
    look = lookahead(variant, variant.answer())
    for seed in range(5):
        draw = random.Random(seed)  # noqa: S311
        decisions, result = play(look, optimally(look, draw), draw)
        assert lost(decisions).lower == 0
        assert result in (-1, 0, 1)


@pytest.mark.slow
def test_what_play_gives_away_is_what_it_falls_short_by():
    """The mean over all play of result less regrets is the value, whatever is chosen."""
    variant = load("shut-the-box", "9-sum")
    look, plays = lookahead(variant, variant.answer()), 300
    totals = []
    for seed in range(plays):
        draw = random.Random(seed)  # noqa: S311
        decisions, result = play(look, lambda state, player, ways: max(ways, key=str), draw)
        totals.append(result - lost(decisions).lower)
    mean = sum(totals, mpq(0)) / plays
    variance = sum(((total - mean) ** 2 for total in totals), mpq(0)) / plays
    value = variant.answer().value.point
    assert value is not None
    assert (mean - value) ** 2 < 16 * variance / plays  # four standard errors


def test_a_person_is_asked_and_told_the_cost():
    lines = iter(["x\n"] + ["1\n"] * 200)
    heard = []
    run = Run(read_line=lambda prompt: heard.append(prompt) or next(lines))
    report = ask("book pig --variant piglet-10 --play 5", run)
    assert "choice? " in heard
    # the first choice by name is always to hold, where there is one
    held = [row for row in report.table("decisions").rows if row[0] == 1 and row[2] == "hold"]
    assert held
    assert report.value("lost") > 0


@pytest.mark.parametrize("typed", ["roll\n", "r\n"])
def test_a_person_may_name_a_choice_instead_of_its_number(typed):
    lines = iter([typed] + ["1\n"] * 200)
    run = Run(read_line=lambda prompt: next(lines))
    first = ask("book pig --variant turn --play 5", run).table("decisions").rows
    assert next(iter(first))[2] == "roll"


#: One player chooses among what wins 1, what the other one may make 3 or 1, and what wins nothing.
CHOOSE = {
    "start": [Choice(a, 0, point_mass(Other(a))) for a in (5, "x", "y")], 5: End(-1),
    "x": [Choice("give", 0, point_mass("lost")), Choice("keep", 0, point_mass("won"))],
    "lost": End(-3), "won": End(-1), "y": [Choice("only", 0, point_mass("even"))], "even": End(0),
}  # fmt: skip


def test_a_person_chooses_by_number_or_name_and_hears_what_it_cost(capsys):
    variant = Variant("small", lambda: Game("start", CHOOSE.__getitem__))
    answer = variant.answer()
    # the other one keeps: of 1, 1 and 0 the first two are best
    assert answer.value.point == 1
    for typed, action, said in (
        (["5", "0", "4", "1"], "5", "That was best."),
        (["x"], "x", "That was best."),
        (["2"], "x", "That was best."),
        (["z", "3"], "y", "That cost 1.000000; best was 5."),
    ):
        lines = iter(typed)
        prompts = []
        run = Run(read_line=lambda p: (prompts.append(p), f"{next(lines)}\n")[1])  # noqa: B023
        report = play_report(lookahead(variant, answer), 1, run)
        assert len(prompts) == len(typed)
        heard = capsys.readouterr().err.splitlines()
        assert heard[:5] == [
            "You play first. Choose an action by its number or its name.", "", "start", "  1  5",
            "  2  x",
        ]  # fmt: skip
        assert heard[-1] == said
        rows = list(report.table("decisions").rows)
        assert rows[0] == (1, "start", action, int(action == "y"), "5")
        # who has one choice is not asked, nor is the other player, who plays best
        assert [row[:3] for row in rows[1:]] == {
            "5": [],
            "x": [(2, "x", "keep")],
            "y": [(2, "y", "only")],
        }[action]
        assert report.value("result") == int(action != "y")
        assert report.value("lost") == int(action == "y")


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_a_person_is_asked_where_there_is_a_choice(count, capsys):
    ways = [Choice(f"take {n}", n, point_mass(1)) for n in range(count)]
    variant = Variant("take", lambda: Game(0, lambda state: None if state else ways))
    prompts = []
    run = Run(read_line=lambda prompt: (prompts.append(prompt), "1")[1])
    report = play_report(lookahead(variant, variant.answer()), 1, run)
    wide = 2 if count == 10 else 1  # numbers are aligned
    listed = [f"  {n + 1:{wide}}  take {n}" for n in range(count)]
    assert capsys.readouterr().err.splitlines()[3:-1] == listed * (count > 1)
    assert len(prompts) == (count > 1)
    assert report.value("result") == 0
    assert report.value("lost") == count - 1


def test_bounds_that_do_not_settle_a_choice_say_so(capsys):
    # 5 wins 0 to 1, "x" 0 and "y" loses 3: "x" may be as good as 5, which nothing is better than
    known = {5: Enclosure(mpq(-1), mpq(0)), "x": Enclosure.of(0), "y": Enclosure.of(3)}
    game = Game("start", CHOOSE.__getitem__)
    look = Lookahead(game, known.get)
    run = Run(read_line=lambda prompt: "x\n")
    regrets = look.regrets("start")
    within = Enclosure(mpq(0), mpq(1))
    assert regrets == {5: Enclosure.of(0), "x": within, "y": Enclosure(mpq(3), mpq(4))}
    assert [*regrets] == [5, "x", "y"]
    # of two ways to win 0 to 1 either may be the better one
    assert Lookahead(game, (known | {"x": known[5]}).get).regrets("start") == {
        5: within,
        "x": within,
        "y": Enclosure(mpq(3), mpq(4)),
    }
    assert person(lambda *_: None, run)("start", 1, regrets) == "x"
    assert capsys.readouterr().err.endswith("That may be best, within the bounds.\n")


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_regret_is_against_the_best_of_the_other_choices(count):
    numbers = [mpq(n, 3) for n in range(4)]
    bounds = [Enclosure(a, b) for a in numbers for b in numbers if a <= b]
    game = Game("start", lambda state: [Choice(n, 0, point_mass(n)) for n in range(count)])
    draw = random.Random(count)  # noqa: S311
    for values in (draw.choices(bounds, k=count) for _ in range(50)):
        regrets = Lookahead(game, values.__getitem__).regrets("start")
        for n, value in enumerate(values):
            others = values[:n] + values[n + 1 :]
            beyond = largest(others) - value if others else Enclosure.of(0)
            assert regrets[n] == largest([Enclosure.of(0), beyond])
        assert [*regrets] == sorted(range(count), key=lambda n: -values[n].lower)


@pytest.mark.slow
def test_a_choice_is_judged_against_the_mixture_of_who_chooses_at_once():
    table = ask("book hog --state '(0, 0)'").table("choices")
    assert {*table.cells("player")} == {1, 2}
    losses = [loss for loss in table.cells("regret") if isinstance(loss, Enclosure)]
    best = [loss for loss in losses if loss.lower == 0]
    assert best
    assert all(loss.upper < mpq(1, 10**9) for loss in best)


def written(folder, only, capsys):
    assert main(["project", "tables", "--book", "--only", only, "--output", str(folder)]) == 0
    return capsys.readouterr().out


def test_the_book_is_written_as_a_data_set_and_goes_on(tmp_path, capsys):
    folder = tmp_path / "book"
    assert written(folder, "craps/pass*", capsys).startswith(
        "Wrote 2 variants of the book and kept 0"
    )
    assert written(folder, "craps/*", capsys).startswith("Wrote 21 variants of the book and kept 2")
    with (folder / "index.csv").open(encoding="utf-8", newline="") as lines:
        rows = {row["variant"]: row for row in csv.DictReader(lines)}
    assert len(rows) == 3 + 20  # on the shooter, and at the side
    # textbooks: 244/495
    assert rows["pass"]["lower"] == rows["pass"]["upper"] == "244/495"
    assert rows["pass"]["verdict"] == "244/495: confirmed"
    # of a chain the value of each state in which play goes on, and no choice; textbooks: a point of
    # 4 or 10 is made with 1/3, of 5 or 9 with 2/5, of 6 or 8 with 5/11
    listed = (folder / "craps/pass.policy.csv").read_text().splitlines()
    assert listed[0] == "state,player,best,probability,ties,value"
    points = {4: "1/3", 5: "2/5", 6: "5/11", 8: "5/11", 9: "2/5", 10: "1/3"}
    made = [f'"({point}, None)",,,,,{chance}' for point, chance in points.items()]
    assert listed[1:] == ['"(0, None)",,,,,244/495', *made]
    digest = hashlib.sha256((folder / "craps/pass.certificate").read_bytes()).hexdigest()
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    assert manifest["files"]["craps/pass.certificate"] == digest
    assert manifest["made_by"]["craps/pass.json"].startswith(
        "book craps --variant pass --digits 10,"
    )


@pytest.mark.parametrize(("more", "listed"), [(0, [".policy.csv", ".certificate"]), (-1, [])])
def test_files_of_all_states_are_those_of_a_variant_that_has_few(more, listed, monkeypatch):
    (entry,) = (one for one in catalogue.BOOK if one.name == "pig/piglet-10")
    states = load("pig", "piglet-10").answer().states
    monkeypatch.setattr(catalogue, "MOST_STATES", states + more)
    files = [name for name, _ in entry.files()]
    assert files == [entry.name + end for end in (".json", ".txt", *listed)]
    assert all(map(entry.may_have, files))
    assert not entry.may_have("pig/piglet-10.csv")


def test_a_killed_variant_goes_on_whatever_was_made_in_between(tmp_path, capsys, monkeypatch):
    folder, started, answer = tmp_path / "book", list[int](), Variant.answer

    def answered(variant, run, width=None):
        def level(number, before):
            started.append(number)
            if started == [0, 1]:
                raise KeyboardInterrupt
            return before + number

        if variant.rules == "one die":
            monkeypatch.setattr("exactdice.run.SELDOM", 0)  # each level is kept
            run_levels(run.kept, "one", 3, level, 0, write=lambda n: b"%d" % n, read=int)
        return answer(variant, run, width)

    monkeypatch.setattr(Variant, "answer", answered)
    words = ["project", "tables", "--book", "--only", "threes/one", "--output", str(folder)]
    assert main(words) == 130  # interrupted
    written(folder, "craps/pass", capsys)
    written(folder, "threes/one", capsys)
    assert started == [0, 1, 1, 2]
    assert not [path for path in (tmp_path / "book.levels").rglob("*") if path.is_file()]


def test_a_variant_that_is_too_large_is_passed_over_and_named(tmp_path, capsys):
    words = ["project", "tables", "--book", "--only", "[bc]*/[cp]*", "--memory", "20M"]
    assert main([*words, "--output", str(tmp_path / "book")]) == 1
    shown = capsys.readouterr()
    # six bets of craps whose names begin so are made; the bear-off's table of 924 · 924 pairs of
    # 64 bytes, 52.1 MiB, is too large, and so are the three with the cube
    assert shown.out.startswith("Wrote 6 variants of the book and kept 0")
    assert "bear-off/closed: the table needs about 52." in shown.err
    assert "bear-off/closed-cube: the table needs about 156." in shown.err
    assert (tmp_path / "book/craps/pass.json").is_file()
    assert not (tmp_path / "book/bear-off").exists()
    assert not (tmp_path / "book.levels").exists()


@pytest.mark.parametrize("text", ["-" * 3000 + "1", "(" * 3000, "9" * 5000, "[" * 150 + "]" * 150])
def test_a_state_that_python_cannot_read_is_refused_in_one_line(text):
    with pytest.raises(InputError, match=r"^state: got .*; expected a reachable state"):
        ask(f"book pig --variant piglet-10 --state '{text}'")
