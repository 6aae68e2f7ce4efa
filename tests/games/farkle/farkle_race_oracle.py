"""Races of two by the definitions, slowly: bounds of all chances to win, iterated from 0 and 1."""

from fractions import Fraction
from functools import cache

from farkle_oracle import SlowTurn, die_chances

GRAIN = 10**9  # bounds are rounded outwards to multiples of its inverse


class SlowPlayer:
    """A player: dice told apart by their place, rules, and how to play."""

    def __init__(self, some_dice, rules):
        self.dice = tuple(die_chances(d.weights, d.joker) for d in some_dice)
        self.table = tuple((c.faces, c.score) for c in rules.combinations)
        self.rules = rules
        # Rolls and their options depend on the dice alone.
        self.rolls = cache(SlowTurn(self.dice, self.table, 50)._rolls)

    def turn(self, own, bank, nothing):
        """Value of a best turn from a score, by what banking and adding nothing are worth."""
        turn = self.turn_of(own, bank, nothing)
        return turn.final(0, turn.all)

    def turn_of(self, own, bank, nothing):
        """A turn from a score."""
        rules = self.rules
        least = max(rules.minimum_bank, rules.entry_minimum if own == 0 else 0)
        turn = SlowTurn(
            self.dice,
            self.table,
            rules.target - own,
            hot_dice=rules.hot_dice,
            minimum_bank=least,
            bank=bank,
            bust=nothing,
            nothing=nothing,
        )
        turn.rolls = self.rolls
        return turn


def slow_bounds(players, passes):
    """Bounds of the chance of the mover to win, by (mover, own score, other's score).

    Each pass takes every turn anew, against the bounds of the last pass; all of them hold, as the
    game is a fixed point between 0 and 1, and turns that add nothing are not for ever.
    """
    targets = [player.rules.target for player in players]
    states = [
        (who, own, other)
        for who in (0, 1)
        for own in range(0, targets[who], 50)
        for other in range(0, targets[1 - who], 50)
    ]
    states.sort(key=lambda state: -(state[1] + state[2]))
    low, high = dict.fromkeys(states, Fraction(0)), dict.fromkeys(states, Fraction(1))

    def value(state, theirs):
        who, own, other = state

        def bank(points):
            if own + points >= targets[who]:
                return Fraction(1)
            return 1 - theirs[1 - who, other, own + points]

        return players[who].turn(own, bank, 1 - theirs[1 - who, other, own])

    for _ in range(passes):
        for state in states:
            lower, upper = value(state, high), value(state, low)
            low[state] = Fraction(lower * GRAIN // 1, GRAIN)
            high[state] = Fraction(-(-upper * GRAIN // 1), GRAIN)
    return low, high


def slow_streaks(players, passes):
    """Bounds of the chance of the mover to win, by (mover, own, other, busts of both)."""
    rules = [player.rules for player in players]
    scores = [range(-each.floor, each.target, 50) for each in rules]
    states = [
        (who, own, other, mine, yours)
        for who in (0, 1)
        for own in scores[who]
        for other in scores[1 - who]
        for mine in range(3)
        for yours in range(3)
    ]
    states.sort(key=lambda state: (-(state[1] + state[2]), -(state[3] + state[4])))
    low, high = dict.fromkeys(states, Fraction(0)), dict.fromkeys(states, Fraction(1))

    def value(state, theirs):
        who, own, other, mine, yours = state

        def bank(points):
            if own + points >= rules[who].target:
                return Fraction(1)
            return 1 - theirs[1 - who, other, own + points, yours, 0]

        fallen = max(own - rules[who].streak_penalty, -rules[who].floor)
        after = (own, mine + 1) if mine < 2 else (fallen, 0)
        nothing = 1 - theirs[1 - who, other, after[0], yours, after[1]]
        return players[who].turn(own, bank, nothing)

    for _ in range(passes):
        for state in states:
            lower, upper = value(state, high), value(state, low)
            low[state] = Fraction(lower * GRAIN // 1, GRAIN)
            high[state] = Fraction(-(-upper * GRAIN // 1), GRAIN)
    return low, high
