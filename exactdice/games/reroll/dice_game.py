"""The class of the reroll coursework, with exact rules.

`DiceGame` replaces the class that the coursework's notebook imports, with the same two modes and
the same results for the same random seed.

* *Simulation*: `reset` and `roll` play a game. Dice are drawn by ``numpy.random.choice`` from
  numpy's global generator, as in the notebook, or from your own generator.
* *Analysis*: `states`, `actions` and `get_next_states` describe the game.

Conventions that the coursework leaves open:

* The list of next states after sticking is [None], with probability 1: the notebook's solver takes
  the reward inside a loop over the next states, so the list cannot be empty.
* Outcomes are in ascending order, without those of probability 0.
* Rolling after the game is over is an error, and so is holding a position that does not exist.

With ``exact=True`` the probabilities are a list of mpq with the exact sum 1, and float arguments
are rejected. Otherwise they are a numpy array of nearest doubles; float arguments are read as the
dyadic numbers that they are, and a bias is divided by its sum.
"""

from collections.abc import Iterable
from math import comb
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

from exactdice.arithmetic import mpq, nearest_double, rational
from exactdice.errors import ConflictError, InputError, TooLargeError
from exactdice.games.reroll.rules import Number, Positions, RerollRules, Roll

if TYPE_CHECKING:
    import numpy as np

_SLACK = mpq(1, 10**8)  # tolerance of a sum of floats, about that of numpy

_MAX_LISTED = 100_000


class DiceGame:
    """A reroll game to play and to analyse.

    * `dice`, `sides`, `values`, `bias`, `penalty`: as in `RerollRules`; floats are allowed unless
      `exact`.
    * `exact`: whether probabilities, scores and rewards are exact; they are doubles otherwise
      (whole scores and rewards are int in both cases).
    * `rng`: a numpy Generator to draw from; numpy's global one by default.

    It has the attributes

    * `states`: all rolls, each a tuple in ascending order.
    * `actions`: all tuples of held positions.
    * `score`: points so far in the present game.

    >>> game = DiceGame()
    >>> len(game.states), game.states[:2], game.actions[:3]
    (56, [(1, 1, 1), (1, 1, 2)], [(), (0,), (1,)])
    >>> game.get_next_states((0, 1, 2), (2, 2, 5))
    ([None], True, 15, array([1.]))
    >>> DiceGame(dice=2, sides=2, exact=True).get_next_states((0,), (1, 2))
    ([(1, 1), (1, 2)], False, -1, [mpq(1,2), mpq(1,2)])
    """

    def __init__(
        self,
        dice: int = 3,
        sides: int | None = None,
        values: Iterable[Any] | None = None,
        bias: Iterable[Any] | None = None,
        penalty: Any = 1,
        *,
        exact: bool = False,
        rng: "np.random.Generator | None" = None,
    ) -> None:
        if not exact:
            if values is not None:
                values = [_exactly(v, "values") for v in _listed(values, "values")]
            bias = None if bias is None else _exact_bias(bias)
            penalty = _exactly(penalty, "penalty")
        rules = RerollRules(dice=dice, sides=sides, values=values, bias=bias, penalty=penalty)
        self._start(rules, exact=exact, rng=rng)

    @classmethod
    def of(
        cls, rules: RerollRules, *, exact: bool = False, rng: "np.random.Generator | None" = None
    ) -> "DiceGame":
        """Return the game of given rules."""
        game = cls.__new__(cls)
        game._start(rules, exact=exact, rng=rng)
        return game

    def _start(self, rules: RerollRules, *, exact: bool, rng: "np.random.Generator | None") -> None:
        import numpy as np  # takes 0.1 s to load: not before dice are rolled

        _check_size(rules)
        self.rules = rules
        self.exact = exact
        self._rng: Any = np.random if rng is None else rng
        self._chances = _doubles(rules.bias)
        self._rolls = {self._shown_roll(roll): roll for roll in self.rules.rolls}
        self.states: list[tuple[Any, ...]] = list(self._rolls)
        self.actions: list[Positions] = list(self.rules.actions)
        self._outcomes: dict[Any, tuple[list[tuple[Any, ...]], Any]] = {}
        self.reset()

    def reset(self) -> tuple[Any, ...]:
        """Start a new game and return its first roll."""
        self._score: Number = 0
        self._over = False
        self._dice: Roll = self._drawn(())
        return self.get_dice_state()

    def roll(self, hold: Iterable[int] = ()) -> tuple[Any, tuple[Any, ...], bool]:
        """Hold some dice and roll the others, or hold all and stick.

        * `hold`: positions of the dice to hold, from 0.

        Returns the reward of this action; the dice after it, with duplicates turned over if it was
        the last; whether the game is over.
        Raises InputError if a position does not exist or is repeated, or the game is over.
        """
        held = self._positions(hold, "hold")
        if self._over:
            raise ConflictError("hold", "does not apply: the game is over; call reset()")
        if held == self.rules.sticking:
            self._over = True
            reward = self.rules.stick_score(self._dice)
            self._dice = self.rules.flipped(self._dice)
        else:
            reward = self._cost
            self._dice = self._drawn(tuple(self._dice[place] for place in held))
        self._score += reward
        return self._shown(reward), self.get_dice_state(), self._over

    def get_dice_state(self) -> tuple[Any, ...]:
        """Return the present dice, ascending."""
        return self._shown_roll(self._dice)

    @property
    def score(self) -> Any:
        """Points so far: minus the penalties, plus the total once the game is over."""
        return self._shown(self._score)

    def get_next_states(
        self, action: Iterable[int], dice_state: tuple[Any, ...]
    ) -> tuple[list[Any], bool, Any, Any]:
        """Return the possible outcomes of an action.

        * `action`: positions held.
        * `dice_state`: one of `states`.

        Returns the possible next states ([None] after sticking), whether the game is then over, the
        reward of the action, and the probability of each state.
        Raises InputError if a position or the state does not exist.
        """
        held = self._positions(action, "action")
        roll = self._rolls.get(tuple(dice_state)) if isinstance(dice_state, Iterable) else None
        if roll is None:
            raise InputError("dice_state", dice_state, "one of the states, in ascending order")
        if held == self.rules.sticking:
            return [None], True, self._shown(self.rules.stick_score(roll)), self._law([mpq(1)])
        hold = tuple(roll[place] for place in held)
        if hold not in self._outcomes:
            outcomes = self.rules.outcomes(hold).probabilities()
            shown = [self._shown_roll(outcome) for outcome in outcomes]
            self._outcomes[hold] = (shown, self._law([*outcomes.values()]))
        states, probabilities = self._outcomes[hold]
        return list(states), False, self._shown(self._cost), probabilities.copy()

    @property
    def _cost(self) -> Number:
        price = self.rules.penalty
        return -int(price) if price.denominator == 1 else -price

    def _drawn(self, hold: Roll) -> Roll:
        sides = self._rng.choice(self.rules.sides, self.rules.dice - len(hold), p=self._chances)
        return tuple(sorted((*hold, *(self.rules.values[side] for side in sides))))

    def _positions(self, hold: Iterable[int], name: str) -> Positions:
        most = self.rules.dice - 1
        if not isinstance(hold, Iterable):
            raise InputError(name, hold, f"a tuple of positions, such as ({hold!r},)")
        held = tuple(hold)
        if not set(held) <= set(range(most + 1)) or len(set(held)) < len(held):
            raise InputError(name, held, f"a tuple of different positions from 0 to {most}")
        return tuple(sorted(int(place) for place in held))

    def _law(self, chances: list[mpq]) -> Any:
        return chances if self.exact else _doubles(chances)

    def _shown_roll(self, roll: Roll) -> tuple[Any, ...]:
        return tuple(self._shown(value) for value in roll)

    def _shown(self, number: Number) -> Any:
        if isinstance(number, int):
            return number
        if number.denominator == 1:
            return int(number)
        return number if self.exact else nearest_double(number)


