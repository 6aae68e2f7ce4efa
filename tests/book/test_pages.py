"""Every page made anew: its words, printed numbers, times and widths against other sources."""

import csv
import re
import runpy
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import rational
from exactdice.book import _MODULES, PAGES
from exactdice.book.page import Page, _published
from exactdice.enclosure import Enclosure

#: Answers to what takes longer than a second, as `make book` writes them.
STORED = Path(__file__).parents[2] / "docs" / "book.csv"
_HOMES = {
    name: str(import_module(f"exactdice.book.{module}").__file__)
    for name, module in _MODULES.items()
}


def test_every_page_of_the_book_is_listed():
    folder = Path(_HOMES["craps"]).parent
    made = [
        page.name
        for module in folder.glob("*.py")
        for page in vars(import_module(f"exactdice.book.{module.stem}")).values()
        if isinstance(page, Page)
    ]
    assert sorted(made) == sorted(PAGES)
    assert all(PAGES[name].name == name for name in PAGES)
    assert "chess" not in PAGES


def anew(name):
    """A page, by running what makes it once more."""
    made = runpy.run_path(_HOMES[name]).values()
    page = next(page for page in made if isinstance(page, Page) and page.name == name)
    return page.with_published()


def variants():
    return [(page, name, v) for page in map(anew, PAGES) for name, v in page.variants.items()]


def test_every_published_value_belongs_to_a_variant():
    for page, variant in _published():
        assert variant in PAGES[page].variants
    for page in PAGES.values():
        for variant in page.variants.values():
            assert all(n.belongs in ("", *page.variants) for n in variant.numbers)


def stored():
    with STORED.open(encoding="utf-8", newline="") as lines:
        return {(row["game"], row["variant"]): row for row in csv.DictReader(lines)}


def test_what_takes_a_second_is_kept_nowhere_and_other_answers_have_the_words_of_their_variants():
    rows = stored()
    # of a second, with values that need not be rational, or are of many digits
    enclosed = {("pig", "alone"), ("hog", "to-15")}
    for page, name, variant in variants():
        if variant.takes == "a second":
            assert (page.name, name) not in rows
            assert (variant.width is None) == ((page.name, name) not in enclosed)
        if (row := rows.get((page.name, name))) is None:
            continue
        value = Enclosure(mpq(row["lower"]), mpq(row["upper"]))
        said = [f"{printed.number}: {printed.verdict(value)}" for printed in variant.numbers]
        assert row["verdict"] == ("; ".join(said) or "nothing printed is known")
        assert row["rules"] == variant.rules
        # a race of zombies finds its own bounds
        is_enclosed = variant.width is not None or (page.name, name) == ("zombie-dice", "race")
        assert (value.point is None) == is_enclosed
        assert value.width <= rational(variant.width or "1e-12")


@pytest.mark.slow
def test_a_number_of_other_rules_is_right_for_the_variant_that_is_named():
    kept = stored()
    for page, name, variant in variants():
        for printed in variant.numbers:
            if printed.belongs:
                row, other = kept.get((page.name, printed.belongs)), page.variants[printed.belongs]
                assert printed.belongs != name
                if not row and other.takes != "a second":
                    continue  # a slow test of the game looks at it
                value = (
                    Enclosure(mpq(row["lower"]), mpq(row["upper"])) if row else other.answer().value
                )
                assert replace(printed, belongs="").verdict(value).startswith("confirmed")


def test_the_least_is_looked_for_and_a_win_is_a_chance_where_the_words_say_so():
    begins = "probability that the (first|starting) player"
    for page, _, variant in variants():
        assert variant.least == bool(re.search("smallest", variant.asks or page.asks))
        assert variant.wins == bool(re.match(begins, variant.asks or page.asks))


def test_variants_of_shut_the_box_are_those_of_their_names():
    page = anew("shut-the-box")
    rules = ("", "-six", "-two")
    assert set(page.variants) == {"9-pairs"} | {
        f"{tiles}{more}"
        for tiles in (9, 10, 12)
        for more in ("-sum", *rules, *(f"{rule}-match" for rule in rules))
    }
    for name, variant in page.variants.items():
        tiles, *rest = name.split("-")
        is_match, is_sum = "match" in rest, "sum" in rest
        one_die = "six" if {"six", "pairs"} & {*rest} else "two" if "two" in rest else "choice"
        assert variant.options == {
            "highest": int(tiles), "one_die": one_die, "shutting": not is_sum,
            "most": 2 if "pairs" in rest else 12, "players": 1 + is_match,
        }  # fmt: skip
        wanted = "sum left open" if is_sum else "the first player wins" if is_match else ""
        assert wanted in variant.asks
        assert bool(variant.asks) == bool(wanted)
        # a match of twelve tiles is too large to be listed
        assert (variant.solve is not None) == (is_match and tiles == "12")
        assert (variant.takes == "a minute") == (is_match and tiles != "12")
        assert (variant.takes == "10 s") == (tiles == "12")


def test_the_bear_off_has_a_cube_or_none_as_its_words_say():
    for variant in anew("bear-off").variants.values():
        game = variant.game()
        cube, due = game.initial[3], game.initial[5]
        said = {"no cube": "none", "the opponent's cube": "theirs", "own cube": "mine"}
        fitting = [which for words, which in said.items() if words in variant.rules]
        assert cube == (*fitting, "centre")[0]
        # the table that a value was printed of says what it is to roll
        assert due == ("roll" if "not doubling" in variant.rules else "")
        assert (variant.solve_writes, bool(variant.large)) == (
            (("policy",), False) if cube == "none" else ((), True)
        )
        assert variant.takes == ("10 s" if cube == "none" else "a minute")  # three tables for one


def test_left_center_right_takes_longer_with_each_player():
    takes = {}
    for name, variant in anew("left-center-right").variants.items():
        takes.setdefault(name[0], []).append(variant.takes)
        assert (variant.width is None) == (name[0] == "3")
    assert {players: len(each) for players, each in takes.items()} == {
        str(players): players + 1 for players in (3, 4, 5, 6)
    }
    assert [set(each) for each in takes.values()] == [
        {"a second"}, {"10 s"}, {"a minute"}, {"2 minutes and 1 GB"},
    ]  # fmt: skip
