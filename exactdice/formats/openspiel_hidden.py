r"""Games of OpenSpiel in which a player does not see all, and its tabular policies.

A game is read as a `HiddenGame`: its places are OpenSpiel's states, known by what was done before;
actions are OpenSpiel's numbers, and a player knows OpenSpiel's text of the information state, which
must hold all that the player knew and did before. A policy is read as a strategy, its doubles being
the fractions that they are; their sums are off 1 by roundings, which `tolerance` allows. What was
solved here is written into a policy, rounded, for OpenSpiel's algorithms and bots.
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
    """A state of OpenSpiel, and the numbers of the actions and lots that led to it."""

    history: tuple[int, ...]
    state: Any = field(compare=False, repr=False)

    def after(self, action: int) -> "TreeNode":
        """Where an action or a lot leads."""
        return TreeNode((*self.history, action), self.state.child(action))


def hidden_from_openspiel(game: Any, *, most_denominator: int = 10_000) -> HiddenGame[TreeNode]:
    """Read a game of OpenSpiel in which players do not see all.

    Parameters
    ----------
    game
        A name with parameters, as ``"liars_dice(dice_sides=3)"``, or a ``pyspiel.Game``.
    most_denominator
        Of the fractions that chances and payoffs may be.

    Returns
    -------
    HiddenGame
        The payoff is player 0's, who is our first.

    Raises
    ------
    MissingExtraError
        If OpenSpiel is not installed.
    InputError
        If it has no such game, or the game is not one of two who take turns for a sum of 0.
    """
    most = natural(most_denominator, "most_denominator", least=1)
    start = _start(game)

    def moves(place: TreeNode) -> Any:
        state = place.state
        if state.is_terminal():
            return End(recovered(state.returns()[0], most, "payoff"))
        if state.is_chance_node():
            lots = {
                place.after(a): recovered(p, most, "chance") for a, p in state.chance_outcomes()
            }
            return Distribution.from_probabilities(lots)
        choices = [Choice(a, 0, point_mass(place.after(a))) for a in state.legal_actions()]
        return Turn(state.current_player() + 1, choices)

    return HiddenGame(
        TreeNode((), start), moves, lambda place: place.state.information_state_string()
    )


def openspiel_strategy(policy: Any) -> Callable[[Any], dict[int, mpq] | None]:
    """Read a tabular policy of OpenSpiel as the strategy of either player.

    Parameters
    ----------
    policy
        A ``TabularPolicy`` of ``open_spiel.python.policy``, or a ``pyspiel.TabularPolicy``.
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
    """Write both strategies into a tabular policy of OpenSpiel.

    Parameters
    ----------
    bracket
        An answer to a game that `hidden_from_openspiel` read.
    game
        That game, as it was given there. Where a strategy does not go the policy is uniform.

    Raises
    ------
    InputError
        If the game is another one.
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
        "texts of what a player knows": kind.provides_information_state_string,
        "two players, not more": game.num_players() == 2,
        "payoffs that sum to 0": kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
    }
    require_kind(pyspiel, kind, checks)
    return game.new_initial_state()
