"""Dice, hands, deals and files of dice; reports and questions about FateStones."""

from itertools import pairwise, product
from math import comb
from random import Random

import networkx as nx
import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st
from printed import A076822, A076822_27
from strategies import comes_back, questions

from exactdice.errors import InputError
from exactdice.games.fatestones import players, rules
from exactdice.games.fatestones import questions as fatestones
from exactdice.games.fatestones.beats import (
    RANKINGS,
    Ranking,
    pair_table,
    rank_dice,
    who_beats_whom,
)
from exactdice.games.fatestones.confidence import Between
from exactdice.games.fatestones.exact import solve
from exactdice.games.fatestones.players import Scratch, TwoPlayers, play_again
from exactdice.games.fatestones.reports import (
    BAG,
    beats_report,
    dice_report,
    duel_report,
    in_words,
    rankings_report,
    two_dice_report,
)
from exactdice.games.fatestones.responses import (
    BestResponse,
    Heuristic,
    RuleOfThumb,
    rules_of_thumb,
)
from exactdice.games.fatestones.rules import (
    DiceCollection,
    HandOfDice,
    all_dice,
    bag,
    balanced_dice,
    check_hands,
    count_balanced_dice,
    deal,
    decode_die,
    decode_hand,
    dice_from_text,
    dice_text,
    encode_die,
    encode_hand,
    outcome,
    read_dice,
    without,
)
from exactdice.report import Reported
from exactdice.rooms import classes, question
from exactdice.run import Run
from exactdice.studies.fatestones import questions as study
from exactdice.studies.fatestones.censuses import bags, sample_census
from exactdice.studies.fatestones.counting import nontransitive_triples
from exactdice.studies.fatestones.questions import FatestonesCensusPart
from exactdice.studies.fatestones.reports import count_report, heuristics_report


def test_the_bag_and_the_counts_are_the_published_ones():
    # The README: 32 dice whose rolls average 3.5, the standard die among them.
    assert len(set(bag())) == 32
    assert all(sum(die) == 21 and len(die) == 6 for die in bag())
    assert decode_die("123456") in bag()
    assert list(bag()) == sorted(bag())
    # OEIS A076822, from n = 1 on, and its last listed term, n = 27.
    assert [count_balanced_dice(n) for n in range(1, 16)] == list(A076822)
    assert count_balanced_dice(27) == A076822_27


