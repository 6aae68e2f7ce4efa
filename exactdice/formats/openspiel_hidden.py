"""Games of OpenSpiel with imperfect information, and its tabular policies.

A game is read as a `HiddenGame`: states are OpenSpiel's, identified by their history; actions are
OpenSpiel's numbers; a player knows OpenSpiel's information state string, which must include all
that the player knew and did before. A policy is read as a strategy with the exact values of its
doubles; `tolerance` allows for sums that differ from 1 by rounding. Solutions can be written to a
policy, rounded, for OpenSpiel's algorithms and bots.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from exactdice.arithmetic import mpq, natural, nearest_double
from exactdice.dice import Distribution
from exactdice.errors import InputError, Unquoted
from exactdice.formats.openspiel import loaded, recovered, require_kind
from exactdice.hidden.equilibrium import ValueBounds
from exactdice.hidden.game import HiddenGame
from exactdice.linked import linked
from exactdice.solve.turns import Choice, End, Turn, point_mass

__all__ = ["TreeNode", "hidden_from_openspiel", "openspiel_policy", "openspiel_strategy"]


@dataclass(frozen=True)
class TreeNode:
    """A state of OpenSpiel, with the numbers of the actions and chance outcomes before it."""

    history: tuple[int, ...]
    state: Any = field(compare=False, repr=False)

    def after(self, action: int) -> "TreeNode":
        """Return the state after an action or a chance outcome."""
        return TreeNode((*self.history, action), self.state.child(action))


def hidden_from_openspiel(game: Any, *, most_denominator: int = 10_000) -> HiddenGame[TreeNode]:
    """Read a sequential zero-sum game of two players with imperfect information.

    `game` is a name with parameters, such as ``"liars_dice(dice_sides=3)"``, or a ``pyspiel.Game``;
    `most_denominator` is as in `from_openspiel`. OpenSpiel's player 0 is the first player, who
    receives the payoff. Raises MissingExtraError if OpenSpiel is not installed, and InputError if
    there is no such game or it is not supported.
    """
    most = natural(most_denominator, "most_denominator", least=1)
    start = _start(game)

    def moves(place: TreeNode) -> Any:
        state = place.state
        if state.is_terminal():
            return End(recovered(state.returns()[0], most, "payoff"))
        if state.is_chance_node():
            lots = state.chance_outcomes()
            chances = {place.after(a): recovered(p, most, "chance") for a, p in lots}
            return Distribution.from_probabilities(chances)
        choices = [Choice(a, 0, point_mass(place.after(a))) for a in state.legal_actions()]
        return Turn(state.current_player() + 1, choices)

    root = TreeNode((), start)
    return HiddenGame(root, moves, lambda place: place.state.information_state_string())


def openspiel_strategy(policy: Any) -> Callable[[Any], dict[int, mpq] | None]:
    """Read a tabular policy of OpenSpiel as the strategy of either player.

    `policy` is a ``TabularPolicy`` of ``open_spiel.python.policy``, or a ``pyspiel.TabularPolicy``.
    """
    if hasattr(policy, "policy_table"):
        table = {known: dict(chances) for known, chances in policy.policy_table().items()}
    elif hasattr(policy, "action_probability_array"):
        legal, chances = policy.legal_actions_mask, policy.action_probability_array
        table = {
            known: {a: chances[row, a] for a in range(chances.shape[1]) if legal[row, a]}
            for known, row in policy.state_lookup.items()
        }
    else:
        raise InputError("policy", policy, "a tabular policy of OpenSpiel")
    exact = {
        known: {int(action): mpq(chance) for action, chance in chances.items()}
        for known, chances in table.items()
    }
    return exact.get


def openspiel_policy(bracket: ValueBounds, game: Any) -> Any:
    """Write both strategies of a solution to a tabular policy of OpenSpiel.

    `bracket` is a solution of a game that was read by `hidden_from_openspiel`, and `game` the
    argument it was read from. The policy is uniform in information sets that the strategies do not
    reach. Raises InputError if it is a different game.
    """
    start = _start(game)
    policy = linked("open_spiel.python.policy").TabularPolicy(start.get_game())
    for player in (1, 2):
        for known, mixed in bracket.strategy(player).items():
            row = policy.state_lookup.get(known)
            if row is None or set(policy.legal_actions_mask[row].nonzero()[0]) != set(mixed):
                raise InputError("game", Unquoted(str(game)), "the game that was solved")
            for action, chance in mixed.items():
                policy.action_probability_array[row, action] = nearest_double(chance)
    return policy


def _start(game: Any) -> Any:
    pyspiel, game = loaded(game)
    if not isinstance(game, pyspiel.Game):
        raise InputError("game", game, "a name or a pyspiel.Game")
    kind = game.get_type()
    checks = {
        "information state strings": kind.provides_information_state_string,
        "two players": game.num_players() == 2,
        "payoffs that sum to 0": kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
    }
    require_kind(pyspiel, kind, checks)
    return game.new_initial_state()
