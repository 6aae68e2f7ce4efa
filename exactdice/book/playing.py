"""Advice in a state of a variant, and its policy as a file; both by `exactdice.solve.play`.

The *regret* of a choice is the value lost by it under optimal play afterwards; if the value is a
probability of winning, so is the regret. With simultaneous moves, a choice is compared against the
opponent's optimal mixed strategy.
"""

import ast
import csv
import io
from collections.abc import Iterator
from typing import Any

from exactdice.arithmetic import mpq, text
from exactdice.book.page import PageAnswer, Variant
from exactdice.errors import InputError, Unquoted
from exactdice.hidden.reports import bracket_report
from exactdice.models import Both, Game, Model
from exactdice.report.model import Quantity, Report, Table, column_for, exact, text_column, whole
from exactdice.solve.play import Lookahead
from exactdice.solve.turns import named, ordered
from exactdice.solve.variants import choosing, turn_of

#: Width of values from which the values of other states are computed.
ADVICE = mpq(1, 10**9)


def lookahead(variant: Variant, answer: PageAnswer) -> Lookahead:
    game = variant.game()
    if answer.at is None or not isinstance(game, Game):
        got = Unquoted("the value of the first state only")
        raise InputError("answer", got, "a game that is solved for all states")
    scale = mpq(1, 2) if variant.wins else mpq(1)
    scale = -scale if variant.least else scale
    return Lookahead(game, answer.at, answer.optimum, scale)


def read_state(variant: Variant, written: str) -> Any:
    """Read a state, written as a policy lists it, and apply the rules to it.

    If states are not Python literals, such as those of a dataclass, return the text, which
    `advice_report` looks up among the reachable states. Raises InputError if it is no state.
    """
    game, state = variant.game(), None
    try:
        try:
            state = ast.literal_eval(written)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            state = written  # a text whose quotation marks the shell has removed
        if isinstance(game, Game):
            turn_of(game, state)
    except InputError:
        raise
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as problem:
        if state != written or variant.solve:
            raise InputError("state", written, _form(game)) from problem
    return state


def _form(game: Any) -> str:
    return f"a reachable state, in the format {getattr(game, 'initial', '')!r}"


def _met(model: Model[Any], state: Any) -> Any:
    try:
        model.number(state)
    except InputError:
        for known in model.states:
            if state in (repr(known), repr(ordered(known))):
                return known
        raise InputError("state", state, _form(model.game)) from None
    return state


def advice_report(variant: Variant, answer: PageAnswer, state: Any) -> Report:
    """Report the value of a state, and each choice's regret.

    Raises InputError if the state is known to be unreachable.
    """
    look = lookahead(variant, answer)
    if answer.optimum:
        state = _met(answer.optimum.model, state)
    value, both = variant.as_asked(look.worth(state)), isinstance(turn_of(look.game, state), Both)
    rows: list[tuple[Any, ...]] = []
    for player in (1, 2) if both else (1,):
        mixture = look.mixtures(state)[player - 1].probabilities() if both else {}
        for action, lost in look.regrets(state, player).items():
            rows.append((player, named(action), lost, mixture.get(action, mpq(0))))
    columns = [
        whole("player", "player who chooses"),
        text_column("action", "choice, best first"),
        column_for([row[2] for row in rows])("regret", "value lost compared with the best choice"),
        exact("probability", "probability of the choice in the optimal mixed strategy"),
    ]
    shown = slice(4) if both else slice(1, 3)
    table = Table("choices", "Choices", columns[shown], [row[shown] for row in rows])
    quantities = [
        Quantity.of("value", "value of the state for the player who moves", value),
        text_column("state", "state, as written in a policy")(repr(ordered(state))),
    ]
    return Report("Advice", quantities, [table] if rows else [])


def policy_text(variant: Variant, answer: PageAnswer) -> str:
    """Write the optimal choices and the value of every listed state, as CSV.

    With simultaneous moves, each action of each player's mixed strategy has a row.
    """
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    if answer.bracket:
        most = sum(side.sequences for side in answer.bracket.form.sides)
        for table in bracket_report(answer.bracket, most).tables:
            rows.writerow([table.name, *(column.name for column in table.columns)])
            rows.writerows([table.name, *map(str, row)] for row in table.rows)
        return lines.getvalue()
    if answer.listed is None:
        raise InputError("answer", Unquoted("an answer without states"), "one that lists states")
    look = lookahead(variant, answer)
    value = "value_at_least" if answer.value.point is None else "value"
    rows.writerow(["state", "player", "best", "probability", "ties", value])
    for state in answer.listed():
        worth = text(variant.as_asked(look.worth(state)).lower)
        rows.writerows([repr(ordered(state)), *best, worth] for best in _best(look, state))
    return lines.getvalue()


def _best(look: Lookahead, state: Any) -> Iterator[tuple[Any, ...]]:
    """Yield player, optimal action, its probability, and all optimal actions."""
    turn = turn_of(look.game, state)
    if isinstance(turn, Both):
        for player, mixture in enumerate(look.mixtures(state), 1):
            for action, share in mixture.probabilities().items():
                yield player, named(action), text(share), ""
    elif regrets := look.regrets(state):
        best = [named(action) for action, lost in regrets.items() if not lost.lower]
        yield choosing(turn)[0], best[0], 1, " | ".join(best)
    else:
        yield "", "", "", ""
