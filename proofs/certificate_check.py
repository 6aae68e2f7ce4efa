"""Check a certificate of the value of a game: python3 certificate_check.py FILE.

The file contains a finite game, state by state. For each state it also contains a lower and an upper
bound of the value, a strategy, and two ranks. CERTIFICATES.md in the same folder defines the format
and proves that the conditions checked here imply the bounds. The program does not solve the game: it
reads each line once and compares integers and fractions. It keeps bounds and ranks in memory, but
not moves. It needs Python 3.11 or later with the standard library, and not exactdice.

It prints one line: "accepted" with the bounds of the initial state and the SHA-256 of the lines that
define the game, or "rejected" with the line number and the reason. Exit status: 0 accepted, 1
rejected, 2 if the file cannot be read.
"""

import hashlib
import re
import sys
from fractions import Fraction
from functools import partial
from operator import mul
from pathlib import Path

QUESTIONS = ("total", "reach", "draws")
OWNERS = ("end", "chance", "first", "second", "both")
MOST_LINE, MOST_DIGITS = 10**7, 10**5  # limits on lines and numbers, so that reading is fast
NUMBER = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")
LINE = re.compile(r"[a-z0-9 ;|/=-]*")


class RejectedError(Exception):
    """The file is not a certificate, or a condition does not hold."""


def need(holds, reason):
    """Reject the file if a condition does not hold."""
    if not holds:
        raise RejectedError(reason)


def number(word):
    """Read p or p/q as an int or a Fraction."""
    read = NUMBER.fullmatch(word)
    need(read, f"{word[:40]!r} is not a number p or p/q")
    above, below = read.groups()
    need(max(len(above), len(below or "")) <= MOST_DIGITS, f"{word[:40]!r} is too long")
    if below is None:
        return int(above)
    need(int(below) > 0, f"{word[:40]!r}: the denominator must be positive")
    return Fraction(int(above), int(below))


def whole(word, digits=MOST_DIGITS):
    """Read a nonnegative integer with a limited number of digits."""
    is_fit = word.isdigit() and len(word) <= digits
    need(is_fit, f"{word[:40]!r} is not a nonnegative integer, or is too large")
    return int(word)


