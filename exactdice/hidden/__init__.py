"""Games of hidden information: two players, zero-sum, finite, each with perfect recall.

Written down as `exactdice.hidden.game.HiddenGame`, solved in their sequence form. Knows no game.
"""
