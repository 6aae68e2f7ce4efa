"""Dice: exact distributions, pools of dice, and a page of recipes.

>>> from exactdice.dice import beaten, d, fair, largest_set, mixture, pool, repeat
>>> d6, d8 = d(6), d(8)
>>> (3 @ d6 + 2).mean()  # three dice plus two
mpq(25,2)
>>> d6 // 2  # half a die, rounded down
Distribution({0: 1, 1: 2, 2: 2, 3: 1})
>>> (d8 > d6).probability(True)  # one die beats another
mpq(9,16)
>>> d(20).keep_highest(2).mean()  # advantage: the higher of two rolls
mpq(553,40)
>>> d6.keep_highest(4, 3).probability(18)  # the best three of four dice
mpq(7,432)
>>> pool(d(4), d6, d8).keep_middle().mean()  # the middle one of three different dice
mpq(79,24)
>>> d6.reroll([1], times=1).mean(), d6.reroll([1]).mean()  # reroll ones once, or until none is left
(mpq(47,12), mpq(4,1))
>>> d6.explode(times=2).mean(), d6.exploding().mean()  # sixes explode at most twice, or unlimited
(mpq(301,72), mpq(21,5))
>>> (5 @ (d6 >= 5)).probability(2)  # two of five dice show at least five
mpq(80,243)
>>> largest_set(pool(5, d6)).probability(3)  # the largest set among five dice
mpq(125,648)
>>> beaten(pool(3, d6), pool(2, d6)).mean()  # how many of two dice the highest of three beats
mpq(95,72)
>>> (2 @ d6).given(lambda total: total != 7).probability(12)  # given that the sum is not 7
mpq(1,30)
>>> mixture([("1/2", d6), ("1/2", d8)]).mean()  # a coin decides which die is rolled
mpq(4,1)
>>> (d(4) @ d6).mean()  # a die says how many dice are rolled
mpq(35,4)

Your own function of the sorted roll, here the sum of two dice that counts doubles twice:

>>> doubled = lambda total, face, count: total + face * count * (2 if count == 2 else 1)
>>> pool(2, d6).fold(0, doubled).mean()
mpq(49,6)

The number of rolls until a six, with its distribution cut off at probability 1/4:

>>> rolls = repeat(0, lambda shown: d6, lambda shown: shown == 6)
>>> rolls.mean, rolls.variance, rolls.steps("1/4").remainder
(mpq(6,1), mpq(30,1), mpq(390625,1679616))

Expressions like on the command line (`exactdice.dice.expressions`):

>>> from exactdice.dice.expressions import law
>>> law("4d6 keep highest 3").mean()
mpq(15869,1296)
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
    from exactdice.dice.weighted import Root as Root

__all__, __getattr__, __dir__ = loaded_on_use(__name__)
