"""Play a game to its end, by an answer or a person, with regrets of all choices; simulations.

The values of some states are known; those of the others follow from them by the rules
(`Lookahead`). The *regret* of a choice is its expected loss against the best choice under optimal
play afterwards; luck plays no part in it. With simultaneous moves, a choice is compared against the
optimal mixed strategy of the other player.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple, TypeAlias

from exactdice.arithmetic import decimal, mpq, natural, rational
from exactdice.dice import Distribution, Root
from exactdice.enclosure import Enclosure, largest
from exactdice.errors import InputError, TooLargeError
from exactdice.report import Reported
from exactdice.report.model import Quantity, Report, Table, column_for, exact, text_column, whole
from exactdice.run import Run
from exactdice.solve.arena import END
from exactdice.solve.game import Game, turn_of
from exactdice.solve.optimum import Optimum, require_answer
from exactdice.solve.turns import Both, End, Other, choosing, named
from exactdice.solve.variants import require_payments

_MOST_MOVES = 1_000_000


@dataclass(frozen=True)
class Simulation(Reported, by="exactdice.solve.reports:simulation_report"):
    """The mean and variance of simulated plays, exact numbers of a sample, and the exact value."""

    plays: int
    mean: mpq
    variance: mpq
    exact: Enclosure

    @property
    def error(self) -> Root:
        """The standard error of the mean, estimated from the sample."""
        return Root(self.variance / self.plays)


def simulate(
    best: Optimum[Any], plays: int = 1000, *, seed: int = 0, means: bool = False
) -> Simulation:
    """Simulate plays of a game under an answer's policy; all draws are exact.

    * `best`: the answer to `optimum`, `probability` or `expect`. To simulate your own policies,
      pass them to the last two with `policies`; the answer to `policy_value` does not contain its
      policy.
    * `plays`: the number of plays, at least 2.
    * `seed`: the seed of the random numbers.
    * `means`: as in `reward_distribution`: treat rewards that may be means as paid with certainty.

    Raises ModelError if a reward may be a mean, so that the sample would vary less than plays do.
    Raises TooLargeError if a play takes more than 1,000,000 moves.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import Game, expect
    >>> six = Game(0, lambda face: fair(6) if face < 6 else None)
    >>> sample = simulate(expect(six, lambda face: 1), 400)
    >>> sample.exact.point, abs(sample.mean - 6) < 5 * mpq(sample.error.decimal(6))
    (mpq(6,1), True)
    """
    require_answer(best)
    count, draw = natural(plays, "plays", least=2), Random(natural(seed, "seed"))  # noqa: S311
    total, squares = mpq(0), mpq(0)
    for _ in range(count):
        result = _played(best, draw, means=means)
        total, squares = total + result, squares + result**2
    variance = (squares - total**2 / count) / (count - 1)
    return Simulation(count, total / count, variance, best.value)


def _played(best: Optimum[Any], draw: Random, *, means: bool) -> mpq:
    model, goal = best.model, best.goal

    def settled(state: Any) -> mpq | None:
        number = model.number(state)
        is_over = goal is not None and (best.closed or best.arena).owners[number] == END
        return mpq(number in (goal or ())) if is_over else None

    def choose(state: Any, turn: Any, _side: int) -> Any:
        action = best.action(state)
        if isinstance(turn, Both):
            return drawn(action[0], draw), drawn(action[1], draw)
        if action not in [choice.action for choice in choosing(turn)[1]]:
            raise InputError("best", best, "the answer to expect with policies")
        return action

    return played(model.game, choose, draw, settled, means=means or goal is not None)


def played(
    game: Game[Any],
    choose: Callable[[Any, Any, int], Any],
    draw: Random,
    settled: Callable[[Any], mpq | None] = lambda state: None,
    *,
    means: bool = True,
) -> mpq:
    """Play a game to its end, with dice from `draw`; return the total of the first player.

    `choose` returns an action, or one of each player for simultaneous moves, for a state, its turn,
    and the player, 1 or 2, who sees it as the first player. `settled` returns the result of a state
    if it is known. Raises TooLargeError after 1,000,000 moves, and ModelError for a reward that may
    be a mean unless `means`.
    """
    state, side, total = game.initial, 1, mpq(0)
    for _ in range(_MOST_MOVES + 1):  # the last one is the end
        if (result := settled(state)) is not None:
            return result
        turn, sign = turn_of(game, state), 1 if side == 1 else -1
        if isinstance(turn, Both):
            turn = turn.outcomes[choose(state, turn, side)]
        elif ways := choosing(turn)[1]:
            action = choose(state, turn, side)
            turn = next(choice for choice in ways if choice.action == action)
        if not means:
            require_payments(turn, f"moves({state!r}): ")
        if turn is None or isinstance(turn, End):
            return total + sign * rational(turn.payoff if turn else 0)
        if isinstance(turn, Distribution):
            state = drawn(turn, draw)
        elif turn.paid is None:
            state, total = drawn(turn.successors, draw), total + sign * rational(turn.reward)
        else:
            one = drawn(turn.paid, draw)
            state, total = one.state, total + sign * rational(one.reward)
        if type(state) is Other:
            state, side = state.state, 3 - side
    raise TooLargeError(f"play: a game takes more than {_MOST_MOVES} moves")


def drawn(law: Distribution[Any], draw: Random) -> Any:
    place = draw.randrange(law.denominator)
    ends = accumulate(weight for _, weight in law.items())
    return next(outcome for outcome, end in zip(law, ends, strict=True) if place < end)


At: TypeAlias = "Callable[[Any], Enclosure | None]"

_NOTHING, _ONE = Enclosure.of(0), mpq(1)


class Lookahead:
    """Values of the states and choices of a game, from states of known value.

    `at` returns the value of a state, or None if it must be found from the states that follow.
    `best` is an answer with the mixed strategies for simultaneous moves; it also breaks ties.
    `scale` is a factor of regrets, negative if the least is best.
    """

    def __init__(
        self, game: Game[Any], at: At, best: Optimum[Any] | None = None, scale: mpq = _ONE
    ) -> None:
        self.game, self.at, self.best, self.scale = game, at, best, scale
        self._worths: dict[Any, Enclosure] = {}

    def worth(self, state: Any) -> Enclosure:
        if type(state) is Other:
            return -self.worth(state.state)
        known = self._worths.get(state) or self.at(state)
        if known is None:
            turn = turn_of(self.game, state)
            if isinstance(turn, Both):
                raise InputError("state", state, "a state with alternating moves")
            mover, choices = choosing(turn)
            sign = -1 if (mover == 2) is (self.scale > 0) else 1
            ways = [sign * self.outcome(choice) for choice in choices]
            known = sign * largest(ways) if ways else self.outcome(turn)
        self._worths[state] = known
        return known

    def outcome(self, turn: Any) -> Enclosure:
        if turn is None or isinstance(turn, End):
            return Enclosure.of(turn.payoff if turn else 0)
        law = turn if isinstance(turn, Distribution) else turn.successors
        low = high = mpq(0)
        for state, ways in law.items():
            value = self.worth(state)
            low, high = low + ways * value.lower, high + ways * value.upper
        reward = mpq(0) if law is turn else rational(turn.reward)
        return reward + Enclosure(low, high) / law.denominator

    def choices(self, state: Any, player: int = 1) -> dict[Any, Enclosure]:
        """Return the value of each choice to the player who moves; empty if no player does.

        With simultaneous moves, these are the choices of player 1 or 2.
        """
        turn = turn_of(self.game, state)
        if not isinstance(turn, Both):
            mover, choices = choosing(turn)
            worths = {choice.action: self.outcome(choice) for choice in choices}
            is_most = (mover == 1) is (self.scale > 0)
            return worths if is_most else {action: -w for action, w in worths.items()}
        mixture = self.mixtures(state)[2 - player].probabilities()
        against: dict[Any, Enclosure] = {}
        for pair, outcome in turn.outcomes.items():
            mine, theirs = pair if player == 1 else pair[::-1]
            value = self.outcome(outcome) * mixture.get(theirs, mpq(0))
            against[mine] = against.get(mine, _NOTHING) + (value if player == 1 else -value)
        return against

    def mixtures(self, state: Any) -> tuple[Distribution[Any], Distribution[Any]]:
        if self.best is None:
            raise InputError("state", state, "a state with alternating moves")
        row, column = self.best.action(state)
        return row, column

    def regrets(self, state: Any, player: int = 1) -> dict[Any, Enclosure]:
        """Return the regret of each choice against the best of the others, the best choice first.

        The order is that of the lower bounds of their values. Of several best choices that of the
        answer comes first: under it play ends. The regret of a single choice is 0; its value may be
        unknown.
        """
        ways = choosing(turn_of(self.game, state))[1]
        if len(ways) == 1:
            return {ways[0].action: _NOTHING}
        worths = self.choices(state, player)
        tops = sorted((worth.upper for worth in worths.values()), reverse=True)
        best = largest(worths.values()) if worths else _NOTHING

        def loss(worth: Enclosure) -> Enclosure:
            rival = tops[1:][:1] if worth.upper == tops[0] else tops
            most = rival[0] - worth.lower if rival else mpq(0)
            least = best.lower - worth.upper
            return Enclosure(max(least, mpq(0)), max(most, mpq(0))) * abs(self.scale)

        losses = {action: loss(worth) for action, worth in worths.items()}
        answer = self.best
        chosen = answer.action(state) if answer and state in answer.model.index else None

        def order(item: tuple[Any, Enclosure]) -> tuple[bool, mpq]:
            action, lost = item
            return action != chosen or lost.lower > 0, -worths[action].lower

        return dict(sorted(losses.items(), key=order))


class JudgedStep(NamedTuple):
    """A choice that was made: the player, the state, the action, and the regrets of all choices."""

    player: int
    state: Any
    action: Any
    regrets: Mapping[Any, Enclosure]

    @property
    def regret(self) -> Enclosure:
        return self.regrets[self.action]

    @property
    def best(self) -> Any:
        return next(iter(self.regrets))


#: Returns an action for a state, the player who moves, and the regrets of all choices.
Player = Callable[[Any, int, Mapping[Any, Enclosure]], Any]


def play(look: Lookahead, choose: Player, draw: Random) -> tuple[list[JudgedStep], mpq]:
    steps: list[JudgedStep] = []

    def decided(state: Any, player: int, seen: int) -> Any:
        regrets = look.regrets(state, seen)
        action = choose(state, player, regrets)
        steps.append(JudgedStep(player, state, action, regrets))
        return action

    def chosen(state: Any, turn: Any, side: int) -> Any:
        if isinstance(turn, Both):
            return decided(state, 1, 1), decided(state, 2, 2)
        return decided(state, side if choosing(turn)[0] == 1 else 3 - side, 1)

    result = played(look.game, chosen, draw)
    return steps, result


def optimally(look: Lookahead, draw: Random) -> Player:
    """Return the player who takes the first best choice, or draws from the optimal strategy."""

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        if isinstance(turn_of(look.game, state), Both):
            return drawn(look.mixtures(state)[player - 1], draw)
        return next(iter(regrets))

    return choose


class Words(NamedTuple):
    """How a game is shown to a person: its states, its choices, and choices made without asking.

    Choices are listed in the order of `order`. `unasked` describes a choice of the other player, or
    the only available choice, by player, state and action; if it is empty, nothing is shown.
    """

    intro: str = "You play first. "
    state: Callable[[Any], str] = str
    action: Callable[[Any, Any], str] = lambda state, action: str(action)
    unasked: Callable[[int, Any, Any], str] = lambda player, state, action: ""
    order: Callable[[Any], Any] = str


PLAIN = Words()


def person(other: Player, run: Run, words: Words = PLAIN, you: int = 1) -> Player:
    run.say(f"{words.intro}Choose an action by its number or its name.")

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        if player != you or len(regrets) == 1:
            action = other(state, player, regrets)
            if said := words.unasked(player, state, action):
                run.say(said)
            return action
        actions = sorted(regrets, key=words.order)
        shown = {action: words.action(state, action) for action in actions}
        run.say(f"\n{words.state(state)}")
        wide = len(str(len(actions)))
        for place, name in enumerate(shown.values(), 1):
            run.say(f"  {place:{wide}}  {name}")

        def read(line: str) -> Any:
            named = [a for a in actions if shown[a] == line]
            named = named or [a for a in actions if shown[a].startswith(line)]
            if line and not line.isdecimal() and len(named) == 1:
                return named[0]
            return actions[natural(line, "choice", least=1, most=len(actions)) - 1]

        action = run.choose("choice? ", read)
        lost, best = regrets[action], shown[next(iter(regrets))]
        said = "That was best." if not lost.upper else "That may be best, within the bounds."
        run.say(said if not lost.lower else f"That cost {decimal(lost.lower, 6)}; best was {best}.")
        return action

    return choose


def played_by_seed(
    look: Lookahead, seed: int, run: Run | None, words: Words = PLAIN, you: int = 1
) -> tuple[list[JudgedStep], mpq]:
    """Play a game with the dice of a seed: optimally, or by a person if a run is given."""
    draw = Random(seed)  # noqa: S311 - dice of a game
    best = optimally(look, draw)
    return play(look, best if run is None else person(best, run, words, you), draw)


def total_regret(steps: Iterable[JudgedStep], player: int = 1) -> Enclosure:
    return sum((step.regret for step in steps if step.player == player), _NOTHING)


def play_report(look: Lookahead, seed: int, run: Run | None) -> Report:
    return steps_report(*played_by_seed(look, seed, run), seed)


def steps_report(steps: list[JudgedStep], result: mpq, seed: int) -> Report:
    columns = [
        whole("player", "player who chose; 1 begins"),
        text_column("state", "state of the choice"),
        text_column("action", "choice"),
        column_for([step.regret for step in steps])("regret", "loss against the best choice"),
        text_column("best", "best choice"),
    ]
    rows = [
        (step.player, named(step.state), named(step.action), step.regret, named(step.best))
        for step in steps
    ]
    quantities = [
        Quantity(exact("result", "total of the first player"), result),
        Quantity.of("lost", "regrets of the first player", total_regret(steps)),
        Quantity(whole("seed", "seed of the dice"), seed),
    ]
    return Report("A game played", quantities, [Table("decisions", "Choices", columns, rows)])
