"""A page of one's own: a file of Python in which a game is written down.

What the file calls ``PAGE`` is the page. Without one, its variants are those of the pages in its
list ``PAGES``, named ``PAGE/VARIANT``, and then each game and each race that it makes, by its name
there, in their order; its first line says what it is. The file is run, as by Python, so only files
are opened that somebody named on the command line or in Python.
"""

import runpy
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from exactdice.book.page import Page, Variant
from exactdice.errors import ExactDiceError, InputError
from exactdice.linked import is_of
from exactdice.models import Game, ModelError

SUFFIX = ".py"
#: Classes of games with hidden information.
HIDDEN = ("exactdice.hidden.game:HiddenGame", "exactdice.hidden.dealt:DealtGame")


@contextmanager
def in_one_line(file: str, *, is_loading: bool = False) -> Iterator[None]:
    """Tell what the code of a file raises in one line, with its place in the file.

    Errors that did not pass through it are nobody's but ours, and stay as they are.
    """
    try:
        yield
    except (ExactDiceError, MemoryError):
        raise
    except (Exception, SystemExit) as problem:
        steps = traceback.extract_tb(problem.__traceback__)
        lines = [step.lineno for step in steps if step.filename == file]
        if isinstance(problem, SyntaxError):
            lines.append(problem.lineno)
        if not (lines or is_loading):
            raise
        place = f"{file}, line {lines[-1]}" if lines and lines[-1] else file
        said = [f"{type(problem).__name__}: {problem}", *getattr(problem, "__notes__", ())]
        raise ModelError(f"{place}: {' '.join(' '.join(said).split())}") from problem


def page_in(file: str) -> Page:
    """Run a file of Python and take the page that it makes, or its games.

    Raises InputError if it cannot be read or makes neither, and ModelError if it raises.
    """
    path = Path(file)
    if not path.is_file():
        raise InputError("name", file, "a file that is there")
    before = sys.path[:]
    sys.path.insert(0, str(path.parent))  # as Python does for what it runs
    try:
        with in_one_line(file, is_loading=True):
            made = runpy.run_path(file)
    finally:
        sys.path[:] = before
    page = made.get("PAGE")
    if isinstance(page, Page):
        return page
    variants = dict(_variants(made, path.name))
    if not variants:
        right = "a file that makes a Game, a Race, a Page called PAGE, or a list of them, PAGES"
        raise InputError("name", file, right)
    title = (made.get("__doc__") or path.stem).strip().partition("\n")[0].rstrip(".:")
    asks = "total of the rewards, as the first player sees it"
    return Page(path.stem, title, "", asks, variants)


def _variants(made: Mapping[str, Any], file: str) -> Iterator[tuple[str, Variant]]:
    """Go through the variants of a file's pages, and its games and races, by their names."""
    pages = made.get("PAGES")
    pages = pages if isinstance(pages, list | tuple) else ()
    for page in (page for page in pages if isinstance(page, Page)):
        for name, variant in page.variants.items():
            rules, asks = f"{page.title}: {variant.rules}", variant.asks or page.asks
            yield f"{page.name}/{name}", replace(variant, rules=rules, asks=asks)
    for name, game in made.items():
        rules = f"`{name}` of {file}"
        if isinstance(game, Game) or is_of(game, *HIDDEN):
            yield name, Variant(rules, partial(_itself, game), takes="")
        elif is_of(game, "exactdice.solve.locked:Race"):
            asks = "chance that the player who begins wins"
            yield name, Variant(rules, game.game, takes="", wins=True, asks=asks)


def _itself(game: Any) -> Any:
    return game
