"""The book of dice: famous games, a page each, with their values and what was printed of them.

>>> import exactdice as xd
>>> variant = xd.book.load("craps")
>>> variant.answer().value.point
mpq(244,495)
>>> [printed.verdict(variant.answer().value) for printed in variant.numbers]
['confirmed']

A variant has its `game`, which every question of `exactdice.models` can be put to. The command
`exactdice book` lists the pages, and `exactdice book craps` gives the answer.
"""

from importlib import import_module

from exactdice.book.own import SUFFIX, page_in
from exactdice.book.page import Answer, Page, Printed, Variant
from exactdice.errors import InputError

__all__ = ["PAGES", "Answer", "Page", "Printed", "Variant", "load", "opened"]

_MODULES = (
    "yahtzee pig shut_the_box craps sic_bo backgammon bear_off ur left_center_right "
    "snakes_and_ladders orchard hog liars_dice mia qwixx cant_stop einstein sets_of_dice sicherman "
    "double_shutter threes ship_captain_crew zombie_dice ten_thousand"
)

#: The pages by their names, in their order.
PAGES: dict[str, Page] = {
    page.name: page
    for name in _MODULES.split()
    for page in vars(import_module(f"exactdice.book.{name}")).values()
    if isinstance(page, Page)
}


def opened(name: str) -> Page:
    """Open the book at a page, or a page of one's own by the name of its file.

    Raises InputError if there is no such page, or its file is none.

    >>> opened("craps").title
    'Craps'
    """
    if name.endswith(SUFFIX):
        return page_in(name)
    if name not in PAGES:
        raise InputError("name", name, f"one of {', '.join(PAGES)}, or a file in {SUFFIX}")
    return PAGES[name]


def load(name: str, variant: str | None = None, **options: str | int) -> Variant:
    """Open the book at one game, by the name of its page and of a variant, the first where None.

    Instead of a name there may be `Variant.options`, as in ``load("yahtzee", joker="forced")``: the
    first variant that has them is meant. Raises InputError if there is no such page, variant or
    option; `name` may be that of a file of one's own, as for `opened`.

    >>> load("pig", "piglet").answer().value.point
    mpq(4,7)
    >>> load("ur", pieces=4)
    Traceback (most recent call last):
    exactdice.errors.InputError: pieces: got 4; give one of 1, 2, 3
    """
    return opened(name).variant(variant, **options)
