"""The optimum modulo a number, the obvious way: backwards over whole states, score included.

A state is worth a double and a residue. The doubles choose the move; where two moves differ by less
than doubles can be trusted with, their residues must be the same, or the choice is refused. So no
fraction is ever built, no block of dice, no line in the score, and every fix is compared.
"""

from functools import cache
from math import comb, isclose

TRUSTED = 1e-11


class NaiveResidues:
    def __init__(self, faces, modulus):
        self.faces, self.modulus = tuple(faces), modulus
        self.rolls = cache(self.rolls)

    def rolls(self, revenue):
        """(kept, survivors, chance as a double, chance as a residue) of each roll."""
        splits = [((), 0, 1.0, 1)]
        for number, faces in zip(revenue, self.faces, strict=True):
            one = pow(faces, -number, self.modulus)
            splits = [
                (
                    (*kept, k),
                    survivors + k,
                    chance * comb(number, k) * (1 - 1 / faces) ** k / faces ** (number - k),
                    residue * comb(number, k) * (faces - 1) ** k * one % self.modulus,
                )
                for kept, survivors, chance, residue in splits
                for k in range(number + 1)
            ]
        return splits

    def moves(self, revenue, dice):
        rungs = range(len(dice))
        if revenue != dice:
            return [(plus(revenue, i, 1), dice) for i in rungs if revenue[i] < dice[i]]
        after = [plus(dice, 0, 1)]
        after += [plus(plus(dice, i, -1), i + 1, 1) for i in rungs[:-1] if dice[i]]
        return [(one, one) for one in after]

    def value(self, rounds):
        none = (0,) * len(self.faces)
        layers = [{(none, none, 0): None}]
        for _ in range(rounds):
            layers.append({
                (kept, dice, score + survivors if survivors else 0): None
                for before, all_before, score in layers[-1]
                for rolled, dice in self.moves(before, all_before)
                for kept, survivors, *_ in self.rolls(rolled)
            })  # fmt: skip
        following = {state: (float(state[2]), state[2]) for state in layers.pop()}
        while layers:
            layer = layers.pop()
            for revenue, dice, score in layer:
                layer[revenue, dice, score] = self.best(revenue, dice, score, following)
            following = layer
        return following[none, none, 0]

    def best(self, revenue, dice, score, following):
        best = None
        for rolled, after in self.moves(revenue, dice):
            value, residue = 0.0, 0
            for kept, survivors, chance, chance_residue in self.rolls(rolled):
                state = kept, after, score + survivors if survivors else 0
                later, later_residue = following[state]
                value += chance * later
                residue += chance_residue * later_residue
            residue %= self.modulus
            if best is not None and isclose(value, best[0], rel_tol=TRUSTED):
                assert residue == best[1], "doubles cannot tell these moves apart"
            if best is None or value > best[0]:
                best = value, residue
        return best


def plus(dice, rung, number):
    return (*dice[:rung], dice[rung] + number, *dice[rung + 1 :])
