"""Games that are played to their end against best play: their values, and their words.

Values come from the rules and an answer, as in the book (`exactdice.book.playing`), and so do the
costs of choices; luck plays no part in these. What stands here of a game is how it looks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.book import PAGES
from exactdice.book.playing import ADVICE, Lookahead, optimally, play
from exactdice.enclosure import Enclosure
from exactdice.errors import InputError, Unquoted
from exactdice.games.fatestones import model as fatestones
from exactdice.games.fatestones.rules import deal, encode_die, encode_hand
from exactdice.games.reroll import exact as reroll
from exactdice.games.reroll.rules import Rules
from exactdice.games.swe import model as swe
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD
from exactdice.models import optimum
from exactdice.run import Run

KEYS = "0123456789abcdefghijklmnopqrstuvwxyz"  # what stands for a choice in an address
_ROUNDS = 10  # of the software-engineering game
_REROLL = Rules()


@dataclass(frozen=True)
class Step:
    """A choice: of whom, where, which, and what each would lose."""

    player: int
    state: Any
    action: Any
    regrets: Mapping[Any, Enclosure]


def _as_it_is(_state: Any, action: Any) -> str:
    return str(action)


def _nothing(_step: Step, _later: Any) -> str:
    return ""


@dataclass(frozen=True)
class Match:
    """A game that can be played.

    `look` makes its values, with dice where hands are dealt; `shows` what stands on the table in a
    state, dice under ``dice``; `calls` a choice; `said` what came of a step, given the state after
    it, None at the end.
    """

    title: str
    asks: str  # what a cost is counted in: "points", a "chance" or an "edge"
    look: Callable[[Run, Random], Lookahead]
    shows: Callable[[Any], Mapping[str, str]]
    calls: Callable[[Any, Any], str] = _as_it_is
    said: Callable[[Step, Any], str] = _nothing
    forced: tuple[Any, ...] = ()  # choices that are no choice, and taken by themselves
    is_dealt: bool = False  # whether its values are of the hands that are dealt
    known: list[Lookahead] = field(default_factory=list)  # values that were found before

    def look_up(self, run: Run, draw: Random) -> Lookahead:
        """Its values, found once where they are the same each time."""
        if self.is_dealt:
            return self.look(run, draw)
        if not self.known:
            self.known.append(self.look(run, draw))
        return self.known[0]

    def told(self, value: Enclosure) -> Enclosure:
        """A value as players count it."""
        return (1 + value) / 2 if self.asks == "chance" else value

    def end(self, result: mpq) -> str:
        """How a game has ended."""
        if self.asks == "points":
            return f"You have {text(result)} points"
        return "You have won" if result > 0 else "You have lost" if result else "Nobody has won"


class _OpenError(Exception):
    """The next choice has not been made."""


def followed(
    match: Match, look: Lookahead, draw: Random, keys: str
) -> tuple[list[Step], Any, mpq | None]:
    """Play as the keys say: all steps, and the state that waits for a choice or what is received.

    Raises InputError for a key that stands for no choice.
    """
    steps: list[Step] = []
    left, other, waiting = list(keys), optimally(look, draw), None

    def choose(state: Any, player: int, regrets: Mapping[Any, Enclosure]) -> Any:
        nonlocal waiting
        action = next(iter(regrets))
        if player == 2:
            action = other(state, player, regrets)
        elif action not in match.forced:
            if not left:
                waiting = state
                raise _OpenError
            action = _chosen(list(look.choices(state)), len(keys) - len(left), left.pop(0))
        steps.append(Step(player, state, action, regrets))
        return action

    try:
        result = play(look, choose, draw)[1]
    except _OpenError:
        return steps, waiting, None
    if left:
        _chosen([], len(keys) - len(left), left[0])
    return steps, None, result


def _chosen(actions: list[Any], before: int, key: str) -> Any:
    place = KEYS.find(key)
    if 0 <= place < len(actions):
        return actions[place]
    got = Unquoted(f"{key!r} as choice {before + 1}")
    raise InputError("choices", got, "the choices of a game that was played here")


def _of_book(page: str, variant: str) -> Callable[[Run, Random], Lookahead]:
    def look(run: Run, _draw: Random) -> Lookahead:
        rules = PAGES[page].variant(variant)
        return Lookahead.into(
            rules, rules.answer(run, ADVICE if rules.takes != "a second" else None)
        )

    return look


def _of_reroll(_run: Run, _draw: Random) -> Lookahead:
    best = optimum(reroll.as_game(_REROLL).explored())
    return Lookahead(best.model.game, best.enclosure, best)


def _of_swe(_run: Run, _draw: Random) -> Lookahead:
    solution = solve(_ROUNDS)
    return Lookahead(swe.as_game(_ROUNDS), lambda at: Enclosure.of(solution.value_at(*at)))


def _of_duel(_run: Run, draw: Random) -> Lookahead:
    best = optimum(fatestones.as_game(*deal(draw)))
    return Lookahead(best.model.game, best.enclosure, best)


def _race(state: Any) -> Mapping[str, str]:
    return dict(zip(("you", "opponent", "this turn"), map(text, state), strict=True))


def _rolled(step: Step, later: Any) -> str:
    who = "you" if step.player == 1 else "the opponent"
    if later is None:
        return f"{who} came to the target"
    before, (player, after) = step.state, later
    if player == step.player:
        return f"{who} rolled {after[2] - before[2]}"
    return f"{who} {f'held {before[2]}' if step.action == 'hold' else 'rolled a 1'}"


def _holds(roll: Any, action: Any) -> str:
    if len(action) == len(roll):
        return f"stick, for {text(_REROLL.stick_score(roll))} points"
    held = " ".join(str(roll[place]) for place in action)
    return f"hold {held}" if held else "roll all again"


def _rerolled(step: Step, later: Any) -> str:
    is_roll = later and step.action == "roll" and len(later[1]) == _REROLL.dice
    return f"you rolled {' '.join(map(str, later[1]))}" if is_roll else ""


def _rounds(moment: Any) -> Mapping[str, str]:
    (revenue, legacy, score), left = moment

    def dice(pool: tuple[int, ...]) -> str:
        counted = zip(pool, STANDARD, strict=True)
        return " ".join(f"d{faces}" for number, faces in counted for _ in range(number)) or "none"

    return {"round": f"{_ROUNDS + 1 - left} of {_ROUNDS}", "score": text(score),
            "revenue": dice(revenue), "legacy": dice(legacy)}  # fmt: skip


def _does(_moment: Any, action: str) -> str:
    kind, _, rung = action.partition(" ")
    return f"{kind} d{STANDARD[int(rung or 0)]}"


def _failed(step: Step, later: Any) -> str:
    if later is None:
        return ""
    (before, _), (_, (after, _)) = step.state, later
    failed = sum(after.legacy) - sum(before.legacy) + step.action.startswith("fix")
    how = f"{failed} of the dice failed" if failed else "no die failed"
    how = how if any(after.revenue) else "every die failed: a catastrophe"
    return f"{how}; the score is {after.score}"


def _hands(hands: Any) -> Mapping[str, str]:
    return dict(zip(("your dice", "the opponent's"), map(encode_hand, hands), strict=True))


def _dueled(step: Step, later: Any) -> str:
    if step.player == 1:
        return ""
    die = encode_die(step.state[1][step.action])
    return f"the opponent rolled {die}{': a tie' if later else ''}"


def _sheet(state: Any) -> Mapping[str, str]:
    boxes, upper, _, dice, left = state
    return {"dice": " ".join(map(str, dice)), "rolls left": text(left),
            "points of the upper boxes": text(upper), "open boxes": ", ".join(boxes)}  # fmt: skip


def _keeps(state: Any, action: Any) -> str:
    if isinstance(action, str):
        return f"write into {action}"
    kept = " ".join(map(str, action))
    return "roll all again" if not kept else "keep all" if action == state[3] else f"keep {kept}"


def _thrown(_step: Step, later: Any) -> str:
    return f"you rolled {' '.join(map(str, later[1][3]))}" if later else ""


#: What can be played, by its name in addresses.
MATCHES: Mapping[str, Match] = {
    "pig-20": Match("Pig to 20", "chance", _of_book("pig", "pig-20"), _race, said=_rolled),
    "pig": Match("Pig to 100 (half a minute to solve)", "chance", _of_book("pig", "pig"), _race,
                 said=_rolled),
    "two-dice-15": Match("Two-dice Pig to 15", "chance", _of_book("pig", "two-dice-15"), _race,
                         said=_rolled),
    "reroll": Match("Reroll", "points", _of_reroll, lambda roll: {"dice": " ".join(map(str, roll))},
                    _holds, _rerolled, ("roll",)),
    "swe-10": Match("SWE, ten rounds", "points", _of_swe, _rounds, _does, _failed),
    "yahtzee": Match("Yahtzee (half a minute to solve)", "points", _of_book("yahtzee", "free"),
                     _sheet, _keeps, _thrown),
    "fatestones": Match("FateStones, a duel", "edge", _of_duel, _hands,
                        lambda hands, place: f"roll {encode_die(hands[0][place])}", _dueled,
                        is_dealt=True),
}  # fmt: skip