@given(st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_encoding_and_decoding_are_inverse(faces):
    die = tuple(sorted(faces))
    assert decode_die(encode_die(die)) == die


def test_dice_and_hands_as_text():
    text = "111666,123456,222555"
    assert encode_hand(decode_hand(text)) == text
    assert decode_hand([" 111666", "123456"]) == decode_hand("111666, 123456")
    assert encode_die((1, 9, 10)) == "1.9.10"
    assert decode_die("119", faces=3, highest="9") == (1, 1, 9)


def rejected(call, message):
    with pytest.raises(InputError) as refusal:
        call()
    assert str(refusal.value) == message


@pytest.mark.parametrize(("encoding", "message"), [
    ("654321", "die: got '654321'; expected faces in nondecreasing order, here '123456'"),
    ("12345", "die: got '12345'; expected 6 digits, one per face, such as '123456'"),
    ("1234567", "die: got '1234567'; expected 6 digits, one per face, such as '123456'"),
    ("123457", "die: got '123457'; expected faces from 1 to 6"),
    ("012345", "die: got '012345'; expected faces from 1 to 6"),
    ("12345x", "die: got '12345x'; expected faces from 1 to 6"),
    ("12345²", "die: got '12345²'; expected faces from 1 to 6"),
    ("", "die: got ''; expected 6 digits, one per face, such as '123456'"),
    (123456, "die: got 123456; expected 6 digits, one per face, such as '123456'"),
])  # fmt: skip
def test_invalid_encodings_are_rejected(encoding, message):
    rejected(lambda: decode_die(encoding), message)


@pytest.mark.parametrize(("text", "message"), [
    ("", "hand: got no dice; expected one to three dice such as '111666,123456'"),
    (" , ", "hand: got no dice; expected one to three dice such as '111666,123456'"),
    ([], "hand: got no dice; expected one to three dice such as '111666,123456'"),
    ("123456," * 3 + "123456", "hand: got 4 dice; expected one to three dice"),
    ("123456,", "hand: got ''; expected 6 digits, one per face, such as '123456'"),
    ([123456], "hand: got 123456; expected 6 digits, one per face, such as '123456'"),
])  # fmt: skip
def test_invalid_hands_are_rejected(text, message):
    rejected(lambda: decode_hand(text), message)


@pytest.mark.parametrize(("row", "column", "message"), [
    ("123456", "123456", "hands: got 123456 twice; expected at most 1 of this die, as in the bag"),
    (
        "123456,123456", "123456,111666",
        "hands: got 123456 3 times; expected at most 1 of this die, as in the bag",
    ),
    ("123456,111666", "222555", "hands: got 2 dice against 1; expected two hands of equal size"),
    ("111111", "123456", "hands: got '111111'; expected six faces of mean 7/2, or --bag any"),
])  # fmt: skip
def test_hands_outside_the_bag_are_rejected(row, column, message):
    rejected(lambda: check_hands(decode_hand(row), decode_hand(column), bag()), message)


def test_deals_and_outcomes():
    random = Random(5)  # noqa: S311 - reproducible draws
    for _ in range(50):
        row, column = deal(random)
        check_hands(row, column, bag())
        assert len(row) == len(column) == 3
    random = Random(1)  # noqa: S311 - reproducible draws
    row, column = deal(random, bag()[:4], size=2)
    assert set(row + column) == set(bag()[:4])
    with pytest.raises(InputError, match="size: got 3; expected a whole number from 1 to 2"):
        deal(random, bag()[:4], size=3)
    check_hands(decode_hand("111111,111111"), decode_hand("111111,666666"))
    assert [outcome(4, 3), outcome(3, 3), outcome(2, 3)] == [1, 0, -1]
    assert without(((1,), (2,), (3,)), 0) == ((2,), (3,))


@pytest.mark.parametrize(("faces", "values"), [(1, 4), (2, 3), (3, 5), (4, 2)])
def test_dice_are_the_sorted_tuples(faces, values):
    oracle = {tuple(sorted(roll)) for roll in product(range(1, values + 1), repeat=faces)}
    assert list(all_dice(faces, values)) == sorted(oracle)
    assert len(oracle) == comb(values + faces - 1, faces)


@pytest.mark.parametrize("faces", range(1, 8))
def test_balanced_dice_are_those_of_the_mean_of_the_ordinary_die(faces):
    oracle = [die for die in all_dice(faces, faces) if 2 * sum(die) == faces * (faces + 1)]
    assert list(balanced_dice(faces)) == oracle
    assert count_balanced_dice(faces) == len(oracle)


def test_enumeration_has_no_dead_ends(monkeypatch):
    completions = rules._completions

    def some(*begun):
        found = list(completions(*begun))
        assert found, begun
        return iter(found)

    monkeypatch.setattr(rules, "_completions", some)
    for faces in range(1, 9):
        assert len(list(balanced_dice(faces))) == count_balanced_dice(faces)


@pytest.mark.parametrize("form", ["txt", "csv"])
def test_files_of_dice_round_trip(form):
    assert dice_from_text(dice_text(bag(), form), form) == list(bag())


def test_files_are_read_or_rejected(tmp_path):
    # faces.csv there ends its lines with a comma; avgfaces.txt its last line with none.
    assert dice_from_text("6,6,6,6,6,6,\n5,6,6,6,6,6,\n", "csv")[1] == (5, 6, 6, 6, 6, 6)
    assert dice_from_text("3 3 3 4 4 4\n\n2 3 4 4 4 4", "txt")[1] == (2, 3, 4, 4, 4, 4)
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"dice: got .*; expected a readable file of dice"):
        read_dice(tmp_path / "latin.txt")


SIX = [f"1 1 1 1 1 {face}" for face in range(1, 7)]


