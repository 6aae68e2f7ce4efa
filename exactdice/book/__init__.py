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

from collections.abc import Mapping

from exactdice.book.own import SUFFIX, page_in
from exactdice.book.page import Page, PageAnswer, PrintedValue, Variant
from exactdice.errors import InputError, choices
from exactdice.linked import LoadedOnUse, linked

__all__ = ["PAGES", "Page", "PageAnswer", "PrintedValue", "Variant", "load", "opened"]

_NAMES = (
    "yahtzee pig shut-the-box craps sic-bo backgammon bear-off ur left-center-right "
    "snakes-and-ladders orchard hog liars-dice mia qwixx cant-stop einstein intransitive-dice "
    "go-first-dice sicherman-dice double-shutter threes ship-captain-crew zombie-dice ten-thousand"
)
_MODULES = {name: name.replace("-", "_") for name in _NAMES.split()}
_MODULES |= dict.fromkeys(("intransitive-dice", "go-first-dice"), "sets_of_dice")
_MODULES |= {"sicherman-dice": "sicherman"}


def _page(name: str) -> Page:
    module = linked(f"exactdice.book.{_MODULES[name]}")
    pages = (page for page in vars(module).values() if isinstance(page, Page))
    return next(page for page in pages if page.name == name)


#: The pages by their names, in their order.
PAGES: Mapping[str, Page] = LoadedOnUse(_MODULES, _page)


def opened(name: str) -> Page:
    """Open the book at a page, or a page of one's own by the name of its file.

    Raises InputError if there is no such page, or its file is none.

    >>> opened("craps").title
    'Craps'
    """
    if name.endswith(SUFFIX):
        return page_in(name)
    if name not in PAGES:
        known = choices(tuple(PAGES), name, "exactdice book")
        raise InputError("name", name, f"a {SUFFIX} file or {known}")
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
    exactdice.errors.InputError: pieces: got 4; expected one of 1, 2, 3
    """
    return opened(name).variant(variant, **options)