def _check_size(rules: RerollRules) -> None:
    actions, states = 2**rules.dice, comb(rules.dice + rules.sides - 1, rules.dice)
    if max(actions, states) > _MAX_LISTED:
        raise TooLargeError(
            f"dice: {rules.dice} dice have {actions} actions and {states} states, and at most "
            f"{_MAX_LISTED} of either can be listed"
        )


def _doubles(chances: Iterable[mpq]) -> Any:
    import numpy as np

    return np.array([nearest_double(chance) for chance in chances])


def _is_float(number: Any) -> bool:
    return isinstance(number, Real) and not isinstance(number, Rational)


def _exactly(number: Any, name: str) -> Any:
    if not _is_float(number):
        return number
    try:
        numerator, denominator = number.as_integer_ratio()
    except (OverflowError, ValueError):
        raise InputError(name, number, "a finite number") from None
    return mpq(int(numerator), int(denominator))


def _listed(entries: object, name: str) -> list[Any]:
    if isinstance(entries, str) or not isinstance(entries, Iterable):
        raise InputError(name, entries, "a list with one entry for each side")
    return list(entries)


def _exact_bias(bias: Iterable[Any]) -> list[mpq]:
    chances = _listed(bias, "bias")
    exact = [rational(_exactly(chance, "bias"), "bias") for chance in chances]
    if not any(map(_is_float, chances)):
        return exact
    total = sum(exact, mpq(0))
    if abs(total - 1) > _SLACK:
        raise InputError("bias", chances, "probabilities that sum to 1")
    return [chance / total for chance in exact]
