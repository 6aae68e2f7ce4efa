"""Claims about the software-engineering game, from its README and from this package."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from gmpy2 import mpq

from exactdice.arithmetic import rational, text
from exactdice.claims.model import Claim, Content, Finding, Verdict
from exactdice.games.swe.claims import few_rounds, large_games, policies, statements, structure
from exactdice.games.swe.claims.score_decides import first_splitting, flip
from exactdice.games.swe.claims.verdicts import Counterexample, settle
from exactdice.games.swe.optimum.exact import Solution, solve
from exactdice.games.swe.optimum.reachable import layers, splits_of
from exactdice.games.swe.rules import STANDARD, WITH_D10, Action, Kind, Ladder, State

__all__ = ["claims"]

_README = "the SWE game's README"
_US = "this package"
_PROVED = Verdict("proved")
_ROUNDS = 16
_ROUNDS_WITH_D10 = 12
_ROUNDS_UNIQUE = 10
_EXCEPTION = State((0, 1, 1, 0, 0), (0, 0, 0, 0, 0), 7)
_LONE = State((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), 1)


@cache
def _solution(rounds: int, ladder: Ladder = STANDARD) -> Solution:
    return solve(rounds, ladder)


@cache
def _settled() -> dict[str, Finding]:
    asked = [
        statements.FIX_MOST_ROBUST,
        statements.PROMOTE_LOWEST,
        statements.PROMOTE_LOWEST_IF_ANY,
    ]
    asked.append(statements.NEVER_SKIP)
    return {
        verdict.claim.name: _finding(verdict.cases, verdict.exceptions, _ROUNDS, found)
        for verdict in settle(_ROUNDS, STANDARD, asked)
        for found in [(verdict.counterexample, verdict.on_path)]
    }


def _finding(
    cases: int,
    exceptions: int,
    rounds: int,
    found: tuple[Counterexample | None, Counterexample | None],
) -> Finding:
    evidence = {
        "cases": cases,
        "exceptions": exceptions,
        "on_path": _written(found[1]),
        "smallest": _written(found[0]),
    }
    return Finding(Verdict("refuted") if exceptions else Verdict("verified", rounds), evidence)


def _written(example: Counterexample | None) -> Content:
    if example is None:
        return None
    state = example.state
    return [*(example.rounds, example.played, list(state.revenue), list(state.legacy), state.score)]


def _of(claim: statements.Claim) -> Finding:
    return _settled()[claim.name]


def _for_all(claim: statements.Claim) -> Finding:
    """What theorem 9 proves for all games, with the cases that were listed."""
    found = _of(claim)
    return found if found.evidence["exceptions"] else replace(found, verdict=_PROVED)


def _fixing_is_unique() -> Finding:
    """Cases with legacy of several kinds, and those in which several fixes are optimal."""
    solution = _solution(_ROUNDS_UNIQUE)
    cases = exceptions = 0
    for played, layer in enumerate(layers(_ROUNDS_UNIQUE - 1, solution.start)):
        for dice, scores in layer.items():
            splits = splits_of(dice)
            for cell, reached in enumerate(scores):
                state = splits.state(cell)
                if not reached or sum(map(bool, state.legacy)) < 2:
                    continue
                for left in range(1, _ROUNDS_UNIQUE - played + 1):
                    first = solution.with_least_score(state, left)
                    others = sum(
                        statements.scores_between(choice.low, choice.high)
                        for choice in solution.choices(first, left)
                        if len(choice.actions) > 1
                    )
                    cases += reached.bit_count()
                    exceptions += (reached & others).bit_count()
    found = {"cases": cases, "exceptions": exceptions, "on_path": None, "smallest": None}
    return Finding(Verdict("open") if exceptions else _PROVED, found)


def _promote_lowest_if_any() -> Finding:
    """Exceptions in short games, and the one state of a longer game in which there is one."""
    short = _of(statements.PROMOTE_LOWEST_IF_ANY).evidence
    worth = {move.action: move.value for move in solve(28).actions(_EXCEPTION, 28 - 5)}
    best, lowest = max(worth.values()), worth[Action(Kind.PROMOTE, 1)]
    is_one = worth[Action(Kind.PROMOTE, 2)] == best > lowest
    revenue, legacy = list(_EXCEPTION.revenue), list(_EXCEPTION.legacy)
    return Finding(
        Verdict("recomputed") if is_one else Verdict("open"),
        {
            "checked_cases": short["cases"],
            "checked_exceptions": short["exceptions"],
            "loses_at_least": text(mpq(10**5 * (best - lowest) // 1, 10**5)),
            "not_checked": "the loss",
            "state": [28, 5, revenue, legacy, _EXCEPTION.score],
        },
    )


def _d10_promote_lowest_if_any() -> Finding:
    """Exceptions in short games with a d10, and the one state of a game of 30 rounds."""
    (short,) = settle(_ROUNDS_WITH_D10, WITH_D10, [statements.PROMOTE_LOWEST_IF_ANY])
    state = State((1, 6, 0, 0, 0, 0), (0,) * 6, 55)
    worth = {move.action: move.value for move in solve(30, WITH_D10).actions(state, 30 - 13)}
    best, lowest = max(worth.values()), worth[Action(Kind.PROMOTE, 0)]
    is_one = worth[Action(Kind.PROMOTE, 1)] == best > lowest
    return Finding(
        Verdict("recomputed") if is_one else Verdict("open"),
        {
            "checked_cases": short.cases,
            "checked_exceptions": short.exceptions,
            "loses_at_least": text(mpq(10**5 * (best - lowest) // 1, 10**5)),
            "not_checked": "the loss",
            "state": [30, 13, list(state.revenue), list(state.legacy), state.score],
        },
    )


def _with_d10() -> Finding:
    (verdict,) = settle(_ROUNDS_WITH_D10, WITH_D10, [statements.PROMOTE_LOWEST])
    found = (verdict.counterexample, verdict.on_path)
    return _finding(verdict.cases, verdict.exceptions, _ROUNDS_WITH_D10, found)


def _start(rounds: int, ladder: Ladder = STANDARD) -> mpq:
    return _solution(rounds, ladder).value


def _ten_rounds() -> Finding:
    value, alone = _start(10), _start(10, Ladder(4))
    verdict = _PROVED if value == alone else Verdict("refuted")
    return Finding(verdict, {"new_only": text(alone), "value": text(value)})


def _printed_optimum() -> Finding:
    printed = "20.483601957243238"
    off = abs(_start(10) - rational(printed))
    verdict = _PROVED if off < mpq(1, 10**14) else Verdict("refuted")
    return Finding(verdict, {"off_by": text(off), "printed": printed})


def _until_eleven() -> Finding:
    is_equal = all(_start(rounds) == _start(rounds, Ladder(4)) for rounds in range(12))
    advice = _solution(12).actions(_LONE, 11)
    gain = max(move.value for move in advice) - advice[0].value
    twelve = _start(12) - _start(12, Ladder(4))
    return Finding(
        _PROVED if is_equal and gain > 0 else Verdict("open"),
        {"gain": text(gain), "last": 11, "twelve": text(twelve)},
    )


def _score_never_matters() -> Finding:
    solution = _solution(_ROUNDS)
    smallest = first_splitting(solution)
    on_path = first_splitting(solution, path=True) if smallest else None
    if smallest is None:
        return Finding(Verdict("verified", _ROUNDS), {"on_path": None, "smallest": None})
    scores, optimal = flip(solution, smallest)
    found = {"flips": scores, "on_path": on_path, "optimal": optimal, "smallest": smallest}
    return Finding(Verdict("refuted"), found)


_REACHED = "every table and score that play can reach, whoever plays, in every game"
_ORDER = "fewest rounds in the game, fewest rounds played, least weight of the dice, dice, revenue "
_ORDER += "dice and score in lexicographic order"


def claims() -> Iterator[Claim]:
    """List the claims about the software-engineering game.

    Examples
    --------
    >>> claims_by_id = {claim.id: claim for claim in claims()}
    >>> claims_by_id["swe.promotion-table"].find().evidence["standard"]
    ['1/12', '1/24', '1/24', '1/30']
    """
    yield from _about_optimal_play()
    yield from _about_creating()
    yield from policies.claims()
    yield from structure.claims()
    yield from few_rounds.claims()
    yield from large_games.claims()


def _about_optimal_play() -> Iterator[Claim]:
    bounded = partial(
        Claim,
        source=_README,
        domain=_REACHED,
        parameters={"faces": list(STANDARD), "rounds": _ROUNDS},
    )
    listed = "enumeration of all tables, scores and moves, in games of up to 16 rounds"
    yield bounded(
        id="swe.fix-most-robust",
        statement="with legacy dice of several kinds, fixing one with the most faces is optimal",
        latex="",
        method=f"theorem 9; {listed}",
        kind="search",
        find=partial(_for_all, statements.FIX_MOST_ROBUST),
        depends_on=("theorem 9",),
        note="The theorem holds for every ladder of ascending faces.",
    )
    yield Claim(
        id="swe.fixing-is-unique",
        statement="with legacy dice of several kinds, no move but fixing one with the most faces "
        "is optimal",
        latex="",
        source=f"{_README}: the strategy is completely determined",
        domain=_REACHED,
        method="theorem 9; enumeration of all tables, scores and moves, up to 10 rounds",
        order=_ORDER,
        kind="search",
        parameters={"faces": list(STANDARD), "rounds": _ROUNDS_UNIQUE},
        find=_fixing_is_unique,
        depends_on=("theorem 9",),
    )
    yield bounded(
        id="swe.promote-lowest",
        statement="among the promotions, that of a die with the fewest faces is the best",
        latex="",
        method=listed,
        order=_ORDER,
        kind="search",
        find=partial(_of, statements.PROMOTE_LOWEST),
        note="Smallest counterexample: in the last of 6 rounds, with one d6, one d8 and a score of "
        "7, promoting the d8 is better. On the path of optimal play there is none in up to 16 "
        "rounds.",
    )
    yield bounded(
        id="swe.promote-lowest-if-any",
        statement="where some promotion is optimal, that of a die with the fewest faces is",
        latex="",
        method="recomputed by `exactdice swe claims 28`, and by nothing else: in the 6th of 28 "
        "rounds, with one d6, one d8 and a score of 7, promoting the d8 is optimal and promoting "
        "the d6 loses the part of a point that is given; the checker sees only that play can reach "
        f"that state and, by {listed}, that there is no exception",
        order=_ORDER,
        kind="search",
        find=_promote_lowest_if_any,
        is_long=True,
    )
    yield bounded(
        id="swe.never-skip",
        statement="if a player may also skip, which is to leave the table as it is and roll, in "
        "any rounds, then every fix and every promotion is as good as a skip, and so is a creation "
        "where no die can be promoted; so the game with skips has the values of the game without",
        latex="",
        method=f"theorem 9; {listed}, a skip there being a single departure from optimal play",
        kind="search",
        find=partial(_for_all, statements.NEVER_SKIP),
        depends_on=("theorem 9",),
        note="The README says less: to create or promote nothing is never better than all that "
        "the rules allow.",
    )
    yield Claim(
        id="swe.d10-promote-lowest",
        statement="with a d10 on the ladder too, the promotion of a die with the fewest faces is "
        "the best among the promotions",
        latex="",
        source=f"{_README}, which says that a d10 breaks it",
        domain=f"{_REACHED}, with faces 4, 6, 8, 10, 12, 20",
        method="enumeration in games of up to 12 rounds",
        order=_ORDER,
        kind="search",
        parameters={"faces": list(WITH_D10), "rounds": _ROUNDS_WITH_D10},
        find=_with_d10,
        note="It fails without the d10 as well, and two rounds earlier: with it the smallest "
        "counterexample has 8 rounds.",
    )
    yield Claim(
        id="swe.d10-promote-lowest-if-any",
        statement="with a d10 on the ladder too, where some promotion is optimal, that of a die "
        "with the fewest faces is",
        latex="",
        source=f"{_README}, which says that a d10 breaks it",
        domain=f"{_REACHED}, with faces 4, 6, 8, 10, 12, 20",
        method="recomputed by this package alone: in the 14th of 30 rounds, with one d4, six d6 "
        "and a score of 55, promoting a d6 is optimal; the checker sees only that play can reach "
        "that state, and that games of up to 12 rounds hold no exception",
        kind="search",
        parameters={"faces": list(WITH_D10), "rounds": _ROUNDS_WITH_D10},
        find=_d10_promote_lowest_if_any,
        is_long=True,
        note="So the README's remark is true of the reading that matters too, but the d10 is not "
        "to blame: without it there is an exception in 28 rounds.",
    )
    yield Claim(
        id="swe.score-never-matters",
        statement="which actions are optimal never depends on the score",
        latex="",
        source=_US,
        domain=_REACHED,
        method="optimal sets at all scores that are reached, up to 16 rounds",
        order=_ORDER,
        kind="search",
        parameters={"rounds": _ROUNDS},
        find=_score_never_matters,
        is_long=True,
        note="The smallest game in which it does has 16 rounds: after 5 of them, with one d4 and "
        "one d8, promoting the d4 is optimal with a score of 4 and creating with 5. On "
        "the path of optimal play it does not in up to 16 rounds.",
    )


def _about_creating() -> Iterator[Claim]:
    yield Claim(
        id="swe.ten-rounds",
        statement="in 10 rounds always creating a new die is optimal, and worth 20.4836…; so no "
        "policy that the README lists is better",
        latex=r"V(10) = \tfrac{26589235523517983373148508703705849}"
        r"{1298074214633706907132624082305024}",
        source=_README,
        domain="the game of 10 rounds from the empty table",
        method="the optimum with all dice equals that with the d4 alone",
        kind="process",
        parameters={"rounds": 10},
        find=_ten_rounds,
    )
    yield Claim(
        id="swe.printed-optimum",
        statement="the optimum is the 20.483601957243238 that the README prints, with an error "
        "below 10^(−14)",
        latex="",
        source=_README,
        domain="the game of 10 rounds from the empty table",
        method="the difference of two rationals; the README computed in doubles",
        kind="process",
        parameters={"rounds": 10},
        find=_printed_optimum,
        depends_on=("swe.ten-rounds",),
    )
    yield Claim(
        id="swe.new-only-until-eleven",
        statement="always creating a new die is optimal in games of at most 11 rounds, in no other",
        latex=r"V(R) = V_{\mathrm{new}}(R) \iff R \le 11",
        source=_US,
        domain="games of any number of rounds from the empty table",
        method="equality up to 11 rounds; for more, any play can meet a lone d4 with a score of 1 "
        "and 11 rounds left (theorem 3), and there creating is not the best",
        kind="induction",
        find=_until_eleven,
        depends_on=("theorem 3", "swe.ten-rounds"),
    )
