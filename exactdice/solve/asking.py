"""Questions as a player asks them: how likely, how much, under which policies, how soon.

`probability` and `expect` apply `reach` and `optimum` to a variant of the game: seen by one player,
with fixed policies, within a number of steps. A player without a given policy plays optimally for
the question: the player who asks wants much, the other one little. The answer is an `Optimum` of
that variant, ``answer.model.game``, and its certificate is checked by the rules of the variant.

For `sensitivity`, let the probabilities and rewards of a game be affine in a number x, and v the
values at x. One step at x + h, followed by v, returns v + h·d with the same d for every h, and the
derivative of the value under a policy is the total of d under it at x. The derivative of the
optimal value from the right is the value of the game that pays d and in which players have only
their optimal actions at x; from the left it is minus that of the game that pays −d (Danskin's
theorem for finitely many policies).
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, mpq, natural, rational
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure
from exactdice.errors import ConflictError, InputError, Unquoted
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, MAX, MIN
from exactdice.solve.game import Game, Model, as_model, turn_of
from exactdice.solve.optimum import Optimum, require_answer
from exactdice.solve.questions import Policy, optimum, reach
from exactdice.solve.turns import Chance, Choice, End, Other, Turn, choosing
from exactdice.solve.variants import (
    Stepped,
    bare,
    best_play,
    bounded,
    following,
    paying,
    require_result,
    seen_by_first,
    strategy,
    swapped,
)

State = TypeVar("State", bound=Hashable)
Event = Callable[[Any], bool]

_WORDS = {"won": 1, "drawn": 0, "lost": -1}


def probability(
    game: Game[State] | Model[State],
    event: str | Event,
    *,
    player: int = 1,
    policies: Mapping[int, Policy] | None = None,
    within: int | None = None,
    counts: Event | None = None,
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
      the answer to `optimum`: ``policies={1: best, 2: best}``.
    * `player`: the player who asks and wants the event, 1 or 2; the other player wants to avoid it.
      If sides change, player 1 is the one who moves first.
    * `policies`: fixed policies by player: for each state, as the mover sees it, an action or the
      probabilities of actions (a mapping or a `Distribution`); see `policy_value`. ``{1: p, 2: q}``
      fixes both; ``{2: q}`` finds the best response to q.
    * `within`: count only what happens within this number of steps. The states of the answer are
      then pairs (state, steps left), so that its policy may depend on the step.
    * `counts`: a function of a state: whether a move from it is a step, for example the start of a
      turn. By default every move is.
    * `least`: find the least probability: the player who asks wants to avoid the event.
    * `width`, `run`: as in `optimum`.

    Raises InputError if an argument is outside its domain, or a policy has no action for a state.
    Raises NoValueError if players move simultaneously in some states, and play may never end.

    Players toss a coin alternately; the first head wins:

    >>> from exactdice.dice import Distribution
    (Enclosure(mpq(2,3)), Enclosure(mpq(1,3)))
    >>> toss = Game(0, lambda n: Distribution({1: 1, Other(0): 1}) if n == 0 else End(1))
    Enclosure(mpq(5,8))
    (mpq(2,3), mpq(1,3))
    >>> probability(toss, "won", within=3).value
    mpq(5,8)
    """
    if not callable(event) and not (isinstance(event, str) and event in _WORDS):
        raise InputError("event", event, "won, drawn, lost or a function that tells of a state")
    rules, model, least = _variant(game, player, policies, within, counts, least, run, sided=False)
    happens: Event
    if isinstance(event, str):
        ends = (state for _, state in model.ended())
        happens = {s for s in ends if _outcome(rules, _inner(s)) == _WORDS[event]}.__contains__
        what = f"that player {player} has {event}" if event != "drawn" else "of a draw"
    else:
        wanted, what = event, "to reach a goal"

        def happens(state: Any) -> bool:
            return wanted(_inner(state))

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
    (Enclosure(mpq(6,1)), Enclosure(mpq(91,36)))

    Raises InputError, NoValueError: as in `probability`; also if the total is unbounded.

    The number of rolls until a six, in total and within the first three:

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game
    >>> six = Game(0, lambda face: fair(6) if face < 6 else None)
    >>> expect(six, lambda face: 1).value, expect(six, lambda face: 1, within=3).value
    (mpq(6,1), mpq(91,36))
    """
    if of is not None and not callable(of):
        raise InputError("of", of, "a function of a state that gives a number")
    _, model, least = _variant(
        game, player, policies, within, counts, least, run, sided=of is None, of=of
    )
    answer = optimum(model, least=least, width=width, run=run)
    what = f"expected {'reward' if of is None else 'total'} of player {player}"
    return replace(answer, question=_question(what, model, within, least=least))


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


def _variant(
    game: Game[Any] | Model[Any],
    player: int,
    policies: Mapping[int, Policy] | None,
    within: int | None,
    counts: Event | None,
    least: bool,
    run: Run,
    *,
    sided: bool,
    of: "Callable[[Any], RationalLike] | None" = None,
) -> tuple[Game[Any], Model[Any], bool]:
    """The variant without a bound on steps, its model, and whether the least is wanted."""
    if player not in (1, 2):
        raise InputError("player", player, "1 or 2")
    known = {} if policies is None else policies
    if not isinstance(known, Mapping) or not set(known) <= {1, 2}:
        raise InputError("policies", policies, "a mapping from players, 1 or 2, to policies")
    if counts is not None and within is None:
        raise ConflictError("counts", "applies only with within")
    if counts is not None and not callable(counts):
        raise InputError("counts", counts, "a function of a state")
    rules = game.game if isinstance(game, Model) else game
    if player == 1 and not known and within is None and of is None:
        model = as_model(game, run)
        if (sided or not model.arena.changes_sides) and not (least and model.players == 2):
            return rules, model, least
    if not isinstance(rules, Game):
        raise InputError("game", game, "a Model or a Game")
    rules = seen_by_first(rules)
    if known:
        rules = following(rules, known)
    if player == 2:
        rules = swapped(rules, -1)
    if of is not None:
        rules = paying(rules, partial(_of_bare, of))

    def asked(rules: Game[Any]) -> Game[Any]:
        if within is None:
            return rules
        step = partial(_of_bare, _always if counts is None else counts)
        return bounded(rules, natural(within, "within"), step)

    model = asked(rules).explored(run)
    if least and model.players == 2:  # then the other one wants much
        rules, least = swapped(rules, 1), False
        if model.arena.is_owned(BOTH):
            model = asked(rules).explored(run)
        else:
            turned = model.arena.owned_as(lambda owner: -owner if owner in (MAX, MIN) else owner)
            model = replace(model, game=asked(rules), arena=turned)
    return rules, model, least


def _of_bare(function: Callable[[Any], Any], state: Any) -> Any:
    return function(bare(state))


def _always(_state: Any) -> bool:
    return True


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
    {4: Enclosure(lower=mpq(1,1), upper=mpq(1,1))}
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

    * `family`: a function from the number to the game; probabilities and rewards must be affine in
      it.
    * `at`: the point of the derivative.
    * `ask`: the question, for example ``lambda game: probability(game, "won")``. It must be
      answered exactly, and players must move alternately.
    * `step`: the rules are also called at one and two steps from `at`, where the same moves must be
      possible; use a negative step at the upper end of a range. It does not affect the result.

    Raises InputError if the rules are not affine in the number, or other moves are possible near
    it.

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
    games = [best.model.game, *(ask(family(x + n * h)).model.game for n in (1, 2))]

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

    def slope(parts: list[Any]) -> mpq:
        a, b, c = map(returned, parts)
        if c - b != b - a:
            raise InputError("family", Unquoted("rules that bend"), "rules affine in the number")
        return (b - a) / h

    def moves(state: Any, sign: int) -> Any:
        turn: Any = only_best.moves(state)
        turns = [turn_of(game, state) for game in games]
        if isinstance(turn, End) and not isinstance(turns[0], End):
            return turn  # the question has been decided
        player, choices = choosing(turn)
        if not player:
            paid = sign * slope(turns)
            if turn is None or isinstance(turn, End):
                return End(paid)
            return Chance(paid, turn if isinstance(turn, Distribution) else turn.successors)
        ways = [{choice.action: choice for choice in choosing(other)[1]} for other in turns]
        if any(way.keys() != ways[0].keys() for way in ways):
            raise InputError(
                "family", Unquoted("other actions"), "the same actions near the number"
            )
        return Turn(
            player,
            [
                Choice(c.action, sign * slope([way[c.action] for way in ways]), c.successors)
                for c in choices
            ],
        )

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
