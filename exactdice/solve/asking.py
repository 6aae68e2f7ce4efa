"""Questions as a player asks them: how likely, how much, under which policies, how soon.

`probability` and `expect` apply `reach` and `optimum` to a variant of the game: seen by one player,
with fixed policies, within a number of steps. A player without a given policy plays optimally for
the question: the player who asks wants much, the other one little. The answer is an `Optimum` of
that variant, ``answer.model.game``, and its certificate is checked by the rules of the variant.

For `sensitivity`, let the probabilities and rewards of a game be polynomials in a number x, and v
the values at x. One step at x + h, followed by v, returns a polynomial in h, with the derivative d
at 0; the derivative of the value under a policy is the total of d under it at x. The derivative of
the optimal value from the right is the value of the game that pays d and in which players have only
their optimal actions at x; from the left it is minus that of the game that pays −d (Danskin's
theorem for finitely many policies).
"""

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, mpq, rational, text
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import MIN
from exactdice.solve.asked import Asked, Event, payments
from exactdice.solve.game import TOTAL, Game, Model, turn_of
from exactdice.solve.optimum import Optimum, require_answer
from exactdice.solve.questions import Policy, optimum, reach
from exactdice.solve.turns import Chance, Choice, End, Other, Turn, choosing
from exactdice.solve.variants import Stepped, best_play, following, require_result, strategy

State = TypeVar("State", bound=Hashable)

_WORDS = {"won": 1, "drawn": 0, "lost": -1}
_SIGNS = {">=": ge, "<=": le, ">": gt, "<": lt, "==": eq}
_DEGREE = 6  # of rules in a number


