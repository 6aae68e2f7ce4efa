"""Games against optimal play; one address contains the seed of the dice and all choices.

So a game can be reviewed, and others can try the same seed. Values come from the rules and an
answer (`exactdice.solve.play`), and so do the costs of choices; luck plays no part in these. Here
are only the presentations of the games.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from itertools import product
from random import Random, SystemRandom
from typing import Any, cast
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from exactdice.arithmetic import mpq, natural, text
from exactdice.book import PAGES
from exactdice.book.questions import ADVICE, lookahead
from exactdice.dice import Distribution
from exactdice.enclosure import Enclosure, amount, exactly, percent, points
from exactdice.errors import InputError, Unquoted, one_named
from exactdice.games.fatestones import model as fatestones
from exactdice.games.fatestones.rules import Hand, deal, encode_die, encode_hand, outcome, without
from exactdice.games.reroll import exact as reroll
from exactdice.games.reroll.rules import RerollRules
from exactdice.games.swe import model as swe
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD
from exactdice.models import Both, Choice, Game, Moves, optimum, point_mass
from exactdice.question import Question, argument, option
from exactdice.question.domains import Text, Whole
from exactdice.report import model
from exactdice.report.eyes import Headline
from exactdice.report.model import Report, Table, enclosed, exact, number, text_column, whole
from exactdice.run import Run
from exactdice.solve.game import turn_of
from exactdice.solve.play import JudgedStep, Lookahead, optimally, play
from exactdice.solve.turns import End, choosing
from exactdice.web.pieces import lines, plain
from exactdice.web.play.model import PlayPage, played, value_in

KEYS = "0123456789abcdefghijklmnopqrstuvwxyz"  # each a choice in an address
_ROUNDS = 10  # of the software-engineering game
_DUELS = 5  # of FateStones, one after another
_REROLL = RerollRules()


@dataclass(frozen=True)
class Match:
    """A game that can be played.

    `look` solves it, for the dealt hands if there are any; `shows` presents a state after all
    steps, with dice under ``dice``; `calls` names a choice; `said` describes a step, given the
    state after it or None at the end.
    """

    title: str
    asks: str  # unit of a cost: "points", "chance" or "edge"
    look: Callable[[Run, Random], Lookahead]
    shows: Callable[[Any, Sequence[JudgedStep]], Mapping[str, str]]
    calls: Callable[[Any, Any], str] = lambda _state, action: str(action)
    said: Callable[[JudgedStep, Any], str] = lambda _step, _later: ""
    forced: tuple[Any, ...] = ()  # actions that are taken automatically
    is_dealt: bool = False  # whether its values depend on the dealt hands
    known: list[Lookahead] = field(default_factory=list)  # the solution, once computed

    def look_up(self, run: Run, draw: Random) -> Lookahead:
        if self.is_dealt:
            return self.look(run, draw)
        if not self.known:
            self.known.append(self.look(run, draw))
        return self.known[0]

    def as_asked(self, value: Enclosure) -> Enclosure:
        return (1 + value) / 2 if self.asks == "chance" else value

    def end(self, result: mpq) -> str:
        if self.asks == "points":
            return f"You have {text(result)} points"
        if self.asks == "edge":
            many = f"{text(abs(result))} {'more' if result > 0 else 'fewer'} duels than"
            return f"You won {many if result else 'as many duels as'} the opponent"
        return "You have won" if result > 0 else "You have lost" if result else "Nobody has won"


class _OpenError(Exception):
    """The next choice has not been made."""


def followed(
    match: Match, look: Lookahead, draw: Random, keys: str
) -> tuple[list[JudgedStep], Any, mpq | None]:
    """Replay choices: all steps, and the state that waits for a choice or the result."""
    steps: list[JudgedStep] = []
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
        steps.append(JudgedStep(player, state, action, regrets))
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
    raise InputError("choices", got, "a valid choice of this game")


def _of_book(page: str, variant: str) -> Callable[[Run, Random], Lookahead]:
    def look(run: Run, _draw: Random) -> Lookahead:
        rules = PAGES[page].variant(variant)
        return lookahead(rules, rules.answer(run, ADVICE if rules.takes != "a second" else None))

    return look


class _Duels(Lookahead):
    """Successive duels; a state is (number of the duel, both hands), then also both faces."""

    def __init__(self, hands: Sequence[tuple[Hand, Hand]]) -> None:
        self._hands = hands
        self._best = [optimum(fatestones.as_game(*pair)) for pair in hands]
        super().__init__(Game((0, *hands[0]), self._moves), self._known)

    def _moves(self, state: Any) -> Moves:
        if state is None:
            return None
        number, row, column, *faces = state
        if not faces:
            return Both({(i, j): self._rolled(state, i, j)
                         for i, j in product(range(len(row)), range(len(column)))})  # fmt: skip
        won, later = outcome(*faces), number + 1
        after = state[:3] if row and not won else None
        if after is None and later < len(self._hands):
            after = (later, *self._hands[later])
        return [Choice("on", won, point_mass(after))]

    def _rolled(self, state: Any, i: int, j: int) -> Distribution[Any]:
        number, row, column = state
        left = number, without(row, i), without(column, j)
        return Distribution(Counter((*left, *faces) for faces in product(row[i], column[j])))

    def _known(self, state: Any) -> Enclosure | None:
        if state is None:
            return Enclosure.of(0)
        if len(state) > 3:
            return None
        values = [one.value for one in self._best[state[0] + 1 :]]
        return Enclosure.of(sum(values, self._best[state[0]].value_of(state[1:])))

    def mixtures(self, state: Any) -> Any:
        return self._best[state[0]].action(state[1:])


def _race(state: Any, _steps: Sequence[JudgedStep]) -> Mapping[str, str]:
    return dict(zip(("you", "opponent", "this turn"), map(text, state), strict=True))


def _rolled(step: JudgedStep, later: Any) -> str:
    who = "you" if step.player == 1 else "the opponent"
    if later is None:
        return f"{who} reached the target"
    before, (player, after) = step.state, later
    if player == step.player:
        return f"{who} rolled {after[2] - before[2]}"
    return f"{who} {f'held {before[2]}' if step.action == 'hold' else 'rolled a 1'}"


def _paid(roll: Any, steps: Sequence[JudgedStep]) -> Mapping[str, str]:
    rerolls = sum(step.action != "roll" for step in steps)
    return {"dice": " ".join(map(str, roll)), "paid so far": text(rerolls * _REROLL.penalty)}


def _rerolled(step: JudgedStep, later: Any) -> str:
    is_roll = later and step.action == "roll" and len(later[1]) == _REROLL.dice
    return f"you rolled {' '.join(map(str, later[1]))}" if is_roll else ""


def _rounds(moment: Any, _steps: Sequence[JudgedStep]) -> Mapping[str, str]:
    (revenue, legacy, score), left = moment

    def dice(pool: tuple[int, ...]) -> str:
        counted = zip(pool, STANDARD, strict=True)
        return " ".join(f"d{faces}" for number, faces in counted for _ in range(number)) or "none"

    return {"round": f"{_ROUNDS + 1 - left} of {_ROUNDS}", "score": text(score),
            "revenue": dice(revenue), "legacy": dice(legacy)}  # fmt: skip


def _failed(step: JudgedStep, later: Any) -> str:
    if later is None:
        return ""
    (before, _), (_, (after, _)) = step.state, later
    failed = sum(after.legacy) - sum(before.legacy) + step.action.startswith("fix")
    how = f"{failed} of the dice failed" if failed else "no die failed"
    how = how if any(after.revenue) else "every die failed: a catastrophe"
    return f"{how}; the score is {after.score}"


def _duel(state: Any, steps: Sequence[JudgedStep]) -> Mapping[str, str]:
    number, *hands = state
    ended = Counter(outcome(*step.state[3:]) for step in steps if step.action == "on")
    mine, theirs = (encode_hand(hand).replace(",", " ") for hand in hands)
    return {"duel": f"{number + 1} of {_DUELS}", "won": text(ended[1]), "lost": text(ended[-1]),
            "your dice": mine, "the opponent's": theirs}  # fmt: skip


def _dueled(step: JudgedStep, later: Any) -> str:
    if step.player == 1:
        return ""
    _, row, _, mine, theirs = later[1]
    tie = "a tie, both dice are out" if row else "a tie, and no dice are left: a scratch"
    how = {1: "you have won the duel", -1: "the opponent has won the duel", 0: tie}
    die = encode_die(step.state[2][step.action])
    return f"you rolled {mine}, the opponent {theirs} with {die}: {how[outcome(mine, theirs)]}"


def _sheet(state: Any, _steps: Sequence[JudgedStep]) -> Mapping[str, str]:
    boxes, upper, _, dice, left = state
    return {"dice": " ".join(map(str, dice)), "rolls left": text(left),
            "points of the upper boxes": text(upper), "open boxes": ", ".join(boxes)}  # fmt: skip


def _keeps(state: Any, action: Any) -> str:
    if isinstance(action, str):
        return f"write into {action}"
    kept = " ".join(map(str, action))
    return "roll all again" if not kept else "keep all" if action == state[3] else f"keep {kept}"


def _thrown(_step: JudgedStep, later: Any) -> str:
    return f"you rolled {' '.join(map(str, later[1][3]))}" if later else ""


#: Games by their names in addresses.
MATCHES: Mapping[str, Match] = {
    "pig-20": Match("Pig to 20", "chance", _of_book("pig", "pig-20"), _race, said=_rolled),
    "pig": Match("Pig to 100 (half a minute to solve)", "chance", _of_book("pig", "pig"), _race,
                 said=_rolled),
    "two-dice-15": Match("Two-dice Pig to 15", "chance", _of_book("pig", "two-dice-15"), _race,
                         said=_rolled),
    "reroll": Match("Reroll", "points",
                    lambda _run, _draw: reroll.lookahead(reroll.solve(_REROLL)), _paid,
                    partial(reroll.action_text, _REROLL), _rerolled, ("roll",)),
    "swe-10": Match("SWE, ten rounds", "points",
                     lambda _run, _draw: swe.lookahead(solve(_ROUNDS)), _rounds,
                     lambda _moment, action: swe.action_text(action), _failed),
    "yahtzee": Match("Yahtzee (a minute to solve)", "points", _of_book("yahtzee", "free"),
                     _sheet, _keeps, _thrown),
    "fatestones": Match("FateStones, five duels", "edge",
                        lambda _, draw: _Duels([deal(draw) for _ in range(_DUELS)]), _duel,
                        lambda state, place: f"roll {encode_die(state[1][place])}", _dueled,
                        ("on",), is_dealt=True),
}  # fmt: skip


class PlayedMatch(Question, command="against", takes=""):
    """A game so far."""

    game: str = argument(Text(*MATCHES), "The game.")
    _: KW_ONLY
    seed: int = option(Whole(), "Seed of the dice.", default=0)
    choices: str | None = option(Text(), "The choices, one character each.")
    why: int | None = option(Whole(), "The number of a choice, to compare with the best one.")

    def report(self, run: Run) -> Report:
        match, draw = MATCHES[self.game], Random(self.seed)  # noqa: S311 - dice of a game
        look = match.look_up(run, draw)
        steps, state, result = followed(match, look, draw, self.choices or "")
        moments = [*((step.player, step.state) for step in steps), state and (1, state)]
        decisions, compared = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
        title = "Points from this choice on"
        for step, after in zip(steps, moments[1:], strict=True):
            if step.player == 1 and step.action not in match.forced:
                both = step.best, step.action
                best, took = (match.calls(step.state, action) for action in both)
                decisions.append((len(decisions) + 1, took, step.regret, best, []))
                if len(decisions) == self.why and match.asks == "points" and took != best:
                    first = totals(look, step.state, both[0])
                    laws = [first, first and totals(look, step.state, both[1])]
                    if not all(laws):  # too many positions can follow
                        title = _NEXT
                        laws = [next_values(look, step.state, action) for action in both]
                    compared = [(total, name, chance)
                                for name, law in zip((best, took), laws, strict=True)
                                for total, chance in law]  # fmt: skip
            if decisions and (said := match.said(step, after)):
                decisions[-1][4].append(said)
        total = sum((one[2] for one in decisions), Enclosure.of(0))
        regrets = look.regrets(state) if state is not None else {}
        worths = look.choices(state) if regrets else {}
        options = [(match.calls(state, action), match.as_asked(worth), regrets[action])
                   for action, worth in worths.items()]  # fmt: skip
        return Report(
            match.title.partition(" (")[0],
            [
                model.Quantity(enclosed("value", "total loss of all choices"), total),
                model.Quantity(text_column("asks", "unit of the loss"), match.asks),
                model.Quantity(text_column("result", "result of the game"),
                         "open" if result is None else match.end(result)),
            ],
            [
                Table("board", "Position", _BOARD,
                      list(match.shows(state, steps).items()) if regrets else []),
                Table("options", "Possible choices", _OPTIONS, options),
                Table("decisions", "Your choices", _DECISIONS,
                      [(*one, "; ".join(happened)) for *one, happened in decisions]),
                Table("why", title, _WHY, compared),
            ],
        )  # fmt: skip


_MOST, _LATE = 2_000, mpq(1, 1000)
_NEXT = "Expected points from this choice on, once the next roll is known"


def totals(look: Lookahead, state: Any, action: Any) -> list[tuple[mpq, mpq]]:
    """Return the distribution of the points from a choice on, with optimal play afterwards.

    It lacks plays so long that they have a probability of a thousandth in all. It is empty if more
    than 2,000 positions can follow.
    """

    def after(here: Any, chosen: Any = None) -> Any:
        turn = turn_of(look.game, here)
        ways = choosing(turn)[1]
        chosen = next(iter(look.regrets(here))) if ways and chosen is None else chosen
        return next((way for way in ways if way.action == chosen), turn)

    begin: Any = object()  # the state may recur
    known, alive = {begin: after(state, action)}, {(begin, mpq(0)): mpq(1)}
    ended: defaultdict[mpq, mpq] = defaultdict(mpq)
    while sum(alive.values()) > _LATE:
        if len(known.keys() | {here for here, _ in alive}) > _MOST:
            return []
        later: defaultdict[Any, mpq] = defaultdict(mpq)
        for (here, total), chance in alive.items():
            if here not in known:
                known[here] = after(here)
            turn = known[here]
            if turn is None or isinstance(turn, End):
                ended[total + (turn.payoff if turn else 0)] += chance
                continue
            paid = total + (turn.reward if isinstance(turn, Choice) else 0)
            law = turn.successors if isinstance(turn, Choice) else turn
            for there, weight in law.items():
                later[there, paid] += chance * weight / law.denominator
        alive = later
    return sorted(ended.items())


def next_values(look: Lookahead, state: Any, action: Any) -> list[tuple[mpq, mpq]]:
    """Return the distribution of the points that are expected after the next roll from a choice on.

    They are rounded to whole numbers, halves up.
    """
    turn: Any = next(one for one in choosing(turn_of(look.game, state))[1] if one.action == action)
    paid, law = mpq(turn.reward), turn.successors
    while len(law) == 1 and isinstance(turn := turn_of(look.game, next(iter(law))), Distribution):
        law = turn
    found: defaultdict[mpq, mpq] = defaultdict(mpq)
    for there, weight in law.items():
        expected = paid + look.worth(there).middle
        found[mpq((expected + mpq(1, 2)) // 1)] += mpq(weight) / law.denominator
    return sorted(found.items())


_WHY = [exact("total", "points from the choice on"), text_column("choice", "first choice"),
        exact("probability", "probability of these points")]  # fmt: skip
_BOARD = [text_column("what", "part of the state"), text_column("shows", "its value")]
_LOST = enclosed("regret", "value lost compared with the best choice")
_OPTIONS = [text_column("option", "possible choice"), enclosed("value", "its value"), _LOST]
_DECISIONS = [whole("number", "number of the choice"), text_column("choice", "your choice"), _LOST,
              text_column("best", "best choice"),
              text_column("happened", "event after the choice")]  # fmt: skip


async def _show(request: Request) -> Response:
    game = value_in(request, "game", next(iter(MATCHES)))
    seed, choices = value_in(request, "seed"), value_in(request, "choices")
    hint, why = value_in(request, "hint"), value_in(request, "why")
    if not seed and game in MATCHES:
        drawn = {"game": game, "seed": SystemRandom().randrange(10**6)}
        hinted = {"hint": hint} if hint else {}
        return RedirectResponse(f"{request.url.path}?{urlencode(drawn | hinted)}", 303)

    def address(more: str = "", *, hints: str = hint, why: str = "") -> str:
        fields = {"game": game, "seed": seed, "choices": choices + more, "hint": hints, "why": why}
        kept = {name: value for name, value in fields.items() if value}
        return f"/play/against?{urlencode(kept)}"

    def ask() -> list[Question]:
        one_named(MATCHES, game, "game")
        numbered = natural(why, "why", least=1) if why else None
        return [
            PlayedMatch(game, seed=natural(seed, "seed"), choices=choices or None, why=numbered)
        ]

    def show(match: Report) -> dict[str, Any]:
        is_counted = match.value("asks") == "points"

        def cost(lost: Any) -> str:  # 0 if the bounds allow it to be optimal
            known = lost if Enclosure.of(lost).lower else 0
            return amount(known) if is_counted else percent(known, 2)

        decisions: list[Any] = list(match.table("decisions").rows)
        options: list[Any] = list(match.table("options").rows)
        board = dict(cast("list[tuple[str, str]]", match.table("board").rows))
        laws: dict[Any, dict[Any, mpq]] = {}
        title = match.table("why").title
        for points_won, first, chance in match.table("why").rows:
            laws.setdefault(first, {})[plain(points_won)] = number(chance)
        total, result = match.value("value"), str(match.value("result"))
        counted = {"points": "points", "chance": "of your chance to win",
                   "edge": "of your edge"}[str(match.value("asks"))]  # fmt: skip
        many = f"{len(decisions)} choice{'s' if len(decisions) > 1 else ''}"
        sentence = f"{counted} lost in {many} of {match.title}"
        if result != "open":
            sentence += f". {result}"
        worst = max((Enclosure.of(one[2]).middle for one in options), default=mpq(0))
        shown = [{"key": str(place + 1) if place < 9 else "", "does": does,
                  "address": address(KEYS[place]), "regret": cost(regret),
                  "value": points(value) if is_counted else percent(value, 2),
                  "is_best": Enclosure.of(regret).lower == 0, "is_even": not worst}
                 for place, (does, value, regret) in enumerate(options)]  # fmt: skip
        return {
            "headline": decisions and Headline(cost(total), sentence, exactly(total)),
            "result": "" if result == "open" else result,
            "dice": board.pop("dice", "").split(),
            "board": board.items(),
            "last": _said(decisions[-1], cost) if decisions else None,
            "options": shown,
            "decisions": [_said(one, cost) for one in reversed(decisions)],
            "hints": address(hints="" if hint else "1"),
            "again": f"/play/against?{urlencode({'game': game, 'seed': seed})}",
            "why": f"{address()}&why=" if is_counted else "",
            "compared": next((_said(one, cost) for one in decisions if text(one[0]) == why), None),
            "chart": lines(laws, title) if laws else None,
            "is_expected": title == _NEXT,
        }

    names = [(name, match.title) for name, match in MATCHES.items()]
    labels = {"seed": "Seed", "game": "Game", "choices": "Choices"}
    return await played(
        request, "against.html", ask, show, labels, game=game, names=names, seed=seed, hint=hint
    )


def _said(decision: Any, write: Callable[[Any], str]) -> dict[str, Any]:
    number, choice, regret, best, happened = decision
    is_best = Enclosure.of(regret).lower == 0
    return {"number": number, "choice": choice, "cost": write(regret), "is_best": is_best,
            "best": best, "happened": happened}  # fmt: skip


AGAINST = PlayPage("/play/against", "Play", "Play against optimal play",
                   "Pig, Reroll, SWE, Yahtzee or FateStones; the cost of every choice is exact.",
                   _show)  # fmt: skip
