"""Players, the simulator and its log; tests and intervals against sums of binomials."""

from collections import Counter
from math import comb
from random import Random
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from printed import EDGE

from exactdice.errors import InputError, OutputError
from exactdice.games.fatestones import confidence, players
from exactdice.games.fatestones.confidence import (
    PLACES,
    chance_interval,
    games_needed,
    least_edge_seen,
    power,
)
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.players import (
    LOG_COLUMNS,
    DuelRound,
    Score,
    check_log,
    log_lines,
    play_again,
    play_duel,
    player,
    read_log,
    score,
    simulate,
)
from exactdice.games.fatestones.reports import play_report
from exactdice.games.fatestones.responses import random_play
from exactdice.games.fatestones.rules import bag, check_hands, deal, decode_hand, without

RANDOMS = (player("random"), player("random"))


def test_rolls_follow_the_rules_and_the_seed():
    rolls = list(simulate(RANDOMS, 300, seed=1))
    for before, roll in zip([None, *rolls], rolls, strict=False):
        check_hands(roll.row_hand, roll.column_hand, bag())
        assert roll.row_face in roll.row_hand[roll.row_choice]
        assert roll.column_face in roll.column_hand[roll.column_choice]
        if before is not None and before.outcome == 0 and not before.is_scratch:
            assert roll.row_hand == without(before.row_hand, before.row_choice)
            assert roll.column_hand == without(before.column_hand, before.column_choice)
        else:
            assert len(roll.row_hand) == 3
    assert score(rolls).games == 300
    players = (player("mcts:5"), player("equilibrium"))
    first, again, other = (list(simulate(players, 20, seed=s)) for s in (4, 4, 5))
    assert first == again != other


def test_scratches_are_replayed_or_end_games():
    # A bag of dice that nearly always tie, so that scratches are common.
    dice = [(1, 1, 1, 1, 1, 1, 1, k) for k in range(2, 8)]
    for replay in (True, False):
        found = score(simulate(RANDOMS, 400, seed=3, dice=dice, replay=replay), replay=replay)
        assert found.games == 400
        assert found.scratches > 20
        assert found.wins + found.losses == 400 - (0 if replay else found.scratches)
    for played in play_again(300, 1):
        assert played.score.games == 300
        assert played.score.wins + played.score.losses + played.score.scratches == 300
    assert played.score.scratches > 0


def test_duels_end_and_are_scored():
    random = Random(1)  # noqa: S311 - reproducible draws
    row, column = decode_hand("333444,333345"), decode_hand("233445,224445")
    for _ in range(100):
        rolls = list(play_duel(RANDOMS, row, column, random))
        assert all(roll.outcome == 0 for roll in rolls[:-1])
        assert rolls[-1].outcome != 0 or rolls[-1].is_scratch
    with pytest.raises(InputError, match="hands: got 2 dice against 1"):
        list(play_duel(RANDOMS, row, column[:1], random))
    die, other = ((1, 2, 3, 4, 5, 6),), ((1, 1, 1, 6, 6, 6),)
    faces = [(2, 1), (1, 6), (6, 6), (3, 1)]  # a win, a loss, a scratch, a win
    rolls = [DuelRound(die, other, 0, 0, *pair) for pair in faces]
    assert score(rolls) == Score(games=3, wins=2, losses=1, scratches=1, ties=1)
    assert score(rolls, replay=False).games == 4
    assert score(rolls, replay=False).edge == mpq(1, 4)
    with pytest.raises(InputError, match="rolls: got no finished game"):
        score(rolls[2:3])


def test_logs_round_trip_and_are_checked():
    rolls = list(simulate(RANDOMS, 50, seed=6))
    text = log_lines(rolls, header=True)
    assert text.splitlines()[0].split(",") == list(LOG_COLUMNS)
    assert read_log(text) == rolls
    assert read_log(text + log_lines(rolls)) == rolls * 2
    check_log(text)
    check_log("")
    text = log_lines(simulate(RANDOMS, 3, seed=6), header=True)
    with pytest.raises(OutputError, match="log: the last line of the file is not a roll"):
        check_log(text[:-9])


def test_columns_of_logs_and_reports():
    assert len(LOG_COLUMNS) == 10
    assert LOG_COLUMNS[:6] == tuple(f"Player {p} Die {d}" for p in (1, 2) for d in (1, 2, 3))
    # Two rolls of a duel from the game's repository, without a header.
    text = (
        "133356,114456,124455,233445,133446,123456,2,2,2,2\n133356,114456,,233445,133446,,1,1,1,4\n"
    )
    first, second = read_log(text)
    assert (first.outcome, second.outcome) == (0, -1)
    assert second.row_hand == decode_hand("133356,114456")
    hands = ((1, 1),), ((1, 1),)
    rolls = list(play_duel((player("random"), player("random")), *hands, Random(1)))  # noqa: S311
    columns = play_report(["random", "random"], rolls, 1).table("rolls").columns
    assert [column.name for column in columns] == [
        *("hand_1", "hand_2", "die_1", "die_2", "face_1", "face_2"),
        "outcome",
    ]


