#!/usr/bin/env python3
"""Check a certificate of a game of hidden information, by the standard library alone.

    python3 proofs/equilibrium_check.py FILE

The file holds a game of two players in sequence form and, of each player, a plan and the values of
the information sets, one line each:

    exactdice equilibrium 1
    denominator D             payoffs are whole numbers over D
    scales S T                the plans' weights are whole numbers over S and T
    claims L U                the value is from L to U, over D T and D S as told below
    payoffs N                 so many lines of payoffs follow, so that no file is cut short
    set P B N V               player P, the parent sequence B, N actions, the value V
    weight P W                the weight of the next sequence of player P; the first is the empty one
    payoff I J A              A is chance times payoff for sequences I and J, summed

Sequences are numbered from 0, which is empty, set by set. A set's value is what the player gets from
there on, times the denominator and the scale of the other's plan, against that plan; the second
player counts losses of the first as gains. Checked is, in one pass over the lines and one over the
sets from the last to the first,

* that both plans are plans: no weight is negative, and those of a set sum to its parent's;
* that no action brings more than the value of its set: what it brings at ends of play, and the
  values of the sets behind it. So no reply to either plan brings more than the values of the sets
  behind the empty sequence, which are compared with L and U.

It prints VERIFIED with the value, or NOT VERIFIED with the line. That the sequence form is that of
the game one means is not checked here.
"""

import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

MOST = 10**5  # digits of a number
LINE = 10**6  # characters of a line


class WrongError(Exception):
    """What the certificate gets wrong."""


def whole(word):
    """Read a whole number; decimal digits alone."""
    digits = word[1:] if word.startswith("-") else word
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST):
        raise WrongError(f"{word[:40]!r} is no whole number, or too long")
    return int(word)


def need(holds, what):
    """Refuse what does not hold."""
    if not holds:
        raise WrongError(what)


def _no_gains(weights, first):
    """Begin to sum, once all sets and weights are read."""
    for player in (1, 2):
        need(
            len(weights[player]) == first[player], f"plan {player} has other weights than sequences"
        )
    return {player: [0] * first[player] for player in (1, 2)}


def verified(lines):
    """Check the lines of a certificate; return the bounds of the value."""
    need(next(lines, "").split() == ["exactdice", "equilibrium", "1"], "it is no such certificate")
    head = {}
    sets, weights, first = {1: [], 2: []}, {1: [], 2: []}, {1: 1, 2: 1}
    gains, payoffs = {}, 0
    for number, line in enumerate(lines, 2):
        word, *rest = line.split() or [""]
        numbers = [whole(item) for item in rest]
        at = f"line {number}: "
        if word in ("denominator", "scales", "claims", "payoffs"):
            need(word not in head, f"{at}a second {word}")
            need(
                len(numbers) == (1 if word in ("denominator", "payoffs") else 2),
                f"{at}other numbers",
            )
            head[word] = numbers
        elif gains and word != "payoff":
            raise WrongError(f"{at}{word[:40]!r} behind the first payoff")
        elif word == "set":
            need(len(numbers) == 4 and numbers[0] in (1, 2), f"{at}no set")
            player, parent, actions, value = numbers
            need(0 <= parent < first[player] and actions > 0, f"{at}a set before its parent")
            sets[player].append((parent, first[player], actions, value))
            first[player] += actions
        elif word == "weight":
            need(len(numbers) == 2 and numbers[0] in (1, 2), f"{at}no weight")
            need(numbers[1] >= 0, f"{at}a weight below 0")
            weights[numbers[0]].append(numbers[1])
        elif word == "payoff":
            need(len(numbers) == 3, f"{at}no payoff")
            gains = gains or _no_gains(weights, first)
            payoffs += 1
            i, j, payoff = numbers
            need(0 <= i < first[1] and 0 <= j < first[2], f"{at}no such sequence")
            gains[1][i] += payoff * weights[2][j]
            gains[2][j] -= payoff * weights[1][i]
        else:
            raise WrongError(f"{at}{word[:40]!r} is no word of certificates")
    gains = gains or _no_gains(weights, first)
    need(len(head) == 4 and head["payoffs"] == [payoffs], "it is cut short")
    denominator, scales, (lower, upper) = head["denominator"][0], head["scales"], head["claims"]
    need(denominator > 0 and min(scales) > 0, "a denominator is not above 0")
    brought = {}
    for player in (1, 2):
        have = weights[player]
        need(have[0] == scales[player - 1], f"plan {player} does not begin with its scale")
        returns = gains[player]
        for place in range(len(sets[player]) - 1, -1, -1):
            parent, begin, actions, value = sets[player][place]
            of_set = f"set {place} of player {player}: "
            after = range(begin, begin + actions)
            need(sum(have[k] for k in after) == have[parent], f"{of_set}weights do not sum up")
            need(all(returns[k] <= value for k in after), f"{of_set}an action brings more")
            returns[parent] += value
        brought[player] = returns[0]
    need(brought[1] == upper, "the first player can get another amount than is claimed")
    need(-brought[2] == lower, "the second player can get another amount than is claimed")
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
        print(f"{arguments[0]}: cannot be read: {wrong}", file=sys.stderr)
        return 2
    except WrongError as wrong:
        print(f"NOT VERIFIED: {wrong}")
        return 1
    print(
        f"VERIFIED: the value is {lower}"
        if lower == upper
        else f"VERIFIED: the value is from {lower} to {upper}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
