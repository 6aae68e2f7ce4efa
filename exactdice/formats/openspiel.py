"""Games of OpenSpiel, with perfect or hidden information, and its tabular policies.

Supported are games of one player, or zero-sum games of two who may move simultaneously, with listed
chance outcomes and payoffs only at terminal states. OpenSpiel's player 0 is the first player. Its
doubles are replaced by the fraction of smallest denominator that explains them up to rounding;
probabilities must then sum to exactly 1.

*Perfect information.* States are identified by a key, by default their text. If the text omits
something that matters, such as the number of moves, pass another `key`. States with equal keys must
agree in player, actions, probabilities and payoffs.

*Hidden information.* States are identified by their history; actions are OpenSpiel's numbers; a
player knows OpenSpiel's information state string, which must include all that the player knew and
did before. Of simultaneous moves, player 1's is second and cannot depend on the first. Policies are
read exactly; `tolerance` allows for sums that differ from 1. Solutions are written rounded.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any

from exactdice.arithmetic import mpq, natural, nearest_double, rational, to_fraction
from exactdice.dice import Distribution
from exactdice.errors import InputError, MissingExtraError, Unquoted
from exactdice.hidden.equilibrium import ValueBounds
from exactdice.hidden.game import HiddenGame
from exactdice.linked import linked
from exactdice.solve.game import Game, ModelError
from exactdice.solve.optimum import Optimum
from exactdice.solve.turns import Both, Chance, Choice, End, Turn, point_mass

__all__ = [
    "TreeNode",
    "from_openspiel",
    "hidden_from_openspiel",
    "openspiel_action",
    "openspiel_policy",
    "openspiel_strategy",
]

_ROUNDING = mpq(1, 1 << 50)  # four roundings of a double


def from_openspiel(
    game: Any, *, key: Callable[[Any], Hashable] = str, most_denominator: int = 10_000
) -> Game[Any]:
    """Read a game of OpenSpiel with perfect information.

    `game` is a name with parameters, such as ``"pig(winscore=20)"``, a ``pyspiel.Game``, or a
    ``pyspiel.State`` to start from. `key` identifies a state, for example
    ``lambda state: tuple(state.history())`` for the whole tree. `most_denominator` is the largest
    denominator of probabilities and payoffs. Actions have OpenSpiel's names; values are those of
    player 0. Raises MissingExtraError if OpenSpiel is not installed, and InputError if there is no
    such game or it is not supported.
    """
    pyspiel, game = _loaded(game)
    start = game.new_initial_state() if isinstance(game, pyspiel.Game) else game
    if not isinstance(start, pyspiel.State):
        raise InputError("game", game, "a name, a pyspiel.Game or a pyspiel.State")
    kind, known = start.get_game().get_type(), pyspiel.GameType.Information
    is_seen = kind.information in (known.PERFECT_INFORMATION, known.ONE_SHOT)
    is_alone = start.num_players() == 1
    is_of_two = start.num_players() == 2 and kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    either = "one player, or two players and payoffs that sum to 0"
    _require(pyspiel, kind, {"perfect information": is_seen, either: is_alone or is_of_two})
    most = natural(most_denominator, "most_denominator", least=1)
    kept = {key(start): start}

    def after(state: Any, *actions: int) -> Hashable:
        next_state = state.clone()
        next_state.apply_actions(actions) if len(actions) > 1 else next_state.apply_action(*actions)
        name = key(next_state)
        before = kept.setdefault(name, next_state)
        if before is not next_state and _face(before) != _face(next_state):
            raise ModelError(f"two states have the key {name!r}; pass another key function")
        return name

    def moves(name: Hashable) -> Any:
        return _turn(kept[name], kept[name].action_to_string, after, most)

    return Game(key(start), moves)


def _turn(state: Any, named: Callable[..., Any], after: Callable[..., Any], most: int) -> Any:
    if state.is_terminal():
        return End(recovered(state.returns()[0], most, "payoff"))
    if state.is_chance_node():
        chances: dict[Hashable, mpq] = {}
        for action, chance in state.chance_outcomes():
            reached = after(state, action)
            chances[reached] = chances.get(reached, mpq(0)) + recovered(chance, most, "chance")
        return Chance(0, Distribution.from_probabilities(chances))
    if state.is_simultaneous_node():
        pairs = product(state.legal_actions(0), state.legal_actions(1))
        return Both({(named(0, a), named(1, b)): point_mass(after(state, a, b)) for a, b in pairs})
    player = state.current_player()
    listed = [(named(player, a), after(state, a)) for a in state.legal_actions()]
    return Turn(player + 1, [Choice(name, 0, point_mass(to)) for name, to in listed])


def openspiel_action(
    best: Optimum[Any], state: Any, *, key: Callable[[Any], Hashable] = str
) -> int:
    """Return the number of an optimal action in a ``pyspiel.State``.

    Raises InputError if no player moves there, or the state is not reachable.
    """
    name, player = best.action(key(state)), state.current_player()
    for action in state.legal_actions() if player >= 0 else ():
        if state.action_to_string(player, action) == name:
            return int(action)
    raise InputError("state", Unquoted(repr(str(state))), "a reachable state where a player moves")


@dataclass(frozen=True)
class TreeNode:
    """A state of OpenSpiel, with the numbers of the actions and chance outcomes before it."""

    history: tuple[int, ...]
    state: Any = field(compare=False, repr=False)

    def after(self, action: int) -> "TreeNode":
        """Return the state after an action or a chance outcome."""
        return TreeNode((*self.history, action), self.state.child(action))


def hidden_from_openspiel(game: Any, *, most_denominator: int = 10_000) -> HiddenGame[TreeNode]:
    """Read a zero-sum game of two players with hidden information.

    `game` is a name with parameters, such as ``"liars_dice(dice_sides=3)"``, or a ``pyspiel.Game``;
    `most_denominator` and errors are as in `from_openspiel`.
    """
    most = natural(most_denominator, "most_denominator", least=1)

    def moves(place: TreeNode) -> Any:
        return _turn(place.state, lambda _, a: a, lambda _, a: place.after(a), most)

    root = TreeNode((), _root(game))
    return HiddenGame(root, moves, lambda place: place.state.information_state_string())


def openspiel_strategy(policy: Any) -> Callable[[Any], dict[int, mpq] | None]:
    """Read a tabular policy of OpenSpiel as the strategy of either player.

    `policy` is a ``TabularPolicy`` of ``open_spiel.python.policy``, a ``pyspiel.TabularPolicy``, or
    the text of one, with doubles in hexadecimal or as decimals. Raises InputError for others.

    >>> openspiel_strategy("TabularPolicy:0pb<~>0=0x1p-2,1=0.75")("0pb")
    {0: mpq(1,4), 1: mpq(3,4)}
    """
    listed = getattr(policy, "policy_table", getattr(policy, "to_dict", None))
    if listed is None and not isinstance(policy, str):
        raise InputError("policy", policy, "a tabular policy of OpenSpiel")
    table = _table(policy) if listed is None else listed()
    exact = {
        known: {int(action): mpq(chance) for action, chance in dict(chances).items() if chance}
        for known, chances in table.items()
    }
    return exact.get


def _table(text: str) -> dict[str, dict[str, mpq]]:
    parts, table = text.strip().removeprefix("TabularPolicy:").split("<~>"), {}
    try:
        for known, row in zip(parts[::2], parts[1::2], strict=True):
            pairs = (each.split("=") for each in row.split(","))
            exact = {a: mpq(float.fromhex(p)) if "x" in p else rational(p) for a, p in pairs}
            table[known] = {action: exact[action] for action in sorted(exact, key=int)}
    except (ValueError, OverflowError):
        wanted = "the text of a policy: TabularPolicy:KNOWN<~>ACTION=PROBABILITY,…"
        raise InputError("policy", text, wanted) from None
    return table


def openspiel_policy(bracket: ValueBounds, game: Any, *, as_text: bool = False) -> Any:
    """Write both strategies of a solution to a tabular policy of OpenSpiel, or to its text.

    `bracket` is a solution of a game that was read by `hidden_from_openspiel`, and `game` the
    argument it was read from. The policy is uniform in information sets that the strategies do not
    reach. Raises InputError if it is a different game.
    """
    library = linked("open_spiel.python.policy")
    policy = library.TabularPolicy(_root(game).get_game())
    for player in (1, 2):
        for known, mixed in bracket.strategy(player).items():
            row = policy.state_lookup.get(known)
            if row is None or set(policy.legal_actions_mask[row].nonzero()[0]) != set(mixed):
                raise InputError("game", Unquoted(str(game)), "the game that was solved")
            for action, chance in mixed.items():
                policy.action_probability_array[row, action] = nearest_double(chance)
    return library.python_policy_to_pyspiel_policy(policy).serialize() if as_text else policy


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
    actions = [state.legal_actions(player) for player in range(state.num_players())]
    return state.current_player(), actions, chances


def _loaded(game: Any) -> tuple[Any, Any]:
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


def _root(game: Any) -> Any:
    """Return the first state of a game of hidden information, without simultaneous moves."""
    pyspiel, game = _loaded(game)
    if not isinstance(game, pyspiel.Game):
        raise InputError("game", game, "a name or a pyspiel.Game")
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    kind = game.get_type()
    checks = {
        "information state strings": kind.provides_information_state_string,
        "two players": game.num_players() == 2,
        "payoffs that sum to 0": kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
    }
    _require(pyspiel, kind, checks)
    return game.new_initial_state()


def _require(pyspiel: Any, kind: Any, checks: Mapping[str, bool]) -> None:
    """Raise InputError for a type of game that is not listed and terminal, or fails a check."""
    chances, rewards = pyspiel.GameType.ChanceMode, pyspiel.GameType.RewardModel
    general = {
        "moves of players": kind.dynamics != pyspiel.GameType.Dynamics.MEAN_FIELD,
        "listed chance outcomes": kind.chance_mode != chances.SAMPLED_STOCHASTIC,
        "payoffs only at the end": kind.reward_model == rewards.TERMINAL,
    }
    for wanted, holds in {**general, **checks}.items():
        if not holds:
            raise InputError("game", Unquoted(kind.short_name), f"a game with {wanted}")
