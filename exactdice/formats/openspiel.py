r"""Games of OpenSpiel: read from its library state by state, and best actions handed back.

A game must be one of perfect information in which players take turns, for one player or two of whom
one receives what the other pays, with the chances of all lots listed and payoffs at the end alone.
Chances and payoffs are doubles there. The fraction of least denominator so near to a double that
rounding explains the rest is taken for it; the chances of a lot must sum to exactly 1.

A state is known by a key, its text unless said otherwise. States of one key are taken for one
state: where the text leaves something out that matters, as how many moves were made, the key must
have it. Of two that come with one key players, actions, chances and payoffs are compared.

>>> recovered(1 / 3, 10_000, "chance")
mpq(1,3)
>>> recovered(0.1234567891, 100, "chance")
Traceback (most recent call last):
exactdice.errors.InputError: chance: got 0.1234567891; expected a fraction of denominator at most 100
"""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any

from exactdice.arithmetic import mpq, natural, rational, to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError, MissingExtraError, Unquoted
from exactdice.solve.game import Game, ModelError
from exactdice.solve.optimum import Optimum
from exactdice.solve.turns import Chance, Choice, End, Turn, point_mass

__all__ = ["from_openspiel", "openspiel_action"]

_ROUNDING = mpq(1, 1 << 50)  # four roundings of a double


def from_openspiel(
    game: Any, *, key: Callable[[Any], Hashable] = str, most_denominator: int = 10_000
) -> Game[Any]:
    """Read a game of OpenSpiel.

    Parameters
    ----------
    game
        A name with parameters, as ``"pig(winscore=20)"``, a ``pyspiel.Game``, or a
        ``pyspiel.State`` to begin with.
    key
        What tells states apart; a state of the game that comes of it. ``lambda state:
        tuple(state.history())`` for the whole tree.
    most_denominator
        Of the fractions that chances and payoffs may be.

    Returns
    -------
    Game
        Whose actions are named by OpenSpiel's words for them; values are player 0's.

    Raises
    ------
    MissingExtraError
        If OpenSpiel is not installed.
    InputError
        If it has no such game, or the game is of another kind.
    """
    start = _start(game)
    most = natural(most_denominator, "most_denominator", least=1)
    kept = {key(start): start}

    def after(state: Any, action: int) -> Hashable:
        next_state = state.child(action)
        name = key(next_state)
        before = kept.setdefault(name, next_state)
        if before is not next_state and _face(before) != _face(next_state):
            raise ModelError(f"two states have the key {name!r}; give a key that tells them apart")
        return name

    def moves(name: Hashable) -> Any:
        state = kept[name]
        if state.is_terminal():
            return End(recovered(state.returns()[0], most, "payoff"))
        if state.is_chance_node():
            chances: dict[Hashable, mpq] = {}
            for action, chance in state.chance_outcomes():
                reached = after(state, action)
                share = recovered(chance, most, "chance")
                chances[reached] = chances.get(reached, mpq(0)) + share
            return Chance(0, Distribution.from_probabilities(chances))
        player = state.current_player()
        return Turn(
            player + 1,
            [
                Choice(state.action_to_string(player, a), 0, point_mass(after(state, a)))
                for a in state.legal_actions()
            ],
        )

    return Game(key(start), moves)


def openspiel_action(
    best: Optimum[Any], state: Any, *, key: Callable[[Any], Hashable] = str
) -> int:
    """The number of a best action in a ``pyspiel.State``, by an answer to a question.

    Raises
    ------
    InputError
        If nobody chooses there, or play by the rules does not come to it.
    """
    name, player = best.action(key(state)), state.current_player()
    for action in state.legal_actions():
        if player >= 0 and state.action_to_string(player, action) == name:
            return int(action)
    raise InputError("state", Unquoted(repr(str(state))), "a state in which somebody chooses")


@lru_cache(maxsize=4096)
def recovered(number: Any, most: int, name: str) -> mpq:
    """The fraction of which a double is a rounded value."""
    exact = mpq(number)
    fraction = rational(to_fraction(exact).limit_denominator(most))
    if abs(fraction - exact) > _ROUNDING * max(abs(exact), mpq(1, most)):
        raise InputError(name, number, f"a fraction of denominator at most {most}")
    return fraction


def _face(state: Any) -> Any:
    """What two states have in common that are one."""
    if state.is_terminal():
        return state.returns()
    chances = state.chance_outcomes() if state.is_chance_node() else None
    return state.current_player(), state.legal_actions(), chances


def loaded(game: Any) -> tuple[Any, Any]:
    """Return OpenSpiel's library, and the game that a name stands for; what is no name stays."""
    try:
        import pyspiel
    except ImportError as problem:
        raise MissingExtraError.of("games of OpenSpiel", "pyspiel", "openspiel") from problem
    if isinstance(game, str):
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as wrong:
            raise InputError("game", game, f"a game of OpenSpiel ({wrong})") from None
    return pyspiel, game


def _start(game: Any) -> Any:
    pyspiel, game = loaded(game)
    start = game.new_initial_state() if isinstance(game, pyspiel.Game) else game
    if not isinstance(start, pyspiel.State):
        raise InputError("game", game, "a name, a pyspiel.Game or a pyspiel.State")
    kind, is_alone = start.get_game().get_type(), start.num_players() == 1
    is_of_two = start.num_players() == 2 and kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    is_seen = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    checks = {
        "perfect information": is_seen,
        "one player, or two of whom one pays the other": is_alone or is_of_two,
    }
    require_kind(pyspiel, kind, checks)
    return start


def require_kind(pyspiel: Any, kind: Any, checks: Mapping[str, bool]) -> None:
    """Refuse a type of game whose lots and payoffs are not listed, or where a check fails."""
    general = {
        "players who take turns": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
        "listed chances": kind.chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        "payoffs at the end": kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL,
    }
    for wanted, holds in {**general, **checks}.items():
        if not holds:
            raise InputError("game", Unquoted(kind.short_name), f"a game with {wanted}")
