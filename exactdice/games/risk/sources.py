"""What others print of Risk as it is played in the app *Risk: Global Domination*, figure by figure.

All are from the README of SMG Studio's published dice code, https://github.com/smgstudio/risk-dice,
whose armies do not count the unit that stays behind: fighting units here.

They come out under the rules of `exactdice.games.risk.territories`: against zombies ties are the
attacker's, and a capital's defender rolls up to three dice. `ZOMBIES` is in single precision there,
and its last digit is rounding: the exact chance is 0.88973326….
"""

from exactdice.arithmetic import rational

__all__ = ["CAPITAL", "CAPITAL_BALANCED", "FOUR_FIFTHS", "ROUND", "ZOMBIES"]

#: Chance that the attacker loses both units in a round of three dice against two.
ROUND = rational("0.292566872427984")

#: Chance that 300 fighting units beat 800 zombies, in single precision.
ZOMBIES = rational("0.8897331")

#: Chance that 30 fighting units take a capital of 15 and lose 12 on the way.
CAPITAL = rational("0.0222128001707278")

#: The same in a balanced blitz.
CAPITAL_BALANCED = rational("0.0100282888709122")

#: Fewest fighting units with a chance of at least 4/5 against 50 in a balanced blitz.
FOUR_FIFTHS = 49
