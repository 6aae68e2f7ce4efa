"""Dice: exact distributions, pools of dice, and a page of recipes.

>>> from exactdice.dice import d6, d8, d20, highest, pool, repeat, sorted_roll
>>> (3 @ d6 + 2).mean(), (d8 > d6).probability(True)  # a sum, and one die against another
(mpq(25,2), mpq(9,16))
>>> d20.keep_highest(2).mean(), d6.keep_highest(4, 3).mean()  # advantage; the best three of four
(mpq(553,40), mpq(15869,1296))
>>> d6.reroll([1], times=1).mean(), d6.explode(times=2).mean(), d6.exploding().mean()
(mpq(47,12), mpq(301,72), mpq(21,5))
>>> highest(d8.exploding(), d6.exploding()) >= 8
Distribution({False: 217, True: 71})
>>> pool(6, d6).facts(hits=[5, 6], ones=1).probability((0, 3))  # of one roll
mpq(5,432)
>>> sorted_roll(pool(3, d6)).map(lambda roll: roll[0] - roll[2]).mean()
mpq(35,12)
>>> rolls = repeat(0, lambda shown: d6, lambda shown: shown == 6)  # until a six
>>> rolls.mean, rolls.variance, rolls.steps("1/4").remainder
(mpq(6,1), mpq(30,1), mpq(390625,1679616))

Expressions like on the command line (`exactdice.dice.expressions`):

>>> from exactdice.dice.expressions import law
>>> law("4d6 keep highest 3").mean()
mpq(15869,1296)

`docs/how-to/other-dice.md` and the cookbook have more.
"""

from typing import TYPE_CHECKING

from exactdice.linked import loaded_on_use

if TYPE_CHECKING:
    from exactdice.dice.distribution import Distribution as Distribution
    from exactdice.dice.distribution import d as d
    from exactdice.dice.distribution import d2 as d2
    from exactdice.dice.distribution import d3 as d3
    from exactdice.dice.distribution import d4 as d4
    from exactdice.dice.distribution import d6 as d6
    from exactdice.dice.distribution import d8 as d8
    from exactdice.dice.distribution import d10 as d10
    from exactdice.dice.distribution import d12 as d12
    from exactdice.dice.distribution import d20 as d20
    from exactdice.dice.distribution import d100 as d100
    from exactdice.dice.distribution import dF as dF
    from exactdice.dice.distribution import fair as fair
    from exactdice.dice.distribution import mixture as mixture
    from exactdice.dice.endless import Cut as Cut
    from exactdice.dice.endless import Endless as Endless
    from exactdice.dice.endless import Repeated as Repeated
    from exactdice.dice.endless import repeat as repeat
    from exactdice.dice.pools import DicePool as DicePool
    from exactdice.dice.pools import beaten as beaten
    from exactdice.dice.pools import count as count
    from exactdice.dice.pools import distinct as distinct
    from exactdice.dice.pools import highest as highest
    from exactdice.dice.pools import largest_set as largest_set
    from exactdice.dice.pools import longest_straight as longest_straight
    from exactdice.dice.pools import lowest as lowest
    from exactdice.dice.pools import matched as matched
    from exactdice.dice.pools import number_of_sets as number_of_sets
    from exactdice.dice.pools import pool as pool
    from exactdice.dice.pools import sorted_roll as sorted_roll
    from exactdice.dice.rolled import Root as Root

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
