"""Games against best play, to the end: one address holds the seed of the dice and all choices.

So a game can be looked at again, and somebody else can try the same seed.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from random import Random, SystemRandom
from typing import Any, cast
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from exactdice.arithmetic import mpq, natural
from exactdice.enclosure import Enclosure
from exactdice.errors import one_named
from exactdice.question import Question, argument, option
from exactdice.question.domains import Text, Whole
from exactdice.report.model import Quantity, Report, Table, enclosed, text_column, whole
from exactdice.run import Run
from exactdice.web.numbers import amount, exactly, percent, points
from exactdice.web.play.matches import KEYS, MATCHES, followed
from exactdice.web.play.model import Headline, PlayPage, played, value_in


@dataclass(frozen=True)
class PlayedMatch(Question, command="against"):
    """A game as far as it has been played."""

    game: str = argument(Text(*MATCHES), "The game.")
    _: KW_ONLY
    seed: int = option(Whole(), "Seed of the dice.", default=0)
    choices: str | None = option(Text(), "What was chosen, a character a choice.")

    def report(self, run: Run) -> Report:
        """Play it again, and judge every choice."""
        match, draw = MATCHES[self.game], Random(self.seed)  # noqa: S311 - dice of a game
        look = match.look_up(run, draw)
        steps, state, result = followed(match, look, draw, self.choices or "")
        moments = [*((step.player, step.state) for step in steps), state and (1, state)]
        decisions: list[tuple[Any, ...]] = []
        for step, after in zip(steps, moments[1:], strict=True):
            if step.player == 1 and step.action not in match.forced:
                took, best = (match.calls(step.state, action)
                              for action in (step.action, next(iter(step.regrets))))  # fmt: skip
                cost = step.regrets[step.action]
                decisions.append((len(decisions) + 1, took, cost, best, []))
            if decisions and (said := match.said(step, after)):
                decisions[-1][4].append(said)
        total = sum((one[2] for one in decisions), Enclosure.of(0))
        regrets = look.regrets(state) if state is not None else {}
        options = [
            (match.calls(state, action), match.as_asked(worth), regrets[action])
            for action, worth in (look.choices(state).items() if regrets else ())
        ]
        return Report(
            match.title.partition(" (")[0],
            [
                Quantity(enclosed("value", "what all choices have cost"), total),
                Quantity(text_column("asks", "what that is counted in"), match.asks),
                Quantity(text_column("result", "how it ended"),
                         "open" if result is None else match.end(result)),
            ],
            [
                Table("board", "On the table", _BOARD,
                      list(match.shows(state, steps).items()) if regrets else []),
                Table("options", "What may be done", _OPTIONS, options),
                Table("decisions", "What was chosen", _DECISIONS,
                      [(*one, "; ".join(happened)) for *one, happened in decisions]),
            ],
        )  # fmt: skip


_BOARD = [text_column("what", "what it is"), text_column("shows", "what stands there")]
_OPTIONS = [
    text_column("option", "what may be done"),
    enclosed("value", "what it is worth"),
    enclosed("regret", "how much less than the best"),
]
_DECISIONS = [
    whole("number", "which choice"),
    text_column("choice", "what was chosen"),
    enclosed("regret", "what it cost"),
    text_column("best", "what was best"),
    text_column("happened", "what happened then"),
]


async def _show(request: Request) -> Response:
    game = value_in(request, "game", next(iter(MATCHES)))
    seed, choices = value_in(request, "seed"), value_in(request, "choices")
    hint = value_in(request, "hint")
    if not seed and game in MATCHES:
        drawn = {"game": game, "seed": SystemRandom().randrange(10**6)}
        hinted = {"hint": hint} if hint else {}
        return RedirectResponse(f"{request.url.path}?{urlencode(drawn | hinted)}", 303)

    def address(more: str = "", *, hints: str = hint) -> str:
        fields = {"game": game, "seed": seed, "choices": choices + more, "hint": hints}
        kept = {name: value for name, value in fields.items() if value}
        return f"/play/against?{urlencode(kept)}"

    def ask() -> list[Question]:
        one_named(MATCHES, game, "game")
        return [PlayedMatch(game=game, seed=natural(seed, "seed"), choices=choices or None)]

    def show(match: Report) -> dict[str, Any]:
        is_counted = match.value("asks") == "points"

        def cost(lost: Any) -> str:  # of what may be best as far as bounds tell, nothing
            known = lost if Enclosure.of(lost).lower else 0
            return amount(known) if is_counted else percent(known, 2)

        decisions: list[Any] = list(match.table("decisions").rows)
        options: list[Any] = list(match.table("options").rows)
        board = dict(cast("list[tuple[str, str]]", match.table("board").rows))
        total, result = match.value("value"), str(match.value("result"))
        counted = {"points": "points", "chance": "of your chance to win",
                   "edge": "of your edge"}[str(match.value("asks"))]  # fmt: skip
        many = f"{len(decisions)} choice{'s' if len(decisions) > 1 else ''}"
        sentence = f"{counted} given away in {many} of {match.title}"
        if result != "open":
            sentence += f". {result}"
        worst = max((Enclosure.of(one[2]).middle for one in options), default=mpq(0))
        shown = [{"key": str(number + 1) if number < 9 else "", "does": does,
                  "address": address(KEYS[number]), "regret": cost(regret),
                  "value": points(value) if is_counted else percent(value, 2),
                  "is_best": Enclosure.of(regret).lower == 0, "is_even": not worst}
                 for number, (does, value, regret) in enumerate(options)]  # fmt: skip
        return {
            "headline": Headline(cost(total), sentence, exactly(total)) if decisions else None,
            "result": "" if result == "open" else result,
            "dice": board.pop("dice", "").split(),
            "board": board.items(),
            "last": _said(decisions[-1], cost) if decisions else None,
            "options": shown,
            "decisions": [_said(one, cost) for one in reversed(decisions)],
            "hints": address(hints="" if hint else "1"),
            "again": f"/play/against?{urlencode({'game': game, 'seed': seed})}",
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


AGAINST = PlayPage(
    "/play/against",
    "Play",
    "Play against the best",
    "Pig, Reroll, SWE, Yahtzee or FateStones to the end; every choice is judged exactly.",
    _show,
)
