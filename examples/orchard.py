"""Orchard: all against the raven, and the one choice is what to pick when the basket comes up.

A die shows one of the trees (pick a fruit there, if it has one), a basket (pick where you like), or
the raven, who takes a step. The players win if the trees are empty before the raven arrives.
Sources: the tutorial of stormvogel (four trees of four fruits, five steps, one fruit a basket)
wins with at most 0.6313; a program by Loic Ehrhardt on GitHub (jeu_du_verger_proba) gives the
game in the box, four trees of ten, nine steps and two fruits a basket, as a fraction, 0.68404….
"""

from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, optimum, point_mass


def picked(trees, which):
    """One fruit fewer on a tree, if it has one; trees in order, since they are all alike."""
    return tuple(sorted(max(0, n - 1) if i == which else n for i, n in enumerate(trees)))


def orchard(trees, fruits, steps, basket):
    def moves(state):
        left, raven, picks = state
        if not any(left):
            return End(1)
        if not raven:
            return End(0)
        if picks:
            return [
                Choice(f"of {n}", 0, point_mass((picked(left, left.index(n)), raven, picks - 1)))
                for n in sorted(set(left) - {0})
            ]
        faces = [(picked(left, tree), raven, 0) for tree in range(trees)]
        return Distribution.from_faces([*faces, (left, raven, basket), (left, raven - 1, 0)])

    return Game(((fruits,) * trees, steps, 0), moves)


if __name__ == "__main__":
    for name, game in {"small": orchard(4, 4, 5, 1), "in the box": orchard(4, 10, 9, 2)}.items():
        model = game.explored()
        best, worst = optimum(model), optimum(model, least=True)
        print(f"{name}: the players win with {best.value}; picking badly, with {worst.value}")
        fullest = all(f"of {max(s[0])}" in best.optimal_actions(s) for s in best.policy)
        print("  picking from the fullest tree is optimal everywhere:", fullest)
