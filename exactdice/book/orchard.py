"""Orchard: all against the raven, and the one choice is what to pick when the basket comes up.

A die shows one of the trees (pick a fruit there, if it has one), a basket (pick where you like), or
the raven, who takes a step. The players win if the trees are empty before the raven arrives.
Orchard is a trademark of HABA.
"""

from functools import partial

from exactdice.book.page import Page, Variant
from exactdice.dice import Distribution
from exactdice.models import Choice, End, Game, Moves, point_mass

State = tuple[tuple[int, ...], int, int]


def picked(trees: tuple[int, ...], which: int) -> tuple[int, ...]:
    """One fruit fewer on a tree, if it has one; trees in order, since they are all alike."""
    return tuple(sorted(max(0, n - 1) if i == which else n for i, n in enumerate(trees)))


def orchard(trees: int, fruits: int, steps: int, basket: int) -> Game[State]:
    """A state is what hangs on the trees, the raven's steps to go, and fruits to be picked now."""

    def moves(state: State) -> Moves:
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


_BOX = (
    "10595284893584715037488264068514156177970969647014229623087623/"
    "15489107002921234981941411840000000000000000000000000000000000"
)

_EHRHARDT = "Loic Ehrhardt, jeu_du_verger_proba, on GitHub"
_STORMVOGEL = "the tutorial of stormvogel"
_RULES = "as in the box: four trees of ten fruits, nine steps, two fruits a basket"
_FIRST = "the first orchard: four trees of four fruits, five steps, one fruit a basket"
_VARIANTS = {
    "box": Variant(_RULES, partial(orchard, 4, 10, 9, 2), printed={_BOX: _EHRHARDT}),
    "first": Variant(_FIRST, partial(orchard, 4, 4, 5, 1), printed={"0.6313": _STORMVOGEL}),
}
PAGE = Page("orchard", "Orchard", "all together", "chance to win", _VARIANTS)
