"""The examples, each with a number from elsewhere and its certificate checked against the rules."""

import importlib.util
import runpy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import decimal
from exactdice.dice import Distribution, fair
from exactdice.models import Both, Game, optimum, policy_value, reward_law, time_law

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solved(game: Game[Any], **how: Any) -> Any:
    best = optimum(game.explored(), **how)
    best.certificate().check(game)
    return best


@pytest.mark.parametrize(
    "name",
    ["bag", "craps", "hog", "liars_dice", "orchard", "snakes_and_ladders", "yahtzee_category"],
)
def test_examples_run_as_they_stand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 3


def test_the_pass_line_of_craps_wins_244_times_in_495() -> None:
    craps = example("craps")
    assert solved(Game(None, craps.moves)).value == mpq(244, 495)


def test_snakes_and_ladders_takes_as_long_as_althoen_king_and_schilling_say() -> None:
    # The Mathematical Gazette 77 (1993); quoted at futilitycloset.com, 21 September 2018.
    published = mpq(
        "225837582538403273407117496273279920181931269186581786048583/"
        "5757472998140039232950575874628786131130999406013041613400"
    )
    board = Game(0, example("snakes_and_ladders").moves)
    assert solved(board).value == published
    assert time_law(board.explored(), {}).mean == published


def test_orchard_wins_as_often_as_others_say() -> None:
    orchard = example("orchard").orchard
    # stormvogel's tutorial: four trees of four, five steps, one fruit a basket
    assert decimal(solved(orchard(4, 4, 5, 1)).value, 4) == "0.6314"
    # GitHub, loic-ehrhardt/jeu_du_verger_proba: the game in the box
    assert solved(orchard(4, 10, 9, 2)).value == mpq(
        "10595284893584715037488264068514156177970969647014229623087623/"
        "15489107002921234981941411840000000000000000000000000000000000"
    )


def test_one_turn_of_yahtzee_succeeds_as_often_as_is_known() -> None:
    yahtzee = example("yahtzee_category")
    # 347897/7558272, for instance in Wikipedia's article on the game; it scores 50
    assert solved(yahtzee.category(yahtzee.yahtzee)).value == 50 * mpq(347897, 7558272)
    # Chance: the dice do not affect one another; keep what is above the mean of what follows,
    # 7/2 with one roll to go and 17/4 with two: 5 · (1/2 · 17/4 + 1/6 · (5 + 6) + 1/6 · 17/4).
    one = sum((max(mpq(face), mpq(17, 4)) for face in range(1, 7)), mpq(0)) / 6
    assert solved(yahtzee.category(yahtzee.chance)).value == 5 * one


def test_the_bag_is_as_a_recursion_over_its_tokens_says() -> None:
    def best(coins: tuple[int, ...], skulls: int, hand: int, drawn: int) -> Any:
        left = sum(coins) + skulls
        value = mpq(0)
        for i, count in enumerate(coins):
            if count:
                rest = (*coins[:i], count - 1, *coins[i + 1 :])
                value += mpq(count, left) * best(rest, skulls, hand + i + 1, drawn)
        if skulls and not drawn:
            value += mpq(skulls, left) * best(coins, skulls - 1, hand, 1)
        return max(mpq(hand), value)

    bag = example("bag").bag
    found = solved(bag((2, 1, 2), 3))
    assert found.value == best((2, 1, 2), 3, 0, 0)
    law = reward_law(found.model, found)
    assert law.mean == found.value
    assert law.distribution().mean() == law.mean


def test_a_turn_of_pig_is_best_held_at_20() -> None:
    """The odds that Neller and Presser give: roll while 4 · 5 exceeds the points of the turn."""
    pig = example("pig")
    best = solved(Game(0, pig.turn))
    rolled = [p for p in best.policy if isinstance(p, int) and best.action(p) == "roll"]
    assert max(rolled) == 19
    assert best.optimal_actions(20) == ("hold", "roll")
    # by the law of the points of a turn held at 20, from its own recursion
    expected: dict[int, Any] = {points: mpq(points) for points in range(20, 26)}
    for points in range(19, -1, -1):
        expected[points] = sum(expected[points + face] for face in range(2, 7)) / 6
    assert best.value == expected[0]


