"""The example, with a number from elsewhere and its certificate checked against the rules."""

import importlib.util
import runpy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gmpy2 import mpq

from exactdice.dice import Distribution, fair
from exactdice.models import Both, Game, optimum, reward_distribution

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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bag", "liars_dice"])
def test_examples_run_as_they_stand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 3


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
    law = reward_distribution(found.model, found)
    assert law.mean == found.value
    assert law.distribution().mean() == law.mean


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
