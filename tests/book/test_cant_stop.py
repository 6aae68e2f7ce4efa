"""Can't Stop on small boards, against iteration in doubles by a program of another shape."""

from functools import cache
from itertools import product

import pytest

from exactdice.arithmetic import nearest_double
from exactdice.book import load
from exactdice.book.cant_stop import climbed


def iterated(sides: int, lowest: int) -> float:
    """Mean turns from the empty board: columns by their sums, positions kept as dictionaries."""
    height = {
        total: lowest + 2 * (sides - 1 - abs(sides + 1 - total))
        for total in range(2, 2 * sides + 1)
    }
    rolls = list(product(range(1, sides + 1), repeat=4))

    def after(kept: dict[int, int], run: dict[int, int], pair: tuple[int, int]) -> list:  # type: ignore[type-arg]
        ends = []
        for order in (pair, pair[::-1]):
            now, moved = dict(run), False
            for total in order:
                full = kept.get(total, 0) + now.get(total, 0) >= height[total]
                if not full and (total in now or len(now) < 3):
                    now[total] = now.get(total, 0) + 1
                    moved = True
            if moved:
                ends.append(now)
        return ends

    @cache
    def turns(kept_items: tuple[tuple[int, int], ...]) -> float:
        kept, value = dict(kept_items), 10.0
        if sum(kept[total] >= height[total] for total in kept) >= 3:
            return 0.0

        def rolled(run: dict[int, int], bust: float, known: dict) -> float:  # type: ignore[type-arg]
            worth = 0.0
            for a, b, c, d in rolls:
                ends = [
                    end
                    for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))
                    for end in after(kept, run, pair)
                ]
                worth += min((held(end, bust, known) for end in ends), default=bust)
            return worth / len(rolls)

        def held(run: dict[int, int], bust: float, known: dict) -> float:  # type: ignore[type-arg]
            key = tuple(sorted(run.items()))
            if key not in known:
                total = {t: kept.get(t, 0) + run.get(t, 0) for t in {*kept, *run}}
                stop = turns(tuple(sorted(total.items())))
                known[key] = stop if stop == 0.0 else min(stop, rolled(run, bust, known))
            return known[key]  # type: ignore[no-any-return]

        for _ in range(200):
            value, before = 1 + rolled({}, value, {}), value
            if abs(value - before) < 1e-14:
                break
        return value

    return turns(())


@pytest.mark.parametrize("lowest", [1, 2])
def test_dice_of_two_sides_take_what_iteration_says(lowest: int) -> None:
    value = load("cant-stop", f"2-{lowest}").answer().value.point
    assert abs(iterated(2, lowest) + nearest_double(value)) < 1e-10  # type: ignore[operator]


def test_runners_climb_as_the_rules_say() -> None:
    height = (1, 3, 5, 3, 1)
    nothing = (0,) * 5
    # a double climbs twice, or once where the top is reached
    assert climbed(height, (nothing, nothing), (2, 2)) == {(0, 0, 2, 0, 0)}
    assert climbed(height, (nothing, nothing), (0, 0)) == {(1, 0, 0, 0, 0)}
    # one runner is left for two columns: either; none is left: only where one stands
    assert climbed(height, (nothing, (1, 1, 0, 0, 0)), (2, 3)) == {(1, 1, 1, 0, 0), (1, 1, 0, 1, 0)}
    assert climbed(height, (nothing, (1, 1, 1, 0, 0)), (2, 3)) == {(1, 1, 2, 0, 0)}
    # finished columns take no step
    assert climbed(height, ((1, 3, 0, 0, 0), nothing), (0, 1)) == frozenset()
