#!/usr/bin/env python3
"""Check a certificate of a two-player game with imperfect information. Needs only Python.

    python3 proofs/equilibrium_check.py FILE

The file contains a zero-sum game in sequence form and, for each player, a plan (a mixed strategy)
and the values of the information sets, one line each:

    exactdice equilibrium 1
    denominator D             payoffs are integers divided by D
    scales S T                the weights of the plans are integers divided by S and T
    claims L U                the value is between L / (D S) and U / (D T)
    payoffs N                 the number of payoff lines, to detect a file that is cut off
    set P B N V               player P, parent sequence B, N actions, value V
    weight P W                weight of the next sequence of player P, beginning with the empty one
    payoff I J A              A is the sum of probability times payoff for sequences I and J

Sequences are numbered set by set; sequence 0 is empty. The value of a set is the player's payoff
from that set on against the other player's plan, times D and the scale of that plan. The second
player's payoff is minus the first player's. The program checks, in one pass over the lines and one
backward pass over the sets:

* Both plans are valid: no weight is negative, and the weights of a set sum to the parent's weight.
* No action returns more than the value of its set. The return is the sum of the payoffs after the
  action and the values of the sets that follow it. So no response to either plan returns more than
  the values of the sets after the empty sequence, which are compared with L and U.

It prints VERIFIED with the value, or NOT VERIFIED with the reason. It does not check whether the
sequence form describes the intended game.
"""

import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

MOST = 10**5  # digits of a number
LINE = 10**6  # characters of a line


class WrongError(Exception):
    """The certificate is not valid; the text gives the reason."""


def whole(word):
    """Read an integer of limited length."""
    digits = word[1:] if word.startswith("-") else word
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST):
        raise WrongError(f"{word[:40]!r} is not an integer, or too long")
    return int(word)


def need(holds, reason):
    if not holds:
        raise WrongError(reason)


def _no_gains(weights, first):
    """Return a list of zeros for each player, after all sets and weights are read."""
    for player in (1, 2):
        is_fit = len(weights[player]) == first[player]
        need(is_fit, f"plan {player}: the numbers of weights and sequences differ")
    return {player: [0] * first[player] for player in (1, 2)}


def verified(lines):
    """Check the lines of a certificate; return the bounds of the value."""
    is_known = next(lines, "").split() == ["exactdice", "equilibrium", "1"]
    need(is_known, "expected 'exactdice equilibrium 1' in the first line")
    head = {}
    sets, weights, first = {1: [], 2: []}, {1: [], 2: []}, {1: 1, 2: 1}
    gains, payoffs = {}, 0
    for number, line in enumerate(lines, 2):
        word, *rest = line.split() or [""]
        numbers = [whole(item) for item in rest]
        at = f"line {number}: "
        if word in ("denominator", "scales", "claims", "payoffs"):
            need(word not in head, f"{at}{word} is there twice")
            count = 1 if word in ("denominator", "payoffs") else 2
            need(len(numbers) == count, f"{at}expected {word} and {count} integers")
            head[word] = numbers
        elif gains and word != "payoff":
            raise WrongError(f"{at}{word[:40]!r} after the first payoff")
        elif word == "set":
            need(len(numbers) == 4 and numbers[0] in (1, 2), f"{at}expected set P B N V")
            player, parent, actions, value = numbers
            is_fit = 0 <= parent < first[player] and actions > 0
            need(is_fit, f"{at}the set comes before its parent, or has no actions")
            sets[player].append((parent, first[player], actions, value))
            first[player] += actions
        elif word == "weight":
            need(len(numbers) == 2 and numbers[0] in (1, 2), f"{at}expected weight P W")
            need(numbers[1] >= 0, f"{at}the weight is negative")
            weights[numbers[0]].append(numbers[1])
        elif word == "payoff":
            need(len(numbers) == 3, f"{at}expected payoff I J A")
            gains = gains or _no_gains(weights, first)
            payoffs += 1
            i, j, payoff = numbers
            is_fit = 0 <= i < first[1] and 0 <= j < first[2]
            need(is_fit, f"{at}the sequence does not exist")
            gains[1][i] += payoff * weights[2][j]
            gains[2][j] -= payoff * weights[1][i]
        else:
            raise WrongError(f"{at}{word[:40]!r} is not a keyword of certificates")
    gains = gains or _no_gains(weights, first)
    need(len(head) == 4 and head["payoffs"] == [payoffs], "lines are missing")
    denominator, scales, (lower, upper) = head["denominator"][0], head["scales"], head["claims"]
    need(denominator > 0 and min(scales) > 0, "denominator and scales must be positive")
    totals = {}
    for player in (1, 2):
        have = weights[player]
        need(have[0] == scales[player - 1], f"plan {player}: the first weight is not the scale")
        returns = gains[player]
        for place in range(len(sets[player]) - 1, -1, -1):
            parent, begin, actions, value = sets[player][place]
            of_set = f"set {place} of player {player}: "
            after = range(begin, begin + actions)
            is_plan = sum(have[k] for k in after) == have[parent]
            need(is_plan, f"{of_set}the weights do not sum to the parent's weight")
            is_bound = all(returns[k] <= value for k in after)
            need(is_bound, f"{of_set}an action returns more than the value of the set")
            returns[parent] += value
        totals[player] = returns[0]
    need(totals[1] == upper, "the upper bound differs from the values of the first player's sets")
    need(-totals[2] == lower, "the lower bound differs from the values of the second player's sets")
    return Fraction(lower, denominator * scales[0]), Fraction(upper, denominator * scales[1])


def main(arguments):
    """Check one file."""
    if len(arguments) != 1:
        print("usage: equilibrium_check.py FILE", file=sys.stderr)
        return 2
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    try:
        with Path(arguments[0]).open(encoding="ascii") as file:
            lower, upper = verified(iter(partial(file.readline, LINE), ""))
    except (OSError, UnicodeError) as wrong:
        print(f"equilibrium_check: {arguments[0]}: {wrong}", file=sys.stderr)
        return 2
    except WrongError as wrong:
        print(f"NOT VERIFIED: {wrong}")
        return 1
    value = lower if lower == upper else f"from {lower} to {upper}"
    print(f"VERIFIED: the value is {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
