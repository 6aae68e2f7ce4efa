"""Roll and keep: five dice, three rolls, one category to score in at the end.

After a roll any of the dice may be kept and the others rolled again, twice. A state is the dice
shown in order with the number of rolls left, or the dice kept with the rolls left after this one.
Source: probabilities of a Yahtzee in one turn are in many places, 347897/7558272 = 0.0460 (e.g.
Wikipedia, "Yahtzee"); it is best to keep the commonest face.
"""

from itertools import combinations

from exactdice.dice import Distribution, fair
from exactdice.models import Choice, End, Game, optimum, point_mass

DICE = 5


def yahtzee(faces):
    return 50 if len(set(faces)) == 1 else 0


def chance(faces):
    return sum(faces)


def full_house(faces):
    return 25 if sorted(map(faces.count, set(faces))) == [2, 3] else 0


def category(score):
    def moves(state):
        what, faces, rolls = state
        if what == "kept":
            rolled = {faces: 1}
            for _ in range(DICE - len(faces)):
                rolled = _one_more(rolled)
            return Distribution({("shown", tuple(f), rolls): n for f, n in rolled.items()})
        if not rolls:
            return End(score(faces))
        keeps = {k for size in range(DICE + 1) for k in combinations(faces, size)}
        return [Choice(k, 0, point_mass(("kept", k, rolls - 1))) for k in sorted(keeps)]

    return Game(("kept", (), 2), moves)


def _one_more(rolled):
    more = {}
    for faces, ways in rolled.items():
        for face in fair(6):
            after = tuple(sorted((*faces, face)))
            more[after] = more.get(after, 0) + ways
    return more


if __name__ == "__main__":
    for score in (yahtzee, chance, full_house):
        best = optimum(category(score).explored())
        print(f"{score.__name__}: {best.value} points")
        print(
            "  of 1 1 2 5 5 with two rolls to go keep", best.action(("shown", (1, 1, 2, 5, 5), 2))
        )
