"""Answers to other questions about a game than its expected total.

`won`, `lost`, `drawn`, `moves` and `turns` are about optimal play for the total. A comparison such
as "total >= 50" is the probability of a player who aims for it. `average` is that of the rewards
per move in the long run. With payments of their own, an answer has a value for each seat;
`guarantee` is the greatest total against all others together, and `total` that of an equilibrium.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from inspect import signature
from itertools import groupby
from operator import itemgetter
from typing import Any

from exactdice.arithmetic import mpq
from exactdice.book.page import ASKS, EVENTS, InfinitePlay, PageAnswer, Variant, proved
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, InputError
from exactdice.models import (
    Game,
    Model,
    Optimum,
    expect,
    long_run,
    optimum,
    perfect_equilibrium,
    probability,
)
from exactdice.report.model import Report, Table, text_column, whole
from exactdice.run import Run
from exactdice.solve.game import turn_of
from exactdice.solve.questions import following
from exactdice.solve.turn_games import exact_values
from exactdice.solve.turns import named
from exactdice.solve.variants import changed, seen_by_first

_PAID = {InfinitePlay.DRAW: 0, InfinitePlay.WIN: 1, InfinitePlay.LOSE: -1}


def asked(model: Model[Any], variant: Variant, width: mpq | None, run: Run) -> PageAnswer:
    """Return the answer to the question of a variant about a game of at most two players."""
    ask, infinite, least = variant.ask, variant.infinite, variant.least
    if ask == "guarantee":
        raise InputError("ask", ask, "guarantee only for Game(…, players=n)")
    if ask == "average":
        best: Optimum[Any] = long_run(model, least=least, run=run)
        return _answered(best, best.question)
    if ask not in ASKS:
        best = probability(model, ask, least=least, width=width, run=run)
        return _answered(best, best.question)
    if infinite is not None:
        if ask != "total":
            raise InputError("infinite", str(infinite), "--ask total")
        paid = _PAID[infinite]
        rules = seen_by_first(model.game) if paid else model.game  # infinite play is to pay nothing
        less = partial(changed, payoff=lambda payoff: payoff - paid)
        shifted = Game(rules.initial, lambda state: less(turn_of(rules, state)))
        best = optimum(shifted, infinite="draw", run=run)
        what = f"value of the game if infinite play pays {paid} to the first player"
        return _answered(best, what, best.value + paid)
    play = optimum(model, least=least, width=width, run=run)
    if ask == "turns":
        return replace(_answered(play, "expected number of turns", _turns(play)), proof=None)
    if ask == "moves":
        best = expect(model, lambda _: 1, policies={1: play, 2: play}, width=width, run=run)
        return _answered(best, "expected number of moves of players and chance, by optimal play")
    best = probability(model, ask, policies={1: play, 2: play}, width=width, run=run)
    what = f"probability under optimal play that the payoff of the first player is {EVENTS[ask]}"
    return _answered(best, what)


def _answered(best: Optimum[Any], what: str, value: Enclosure | None = None) -> PageAnswer:
    proof, value = partial(proved, best), value or best.value
    return PageAnswer(value, best.method, len(best.model), optimum=best, proof=proof, what=what)


def _turns(best: Optimum[Any]) -> Enclosure:
    chain = following(best.model, best)
    if not chain.changes_sides:
        raise InputError("ask", "turns", "--ask moves; the rules do not hand over by Other(state)")
    n, passes = len(chain), []
    for move, law in enumerate(chain.law):
        over = (weight for target, weight in chain.leads(move) if target >= n)
        passes.append(mpq(sum(over), chain.denominators[law]))
    counted = chain.forgetting_sides().with_payments(passes, dict.fromkeys(chain.payoffs, mpq(1)))
    return exact_values(counted).between(0)


def seats(game: Game[Any], ask: str, player: int, width: mpq | None, run: Run) -> PageAnswer:
    """Return the values of all players with payments of their own, and the answer for one."""
    players = range(1, (game.players or 0) + 1)
    if player not in players:
        raise InputError("player", player, f"a player from 1 to {len(players)}")
    perfect = None
    questions: dict[str, Any] = {
        "average": partial(long_run, game),
        "guarantee": partial(expect, game, width=width),
    }
    what = f"{ask} of player {player} against all others together"
    if ask == "total" or ask in EVENTS:
        perfect = perfect_equilibrium(game, run=run)
        policies = dict.fromkeys(players, perfect.policy)
        questions |= {
            event: partial(probability, game, event, policies=policies) for event in EVENTS
        }
        what = f"value of player {player} in a subgame-perfect equilibrium"
        if ask in EVENTS:
            what = f"probability that the payoff of player {player} is {EVENTS[ask]}"
    elif ask not in questions:
        raise InputError("ask", ask, "total, won, drawn, lost, average or guarantee")
    if perfect and ask == "total":
        best = perfect.best_response(player, run)
        values = list(map(Enclosure.of, perfect.value))
    else:
        each: list[Optimum[Any]] = [questions[ask](player=seat, run=run) for seat in players]
        best, values = each[player - 1], [answer.value for answer in each]
    return replace(
        _answered(best, what),
        states=len(perfect.model if perfect else best.model),
        ties=len(perfect.several) if perfect else None,
        method="subgame-perfect equilibrium" if perfect else "exact",
        players=f"{len(players)}, alternating, each with payments of its own",
        seats=values,
        perfect=perfect,
    )


def grid_report(answer: PageAnswer, x: int, y: int) -> Report:
    """Report the actions by two coordinates of states, and their changes along a third one."""
    best = answer.perfect or answer.optimum
    cells: dict[tuple[Any, Any], list[tuple[Any, str]]] = {}
    for state, action in best.policy.items() if best else ():
        if isinstance(state, tuple) and all(isinstance(part, int) for part in state):
            if len(state) <= max(x, y):
                raise InputError("x" if x > y else "y", max(x, y), f"below {len(state)}")
            rest = tuple(part for place, part in enumerate(state) if place not in (x, y))
            cells.setdefault((state[x], state[y]), []).append((rest, named(action)))
    if not cells:
        raise InputError("x", x, "a game of one solution, whose states are tuples of integers")
    rows = []
    for (a, b), pairs in sorted(cells.items()):
        runs = [
            (action, next(iter(run))[0]) for action, run in groupby(sorted(pairs), itemgetter(1))
        ]
        words = [runs[0][0], *(f"{act} from {', '.join(map(str, at))}" for act, at in runs[1:])]
        change = runs[1][1][0] if len(runs) > 1 and len(runs[1][1]) == 1 else None
        rows.append((a, b, "; ".join(words), change))
    columns = [
        whole("x", f"coordinate {x} of the state"),
        whole("y", f"coordinate {y} of the state"),
        text_column("actions", "optimal actions"),
        whole("change", "third coordinate of the first change"),
    ]
    table = Table("grid", "Actions", columns, rows)
    return Report("Optimal actions by two coordinates", [], [table])


def complete(rules: Callable[..., Game[Any]]) -> Callable[..., Game[Any]]:
    """Return a function of a file, with an error of one line if an option has no value."""

    @wraps(rules)
    def game(**options: Any) -> Game[Any]:
        try:
            signature(rules).bind(**options)
        except TypeError as problem:
            needs = f"needs NAME=VALUE for each option without a default: {problem}"
            raise ConflictError("set", needs) from None
        return rules(**options)

    return game
