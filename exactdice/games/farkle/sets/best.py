"""The best sets from a collection of dice, proved by intervals from the C++ solvers.

Every set that can be taken is a candidate. Its value is enclosed, and disjoint enclosures order two
sets with certainty. Where enclosures of the best sets overlap, the exact solver decides, and sets
of equal value are reported as ties. Aims:

``points``
    the expected points of the best turn, as in `exactdice.games.farkle.solve`;
``turns``
    the least expected number of turns to the target;
``win``
    the probability to win against a given opponent, moving first.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from exactdice.arithmetic import mpq, natural
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, TooLargeError, Unquoted
from exactdice.games.farkle.races.chances import Contender
from exactdice.games.farkle.races.solve import enclosed_chances, least_turns, threads_of
from exactdice.games.farkle.rules.dice_sets import MAX_OWNED, DiceSet, parse_dice
from exactdice.games.farkle.rules.rule_set import RuleSet
from exactdice.games.farkle.rules.tables import KCD
from exactdice.games.farkle.turn.exact import Overshoot, solve
from exactdice.native.farkle import farkle_turn
from exactdice.run import DEFAULT, Run


class SetAim(StrEnum):
    POINTS = "points"
    TURNS = "turns"
    WIN = "win"


_MAX_SETS = 200_000
_MAX_EXACT = 64  # sets for the exact solver


@dataclass(frozen=True)
class RankedSet:
    """A set of dice with its value, a point if the exact solver was used.

    `ties` have exactly the same value. Its place is certain if no set before it may be worse, and
    none after it better.
    """

    dice: DiceSet
    worth: Enclosure
    ties: tuple[DiceSet, ...] = ()
    is_certain: bool = True


@dataclass(frozen=True)
class BestSets:
    """The best sets of dice, the best one first, at most as many as requested.

    `enclosed` of the candidates were enclosed for the aim; sets that never score are left out for
    the aims turns and win.
    """

    aim: SetAim
    sets: tuple[RankedSet, ...]
    candidates: int
    enclosed: int


def sets_of(own: DiceSet, size: int) -> Iterator[DiceSet]:
    for taken in product(*(range(count + 1) for count in own.counts)):
        if sum(taken) == size:
            kinds = zip(own.kinds, taken, strict=True)
            yield DiceSet(die for die, number in kinds for _ in range(number))


def _count(own: DiceSet, size: int) -> int:
    ways = [1] + [0] * size
    for count in own.counts:
        ways = [sum(ways[max(0, n - count) : n + 1]) for n in range(size + 1)]
    return ways[size]


def enclose_points(dice: DiceSet, rules: RuleSet, overshoot: Overshoot) -> Enclosure:
    """Enclose the expected points of the best turn, by intervals in C++."""
    return farkle_turn(
        [[mpq(weight, die.denominator) for weight in die.weights] for die in dice.dice],
        [(combination.faces, combination.score) for combination in rules.combinations],
        rules.required_target,
        jokers=[die.joker for die in dice.dice],
        most_dice=rules.dice,
        minimum_bank=rules.minimum_bank,
        penalty=rules.penalty,
        hot_dice=rules.hot_dice,
        caps_overshoot=overshoot is Overshoot.NEEDED,
        intervals=True,
    ).value


def best_sets(
    own: DiceSet | str,
    count: int = 1,
    aim: SetAim | str = SetAim.POINTS,
    *,
    size: int = 6,
    rules: RuleSet = KCD,
    overshoot: Overshoot = Overshoot.FULL,
    opponent: Contender | None = None,
    run: Run = DEFAULT,
) -> BestSets:
    """Find the best sets of dice from a collection, for an aim of the module.

    The overshoot is for the aim points, the opponent for the aim win. Raises TooLargeError for more
    than two hundred thousand sets, and MissingExtraError if the C++ solvers are not built.

    Points take 3 ms a set of six different dice: 924 sets of 12 different dice take 4 s of
    processor time, shared by threads. Turns take seconds a set of different dice, one after the
    other; sets are skipped if the target divided by their most points a turn exceeds the turns of
    the best ones. The aim win takes a whole race for each set: minutes for six different dice to
    4000 points, seconds to 1000.
    """
    owned = parse_dice(own, "own", most=MAX_OWNED) if isinstance(own, str) else own
    number = natural(count, "count", least=1)
    taken = natural(size, "size", least=1, most=rules.dice)
    workers = threads_of(run)
    _check(owned, taken, aim, rules, opponent)
    candidates = list(sets_of(owned, taken))
    points = _in_threads(
        candidates,
        lambda dice: enclose_points(dice, rules, overshoot if aim == "points" else Overshoot.FULL),
        workers,
        run if aim == "points" else Run(),
    )
    if all(worth.upper <= 0 for worth in points):
        raise InputError("own", Unquoted(str(owned)), "dice that can score")
    enclosed, sign = list(zip(candidates, points, strict=True)), 1
    exactly: Callable[[DiceSet], mpq] | None = None
    if aim == "points":

        def exactly(dice: DiceSet) -> mpq:
            return solve(dice, rules, overshoot).value

    elif opponent is not None:
        scoring = [dice for dice, worth in enclosed if worth.upper > 0]
        rival = opponent

        def chance(dice: DiceSet) -> Enclosure:
            return enclosed_chances(Contender(dice, rules), rival).chance()

        enclosed = list(zip(scoring, _in_threads(scoring, chance, workers, run), strict=True))
    else:
        enclosed, sign = _fewest_turns(enclosed, rules, number, run), -1
    turned = [(RankedSet(dice, worth), sign * worth) for dice, worth in enclosed]  # more is better
    ranked = sorted(turned, key=lambda pair: (-pair[1].lower, -pair[1].upper))
    settled = _settled(ranked, number, exactly)
    return BestSets(SetAim(aim), settled, len(candidates), len(enclosed))


def _check(
    owned: DiceSet, size: int, aim: SetAim | str, rules: RuleSet, opponent: Contender | None
) -> None:
    if aim not in tuple(SetAim):
        raise InputError("aim", aim, "points, turns or win")
    if rules.required_target and len(owned.dice) < size:
        raise InputError("own", Unquoted(f"{len(owned.dice)} dice"), f"at least {size} dice")
    if (aim == "win") != (opponent is not None):
        got = Unquoted(str(opponent or "none"))
        raise InputError("opponent", got, "an opponent exactly for the aim win")
    if (sets := _count(owned, size)) > _MAX_SETS:
        raise TooLargeError(
            f"own: {sets} sets of {size} dice are more than {_MAX_SETS}; use fewer kinds of dice"
        )


def _in_threads(
    candidates: Sequence[DiceSet], worth: Callable[[DiceSet], Enclosure], threads: int, run: Run
) -> list[Enclosure]:
    worths = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            for enclosure in pool.map(worth, candidates):
                worths.append(enclosure)
                run.tell("sets", len(worths), len(candidates))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return worths


def _fewest_turns(
    by_points: Sequence[tuple[DiceSet, Enclosure]], rules: RuleSet, count: int, run: Run
) -> list[tuple[DiceSet, Enclosure]]:
    """Enclose turns; with at most M points a turn on average they are at least target/M."""
    turns: list[tuple[DiceSet, Enclosure]] = []
    target = mpq(rules.target or 0)
    by_most = sorted(by_points, key=lambda pair: -pair[1].upper)
    for done, (dice, points) in enumerate(by_most, 1):
        run.tell("sets", done, len(by_most))
        uppers = sorted(worth.upper for _, worth in turns)
        is_late = len(uppers) >= count and target > uppers[count - 1] * points.upper
        if points.upper > 0 and not is_late:
            turns.append((dice, least_turns(Contender(dice, rules))))
    return turns


def _settled(
    ranked: list[tuple[RankedSet, Enclosure]], count: int, exactly: Callable[[DiceSet], mpq] | None
) -> tuple[RankedSet, ...]:
    least = ranked[min(count, len(ranked)) - 1][1].lower
    near = [pair for pair in ranked if pair[1].upper >= least]
    if exactly:
        meeting = [i for i, _ in enumerate(near) if _meets(near, i)]
        for i in meeting[:_MAX_EXACT]:
            point = Enclosure.of(exactly(near[i][0].dice))
            near[i] = replace(near[i][0], worth=point), point
        near.sort(key=lambda pair: (-pair[1].lower, -pair[1].upper))
    settled = []
    for i, (one, worth) in enumerate(near[:count]):
        alike = [] if worth.point is None else [other for other, theirs in near if theirs == worth]
        ties = tuple(other.dice for other in alike if other is not one)
        settled.append(replace(one, ties=ties, is_certain=not _meets(near, i, but_ties=True)))
    return tuple(settled)


def _meets(
    near: Sequence[tuple[RankedSet, Enclosure]], place: int, *, but_ties: bool = False
) -> bool:
    worth = near[place][1]
    others = [theirs for other, (_, theirs) in enumerate(near) if other != place]
    if but_ties and worth.point is not None:
        others = [theirs for theirs in others if theirs != worth]
    return any(t.lower <= worth.upper and worth.lower <= t.upper for t in others)