def probability(
    game: Game[State] | Model[State],
    event: str | Event,
    *,
    player: int = 1,
    policies: Mapping[int, Policy] | None = None,
    within: int | None = None,
    counts: Event | None = None,
    avoiding: Event | None = None,
    least: bool = False,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[Any]:
    """Return the greatest, or least, probability of an event for a player who wants it to happen.

    * `game`: a game or a model, with up to two players.
    * `event`: "won", "drawn" or "lost": the payoff of the player who asks is above, at or below 0.
      Or a function of a state: whether it counts; if sides change, it is called with s if player 1
      moves and sees s, and with `Other(s)` if player 2 does. The player who asks plays for the
      event, even for a loss. To get its probability under optimal play of the game, let both follow
      the answer to `optimum`: ``policies={1: best, 2: best}``. Or a comparison of the total of
      rewards and payoff with a number, such as "total >= 50" (also <=, >, < and ==); the states of
      the answer are then pairs (state, total so far). Infinite play counts only if the total has
      passed the number, and no payment leads back.
    * `player`: the player who asks and wants the event, 1 or 2; the other player wants to avoid it.
      If sides change, player 1 is the one who moves first.
    * `policies`: fixed policies by player: for each state, as the mover sees it, an action or the
      probabilities of actions (a mapping or a `Distribution`); see `policy_value`. ``{1: p, 2: q}``
      fixes both; ``{2: q}`` finds the best response to q.
    * `within`: count only what happens within this number of steps. The states of the answer are
      then pairs (state, steps left), so that its policy may depend on the step.
    * `counts`: a function of a state: whether a move from it is a step, for example the start of a
      turn. By default every move is.
    * `avoiding`: a function of a state as for `event`: the event counts only before the first of
      these states. A state that is both counts.
    * `least`: find the least probability: the player who asks wants to avoid the event.
    * `width`, `run`: as in `optimum`.

    Raises InputError if an argument is outside its domain, or a policy has no action for a state.
    Raises NoValueError if players move simultaneously in some states, and play may never end.

    Players toss a coin alternately; the first head wins:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Game, Other
    >>> toss = Game(0, lambda n: Distribution({1: 1, Other(0): 1}) if n == 0 else End(1))
    >>> probability(toss, "won").value, probability(toss, "won", player=2).value
    (Enclosure(mpq(2,3)), Enclosure(mpq(1,3)))
    >>> probability(toss, "won", within=3).value
    Enclosure(mpq(5,8))
    """
    compared = TOTAL.fullmatch(event) if isinstance(event, str) else None
    if not (avoiding is None or callable(avoiding)):
        raise InputError("avoiding", avoiding, "a function of a state")
    if not (callable(event) or compared or event in _WORDS):
        wanted = 'won, drawn, lost, a comparison such as "total >= 50", or a function of a state'
        raise InputError("event", event, wanted)
    asked = Asked(game, player, policies, within, counts, least, run)

    def is_lost(state: Any) -> bool:
        return bool(avoiding and avoiding(state)) and not (callable(event) and event(state))

    if compared:
        return _compared(asked, compared, avoiding, width)
    rules, model, least = asked.variant(until=avoiding and is_lost)
    happens: Event
    if isinstance(event, str):
        ends = (state for _, state in model.ended())
        happens = {s for s in ends if _outcome(rules, _inner(s)) == _WORDS[event]}.__contains__
        what = f"that player {player} has {event}" if event != "drawn" else "of a draw"
    else:
        goal, what = event, "to reach a goal"

        def happens(state: Any) -> bool:
            return goal(_inner(state))

    answer = reach(model, happens, least=least, width=width, run=run)
    return replace(answer, question=_question(f"chance {what}", model, within, least=least))


def expect(
    game: Game[State] | Model[State],
    of: "Callable[[Any], RationalLike] | None" = None,
    *,
    player: int = 1,
    policies: Mapping[int, Policy] | None = None,
    within: int | None = None,
    counts: Event | None = None,
    until: Event | None = None,
    utility: "Callable[[mpq], RationalLike] | None" = None,
    discount: "RationalLike | None" = None,
    least: bool = False,
    width: "RationalLike | None" = None,
    run: Run = DEFAULT,
) -> Optimum[Any]:
    """Return the greatest, or least, expected total for a player.

    * `game`: as in `probability`.
    * `of`: a function of a state: the amount that each move from it counts, whoever moves; ends
      count nothing. By default rewards and payoffs count, as the player who asks receives them.
    * `player`, `policies`, `within`, `counts`, `width`, `run`: as in `probability`; with `within`,
      only amounts within these steps count.
    * `until`: a function of a state as `event` in `probability`: play ends, paying nothing more,
      when it is true.
    * `utility`: a function of the total: its expected value is wanted instead of that of the total.
      The states of the answer are pairs (state, total so far), so totals must be bounded. Rewards
      that may be means are rejected.
    * `discount`: a number between 0 and 1, the factor of everything that is paid one move later.
      Infinite play then has a value, too.
    * `least`: find the least total: the player who asks wants little, the other one much.

    Raises InputError, NoValueError: as in `probability`; also if the total is unbounded.

    The number of rolls until a six, in total and within the first three:

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game
    >>> six = Game(0, lambda face: fair(6) if face < 6 else None)
    >>> expect(six, lambda face: 1).value, expect(six, lambda face: 1, within=3).value
    (Enclosure(mpq(6,1)), Enclosure(mpq(91,36)))
    """
    if of is not None and not callable(of):
        raise InputError("of", of, "a function of a state that gives a number")
    asked = Asked(game, player, policies, within, counts, least, run)
    factor = None if discount is None else rational(discount, "discount")
    if factor is not None and not 0 < factor < 1:
        raise InputError("discount", discount, "a number between 0 and 1")
    _, model, least = asked.variant(
        sided=of is None, of=of, until=until, utility=utility, factor=factor
    )
    answer = optimum(model, least=least, width=width, run=run)
    what = "reward" if of is None else "total"
    what = what if utility is None else f"utility of the {what}"
    what = f"expected {what} of player {player}{' until a set is reached' if until else ''}"
    what += "" if factor is None else f", discounted by {text(factor)} a move"
    return replace(answer, question=_question(what, model, within, least=least))


def _compared(
    asked: Asked, compared: re.Match[str], until: Event | None, width: "RationalLike | None"
) -> Optimum[Any]:
    """The probability that the total compares so with a number."""
    sign, limit = _SIGNS[compared[1]], rational(compared[2], "event")
    settled: list[Callable[[mpq], bool]] = []  # whether a total compares so whatever is paid later

    def cut(rules: Game[Any]) -> Callable[[mpq], mpq]:
        paid = payments(rules, asked.run)
        if min(paid) >= 0:
            settled.append(lambda total: total > limit)
            return lambda total: min(total, limit + 1)
        if max(paid) <= 0:
            settled.append(lambda total: total < limit)
            return lambda total: max(total, limit - 1)
        return lambda total: total

    _, model, least = asked.variant(until=until, utility=lambda total: total, cut=cut)
    ends = {model.states[number]: total for number, total in model.arena.payoffs.items()}

    def happens(pair: Any) -> bool:
        total = ends.get(pair)
        if total is None and any(is_settled(pair.total) for is_settled in settled):
            total = pair.total
        return total is not None and bool(sign(total, limit))

    answer = reach(model, happens, least=least, width=width, run=asked.run)
    what = f"chance that the total of player {asked.player} is {compared[1]} {text(limit)}"
    return replace(answer, question=_question(what, model, asked.within, least=least))


def best_quantile(
    game: Game[State] | Model[State], level: "RationalLike", *, run: Run = DEFAULT, **how: Any
) -> tuple[mpq, Optimum[Any]]:
    """Return the greatest number that the total can be made to reach with some probability.

    * `game`, `how`: as in `probability`, which is called with "total >= x" for some totals x.
    * `level`: the probability, above 0.

    Returns the number, and the answer for it.

    One die, or 4 for certain; half of the time a player can have at least 4:

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Choice, Game, Paid, point_mass
    >>> dice = Choice("die", 0, fair(6).map(lambda face: Paid(face, "end")))
    >>> table = {0: [dice, Choice("four", 4, point_mass("end"))], "end": None}
    >>> best_quantile(Game(0, table.__getitem__), "1/2")[0]
    mpq(4,1)
    """
    share = rational(level, "level")
    if not 0 < share <= 1:
        raise InputError("level", level, "a number above 0 and at most 1")
    every = expect(game, utility=lambda total: total, run=run, **how).model
    totals = sorted(set(every.arena.payoffs.values()))
    low, high = 0, len(totals)  # the first is certain
    while high - low > 1:
        middle = (low + high) // 2
        answer = probability(game, f"total >= {text(totals[middle])}", run=run, **how)
        low, high = (middle, high) if answer.value.lower >= share else (low, middle)
    return totals[low], probability(game, f"total >= {text(totals[low])}", run=run, **how)


def _question(what: str, model: Model[Any], within: int | None, *, least: bool) -> str:
    aim = ("least " if least else "greatest ") if model.players == 1 else ""
    return f"{aim}{what}{'' if within is None else f' within {within} steps'}"


def _inner(state: Any) -> Any:
    return state.state if isinstance(state, Stepped) else state


def _outcome(rules: Game[Any], state: Any) -> int | None:
    turn = turn_of(rules, state)
    require_result(turn, state)
    if turn is not None and not isinstance(turn, End):
        return None
    payoff = mpq(0) if turn is None else rational(turn.payoff)
    return int(payoff > 0) - int(payoff < 0)


def mistakes(best: Optimum[Any], policy: Policy) -> dict[Any, Enclosure]:
    """Return the states in which a policy is suboptimal and its loss there, the greatest first.

    The loss of an action is its regret, which assumes optimal play afterwards. If only bounds are
    known, a state is listed if they prove a loss.

    * `best`: the answer to a question about the game.
    * `policy`: as in `probability`, for whoever moves; with `within`, it is called with the state
      only.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Choice, Game, point_mass
    >>> def moves(face):
    ...     if isinstance(face, str):
    ...         return None
    ...     return [Choice("keep", face, point_mass("kept")), Choice("throw", -1, fair(6))]
    >>> mistakes(expect(Game(1, moves)), lambda face: "keep" if face > 4 else "throw")
    {4: Enclosure(mpq(1,1))}
    """
    require_answer(best)
    lost: dict[Any, Enclosure] = {}
    for _, state in best.model.deciding():
        if regrets := best.regret(state):
            law = strategy(policy, _inner(state), tuple(regrets))
            loss = sum((regrets[action] * share for action, share in law.items()), Enclosure.of(0))
            if loss.lower > 0:
                lost[state] = loss
    return dict(sorted(lost.items(), key=lambda item: -item[1].lower))


@dataclass(frozen=True)
class Derivatives:
    """The value at a number, and its derivatives from either side.

    They differ if the optimal actions change at the number.
    """

    at: mpq
    value: mpq
    left: mpq
    right: mpq


def sensitivity(
    family: Callable[[mpq], Game[Any]],
    at: RationalLike,
    *,
    ask: Callable[[Game[Any]], Optimum[Any]] = optimum,
    step: RationalLike = "1/1048576",
) -> Derivatives:
    """Return the derivative of a value with respect to a number in the rules.

    * `family`: a function from the number to the game; probabilities of moves and expected rewards
      must be polynomials of it, of degree 6 at most, for example with six loaded dice in a roll.
    * `at`: the point of the derivative.
    * `ask`: the question, for example ``lambda game: probability(game, "won")``. It must be
      answered exactly, and players must move alternately.
    * `step`: the rules are also called at two steps from `at`, or up to seven if they are not
      affine, where the same moves must be possible; use a negative step at the upper end of a
      range. It does not affect the result.

    Raises InputError if the rules are not such polynomials, or other moves are possible near it.

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Chance, Game
    >>> def until_heads(p):
    ...     toss = Distribution.from_probabilities({"heads": p, "tails": 1 - p})
    ...     return Game("tails", lambda side: Chance(1, toss) if side == "tails" else None)
    >>> slope = sensitivity(until_heads, "1/3")
    >>> slope.value, slope.left, slope.right
    (mpq(3,1), mpq(-9,1), mpq(-9,1))
    """
    x, h = rational(at, "at"), rational(step, "step")
    _require_function(family)
    if not h:
        raise InputError("step", step, "a number other than 0")
    best = ask(family(x))
    only_best = best_play(best)

    @cache
    def game(n: int) -> Game[Any]:
        return ask(family(x + n * h)).model.game if n else best.model.game

    def returned(part: Any) -> mpq:
        if part is None or isinstance(part, End):
            return mpq(0) if part is None or best.goal is not None else rational(part.payoff)
        law = part if isinstance(part, Distribution) else part.successors
        reward = mpq(0) if law is part or best.goal is not None else rational(part.reward)
        for state, chance in law.probabilities().items():
            turned = type(state) is Other
            worth = best.value_of(state.state if turned else state).exact
            reward += chance * (-worth if turned else worth)
        return reward

    def slope(part: Callable[[int], Any]) -> mpq:
        points = [returned(part(0)), returned(part(1))]
        for degree in range(1, _DEGREE + 1):
            points.append(returned(part(degree + 1)))
            differences, total = points, mpq(0)
            for order in range(1, degree + 1):  # Newton's formula for the derivative at the first
                differences = [after - before for before, after in pairwise(differences)]
                total -= (-1) ** order * differences[0] / order
            if differences[0] == differences[1]:
                return total / h
        wanted = f"rules that are polynomials of the number, of degree {_DEGREE} at most"
        raise InputError("family", Unquoted("others"), wanted)

    def moves(state: Any, sign: int) -> Any:
        turn: Any = only_best.moves(state)
        if isinstance(turn, End) and not isinstance(turn_of(game(0), state), End):
            return turn  # the question has been decided
        player, choices = choosing(turn)
        if not player:
            paid = sign * slope(lambda n: turn_of(game(n), state))
            if turn is None or isinstance(turn, End):
                return End(paid)
            return Chance(paid, turn if isinstance(turn, Distribution) else turn.successors)

        @cache
        def ways(n: int) -> dict[Any, Any]:
            ways_n = {c.action: c for c in choosing(turn_of(game(n), state))[1]}
            if n and ways_n.keys() != ways(0).keys():
                wanted = "the same actions near the number"
                raise InputError("family", Unquoted("other actions"), wanted)
            return ways_n

        def paying(choice: Any) -> Any:
            return sign * slope(lambda n: ways(n)[choice.action])

        return Turn(player, [Choice(c.action, paying(c), c.successors) for c in choices])

    least = best.model.players < 2 and best.arena.is_owned(MIN)
    initial = best.model.game.initial
    right = optimum(Game(initial, partial(moves, sign=1)), least=least).value
    left = -optimum(Game(initial, partial(moves, sign=-1)), least=least).value
    return Derivatives(x, *(each.exact for each in (best.value, left, right)))


def _require_function(family: object) -> None:
    if not callable(family):
        raise InputError("family", family, "a function of a number that gives a Game")


def stays_best(
    family: Callable[[mpq], Game[Any]],
    at: RationalLike,
    *,
    within: tuple[RationalLike, RationalLike],
    ask: Callable[[Game[Any]], Optimum[Any]] = optimum,
    width: RationalLike = "1/1000000",
) -> tuple[Enclosure, Enclosure]:
    """Return the range around a number in which its optimal policy stays optimal.

    * `family`, `at`, `ask`: as in `sensitivity`; rules need not be affine in the number.
    * `within`: the least and the greatest number to consider, with `at` between them.
    * `width`: the greatest width of the enclosures of the two ends, found by bisection.

    Returns enclosures of the lower and the upper end. The policy is optimal at the inner bound of
    each and not at the outer one, or both bounds are the end of `within`. If the policy is
    suboptimal only between two numbers that bisection tries, this is not detected.

    Tossing for 1 until tails is better than taking 2 if the probability of heads is above 2/3:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Choice, End, Game, point_mass
    >>> def stake(p):
    ...     toss = Distribution.from_probabilities({"on": p, "tails": 1 - p})
    ...     choices = [Choice("toss", p, toss), Choice("take", 2, point_mass("tails"))]
    ...     return Game("on", lambda side: choices if side == "on" else End())
    >>> lower, upper = stays_best(stake, "4/5", within=("1/10", "9/10"))
    >>> mpq(2, 3) in lower, lower.width < mpq(1, 10**6), upper.point
    (True, True, mpq(9,10))
    """
    x, narrow = rational(at, "at"), rational(width, "width")
    _require_function(family)
    if not isinstance(within, tuple) or len(within) != 2:
        raise InputError("within", within, "a pair of numbers")
    ends = tuple(rational(end, "within") for end in within)
    if narrow <= 0:
        raise InputError("width", width, "a number above 0")
    if not ends[0] <= x <= ends[1]:
        raise InputError("at", at, "a number within the range")
    policy = ask(family(x))

    def is_best(number: mpq) -> bool:
        game = family(number)
        return ask(following(game, {1: policy, 2: policy})).value == ask(game).value

    def end(inner: mpq, outer: mpq) -> Enclosure:
        if is_best(outer):
            return Enclosure.of(outer)
        while abs(outer - inner) > narrow:
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if is_best(middle) else (inner, middle)
        return Enclosure(min(inner, outer), max(inner, outer))

    return end(x, ends[0]), end(x, ends[1])
