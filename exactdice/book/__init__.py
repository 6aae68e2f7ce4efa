"""The book of dice: famous games, with their values compared with published ones.

>>> import exactdice as xd
>>> variant = xd.book.load("craps")
>>> variant.answer().value.point
mpq(244,495)
>>> [printed.verdict(variant.answer().value) for printed in variant.numbers]
['confirmed']

`Variant.game` is a game that every function of `exactdice.models` accepts. The command `exactdice
book` lists the games, and `exactdice book craps` gives the answer.
"""

from collections.abc import Mapping

from exactdice.book.page import SUFFIX, Page, PageAnswer, PrintedValue, Variant, page_in
from exactdice.errors import InputError, choices
from exactdice.linked import LoadedOnUse, linked

__all__ = ["PAGES", "Page", "PageAnswer", "PrintedValue", "Variant", "load", "opened"]

_NAMES = (
    "yahtzee pig shut-the-box craps sic-bo backgammon bear-off ur left-center-right "
    "snakes-and-ladders orchard hog liars-dice mia qwixx cant-stop einstein intransitive-dice "
    "go-first-dice sicherman-dice double-shutter threes ship-captain-crew zombie-dice ten-thousand "
    "swe-players risk swe reroll farkle fatestones"
)
_MODULES = {name: name.replace("-", "_") for name in _NAMES.split()} | {
    name: module
    for module, names in {
        "backgammon": "bear-off",
        "boards": "ur einstein cant-stop",
        "craps": "sic-bo",
        "five_games": "risk swe reroll farkle fatestones",
        "liars_dice": "mia",
        "luck": "left-center-right orchard snakes-and-ladders",
        "pig": "hog",
        "sets_of_dice": "intransitive-dice go-first-dice sicherman-dice",
        "shut_the_box": "double-shutter",
        "turns": "threes ship-captain-crew zombie-dice",
    }.items()
    for name in names.split()
}


def _page(name: str) -> Page:
    module = linked(f"exactdice.book.{_MODULES[name]}")
    pages = (page for page in vars(module).values() if isinstance(page, Page))
    return next(page for page in pages if page.name == name).with_published()


#: The pages by name, in their order.
PAGES: Mapping[str, Page] = LoadedOnUse(_MODULES, _page)


def opened(name: str) -> Page:
    """Return a page by its name, or the page in a Python file.

    Raises InputError if there is no such page, or the file makes none.

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
    """Return a variant of a page, by default the first.

    The variant may also be selected by `Variant.options`, for example ``load("yahtzee",
    joker="forced")``: the first variant with these options is returned. `name` may be that of a
    Python file, as in `opened`. Raises InputError if there is no such page, variant or option.

    >>> load("pig", "piglet").answer().value.point
    mpq(4,7)
    >>> load("ur", pieces=4)
    Traceback (most recent call last):
    exactdice.errors.InputError: pieces: got 4; expected one of 1, 2, 3
    """
    return opened(name).variant(variant, **options)