class Check:
    """One pass over the lines of one file."""

    def __init__(self, lines):
        self.lines, self.place = lines, 0
        self.game, self.is_game = hashlib.sha256(), True  # whether the lines define the game
        self.owners = set()

    def line(self):
        """Return the next line up to the first #, which precedes the name of a state."""
        self.place += 1
        read = next(self.lines, None)
        need(read and read.endswith("\n"), "the line is missing, too long, or cut off")
        need(read[:-1].isprintable(), "the line contains a character that cannot be printed")
        if self.is_game:
            self.game.update(read.encode())
        text = read.partition("#")[0].rstrip(" \n")
        need(LINE.fullmatch(text), "the line contains a character that is not allowed")
        return text

    def words(self, name, count):
        """Return the words after the given name, which must begin the next line."""
        words = self.line().split()
        is_fit = words[:1] == [name] and len(words) == 1 + count
        need(is_fit, f"expected {name!r} and {count} more words")
        return words[1:]

    def run(self):
        """Check the whole file and return the proved statement as a sentence."""
        need(self.line() == "exactdice-certificate 1", "expected 'exactdice-certificate 1'")
        (self.question,) = self.words("question", 1)
        need(self.question in QUESTIONS, f"expected one of {', '.join(QUESTIONS)}")
        heads = [self.words(name, 1)[0] for name in ("players", "states", "initial")]
        self.players, self.states, self.initial = (whole(word, 17) for word in heads)
        is_fit = self.players <= 2 and self.initial < self.states
        need(is_fit, "there are more than 2 players, or the initial state does not exist")
        self.is_game = False
        self.scale = whole(self.words("scale", 1)[0])
        need(self.scale > 0, "the scale must be positive")
        claim = list(map(number, self.words("claim", 2)))
        need(self.line() == "bounds", "expected 'bounds'")
        self.lower, self.upper, self.policy = [], [], []
        self.ranks = [], []  # if the first player may deviate, and if the second may
        for _ in range(self.states):
            self.read_bounds(self.line().split())
        at = self.initial
        low, high = (Fraction(bounds[at]) / self.scale for bounds in (self.lower, self.upper))
        need(claim[0] <= low and high <= claim[1], "the bounds do not imply the claim")
        self.is_game = True
        need(self.line() == "moves", "expected 'moves'")
        for state in range(self.states):
            owner, _, rest = self.line().partition(" ")
            need(owner in OWNERS, f"expected one of {', '.join(OWNERS)}")
            self.check_state(state, owner, rest)
        self.is_game = False
        need(self.line() == "done", "expected 'done'")
        need(next(self.lines, None) is None, "expected the end of the file after this line")
        names = {"total": "the total reward", "reach": "the probability of reaching the goal"}
        name = names.get(self.question, "the value with infinite play as a draw")
        value = f"is {low}" if low == high else f"is from {low} to {high}"
        return f"{name} from state {at} {value} (game {self.game.hexdigest()})"

    def read_bounds(self, words):
        """Read LOWER UPPER RANK RANK and the strategy."""
        need(len(words) >= 4, "expected two bounds and two ranks")
        low = number(words[0])
        high = low if words[1] == "=" else number(words[1])
        need(low <= high, "the lower bound is above the upper bound")
        need(self.question != "reach" or low >= 0, "the lower bound of a probability is negative")
        self.lower.append(low)
        self.upper.append(high)
        for ranks, word in zip(self.ranks, words[2:4], strict=True):
            ranks.append(whole(word, 17))
        self.policy.append(words[4:])

    def check_state(self, state, owner, text):
        """Check the conditions on one state."""
        if owner == "end":
            paid = number(text.strip())
            need(self.question != "reach" or paid in (0, 1), "the payoff must be 0 or 1")
            paid *= self.scale
            is_fit = self.lower[state] <= paid <= self.upper[state] and not self.policy[state]
            need(is_fit, "the bounds of a terminal state exclude its payoff, or it has a strategy")
            return
        self.owners.add(owner)
        is_two = "both" in self.owners or {"first", "second"} <= self.owners
        need(self.players == 2 or not is_two, "there are two players, but 'players' is not 2")
        if owner == "both":
            need(self.question != "draws", "no simultaneous moves if infinite play is a draw")
            self.check_matrix(state, text)
            return
        chosen = self.policy[state]
        if owner == "chance":
            need(not chosen, "a chance node has a strategy")
            chosen = ["0"]
        fixed = whole(" ".join(chosen))
        texts = text.split(";")
        is_fit = fixed < len(texts) and (owner != "chance" or len(texts) == 1)
        need(is_fit, "the chosen move does not exist, or a chance node has several moves")
        for place, part in enumerate(texts):
            reward, weights, targets = self.move(part)
            total = sum(weights)
            for first_free in (True, False):
                fixes = owner == ("second" if first_free else "first")
                if fixes and place != fixed:
                    continue
                bounds = self.upper if first_free else self.lower
                gain = sum(map(mul, weights, map(bounds.__getitem__, targets)))
                gain += (reward * self.scale - bounds[state]) * total
                self.check_choice(state, targets, gain, first_free, place == fixed)

    def check_matrix(self, state, text):
        """Check a state with simultaneous moves: each row, then each column."""
        size, _, text = text.partition(";")
        words = size.split()
        need(len(words) == 2, "expected the numbers of rows and columns")
        rows, columns = map(whole, words)
        moves = [self.move(part) for part in text.split(";")]
        need(rows * columns == len(moves), "expected one move for each row and column")
        mixed = " ".join(self.policy[state]).split("|")
        need(len(mixed) == 2, "expected two strategies")
        first, second = ([whole(word) for word in part.split()] for part in mixed)
        is_fit = len(first) == rows and len(second) == columns and sum(first) and sum(second)
        need(is_fit, "the strategies do not fit the rows and columns, or all weights are 0")
        for first_free in (True, False):
            bounds = self.upper if first_free else self.lower
            strategy, free = (second, rows) if first_free else (first, columns)
            gains = []  # for each pair of choices, the expected return minus the bound
            for reward, weights, targets in moves:
                after = sum(map(mul, weights, map(bounds.__getitem__, targets)))
                gains.append(reward * self.scale + Fraction(after) / sum(weights) - bounds[state])
            for choice in range(free):
                step, start = (1, choice * columns) if first_free else (columns, choice)
                met = [(w, start + step * other) for other, w in enumerate(strategy) if w]
                gain = sum(weight * gains[place] for weight, place in met)
                targets = [target for _, place in met for target in moves[place][2]]
                self.check_choice(state, targets, gain, first_free, is_fixed=True)

    def move(self, text):
        """Read REWARD, then WEIGHT STATE for each successor."""
        words = text.split()
        need(len(words) >= 3 and len(words) % 2, "a move has no successor")
        reward = number(words[0])
        need(self.question == "total" or not reward, "only question 'total' allows rewards")
        is_fit = "".join(words[1:]).isdigit() and max(map(len, words)) <= MOST_DIGITS
        need(is_fit, "a weight or state is not a nonnegative integer, or is too large")
        weights, targets = list(map(int, words[1::2])), list(map(int, words[2::2]))
        is_fit = min(weights) > 0 and max(targets) < self.states
        need(is_fit, "a weight is not positive, or a successor does not exist")
        return reward, weights, targets

    def check_choice(self, state, targets, gain, first_free, is_fixed):
        """Check the return of a choice, relative to the bound, and the ranks of its successors."""
        if gain and (gain > 0) == first_free:
            which = "more than the upper" if first_free else "less than the lower"
            raise RejectedError(f"a choice returns {which} bound")
        bound = (self.upper if first_free else self.lower)[state]
        is_gain = bound != 0 and (bound < 0) == first_free  # infinite play (0) passes the bound
        if self.question == "total":
            is_asked = is_fixed or self.players == 2
        else:
            is_asked = is_gain and (not first_free if self.question == "reach" else gain == 0)
        if is_asked:
            ranks = self.ranks[0 if first_free else 1]
            nearest = min(map(ranks.__getitem__, targets))
            need(nearest < ranks[state], "a choice leads to no state of lower rank")


def main(words):
    """Check one file."""
    if len(words) != 1:
        print("usage: certificate_check.py FILE", file=sys.stderr)
        return 2
    sys.set_int_max_str_digits(0)
    try:
        with Path(words[0]).open(encoding="ascii", newline="\n") as file:
            check = Check(iter(partial(file.readline, MOST_LINE), ""))
            try:
                print(f"accepted: {check.run()}")
            except (RejectedError, UnicodeDecodeError) as reason:
                print(f"rejected: line {check.place}: {reason}")
                return 1
    except OSError as problem:
        print(f"certificate_check: {words[0]}: {problem.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
