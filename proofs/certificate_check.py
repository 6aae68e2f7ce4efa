"""Check a certificate of the value of a game: python3 certificate_check.py FILE.

The file holds a finite game, state by state, and for each state a lower and an upper bound of its
value, what is to be done there, and ranks. CERTIFICATES.md, beside this file, defines the format
and says why what is checked here proves the bounds. Nothing is solved and nothing is trusted: each
line is read once, and integers and fractions are compared. Bounds and ranks are held in memory,
moves are not. This needs Python 3.11 or later, its standard library, and nothing of exactdice.

One line is printed: "accepted" with the bounds of the initial state and the SHA-256 of the lines
that are the game, or "rejected" with the line and the reason. Exit status: 0, 1, and 2 where the
file cannot be read.
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
MOST_LINE, MOST_DIGITS = 10**7, 10**5  # of a line and of a number, so that each takes a moment
NUMBER = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")
LINE = re.compile(r"[a-z0-9 ;|/=-]*")


class RejectedError(Exception):
    """The file is no certificate, or proves nothing."""


def need(holds, reason):
    """Reject the file where something does not hold."""
    if not holds:
        raise RejectedError(reason)


def number(word):
    """Read p or p/q, exactly; an integer stays one."""
    read = NUMBER.fullmatch(word)
    need(read, f"{word[:40]!r} is no number p or p/q")
    above, below = read.groups()
    need(max(len(above), len(below or "")) <= MOST_DIGITS, f"{word[:40]!r} is too long")
    if below is None:
        return int(above)
    need(int(below) > 0, f"{word[:40]!r} has no denominator above 0")
    return Fraction(int(above), int(below))


def whole(word, digits=MOST_DIGITS):
    """Read a whole number of at least 0, of so many digits at most."""
    is_fit = word.isdigit() and len(word) <= digits
    need(is_fit, f"{word[:40]!r} is no whole number, or too large")
    return int(word)


class Check:
    """One pass over the lines of one file."""

    def __init__(self, lines):
        self.lines, self.place = lines, 0
        self.game, self.is_game = hashlib.sha256(), True  # whether lines are the game's
        self.owners = set()

    def line(self):
        """Give the words of the next line before the #; names of states stand behind it."""
        self.place += 1
        read = next(self.lines, None)
        need(read and read.endswith("\n"), "is missing, too long, or ends too early")
        need(read[:-1].isprintable(), "holds what cannot be printed")
        if self.is_game:
            self.game.update(read.encode())
        text = read.partition("#")[0].rstrip(" \n")
        need(LINE.fullmatch(text), "holds a character that no line has")
        return text

    def words(self, name, count):
        """Give the words behind the name that begins the next line."""
        words = self.line().split()
        need(words[:1] == [name] and len(words) == 1 + count, f"is not {name!r} and {count} more")
        return words[1:]

    def run(self):
        """Check the whole file, and say what it proves."""
        need(self.line() == "exactdice-certificate 1", "should be 'exactdice-certificate 1'")
        (self.question,) = self.words("question", 1)
        need(self.question in QUESTIONS, f"asks none of {', '.join(QUESTIONS)}")
        heads = [self.words(name, 1)[0] for name in ("players", "states", "initial")]
        self.players, self.states, self.initial = (whole(word, 17) for word in heads)
        is_fit = self.players <= 2 and self.initial < self.states
        need(is_fit, "or those before name more players than 2, or a state that is not there")
        self.is_game = False
        self.scale = whole(self.words("scale", 1)[0])
        need(self.scale > 0, "should be above 0")
        claim = list(map(number, self.words("claim", 2)))
        need(self.line() == "bounds", "should be 'bounds'")
        self.lower, self.upper, self.policy = [], [], []
        self.ranks = [], []  # with the first player free, and with the second
        for _ in range(self.states):
            self.read_bounds(self.line().split())
        at = self.initial
        low, high = (Fraction(bounds[at]) / self.scale for bounds in (self.lower, self.upper))
        need(claim[0] <= low and high <= claim[1], "ends bounds that do not keep the claim")
        self.is_game = True
        need(self.line() == "moves", "should be 'moves'")
        for state in range(self.states):
            owner, _, rest = self.line().partition(" ")
            need(owner in OWNERS, f"should begin with one of {', '.join(OWNERS)}")
            self.check_state(state, owner, rest)
        self.is_game = False
        need(self.line() == "done", "should be 'done'")
        need(next(self.lines, None) is None, "is not the last, as it should be")
        what = {"total": "the total reward", "reach": "the chance to reach the goal"}
        asked = what.get(self.question, "the game, endless play being a draw,")
        worth = f"is {low}" if low == high else f"lies from {low} to {high}"
        return f"{asked} from state {at} {worth} (game {self.game.hexdigest()})"

    def read_bounds(self, words):
        """Read LOWER UPPER RANK RANK and what is to be done."""
        need(len(words) >= 4, "should hold two bounds and two ranks")
        low = number(words[0])
        high = low if words[1] == "=" else number(words[1])
        need(low <= high, "has bounds the wrong way round")
        need(self.question != "reach" or low >= 0, "bounds a chance below 0")
        self.lower.append(low)
        self.upper.append(high)
        for ranks, word in zip(self.ranks, words[2:4], strict=True):
            ranks.append(whole(word, 17))
        self.policy.append(words[4:])

    def check_state(self, state, owner, text):
        """Check what is asked of one state."""
        if owner == "end":
            paid = number(text.strip())
            need(self.question != "reach" or paid in (0, 1), "pays another chance than 0 or 1")
            paid *= self.scale
            is_fit = self.lower[state] <= paid <= self.upper[state] and not self.policy[state]
            need(is_fit, "ends, but its bounds do not hold the payoff, or it goes on")
            return
        self.owners.add(owner)
        is_two = "both" in self.owners or {"first", "second"} <= self.owners
        need(self.players == 2 or not is_two, "has a second player, who is not announced")
        if owner == "both":
            need(self.question != "draws", "has a choice at once, where endless play is a draw")
            self.check_matrix(state, text)
            return
        chosen = self.policy[state]
        if owner == "chance":
            need(not chosen, "has something to do where chance decides")
            chosen = ["0"]
        fixed = whole(" ".join(chosen))
        texts = text.split(";")
        is_fit = fixed < len(texts) and (owner != "chance" or len(texts) == 1)
        need(is_fit, "has no such choice, or several moves of chance")
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
        """Check a state in which both choose at once: each row, then each column."""
        size, _, text = text.partition(";")
        words = size.split()
        need(len(words) == 2, "should hold the numbers of rows and columns")
        rows, columns = map(whole, words)
        moves = [self.move(part) for part in text.split(";")]
        need(rows * columns == len(moves), "has not a move for each row and column")
        mixed = " ".join(self.policy[state]).split("|")
        need(len(mixed) == 2, "has not two strategies")
        first, second = ([whole(word) for word in part.split()] for part in mixed)
        is_fit = len(first) == rows and len(second) == columns and sum(first) and sum(second)
        need(is_fit, "has strategies of other choices, or of none")
        for first_free in (True, False):
            bounds = self.upper if first_free else self.lower
            strategy, free = (second, rows) if first_free else (first, columns)
            gains = []  # over the bound, of each pair of choices
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
        """Read REWARD and then WEIGHT STATE for each successor."""
        words = text.split()
        need(len(words) >= 3 and len(words) % 2, "has a move that leads nowhere")
        reward = number(words[0])
        need(self.question == "total" or not reward, "is paid for before play has ended")
        is_fit = "".join(words[1:]).isdigit() and max(map(len, words)) <= MOST_DIGITS
        need(is_fit, "has a weight or state that is no whole number, or too large")
        weights, targets = list(map(int, words[1::2])), list(map(int, words[2::2]))
        is_fit = min(weights) > 0 and max(targets) < self.states
        need(is_fit, "has a weight that is not above 0, or leads to a state that is not there")
        return reward, weights, targets

    def check_choice(self, state, targets, gain, first_free, is_fixed):
        """Hold what a choice returns over the bound, and where it leads, against one side."""
        if gain and (gain > 0) == first_free:
            which = "more than the upper" if first_free else "less than the lower"
            raise RejectedError(f"has a choice that returns {which} bound")
        bound = (self.upper if first_free else self.lower)[state]
        is_gain = bound != 0 and (bound < 0) == first_free  # against what endless play pays
        if self.question == "total":
            is_asked = is_fixed or self.players == 2
        else:
            is_asked = is_gain and (not first_free if self.question == "reach" else gain == 0)
        if is_asked:
            ranks = self.ranks[0 if first_free else 1]
            nearest = min(map(ranks.__getitem__, targets))
            need(nearest < ranks[state], "has a choice that leads to no state of lower rank")


def main(words):
    """Check the one file that is named."""
    if len(words) != 1:
        print("certificate_check: give one file", file=sys.stderr)
        return 2
    sys.set_int_max_str_digits(0)
    try:
        with Path(words[0]).open(encoding="ascii", newline="\n") as file:
            check = Check(iter(partial(file.readline, MOST_LINE), ""))
            try:
                print(f"accepted: {check.run()}")
            except (RejectedError, UnicodeDecodeError) as reason:
                print(f"rejected: line {check.place} {reason}")
                return 1
    except OSError as problem:
        print(f"certificate_check: {words[0]}: {problem.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
