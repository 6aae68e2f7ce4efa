"""Games for floating-point programs: an environment of Gymnasium, and arrays for quantecon.

States have the numbers of the model (`Game.explored`); after them comes the end, to which terminal
states lead with their payoff. A step is a move, also one of chance. Probabilities and mean rewards
are rounded to the nearest doubles. Nothing is read back.
"""

from typing import Any, cast

import numpy as np

from exactdice.arithmetic import mpq, nearest_double
from exactdice.errors import MissingExtraError
from exactdice.formats.explicit import explicit
from exactdice.run import DEFAULT, Run
from exactdice.solve.asked import Asked
from exactdice.solve.game import Game

__all__ = ["environment", "transition_arrays"]


def transition_arrays(game: Game[Any], *, run: Run = DEFAULT, **how: Any) -> dict[str, Any]:
    """Return the arguments R, Q, s_indices and a_indices of ``quantecon.markov.DiscreteDP``.

    * `game`, `run`, `how`: as in `probability`; all players but `player` need `policies`.

    Row i is about action ``a_indices[i]`` of state ``s_indices[i]``: R is its reward, and Q has the
    probabilities of the next states.

    >>> from exactdice.dice import fair
    >>> from exactdice.models import End
    >>> arrays = transition_arrays(Game("toss", lambda s: fair(2) if s == "toss" else End(s)))
    >>> arrays["R"].tolist(), arrays["Q"].tolist()[0]
    ([0.0, 1.0, 2.0, 0.0], [0.0, 0.5, 0.5, 0.0])
    """
    moves = _moves(game, run, **how)
    rows = [(s, a, *move) for s, of_state in enumerate(moves) for a, move in enumerate(of_state)]
    run.require(8 * len(rows) * len(moves), "the transition arrays")
    chances = np.zeros((len(rows), len(moves)))
    for place, (_, _, law, _) in enumerate(rows):
        for target, weight in law.items():
            chances[place, target] = nearest_double(mpq(weight, sum(law.values())))
    states, actions, _, rewards = map(np.array, zip(*rows, strict=True))
    paid = np.array([*map(nearest_double, rewards)])
    return {"R": paid, "Q": chances, "s_indices": states, "a_indices": actions}


def environment(game: Game[Any], *, run: Run = DEFAULT, **how: Any) -> Any:
    """Return an environment of Gymnasium; arguments as in `transition_arrays`.

    Observations are numbers of states. Numbers of actions beyond those of a state begin again at
    its first; ``info`` counts its ``actions``. Moves are drawn from the exact weights, up to 2⁻⁶⁴.
    Raises MissingExtraError without Gymnasium.
    """
    try:
        import gymnasium
    except ImportError as problem:
        raise MissingExtraError.of("environments", "gymnasium", "learning") from problem
    moves, base = _moves(game, run, **how), cast("Any", gymnasium.Env)

    class GameEnvironment(base):  # type: ignore[misc, valid-type]
        observation_space = gymnasium.spaces.Discrete(len(moves))
        action_space = gymnasium.spaces.Discrete(max(map(len, moves)))

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed=seed, options=options)
            self.at = 0
            return self.at, {"actions": len(moves[self.at])}

        def step(self, action: Any) -> Any:
            law, reward = moves[self.at][int(action) % len(moves[self.at])]
            whole = sum(law.values())
            drawn = int.from_bytes(self.np_random.bytes(whole.bit_length() // 8 + 9)) % whole
            for self.at, weight in law.items():
                drawn -= weight
                if drawn < 0:
                    break
            over, info = self.at == len(moves) - 1, {"actions": len(moves[self.at])}
            return self.at, nearest_double(reward), over, False, info

    return GameEnvironment()


def _moves(
    game: Game[Any], run: Run, player: int = 1, policies: Any = None
) -> list[list[tuple[dict[int, int], mpq]]]:
    """Return weights of the next states, and reward, by state and action."""
    asked = Asked(game, player, policies, None, None, least=False, run=run)
    arena = explicit(asked.variant()[1]).arena
    return [
        [(dict(arena.leads(move)), arena.rewards[arena.reward[move]]) for move in arena.moves(s)]
        for s in range(len(arena))
    ]