@pytest.mark.parametrize(("seconds", "lines"), [(-1, [2, 3, 4]), (60, [0, 0, 4])])
def test_a_log_is_written_every_few_seconds_and_at_the_end(tmp_path, monkeypatch, seconds, lines):
    """Three rolls below the line of column names: one by one, or all at the end."""
    monkeypatch.setattr(players, "SECONDS_BETWEEN_SAVES", seconds)
    path, written = tmp_path / "log.csv", []
    rolls = list(simulate(RANDOMS, 3, seed=6))[:3]
    with players.LogFile(path) as file:
        for roll in rolls:
            file.add(roll)
            written.append(len(path.read_text().splitlines()) if path.exists() else 0)
    written[-1] = len(path.read_text().splitlines())
    assert written == lines
    assert read_log(path.read_text()) == rolls


def test_seldom_writes_after_the_interval(monkeypatch):
    now, saved = [100.0], []
    monkeypatch.setattr(players, "time", SimpleNamespace(monotonic=lambda: now[0]))
    save = players.seldom(saved.append)
    for second in (101.5, 102, 103.5, 104, 107, 108):
        now[0] = second
        save(second)
    assert saved == [102, 104, 107]


def source(seed):
    return Random(seed)  # noqa: S311 - reproducible draws


def frequencies(of, own, other, count=3000):
    random = source(11)
    chosen = Counter(of.choose(own, other, random) for _ in range(count))
    return [mpq(chosen[i], count) for i in range(len(own))]


OWN, OTHER = decode_hand("111666,123456,222555"), decode_hand("114456,333336,122556")


def test_frequencies_of_random_and_equilibrium_players():
    for frequency in frequencies(player("random"), OWN, OTHER):
        assert abs(frequency - mpq(1, 3)) < mpq(4, 100)  # over four standard deviations
    strategy = solve(OWN, OTHER).row
    assert len([p for p in strategy if p]) > 1
    for frequency, probability in zip(
        frequencies(player("equilibrium"), OWN, OTHER), strategy, strict=True
    ):
        assert abs(frequency - probability) < mpq(4, 100)


def test_best_and_human_players_choose():
    random = source(3)
    for _ in range(20):
        own, other = deal(random)
        worth = answer_to_random(own, other)
        assert worth[player("best").choose(own, other, random)] == max(worth)
    asked = []

    def ask(own, other):
        asked.append((own, other))
        return 2

    human = player("human", ask)
    assert human.choose(OWN, OTHER, source(1)) == 2
    assert asked == [(OWN, OTHER)]


def test_tree_search_in_small_duels():
    # Own dice 1, 5, 2 against 4, 4, 4, all constant: only the 5 wins.
    own, other = ((1,) * 6, (5,) * 6, (2,) * 6), ((4,) * 6,) * 3
    random = source(1)
    assert [player("mcts:30").choose(own, other, random) for _ in range(20)] == [1] * 20
    # Own 1, 3 against 1, 2, all constant: the 3 always wins; the 1 ties, then wins, or loses.
    own, other = ((1,) * 6, (3,) * 6), ((1,) * 6, (2,) * 6)
    random = source(2)
    assert [player("mcts:200").choose(own, other, random) for _ in range(10)] == [1] * 10
    # If the equilibrium mixes two dice, both are chosen sometimes.
    assert min(frequencies(player("mcts:40"), OWN, OTHER, count=300)) > 0
    assert player("mcts:5").choose(OWN[:1], OTHER[:1], source(1)) == 0


@pytest.mark.slow
def test_tree_search_and_best_response_against_random_play():
    # Between nothing and the exact edge of 0.036, within the noise of the games.
    players = (player("mcts:400"), player("random"))
    found = score(simulate(players, 600, seed=5))
    # Five standard deviations of 600 games are 0.2: a player that lost on purpose would show.
    assert mpq(-1, 5) < found.edge < mpq(1, 4)
    # The exact edge is that of an independent policy iteration over all deals; four standard
    # deviations of 8000 games are 0.045.
    found = score(simulate((player("best"), player("random")), 8000, seed=2))
    assert abs(found.edge - mpq(EDGE)) < mpq(45, 1000)


def test_simulated_random_play_agrees_with_its_exact_chances():
    count = 20_000
    found = score(simulate((player("random"),) * 2, count, seed=9, replay=False), replay=False)
    exact = random_play()
    # Four standard deviations: of a fair game, of 93 scratches, of some 4000 ties.
    assert abs(found.wins - count * exact.win) < 283
    assert abs(found.scratches - count * exact.scratch) < 39
    assert abs(found.ties - count * exact.ties) < 310


GRID = mpq(1, 10**PLACES)


