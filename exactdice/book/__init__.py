"""The book of dice: famous games, a page each, with their values and what was printed of them.

>>> import exactdice as xd
>>> variant = xd.book.load("craps")
>>> variant.answer().value.point
mpq(244,495)
>>> [printed.verdict(variant.answer().value) for printed in variant.printed]
['confirmed']

A variant has its `game`, which every question of `exactdice.models` can be put to. The command
`exactdice book` lists the pages, and `exactdice book craps` gives the answer.
"""

from exactdice.book import (
    backgammon,
    craps,
    hog,
    left_center_right,
    orchard,
    pig,
    shut_the_box,
    snakes_and_ladders,
    ur,
    yahtzee,
)
from exactdice.book.page import Answer, Page, Printed, Variant
from exactdice.errors import InputError

__all__ = ["PAGES", "Answer", "Page", "Printed", "Variant", "load"]

#: The pages by their names, in their order.
PAGES: dict[str, Page] = {
    page.name: page
    for page in (
        yahtzee.PAGE,
        pig.PAGE,
        shut_the_box.PAGE,
        craps.PAGE,
        backgammon.PAGE,
        ur.PAGE,
        left_center_right.PAGE,
        snakes_and_ladders.PAGE,
        orchard.PAGE,
        hog.PAGE,
    )
}


def load(name: str, variant: str | None = None) -> Variant:
    """Open the book at one game.

    Parameters
    ----------
    name
        A page: ``"pig"``.
    variant
        One of its variants; the first where None.

    Raises
    ------
    InputError
        If there is no such page or variant.

    Examples
    --------
    >>> load("pig", "piglet").answer().value.point
    mpq(4,7)
    """
    if name not in PAGES:
        raise InputError("name", name, f"one of {', '.join(PAGES)}")
    return PAGES[name].variant(variant)
