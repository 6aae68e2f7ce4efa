"""Check a certificate of a long-run average: python3 average_check.py FILE.

The file contains a finite game, state by state, and for each state its gain, the average reward per
step in the long run, its bias, a rank and the chosen move. CERTIFICATES.md in the same folder defines
the format and proves that the conditions checked here imply the gains. The program does not solve the
game. It needs Python 3.11 or later with the standard library, and not exactdice.

It prints one line: "accepted" with the gain of the initial state and the SHA-256 of the lines that
define the game, or "rejected" with the line number and the reason. Exit status: 0 accepted, 1
rejected, 2 if the file cannot be read.
"""

import hashlib
import re
import sys
from fractions import Fraction
from pathlib import Path

SIGNS = {"end": 0, "chance": 0, "first": 1, "second": -1}
MOST_LINE, MOST_DIGITS = 10**7, 10**5  # limits on lines and numbers, so that reading is fast
NUMBER = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")


class RejectedError(Exception):
    """The file is not a certificate, or a condition does not hold."""


def need(holds, reason):
    """Reject the file if a condition does not hold."""
    if not holds:
        raise RejectedError(reason)


def number(word):
    """Read p or p/q as a Fraction."""
    read = NUMBER.fullmatch(word)
    need(read, f"{word[:40]!r} is not a number p or p/q")
    above, below = read[1], read[2] or "1"
    need(max(len(above), len(below)) <= MOST_DIGITS, f"{word[:40]!r} is too long")
    need(int(below) > 0, f"{word[:40]!r}: the denominator must be positive")
    return Fraction(int(above), int(below))


def whole(word):
    """Read a nonnegative integer with a limited number of digits."""
    is_fit = re.fullmatch("[0-9]+", word) and len(word) <= MOST_DIGITS
    need(is_fit, f"{word[:40]!r} is not a nonnegative integer, or is too large")
    return int(word)


class Check:
    """One pass over the lines of one file."""

    def __init__(self, lines):
        self.lines, self.place, self.game = lines, 0, hashlib.sha256()

    def line(self, *, is_game=False):
        """Return the next line up to the first #, which precedes the name of a state."""
        self.place += 1
        read = self.lines.readline(MOST_LINE)
        need(read.endswith("\n"), "the line is missing, too long, or cut off")
        need(read[:-1].isprintable(), "the line contains a character that cannot be printed")
        if is_game:
            self.game.update(read.encode())
        return read.partition("#")[0].rstrip(" \n")

    def word(self, name, *, is_game=False):
        """Return the word after the given name on the next line."""
        words = self.line(is_game=is_game).split(" ")
        need(len(words) == 2 and words[0] == name, f"expected {name!r} and one more word")
        return words[1]

    def run(self):
        """Check the whole file and return the proved statement as a sentence."""
        need(self.line() == "exactdice-average 1", "expected 'exactdice-average 1'")
        self.states, initial = (
            whole(self.word(name, is_game=True)) for name in ("states", "initial")
        )
        need(initial < self.states, "the initial state does not exist")
        claim = number(self.word("claim"))
        need(self.line() == "gains", "expected 'gains'")
        self.gain, self.bias, self.rank, self.chosen = [], [], [], []
        for _ in range(self.states):
            words = self.line().split(" ")
            need(len(words) == 4, "expected gain, bias, rank and chosen move")
            self.gain.append(number(words[0]))
            self.bias.append(number(words[1]))
            self.rank.append(whole(words[2]))
            self.chosen.append(whole(words[3]))
        need(claim == self.gain[initial], "the claim is not the gain of the initial state")
        need(self.line(is_game=True) == "moves", "expected 'moves'")
        for state in range(self.states):
            words = self.line(is_game=True).split(" ", 2)
            need(len(words) == 3 and words[1] in SIGNS, "expected steps, an owner and moves")
            self.check_state(state, whole(words[0]), SIGNS[words[1]], words[1] == "end", words[2])
        need(self.line() == "done", "expected 'done'")
        need(not self.lines.readline(1), "expected the end of the file after this line")
        return f"the average is {claim} from state {initial} (game {self.game.hexdigest()})"

    def check_state(self, state, steps, sign, is_end, text):
        """Check the conditions on one state."""
        gain, bias, chosen = self.gain[state], self.bias[state], self.chosen[state]
        if is_end:
            need(gain == 0 and bias == number(text), "the end does not pay its bias, or has a gain")
            return
        moves = text.split(" ; ")
        need(chosen < len(moves), "the chosen move does not exist")
        need(sign or len(moves) == 1, "a chance node has several moves")
        for place, move in enumerate(moves):
            words = move.split(" ")
            need(len(words) >= 3 and len(words) % 2, "a move has no successor")
            weights, targets = list(map(whole, words[1::2])), list(map(whole, words[2::2]))
            need(min(weights) > 0, "a weight is not positive")
            need(max(targets) < self.states, "a successor does not exist")
            after, total = (
                sum(weight * of[to] for weight, to in zip(weights, targets, strict=True))
                / Fraction(sum(weights))
                for of in (self.gain, self.bias)
            )
            excess = total + number(words[0]) - steps * gain - bias
            for more in (after - gain, excess):
                is_right = more == 0 if place == chosen else sign * more <= 0
                need(is_right, "a move returns more, or the chosen one something else")
            is_lower = min(map(self.rank.__getitem__, targets)) < self.rank[state]
            need(steps > 0 or is_lower, "a move that is no step leads to no state of lower rank")


def main(words):
    """Check one file."""
    if len(words) != 1:
        print("usage: average_check.py FILE", file=sys.stderr)
        return 2
    sys.set_int_max_str_digits(0)
    try:
        with Path(words[0]).open(encoding="ascii", newline="\n") as file:
            check = Check(file)
            try:
                print(f"accepted: {check.run()}")
            except (RejectedError, UnicodeDecodeError) as reason:
                print(f"rejected: line {check.place}: {reason}")
                return 1
    except OSError as problem:
        print(f"average_check: {words[0]}: {problem.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
