r"""Questions to a game as a player asks them: how likely, how much, under which policies, how soon.

`probability` and `expect` put `reach` and `optimum` to a variant of the game: as one of the players
sees it, with policies fixed, within so many steps. Who follows no given policy plays best for what
is asked: the player who asks wants much of it, the other one little. The answer is an `Optimum` of
that variant, which is ``answer.model.game``, and by whose rules its certificate is checked.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from exactdice.arithmetic import RationalLike, mpq, natural, rational
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError
from exactdice.run import DEFAULT, Run
from exactdice.solve.arena import BOTH, MAX, MIN
from exactdice.solve.game import Game, Model, as_model
from exactdice.solve.optimum import Optimum, require_answer
from exactdice.solve.questions import Policy, optimum, reach
from exactdice.solve.turns import End
from exactdice.solve.variants import (
    Stepped,
    bare,
    bounded,
    following,
    paying,
    require_result,
    seen_by_first,
    strategy,
    swapped,
    turn_of,
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
    """Greatest, or least, probability that something happens, for a player who wants it.

    Parameters
    ----------
    game
        A game or a model, of one player or two, or of chance alone.
    event
        "won", "drawn" or "lost": play ends with a payoff to the player who asks above, at or below
        0. Or a function that tells of a state whether it counts; where sides change it is asked of
        s where player 1 moves and sees s, and of `Other(s)` where player 2 does. Whoever asks plays
        for it, also for a loss. For its probability under optimal play of the game, let both follow
        the answer to `optimum`: ``policies={1: best, 2: best}``.
    player
        Who asks, 1 or 2: whoever wants it to happen, while the other one wants to avoid it. Where
        sides change, 1 is the player who moves first.
    policies
        What players are known to do, by their number: an action, or chances of actions, as a
        mapping or a `Distribution`, of each state as the player who moves sees it; see
        `policy_value`. ``{1: p, 2: q}`` lets both policies play, ``{2: q}`` finds the best answer
        to q.
    within
        Only what happens within so many steps counts. States of the answer are then pairs (state,
        steps left), so that its policy may depend on the step.
    counts
        Tells of a state whether a move from it is a step, as where a turn begins; every one where
        None.
    least
        Whether the player who asks wants to avoid it instead.
    width, run
        As in `optimum`.

    Raises
    ------
    InputError
        If an argument is none of these, or a policy has no action for a state.
    NoValueError
        If both choose at once in some states, and play can go on for ever.

    Examples
    --------
    A coin, tossed in turn; the first head wins:

    >>> from exactdice.dice import Distribution
    >>> from exactdice.models import Game, Other
    >>> toss = Game(0, lambda n: Distribution({1: 1, Other(0): 1}) if n == 0 else End(1))
    >>> probability(toss, "won").value, probability(toss, "won", player=2).value
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
    """Greatest, or least, expected total for a player who wants much, or little, of it.

    Parameters
    ----------
    game
        As in `probability`.
    of
        What each move from a state counts, whoever moves; ends count nothing. Where None, rewards
        and payoffs, as the player who asks receives them.
    player, policies, within, counts, width, run
        As in `probability`; of a bounded game what is paid within the steps counts.
    least
        Whether the player who asks wants little, and the other one much.

    Raises
    ------
    InputError
        As in `probability`.
    NoValueError
        If play need not end, or can gain without bound.

    Examples
    --------
    Rolls until a six, and how many of them are made within three:

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
    """The sign of what is paid where play has ended; None where only steps have run out."""
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
    """The game as it is asked about, steps unbounded; its model; whether the least is asked for.

    A model in which nothing is to be changed is taken as it is; `sided` where it may change sides.
    """
    if player not in (1, 2):
        raise InputError("player", player, "1 or 2")
    known = {} if policies is None else policies
    if not isinstance(known, Mapping) or not set(known) <= {1, 2}:
        raise InputError("policies", policies, "a mapping from players, 1 or 2, to policies")
    if counts is not None and (within is None or not callable(counts)):
        raise InputError("counts", counts, "a function of a state, with a number for within")
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
    """States in which a policy does not act best, with what that loses, the greatest loss first.

    Parameters
    ----------
    best
        The answer to a question about the game.
    policy
        As in `probability`, of whoever chooses in a state; where steps are bounded, it is asked of
        the state alone.

    Notes
    -----
    What an action loses is its regret: all play after it is taken to be best. Where only bounds are
    known, a state is listed if they prove a loss: the best action's lower bound is above the upper
    bound of the policy's.

    Examples
    --------
    >>> from exactdice.dice import fair
    >>> from exactdice.models import Choice, Game, point_mass
    >>> def moves(face):
    ...     if isinstance(face, str):
    ...         return None
    ...     keep, throw = Choice("keep", face, point_mass("kept")), Choice("throw", -1, fair(6))
    ...     return [keep, throw]
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