def at_least(games, wins, chance):
    terms = (
        comb(games, k) * chance**k * (1 - chance) ** (games - k) for k in range(wins, games + 1)
    )
    return sum(terms, mpq(0))


def exact_power(games, edge, confidence):
    level, half, chance = 1 - confidence, mpq(1, 2), (1 + edge) / 2
    critical = max(k for k in range(games + 1) if at_least(games, k, half) >= level)
    above = at_least(games, critical + 1, half)
    toss = (level - above) / (at_least(games, critical, half) - above)
    sure = at_least(games, critical + 1, chance)
    return sure + toss * (at_least(games, critical, chance) - sure)


edges = st.fractions(0, 1, max_denominator=20).map(lambda e: mpq(e.numerator, e.denominator))
confidences = st.sampled_from([mpq(3, 5), mpq(9, 10), mpq(95, 100), mpq(31, 32)])


@given(st.integers(1, 40), edges, confidences)
@settings(max_examples=60, deadline=None)
def test_power_by_sums_of_binomials(games, edge, confidence):
    exact = exact_power(games, edge, confidence)
    found = power(games, edge, confidence)
    assert found <= exact < found + GRID or found == exact == 1


@pytest.mark.slow
@given(st.integers(1, 19).map(lambda n: mpq(n, 20)), confidences)
@settings(max_examples=12, deadline=None)
def test_games_needed_are_the_fewest(edge, confidence):
    wanted = mpq(4, 5)
    games = games_needed(edge, confidence, wanted)
    if games <= 60:
        assert exact_power(games, edge, confidence) >= wanted
        assert all(exact_power(n, edge, confidence) < wanted for n in range(1, games))


def test_power_and_intervals_by_hand():
    # By hand: at level 1/20, four wins of four reject with chance 16/20 only, and five of five
    # (1/32) always.
    assert games_needed(1) == 5
    assert power(4, 1) == mpq(8, 10)
    assert power(5, 1) == 1
    # By hand: at level 2/5 a win, which has chance 1/2, is taken as proof with chance 4/5.
    assert games_needed(1, "3/5", "4/5") == 1
    assert games_needed(1, "3/5", "81/100") == 2
    assert least_edge_seen(1, "3/5", "4/5") == 1
    assert games_needed(0, "3/5", "2/5") == 1  # the level is the chance that it is taken so
    # 1 − 0.025^(1/10) = 0.30849710781876…: with no wins the upper bound has a closed form.
    assert chance_interval(0, 10) == (0, mpq(308498, 10**6))
    # Φ(0.0359894·100 − 1.64485) = Φ(1.954) = 0.97464: standard normal tables.
    assert abs(power(10_000, "0.0359894") - mpq(97464, 100_000)) < mpq(1, 1000)


def test_limit_on_games(monkeypatch):
    for most in (8, 7):
        monkeypatch.setattr(confidence, "_MAX_GAMES", most)
        if most == 8:
            assert games_needed(1) == 5
        else:
            words = "edge: got 1; expected an edge detectable in 7 games"
            with pytest.raises(InputError, match=words):
                games_needed(1)


@given(st.integers(5, 40), confidences)
@settings(max_examples=12, deadline=None)
def test_least_edge_is_the_threshold(games, confidence):
    wanted = mpq(4, 5)
    edge = least_edge_seen(games, confidence, wanted)
    assert exact_power(games, edge, confidence) >= wanted
    assert exact_power(games, edge - GRID, confidence) < wanted


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=40, deadline=None)
def test_intervals_of_clopper_and_pearson(count):
    wins, games = count
    low, high = chance_interval(wins, games, "0.9")
    tail = mpq(1, 20)
    assert low <= mpq(wins, games) <= high
    assert (low == 0) if wins == 0 else at_least(games, wins, low) < tail
    assert wins == 0 or at_least(games, wins, low + GRID) >= tail
    misses = games - wins
    assert (high == 1) if misses == 0 else at_least(games, misses, 1 - high) < tail
    assert misses == 0 or at_least(games, misses, 1 - high + GRID) >= tail


@pytest.mark.slow
@pytest.mark.parametrize(("call", "message"), [
    (lambda: power(0, "1/2"), "games: got 0; expected a whole number of at least 1"),
    (lambda: power(10, 2), "edge: got 2; expected a number from 0 to 1"),
    (lambda: power(10, 0, "1/2"), "confidence: got '1/2'; expected a number above 1/2 and below 1"),
    (lambda: games_needed("1/2", power=1), "power: got 1; expected a number above 0 and below 1"),
    (lambda: games_needed(0), "edge: got 0; expected an edge detectable in 1000000000000 games"),
    (lambda: least_edge_seen(2), "games: got 2; expected more games: even an edge of 1"),
    (lambda: chance_interval(3, 2), "wins: got 3; expected a whole number from 0 to 2"),
])  # fmt: skip
def test_bad_arguments_are_rejected(call, message):
    with pytest.raises(InputError) as refusal:
        call()
    assert str(refusal.value).startswith(message)
