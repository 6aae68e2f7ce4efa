"""Players: what they choose, by their definitions; how they do, against the exact values."""

from collections import Counter
from random import Random

import pytest
from gmpy2 import mpq

from exactdice.errors import InputError
from exactdice.games.fatestones.exact import answer_to_random, solve
from exactdice.games.fatestones.players import Player, player, score, simulate
from exactdice.games.fatestones.responses import random_play
from exactdice.games.fatestones.rules import Hand, deal, decode_hand
from exactdice.games.fatestones.sources import EDGE


def source(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - reproducible draws


def frequencies(of: Player, own: Hand, other: Hand, count: int = 3000) -> list[mpq]:
    random = source(11)
    chosen = Counter(of.choose(own, other, random) for _ in range(count))
    return [mpq(chosen[i], count) for i in range(len(own))]


OWN, OTHER = decode_hand("111666,123456,222555"), decode_hand("114456,333336,122556")


def test_the_random_player_takes_each_die_as_often() -> None:
    for frequency in frequencies(player("random"), OWN, OTHER):
        assert abs(frequency - mpq(1, 3)) < mpq(4, 100)  # over four standard deviations


def test_the_equilibrium_player_draws_by_the_optimal_strategy() -> None:
    strategy = solve(OWN, OTHER).row
    assert len([p for p in strategy if p]) > 1
    for frequency, probability in zip(
        frequencies(player("equilibrium"), OWN, OTHER), strategy, strict=True
    ):
        assert abs(frequency - probability) < mpq(4, 100)


def test_the_best_responder_takes_the_best_answer() -> None:
    random = source(3)
    for _ in range(20):
        own, other = deal(random)
        worth = answer_to_random(own, other)
        assert worth[player("best").choose(own, other, random)] == max(worth)


def test_tree_search_finds_the_only_winning_die() -> None:
    """Own dice 1, 5, 2 against 4, 4, 4, all constant: only the 5 wins."""
    own, other = ((1,) * 6, (5,) * 6, (2,) * 6), ((4,) * 6,) * 3
    random = source(1)
    assert [player("mcts:30").choose(own, other, random) for _ in range(20)] == [1] * 20


def test_tree_search_looks_past_a_tie() -> None:
    """Own 1, 3 against 1, 2, all constant: the 3 always wins; the 1 ties, then wins, or loses."""
    own, other = ((1,) * 6, (3,) * 6), ((1,) * 6, (2,) * 6)
    random = source(2)
    assert [player("mcts:200").choose(own, other, random) for _ in range(10)] == [1] * 10


def test_tree_search_plays_a_mixed_game_in_a_mixed_way() -> None:
    """Where the equilibrium mixes two dice, both are chosen now and then."""
    assert min(frequencies(player("mcts:40"), OWN, OTHER, count=300)) > 0


def test_tree_search_with_one_die_has_nothing_to_search() -> None:
    assert player("mcts:5").choose(OWN[:1], OTHER[:1], source(1)) == 0


@pytest.mark.slow
def test_many_playouts_gain_most_of_what_can_be_gained_against_random_play() -> None:
    """Between nothing and the exact edge of 0.036, within the noise of the games."""
    players = (player("mcts:400"), player("random"))
    found = score(simulate(players, 600, seed=5))
    # Five standard deviations of 600 games are 0.2: a player that lost on purpose would show.
    assert mpq(-1, 5) < found.edge < mpq(1, 4)


@pytest.mark.slow
def test_simulated_best_response_agrees_with_its_exact_edge() -> None:
    # The exact edge is that of an independent policy iteration over all deals; four standard
    # deviations of 8000 games are 0.045.
    found = score(simulate((player("best"), player("random")), 8000, seed=2))
    assert abs(found.edge - mpq(EDGE)) < mpq(45, 1000)


def test_simulated_random_play_agrees_with_its_exact_chances() -> None:
    count = 20_000
    found = score(simulate((player("random"),) * 2, count, seed=9, replay=False), replay=False)
    exact = random_play()
    # Four standard deviations: of a fair game, of 93 scratches, of some 4000 ties.
    assert abs(found.wins - count * exact.win) < 283
    assert abs(found.scratches - count * exact.scratch) < 39
    assert abs(found.ties - count * exact.ties) < 310


def test_a_human_is_asked_with_both_hands() -> None:
    asked: list[tuple[Hand, Hand]] = []

    def ask(own: Hand, other: Hand) -> int:
        asked.append((own, other))
        return 2

    human = player("human", ask)
    assert human.choose(OWN, OTHER, source(1)) == 2
    assert asked == [(OWN, OTHER)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("greedy", "player: got 'greedy'; expected random, best, equilibrium, human, or mcts:N"),
        ("mcts", "player: got 'mcts'; expected random, best, equilibrium, human, or mcts:N"),
        ("mcts:0", "playouts: got '0'; expected a whole number of at least 1"),
        ("mcts:many", "playouts: got 'many'; expected a whole number of at least 1"),
        ("human", "player: got 'human'; expected a player other than a person"),
    ],
)
def test_unknown_players_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        player(name)
    assert str(refusal.value).startswith(message)


def test_players_are_called_what_they_were_made_from() -> None:
    for name in ("random", "best", "equilibrium", "mcts:7"):
        assert player(name).name == name
