"""Two-player zero-sum games with hidden information, finite and with perfect recall.

`exactdice.hidden.game.HiddenGame` states a game; it is solved in sequence form.
"""
