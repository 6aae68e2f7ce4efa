"""Pages whose dice stay set aside, against ordered throws of single dice."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import pytest
from gmpy2 import mpq

from exactdice.arithmetic import nearest_double
from exactdice.book import load, ten_thousand, turns
from exactdice.games.farkle.rules.tables import ZILCH
from exactdice.models import optimum


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_threes_is_what_ordered_throws_say(dice: int) -> None:
    @cache
    def least(count: int) -> Fraction:
        total = Fraction(0)
        for throw in product((0, 1, 2, 4, 5, 6), repeat=count):
            kept = (part for n in range(1, count + 1) for part in combinations(throw, n))
            total += min(
                sum(part) + (least(count - len(part)) if len(part) < count else 0) for part in kept
            )
        return total / 6**count

    assert optimum(turns.threes(dice), least=True).value == mpq(least(dice))


@pytest.mark.parametrize(("variant", "each"), [("both", False), ("each", True)])
def test_ship_captain_and_crew_is_what_ordered_throws_say(variant: str, each: bool) -> None:
    @cache
    def voyage(left: int, aboard: int, cargo: int) -> Fraction:
        """With so many rolls left; the cargo that is kept, 0 where none is."""
        total, count = Fraction(0), 5 - aboard - (cargo > 0)
        for throw in product(range(1, 7), repeat=count):
            dice, n = list(throw), aboard
            while n < 3 and 6 - n in dice:
                dice.remove(6 - n)
                n += 1
            if n < 3:
                total += voyage(left - 1, n, 0) if left > 1 else 0
                continue
            dice += [cargo] if cargo else []
            more = [0, *(dice if each else [])] if left > 1 else []
            total += max([Fraction(sum(dice)), *(voyage(left - 1, 3, kept) for kept in more)])
        return total / 6**count

    # what may be set aside is, as nothing is won by leaving a six, five or four
    assert load("ship-captain-crew", variant).answer().value.point == mpq(voyage(3, 0, 0))


def test_ship_captain_and_crew_come_aboard_as_often_as_ordered_throws_say() -> None:
    mass = {0: Fraction(1)}
    for _ in range(3):
        after: dict[int, Fraction] = {}
        for aboard, chance in mass.items():
            for throw in product(range(1, 7), repeat=5 - aboard):
                n = aboard
                while n < 3 and 6 - n in throw:
                    n += 1
                after[n] = after.get(n, Fraction(0)) + chance / 6 ** (5 - aboard)
        mass = after
    assert load("ship-captain-crew", "aboard").answer().value.point == mpq(mass[3])


FACES = {"g": "bbbsff", "y": "bbssff", "r": "bsssff"}


@pytest.mark.parametrize("cup", [(3, 0, 0), (2, 1, 1), (1, 2, 2)])
def test_zombie_dice_is_what_single_dice_say(cup: tuple[int, int, int]) -> None:
    @cache
    def best(left: str, feet: str, brains: int, shots: int) -> float:
        need = 3 - len(feet)
        if need > len(left):
            return brains
        draws = list(permutations(range(len(left)), need))
        total, same = 0.0, 0
        for drawn in draws:
            hand = feet + "".join(left[i] for i in drawn)
            rest = "".join(die for i, die in enumerate(left) if i not in drawn)
            for faces in product(*(FACES[die] for die in hand)):
                walked = "".join(sorted(d for d, f in zip(hand, faces, strict=True) if f == "f"))
                hit = shots + faces.count("s")
                if hit >= 3:
                    continue
                after = rest, walked, brains + faces.count("b"), hit
                if after == (left, feet, brains, shots):
                    same += 1
                else:
                    total += best(*after)
        return max(brains, total / (len(draws) * 6**3 - same))

    exact = optimum(turns.turn(cup).game(lambda end: turns.brains(end, cup))).value
    dice = "".join(colour * count for colour, count in zip("gyr", cup, strict=True))
    assert abs(nearest_double(exact) - best(dice, "", 0, 0)) < 1e-12  # type: ignore[operator]


@pytest.mark.parametrize(("target", "cup"), [(2, (2, 1, 1)), (3, (3, 0, 1)), (1, (6, 4, 3))])
def test_a_race_of_zombies_is_won_as_often_as_its_moves_say(
    target: int, cup: tuple[int, int, int]
) -> None:
    race = turns.race(target, cup)
    best = optimum(race.game(), width="1e-25").enclosure()
    chance = race.enclosed("1e-20").chance(0, 0)
    assert chance.lower <= (1 + best.upper) / 2
    assert (1 + best.lower) / 2 <= chance.upper


def test_a_race_of_zombies_to_one_brain_with_three_green_dice_is_a_geometric_series() -> None:
    # A turn is over with a brain, which seven rolls in eight show, or with a shot and none, as
    # there are no dice to draw; three pairs of feet are one in 27. So a turn wins with p, and who
    # begins with 1 / (2 − p).
    p = (1 - mpq(1, 8)) / (1 - mpq(1, 27))
    chance = turns.race(1, (3, 0, 0)).enclosed("1e-20").chance(0, 0)
    assert 1 / (2 - p) in chance
    assert chance.width <= mpq(1, 10**20)


def test_a_race_of_zombies_is_answered_within_what_is_asked_or_little() -> None:
    # the chance of who begins, by the race itself; a state is what both have
    wanted = turns.race(1).enclosed("1e-20").chance(0, 0)
    variant = turns._race(1, "a second")
    answer = variant.answer()
    assert answer.value.lower <= wanted.upper
    assert wanted.lower <= answer.value.upper
    assert answer.value.width <= mpq(1, 10**12)
    assert (answer.states, variant.asks) == (1, "probability that the first player is first to 1 brains")


def zilch_options(throw: tuple[int, ...]) -> set[tuple[int, int]]:
    """Points and dice left after each choice, by parts of the throw that score as one."""

    @cache
    def score(part: tuple[int, ...]) -> int:
        """The points of a part in which each die scores; 0 where one does not."""
        counts = sorted(part.count(f) for f in set(part))
        found = 0
        if len(part) == 6 and (counts in ([1] * 6, [2, 2, 2], [2, 4])):
            found = 1500
        if len(part) == 6 and not found and counts == [1, 1, 2, 2] and not {1, 5} & set(part):
            return 500
        total = 0
        for face in set(part):
            n, single = part.count(face), {1: 100, 5: 50}.get(face, 0)
            kind = (1000 if face == 1 else 100 * face) << (n - 3) if n >= 3 else 0
            if not max(kind, single):
                return found
            total += max(kind, n * single)
        return max(found, total)

    parts = {p for n in range(1, len(throw) + 1) for p in combinations(sorted(throw), n)}
    return {(score(part), len(throw) - len(part)) for part in parts if score(part)}


@pytest.mark.slow
def test_zilch_is_worth_what_ordered_throws_say() -> None:
    laws: dict[int, dict[Any, int]] = {}
    for dice in range(1, 7):
        law = laws[dice] = {}
        for throw, ways in Counter(
            tuple(sorted(throw)) for throw in product(range(1, 7), repeat=dice)
        ).items():
            offered = frozenset(zilch_options(throw))
            law[offered] = law.get(offered, 0) + ways

    def value(zilch: float) -> float:
        """Value iteration is not needed: points rise; from 6000 on six dice bring 470."""
        best: dict[tuple[int, int], float] = {}
        for points in range(14_000, -50, -50):
            for dice in range(1, 7):
                bank = points if points >= 300 else -1e9
                if points >= 6000:
                    best[points, dice] = points + (free if dice == 6 else 0)
                    continue
                roll = 0.0
                for options, ways in laws[dice].items():
                    after = (best[points + s, left or 6] for s, left in options)
                    roll += ways * max(after, default=zilch)
                best[points, dice] = max(bank, roll / 6**dice)
        return best[0, 6]

    free = 0.0
    for _ in range(200):
        free = (
            sum(
                ways * max(s + (0 if left else free) for s, left in options)
                for options, ways in laws[6].items()
            )
            / 6**6
        )
    assert abs(free - nearest_double(ten_thousand.free_roll(ten_thousand.PAIRS))) < 1e-9  # type: ignore[operator]
    one = load("ten-thousand", "turn").answer().value.point
    assert abs(value(0.0) - nearest_double(one)) < 1e-9  # type: ignore[operator,arg-type]
    # ends of a turn after none, one and two zilches
    ends = ten_thousand.turn(ten_thousand.PAIRS).ends
    assert load("ten-thousand", "zilch").answer().states == 3 * len(ends)
    mean = nearest_double(load("ten-thousand", "zilch").answer().value.point)  # type: ignore[arg-type]
    assert abs(value(value(value(-500.0) - mean) - mean) - mean) < 1e-8  # type: ignore[operator]


@pytest.mark.parametrize("rules", [ZILCH, ten_thousand.PAIRS], ids=lambda rules: rules.name)
def test_no_roll_beyond_the_cap_pays(rules: Any) -> None:
    cap = ten_thousand.CAP
    for dice in range(1, 6):  # what a roll brings where all is banked after it, a zilch nothing
        law = ten_thousand.rolled(dice, rules).map(
            lambda menu: max(
                (ten_thousand.worth(end, 0, rules) for end in ten_thousand.kept((cap, 6), menu)),
                default=mpq(0),
            )
        )
        assert law.mean() < cap
