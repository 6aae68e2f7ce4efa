"""Snakes and ladders: a chain without choices; how long does a game take?

The board is that of Milton Bradley's Chutes and Ladders, begun outside the board; the last roll
must come out even. Source: Althoen, King and Schilling, "How Long Is a Game of Snakes and
Ladders?", The Mathematical Gazette 77 (1993), whose expected number of moves is the fraction
225837582538403273407117496273279920181931269186581786048583 /
5757472998140039232950575874628786131130999406013041613400.
"""

from exactdice.dice import fair
from exactdice.models import Chance, Game, optimum, time_law

LEAPS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100} | {
    16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78
}  # fmt: skip


def moves(square):
    if square == 100:
        return None

    def step(roll):
        landed = square + roll
        return square if landed > 100 else LEAPS.get(landed, landed)

    return Chance(1, fair(6).map(step))


if __name__ == "__main__":
    model = Game(0, moves).explored()
    print("moves of a game:", optimum(model).value)
    law = time_law(model, {})
    print("standard deviation:", law.standard_deviation.decimal(6))
    print("half of all games take at most", law.quantile("1/2"))
