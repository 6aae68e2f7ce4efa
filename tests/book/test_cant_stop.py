"""Can't Stop on small boards, against iteration in doubles by a program of another shape."""

from collections import Counter
from functools import cache
from itertools import product
from typing import TypeAlias

import pytest

from exactdice.arithmetic import nearest_double
from exactdice.book import load
from exactdice.book.cant_stop import climbed

Run: TypeAlias = tuple[tuple[int, int], ...]  # columns by their sums, and steps


def iterated(sides: int, lowest: int) -> float:
    """Mean turns from the empty board: secants for what a turn without gain is worth."""
    height = {
        total: lowest + 2 * (sides - 1 - abs(sides + 1 - total))
        for total in range(2, 2 * sides + 1)
    }
    rolls = Counter(
        frozenset(tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c)))
        for a, b, c, d in product(range(1, sides + 1), repeat=4)
    )

    def after(kept: dict[int, int], run: Run, pair: tuple[int, ...]) -> list[Run]:
        ends = []
        for order in (pair, pair[::-1]):
            now, moved = dict(run), False
            for total in order:
                full = kept.get(total, 0) + now.get(total, 0) >= height[total]
                if not full and (total in now or len(now) < 3):
                    now[total] = now.get(total, 0) + 1
                    moved = True
            if moved:
                ends.append(tuple(sorted(now.items())))
        return ends

    @cache
    def turns(kept_items: Run) -> float:
        kept = dict(kept_items)
        if sum(kept[total] >= height[total] for total in kept) >= 3:
            return 0.0

        @cache
        def offered(run: Run) -> list[tuple[int, list[Run]]]:
            return [
                (n, [e for p in pairs for e in after(kept, run, p)]) for pairs, n in rolls.items()
            ]

        @cache
        def stopped(run: Run) -> float:
            steps = dict(run)
            total = tuple(sorted((t, kept.get(t, 0) + steps.get(t, 0)) for t in {*kept, *steps}))
            mirrored = tuple((2 * sides + 2 - t, number) for t, number in reversed(total))
            return turns(min(total, mirrored))

        def begun(bust: float) -> float:
            """A turn, where one without gain is worth so much."""

            @cache
            def held(run: Run) -> float:
                return min(stopped(run), rolled(run)) if stopped(run) else 0.0

            def rolled(run: Run) -> float:
                ways = (n * min(map(held, ends), default=bust) for n, ends in offered(run))
                return sum(ways) / sides**4

            return 1 + rolled(())

        before, value = 0.0, 10.0
        gap_before = begun(before)
        while abs(gap := begun(value) - value) > 1e-13:
            before, gap_before, value = (
                value, gap, value + gap * (value - before) / (gap_before - gap)
            )  # fmt: skip
        return value

    return turns(())


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", ["2-1", "2-2", "2-3", "3-1", pytest.param("3-2", marks=pytest.mark.long)]
)
def test_small_boards_take_what_iteration_says(variant: str) -> None:
    sides, lowest = map(int, variant.split("-"))
    value = nearest_double(load("cant-stop", variant).answer().value.middle)
    assert abs(iterated(sides, lowest) - value) < 1e-10  # type: ignore[operator]


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