def test_fewest_turns_of_pig_are_a_fixed_point_of_their_equation() -> None:
    """Value iteration in fractions rounded down from above and up from below."""
    pig = example("pig")
    target = 8
    found = solved(pig.solitaire(target))
    turns = [mpq(0)] * (target + 6)  # fewest turns by points held

    def begun(held: int, points: int, bust: Any, turns: list[Any]) -> Any:
        if held + points >= target:
            return mpq(0)
        rolls = bust + sum(begun(held, points + f, bust, turns) for f in range(2, 7))
        return min(rolls / 6, turns[held + points]) if points else rolls / 6

    for held in range(target - 1, -1, -1):
        value = mpq(1)
        for _ in range(60):
            value = mpq((1 + begun(held, 0, value, turns)) * 2**80 // 1, 2**80)
        turns[held] = value
    assert abs(-found.value - turns[0]) < mpq(1, 10**9)


def test_pig_to_20_is_exact_and_proved() -> None:
    pig = example("pig")
    best = solved(pig.race(20))
    assert best.is_exact
    enclosed = solved(pig.race(20), width="1e-30")
    assert best.value in enclosed.enclosure()
    assert not enclosed.unsettled
    assert policy_value(best.model, pig.hold_at_20).value <= best.value


@pytest.mark.slow
def test_pig_to_100_as_neller_and_presser_publish_it() -> None:
    # The UMAP Journal 25 (2004): the first player wins with 0.5306 …
    pig = example("pig")
    model = pig.race(100).explored()
    best = optimum(model, width="1e-30")
    assert decimal((1 + best.enclosure().middle) / 2, 4) == "0.5306"
    assert best.enclosure().width <= mpq(1, 10**30)
    assert not best.unsettled
    # possiblywrong.wordpress.com, 20 March 2014: at 41 against 49 hold from 22 on, but roll at 27
    assert [best.action((41, 49, points)) for points in range(20, 28)] == (
        ["roll"] * 2 + ["hold"] * 5 + ["roll"]
    )
    # Neller, nifty.stanford.edu/2010/neller-pig/advantage.html: 0.5347 when both hold at 20
    holding = policy_value(model, pig.hold_at_20, width="1e-30")
    assert abs((1 + holding.enclosure().middle) / 2 - mpq("0.5347")) < mpq(1, 10**4)


def test_hog_is_fair_and_mixes() -> None:
    """By symmetry: swapping the players changes the sign of the value."""
    hog = example("hog")
    game = hog.hog(12, 5)
    best = solved(game, width="1e-25")
    assert best.enclosure().width <= mpq(1, 10**25)
    for state in best.model.states:
        if isinstance(state, tuple):
            mirrored = best.enclosure((state[1], state[0]))
            assert -mirrored.upper <= best.enclosure(state).upper
            assert -mirrored.lower >= best.enclosure(state).lower
    assert 0 in best.enclosure()


def test_hog_scores_are_sums_without_a_one() -> None:
    """Two dice, by enumeration: 11 of 36 pairs show a 1."""
    law = example("hog").score_of(2)
    assert law.probability(0) == mpq(11, 36)
    assert law.probability(12) == mpq(1, 36)
    assert law.probability(4) == mpq(1, 36)


def test_choosing_once_at_once_is_one_matrix_game() -> None:
    """Odds and evens with 1 to 3 fingers: by hand, even minus odd, values of the 3×3 game."""
    payoffs = {(a, b): a + b if (a + b) % 2 == 0 else -a - b for a in (1, 2) for b in (1, 2)}
    table: dict[Any, Any] = {
        "show": Both({pair: Distribution({paid: 1}) for pair, paid in payoffs.items()})
    }
    from exactdice.models import End

    game = Game("show", lambda state: table.get(state) or End(state))
    # the textbook two-finger morra: the odd player gains 1/12, each shows one finger with 7/12
    best = solved(game)
    assert best.value == mpq(-1, 12)
    assert best.action("show") == (Distribution({1: 7, 2: 5}), Distribution({1: 7, 2: 5}))
    assert fair(2).mean() == mpq(3, 2)
