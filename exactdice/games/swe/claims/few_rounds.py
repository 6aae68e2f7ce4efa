"""Claims about a few rounds from small tables: fixing sooner, and chances of a catastrophe."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise, product

from gmpy2 import mpq

from exactdice.arithmetic import text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.swe.optimum.reachable import splits_of
from exactdice.games.swe.rules import (
    STANDARD,
    Action,
    Kind,
    State,
    act,
    legal_actions,
    roll,
    weight,
)

__all__ = ["claims", "unbroken"]

_README = "the SWE game's README"
_SOONER = {"rounds": 3, "weight": 8}
_SAFER = {"rounds": 4, "weight": 7}


def _mean_after(table: State, worth: Callable[[State], mpq], *, catastrophe: bool = False) -> mpq:
    """The mean of what is worth after a roll of a table, which catastrophes are if it is said."""
    return sum(
        (
            chance * worth(then._replace(score=0))
            for then, chance in roll(table).probabilities().items()
            if catastrophe or any(then.revenue)
        ),
        mpq(0),
    )


def _tables(most: int) -> Iterator[State]:
    """All tables with dice, of a weight up to `most`, scores 0."""
    numbers = (range(most // rung + 1) for rung in range(1, len(STANDARD) + 1))
    for dice in product(*numbers):
        if 0 < weight(dice) <= most:
            splits = splits_of(dice)
            yield from map(splits.state, range(splits.number))


@cache
def _clear(rounds: int, table: State) -> mpq:
    """The greatest chance that no legacy is left after at most so many rounds."""
    if not any(table.legacy) or not rounds:
        return mpq(not any(table.legacy))
    return max(_cleared(rounds, table, action) for action in legal_actions(table))


def _cleared(rounds: int, table: State, action: Action) -> mpq:
    return _mean_after(act(table, action), partial(_clear, rounds - 1), catastrophe=True)


def _fix_sooner() -> Finding:
    cases = exceptions = 0
    for table in _tables(_SOONER["weight"]):
        for rounds in range(1, _SOONER["rounds"] + 1) if sum(map(bool, table.legacy)) > 1 else ():
            first, *others = (_cleared(rounds, table, x) for x in legal_actions(table))
            cases, exceptions = cases + 1, exceptions + (first < max(others))
    verdict = Verdict("refuted" if exceptions else "proved")
    return Finding(verdict, {"cases": cases, "exceptions": exceptions})


def _safer_roll() -> Finding:
    """By what a die more or a promotion multiplies the chance that all dice fail."""
    create, *promote = [mpq(1, STANDARD[0]), *(mpq(f, g) for f, g in pairwise(STANDARD))]
    verdict = Verdict("proved" if max(create, *promote) < 1 else "refuted")
    return Finding(verdict, {"create": text(create), "promote": ", ".join(map(text, promote))})


@cache
def unbroken(left: int, table: State) -> mpq:
    """Return the greatest chance of no catastrophe in the rounds left, a table to be rolled first.

    Examples
    --------
    >>> unbroken(1, State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 0))
    mpq(3,4)
    """
    if left == 1:
        return _mean_after(table, lambda _: mpq(1))
    return _mean_after(
        table, lambda then: max(unbroken(left - 1, act(then, x)) for x in legal_actions(then))
    )


def _safer_to_the_end() -> Finding:
    cases = exceptions = 0
    for table in _tables(_SAFER["weight"]):
        for left in range(1, _SAFER["rounds"] + 1) if not any(table.legacy) else ():
            skip = unbroken(left, table)
            worse = [unbroken(left, act(table, x)) < skip for x in legal_actions(table)]
            cases, exceptions = cases + len(worse), exceptions + sum(worse)
    verdict = Verdict("refuted") if exceptions else Verdict("verified", _SAFER["rounds"])
    return Finding(verdict, {"cases": cases, "exceptions": exceptions})


def _telescoping_in_game() -> Finding:
    """A catastrophe within two rolls of two d4; if none fails first, one is added or promoted."""
    table = State((2, 0, 0, 0, 0), (0, 0, 0, 0, 0), 0)
    formula = (1 - mpq(3, 4) ** 2) ** 2

    def within_two(kind: Kind) -> mpq:
        def second(then: State) -> mpq:
            actions = legal_actions(then)
            action = next((x for x in actions if x.kind in (Kind.FIX, kind)), actions[0])
            return _mean_after(act(then, action), lambda _: mpq(1))

        return 1 - _mean_after(table, second)

    found = {"creating": within_two(Kind.CREATE), "promoting": within_two(Kind.PROMOTE)}
    evidence: dict[str, Content] = {name: text(chance) for name, chance in found.items()}
    evidence |= {"dice": 2, "faces": 4, "formula": text(formula), "rolls": 2}
    verdict = Verdict("proved" if formula in found.values() else "refuted")
    return Finding(verdict, evidence)


def claims() -> Iterator[Claim]:
    """List the claims.

    Examples
    --------
    >>> [claim.id for claim in claims()][1:3]
    ['swe.safer-roll', 'swe.safer-to-the-end']
    """
    yield Claim(
        id="swe.fix-sooner",
        statement="fixing a legacy die with the most faces first makes the chance that no legacy "
        "is left after n rounds the greatest, for every n; so it takes the fewest rounds on "
        "average until then",
        latex="",
        source=f"{_README}: to get back to making improvements sooner",
        domain="all tables with legacy, and any order of fixing",
        method="theorem 25; all orders at tables of weight up to 8, for up to 3 rounds",
        kind="search",
        parameters=_SOONER,
        find=_fix_sooner,
        depends_on=("theorem 25",),
    )
    stated = partial(Claim, source=_README, latex="")
    yield stated(
        id="swe.safer-roll",
        statement="one die more, or a promotion, lowers the chance that the next roll is a "
        "catastrophe, by a factor of <create> or of <promote>",
        domain="all tables with a die in revenue",
        method="all dice fail with the product of their chances to",
        kind="induction",
        find=_safer_roll,
    )
    yield stated(
        id="swe.safer-to-the-end",
        statement="after creating or promoting the least chance of a catastrophe in the rounds "
        "that are left is at most what it is after rolling the dice as they are",
        domain="all tables without legacy, and play that makes that chance the least",
        method="all tables of weight up to 7, for up to 4 rounds; of promotions it follows as in "
        "theorem 9 (a), of creations nothing longer is known",
        kind="search",
        parameters=_SAFER,
        find=_safer_to_the_end,
    )
    yield Claim(
        id="swe.telescoping-in-game",
        statement="the chance of a catastrophe within t rounds is (1 − q^t)^n for n equal dice",
        latex="",
        source=f"{_README}, in the reading of the game",
        domain="n dice of one kind in revenue that are about to be rolled, no legacy, and play "
        "after it",
        method="two d4 and two rounds by listing",
        order="least t above 1, then least n above 1",
        kind="process",
        find=_telescoping_in_game,
        depends_on=("swe.telescoping",),
        note="For two d4 and two rounds the formula gives 49/256: each die has failed once, in "
        "either roll. The game gives 97/1024 if a d4 is created after two survive, and 7/64 if one "
        "is promoted: what has failed is fixed, and a catastrophe needs all dice to fail at once.",
    )