@pytest.mark.parametrize(("name", "lines", "read"), [
    ("dice.txt", SIX, [(1, 1, 1, 1, 1, face) for face in range(1, 7)]),
    ("dice.csv", ["1,6,1,1,1,1", "", *SIX[1:]], None),  # a space parts nothing there
    ("dice.csv", ["6,1,1,1,1,1"] * 6, [(1, 1, 1, 1, 1, 6)] * 6),
    ("dice.txt", ["654321", "1 2 3 4 5 6"] * 3, [(1, 2, 3, 4, 5, 6)] * 6),
    ("dice.csv", ["111111", "222222"] * 3, [(1,) * 6, (2,) * 6] * 3),
    ("dice.txt", SIX[:5], "5 dice; expected at least 6 dice"),
    (
        "dice.txt",
        ["333333"] * 6,
        "one value on all faces; expected dice that do not always tie",
    ),
    (
        "dice.txt",
        ["1 1 1 1 6", *SIX],
        r"\(1, 1, 1, 1, 6\); expected six faces from 1 to 6 per line",
    ),
    ("dice.txt", ["1 1 1 1 1 1 6", *SIX], r"\(1, 1, 1, 1, 1, 1, 6\); expected six faces"),
    ("dice.txt", ["1 1 1 1 1 7", *SIX], r"\(1, 1, 1, 1, 1, 7\); expected six faces"),
    ("dice.txt", ["102345", *SIX], r"\(0, 1, 2, 3, 4, 5\); expected six faces"),
])  # fmt: skip
def test_a_bag_is_read_from_a_file(name, lines, read, tmp_path):
    (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    if isinstance(read, list):
        assert read_dice(tmp_path / name) == tuple(read)
    else:
        with pytest.raises(InputError, match=f"got {read}" if read else "line 3: got '1 1 1"):
            read_dice(tmp_path / name)


def margin(die, other):
    return sum((a > b) - (a < b) for a, b in product(die, other))


@pytest.mark.parametrize(("dice", "verb"), [
    (("222555", "144444"), "beats"), (("144444", "222555"), "is beaten by"),
    (("123456", "111666"), "is even with"),
])  # fmt: skip
def test_two_dice_report(dice, verb):
    first, second = map(decode_die, dice)
    assert (
        verb
        == {1: "beats", 0: "is even with", -1: "is beaten by"}[
            (margin(first, second) > 0) - (margin(first, second) < 0)
        ]
    )
    report = two_dice_report(pair_table([first, second]))
    assert report.title == f"{dice[0]} {verb} {dice[1]}"
    rolls = list(product(first, second))
    for name, die, wins in (
        ("value", dice[0], sum(a > b for a, b in rolls)),
        ("loss", dice[1], sum(a < b for a, b in rolls)),
    ):
        assert report.value(name) == mpq(wins, 36)
        (meaning,) = (q.column.meaning for q in report.quantities if q.column.name == name)
        assert meaning == f"probability that {die} rolls higher"


def test_dice_are_listed_with_their_mean_and_variance():
    for which, of, mean in (
        (DiceCollection.ALL, all_dice(3, 3), ""),
        (DiceCollection.AVERAGE, SOME[:2], ", mean 2"),
    ):
        dice = list(of)
        report = dice_report(dice, which, 3)
        assert report.value("count") == len(dice)
        for die, row in zip(dice, report.table("dice").rows, strict=True):
            average = mpq(sum(die), 3)
            spread = sum(((face - average) ** 2 for face in die), mpq(0)) / 3
            assert row == (encode_die(die), average, spread)
        assert report.provenance.conventions["dice"] == f"3 faces with values 1 to 3{mean}"


@pytest.mark.parametrize("any_dice", [True, False])
def test_duel_report_names_the_bag(any_dice):
    duel = solve("111666", "123456")
    said = duel_report(duel, any_dice=any_dice).provenance.conventions["dice"]
    assert said == ("any" if any_dice else f"out of {BAG}")
    assert duel.report().provenance.conventions["dice"] == "any"


@pytest.mark.parametrize(
    ("chance", "words"), [("1/2", "0.5"), ("999999/1000000", "0.999999"), ("1/3", "1/3")]
)
def test_confidences_are_decimals_where_six_places_are_enough(chance, words):
    assert in_words(mpq(chance)) == words


SOME = [(1, 4, 4), (2, 2, 5), (3, 3, 3), (1, 1, 1), (5, 5, 5), (1, 1, 2), (1, 1, 4), (2, 2, 3)]


def test_who_beats_whom_by_the_margins_of_all_pairs():
    found = beats_report(who_beats_whom(SOME), DiceCollection.ALL, 3, pairs=True)
    beats = nx.DiGraph([(a, b) for a, b in product(SOME, SOME) if margin(a, b) > 0])
    higher = [(a, b) for a, b in product(SOME, SOME) if a != b and all(map(int.__ge__, a, b))]
    assert found.value("count") == len(SOME)
    assert found.value("beats") == beats.number_of_edges()
    assert found.value("even") == 8 * 7 // 2 - beats.number_of_edges()
    assert found.value("dominates") == len(higher)
    sizes = sorted(map(len, nx.strongly_connected_components(beats)), reverse=True)
    assert list(found.value("components")) == sizes
    assert len(set(sizes)) > 1  # or any order would do
    assert found.value("longest_cycle") == max(map(len, nx.simple_cycles(beats)))
    assert found.value("largest_margin") == max(mpq(margin(*pair), 9) for pair in beats.edges)
    assert [row[1:] for row in found.table("dice").rows] == [
        (beats.out_degree(die), beats.in_degree(die)) for die in SOME
    ]
    rows = {row[:2]: row[2:] for row in found.table("pairs").rows}
    for a, b in product(SOME, SOME):
        counts = [sum((x > y) - (x < y) == sign for x, y in product(a, b)) for sign in (1, 0, -1)]
        expected = (*(mpq(count, 9) for count in counts), mpq(margin(a, b), 9))
        assert rows[encode_die(a), encode_die(b)] == expected
    assert len(beats_report(who_beats_whom(SOME), DiceCollection.ALL, 3).tables) == 1


def test_rankings_report():
    rankings = [rank_dice(SOME, name) for name in RANKINGS]
    found = rankings_report(rankings, DiceCollection.ALL, 4)
    for ranking, row in zip(rankings, found.table("ends").rows, strict=True):
        scores = [score for _, score in ranking.scores]
        most, least = scores.count(max(scores)), scores.count(min(scores))
        first, last = ranking.scores[0][0], ranking.scores[-least][0]
        expected = (ranking.name, most, encode_die(first), least, encode_die(last), False)
        assert row == expected  # no die of three faces is 1111 or 4444
    shown = [row[0] for row in found.table("dice").rows]
    margins = {die: sum(margin(die, other) for other in SOME) for die in SOME}
    assert shown == [encode_die(die) for die in sorted(SOME, key=lambda d: (-margins[d], d))]
    assert shown != [encode_die(die) for die, _ in rankings[0].scores]  # by the mean roll
    columns = [column.name for column in found.table("dice").columns[1:]]
    for row in found.table("dice").rows:
        for name, score in zip(columns, row[1:], strict=True):
            of = next(r for r in rankings if r.name.replace(" ", "_") == name)
            assert dict(of.scores)[tuple(map(int, row[0]))] == score


@pytest.mark.parametrize(
    ("scores", "first", "last"),
    [((3, 2, 1), 1, 1), ((3, 3, 1), 2, 1), ((3, 1, 1), 1, 2), ((2, 2, 2), 3, 3)],
)
def test_a_ranking_has_its_ends_if_one_die_alone_is_at_each(scores, first, last):
    dice = [(3,), (2,), (1,)]
    ranking = Ranking("any", tuple(zip(dice, map(mpq, scores), strict=True)))
    assert (ranking.first, ranking.last) == (tuple(dice[:first]), tuple(dice[3 - last :]))
    for lowest, highest in product(dice, dice):
        alone = first == last == 1 and (lowest, highest) == ((1,), (3,))
        assert ranking.has_ends(lowest, highest) == alone


def test_heuristics_report():
    answer = BestResponse(mpq(1, 4), mpq(1, 5), mpq(1, 5), 20)
    edges = dict(zip(Heuristic, (mpq(n, 40) for n in range(10)), strict=False))
    rules = [RuleOfThumb(rule, edge, edge / 2) for rule, edge in edges.items()]
    found = heuristics_report(rules, answer)
    assert [(row[0], *row[2:]) for row in found.table("rules").rows] == [
        # Of all games those won less those lost are the edge, and both together all of them.
        (rule.value, edge, mpq(1, 2) + edge / 2, 4 * edge)
        for rule, edge in edges.items()
    ]
    assert found.value("best_response_edge") == mpq(1, 4)
    assert found.value("best_response_win") == mpq(5, 8)
    assert found.value("best_response_duel") == mpq(1, 5)


@pytest.mark.parametrize(("faces", "mean"), [(3, "2"), (4, "5/2")])
def test_count_report(faces, mean):
    report = count_report(nontransitive_triples(faces, 5))
    assert report.value("balanced") == sum(
        2 * sum(die) == faces * (faces + 1) for die in all_dice(faces, faces)
    )
    (label,) = (q.column.meaning for q in report.quantities if q.column.name == "balanced")
    assert label == f"dice of mean {mean}, values 1 to {faces}"


@pytest.mark.parametrize("faces", [4, 5, 6])
def test_bags_have_at_least_six_dice(faces):
    totals = [sum(die) for die in all_dice(faces, faces)]
    assert bags(faces) == [total for total in sorted(set(totals)) if totals.count(total) >= 6]


def test_progress_of_long_computations(monkeypatch):
    told = []
    run = Run(progress=lambda *news: told.append(news))
    rules_of_thumb(bag()[:6], run)
    assert told == [("hands", n, 20) for n in range(20)]  # C(6, 3)
    told.clear()
    monkeypatch.setattr(players, "README_RESULTS", {("best", "random"): ()})
    monkeypatch.setattr(players, "known_chances", lambda *_: None)
    assert len(list(play_again(2, 1, [("random", "random")], run))) == 2
    assert told == [("pairs of players", n, 2) for n in range(2)]


_PLAYERS = ["random", "best", "equilibrium", "human", "mcts:7", "mcts:050"]
_HANDS = st.lists(st.sampled_from(bag()), min_size=2, max_size=2, unique=True).map(tuple)
DOMAINS = (
    (HandOfDice, st.one_of(_HANDS, _HANDS.map(encode_hand))),
    (TwoPlayers, st.tuples(st.sampled_from(_PLAYERS), st.sampled_from(_PLAYERS)).map(",".join)),
    (Between, st.fractions(mpq(51, 100), mpq(99, 100)).map(str)),
)


@st.composite
def census_parts(draw):
    """Parts of the censuses of bags of 32, 12, 35 and 10 dice."""
    faces, total = draw(st.sampled_from([(6, 21), (5, 15), (4, None), (3, None)]))
    first = draw(st.integers(0, comb(10, 3) - 1))
    last = draw(st.integers(first, comb(10, 3) - 1))
    return FatestonesCensusPart(first, last, faces=faces, total=total)


@pytest.mark.parametrize("asked", classes("fatestones"), ids=lambda asked: asked.command)
@given(data=st.data())
def test_text_json_and_pickle_round_trip(asked, data):
    parts = asked is FatestonesCensusPart
    made = data.draw(census_parts() if parts else questions(asked, DOMAINS))
    assume(made is not None)
    comes_back(made)


def test_questions_of_duels_and_games():
    made = fatestones.FatestonesDuel([(1, 1, 1, 6, 6, 6)], [(1, 2, 3, 4, 5, 6)], scratch="1/3")
    assert made == question("fatestones duel 111666 123456 --scratch 1/3")
    made = fatestones.FatestonesPlay(players="human,random", seed=1)
    assert (made.is_interactive, made.is_deterministic) == (True, False)
    made = fatestones.FatestonesPlay(players="best,random", seed=1)
    assert (made.is_interactive, made.is_deterministic) == (False, True)


@pytest.mark.parametrize("scratch", Scratch)
def test_progress_counts_finished_games(scratch, tmp_path):
    """A file of dice that nearly always tie, so that scratches are common."""
    (tmp_path / "dice.txt").write_text("".join(f"1 1 1 1 1 {face}\n" for face in range(1, 7)))
    told = []
    asked = fatestones.FatestonesSimulate(
        players=("random", "random"), games=40, dice=tmp_path / "dice.txt", scratch=scratch
    )
    found = asked.report(Run(progress=lambda *news: told.append(news)))
    assert found.value("scratches") > 0
    assert {(what, total) for what, _, total in told} == {("games", 40)}
    done = [number for _, number, _ in told]
    assert done[-1] == 40
    assert {after - before for before, after in pairwise([0, *done])} == {0, 1}


def test_results_show_themselves():
    die = (1, 2, 3, 4, 5, 6)  # two equal dice: nothing to choose, and nobody is ahead
    duel = solve((die,), (die,))
    assert isinstance(duel, Reported)
    assert str(duel) == "123456 against 123456: worth 0 to row"
    html = duel._repr_html_()
    assert "<td>row</td><td>123456</td><td>1</td>" in html.replace(' class="r"', "")
    sample = sample_census(5, seed=1, lists=True)
    assert str(sample).startswith("a sample of 5 deals, worth ")
    assert len(sample.report().table("deals").rows) == 5
    assert sample.value == 0


def test_limit_on_dice_of_a_bag(monkeypatch):
    # C(4 + 4 − 1, 4) dice of four faces, and C(35, 3) hands of them
    last = comb(35, 3) - 1
    monkeypatch.setattr(study, "_MOST_DICE", 35)
    assert FatestonesCensusPart(0, last, faces=4).last == last
    words = f"last: got {last + 1}; expected a whole number from 0 to "
    with pytest.raises(InputError, match=words):
        FatestonesCensusPart(0, last + 1, faces=4)
    monkeypatch.setattr(study, "_MOST_DICE", 34)
    with pytest.raises(InputError, match="total: got 35 dice; expected a bag of at most 34"):
        FatestonesCensusPart(0, 1, faces=4)
