"""Games of OpenSpiel with perfect information: read them, and return optimal actions.

Supported are sequential games of one player, or zero-sum games of two, with listed chance outcomes
and payoffs only at terminal states. OpenSpiel's probabilities and payoffs are doubles. Each is
replaced by the fraction of smallest denominator that explains it up to rounding; probabilities must
then sum to exactly 1.

States are identified by a key, by default their text. If the text omits something that matters,
such as the number of moves, pass another `key`. States with equal keys must agree in player,
actions, probabilities and payoffs.

>>> recovered(1 / 3, 10_000, "chance")
mpq(1,3)
>>> recovered(0.1234567891, 100, "chance")
Traceback (most recent call last):
exactdice.errors.InputError: chance: got 0.1234567891; expected a fraction with denominator ≤ 100
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

    `game` is a name with parameters, such as ``"pig(winscore=20)"``, a ``pyspiel.Game``, or a
    ``pyspiel.State`` to start from. `key` identifies a state, for example
    ``lambda state: tuple(state.history())`` for the whole tree. `most_denominator` is the largest
    denominator of probabilities and payoffs. Actions have OpenSpiel's names; values are those of
    player 0. Raises MissingExtraError if OpenSpiel is not installed, and InputError if there is no
    such game or it is not supported.
    """
    start = _start(game)
    most = natural(most_denominator, "most_denominator", least=1)
    kept = {key(start): start}

    def after(state: Any, action: int) -> Hashable:
        next_state = state.child(action)
        name = key(next_state)
        before = kept.setdefault(name, next_state)
        if before is not next_state and _face(before) != _face(next_state):
            raise ModelError(f"two states have the key {name!r}; pass another key function")
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
        names = [(a, state.action_to_string(player, a)) for a in state.legal_actions()]
        return Turn(player + 1, [Choice(name, 0, point_mass(after(state, a))) for a, name in names])

    return Game(key(start), moves)


def openspiel_action(
    best: Optimum[Any], state: Any, *, key: Callable[[Any], Hashable] = str
) -> int:
    """Return the number of an optimal action in a ``pyspiel.State``.

    Raises InputError if no player moves there, or the state is not reachable.
    """
    name, player = best.action(key(state)), state.current_player()
    for action in state.legal_actions():
        if player >= 0 and state.action_to_string(player, action) == name:
            return int(action)
    raise InputError("state", Unquoted(repr(str(state))), "a reachable state where a player moves")


@lru_cache(maxsize=4096)
def recovered(number: Any, most: int, name: str) -> mpq:
    """Return the fraction that a double was rounded from."""
    exact = mpq(number)
    fraction = rational(to_fraction(exact).limit_denominator(most))
    if abs(fraction - exact) > _ROUNDING * max(abs(exact), mpq(1, most)):
        raise InputError(name, number, f"a fraction with denominator ≤ {most}")
    return fraction


def _face(state: Any) -> Any:
    """Return the properties in which states with equal keys must agree."""
    if state.is_terminal():
        return state.returns()
    chances = state.chance_outcomes() if state.is_chance_node() else None
    return state.current_player(), state.legal_actions(), chances


def loaded(game: Any) -> tuple[Any, Any]:
    """Return OpenSpiel's library, and the game with this name; other values unchanged."""
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
        "one player, or two players and payoffs that sum to 0": is_alone or is_of_two,
    }
    require_kind(pyspiel, kind, checks)
    return start


def require_kind(pyspiel: Any, kind: Any, checks: Mapping[str, bool]) -> None:
    """Raise InputError for a type of game that is not listed and terminal, or fails a check."""
    general = {
        "sequential moves": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
        "listed chance outcomes": kind.chance_mode
        != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        "payoffs only at the end": kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL,
    }
    for wanted, holds in {**general, **checks}.items():
        if not holds:
            raise InputError("game", Unquoted(kind.short_name), f"a game with {wanted}")
