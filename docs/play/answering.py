"""The engine of the static page: from the text of a question to its page, JSON and CSV."""

import json
import shlex
import time
from contextlib import redirect_stdout
from dataclasses import replace
from html import escape
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import addresses
import arrays
from algebra import WholePolynomial

arrays.stand_in()  # before anything imports numpy
addresses.stand_in()  # and Starlette

from exactdice import storage  # noqa: E402
from exactdice.book import PAGES  # noqa: E402
from exactdice.dice import endless, weighted  # noqa: E402
from exactdice.errors import ConflictError, InputError, MissingExtraError, told  # noqa: E402
from exactdice.linked import linked  # noqa: E402
from exactdice.report.writers import Format, render  # noqa: E402
from exactdice.rooms import question, question_class  # noqa: E402
from exactdice.run import Run  # noqa: E402
from exactdice.typed import is_program, words_of  # noqa: E402
from exactdice.web.forms import address_for, canonical, question_from  # noqa: E402
from exactdice.web.pieces import shown  # noqa: E402

# without FLINT, which has 7 MB and takes seconds to load
endless.polynomial = lambda *coefficients: WholePolynomial(coefficients)
weighted._LONG = 4_000_000  # bits; integers take a second
_BETWEEN = 0.2  # seconds between reports of progress
_MEMORY = 1 << 30  # bytes
_CERTIFICATE = 5_000_000  # bytes; longer ones take minutes to check here


def answer(words: str, tell) -> str:
    """Answer a question, check the certificate of its value, or run cells; errors are one line."""
    last = time.monotonic()

    def progress(what, done, total):
        nonlocal last
        if time.monotonic() - last > _BETWEEN:
            last = time.monotonic()
            tell(what, done, total)

    try:
        if words.startswith('["'):
            return json.dumps(_run(json.loads(words)))
        if words.startswith("check "):
            return json.dumps(_checked(words.removeprefix("check "), progress))
        if address := _page_of(words):
            made = addresses.page_at(address, lambda one: _answered(one, progress))
            path, query = urlsplit(made["words"]).path, parse_qs(urlsplit(made["words"]).query)
            name = path.removeprefix("/games/")
            variant = query.get("variant", [*PAGES[name].variants])[0] if name in PAGES else ""
            check = _checkable(question(f"book {name} --variant {variant}")) if variant else {}
            return json.dumps(made | check)
        asked, words = _read(words)
        report = asked.answer(Run(memory=_MEMORY, progress=progress))
        view = shown(report, 10)
        files = {"json": render(report, Format.JSON), "csv": _csv(report)}
        made = {"words": words, "title": view.title, "page": addresses.page_of(view, words)}
        return json.dumps(made | _checkable(asked) | files)
    except (ModuleNotFoundError, MissingExtraError) as problem:
        library = (problem.name or "a solver in C++").partition(".")[0]
        line = f"this needs {library}, which is not available in a browser; install exactdice"
        return json.dumps({"problem": line, "missing": library})
    except Exception as problem:
        line = told(problem) or f"this is a bug in exactdice: {type(problem).__name__}: {problem}"
    return json.dumps({"problem": line})


def _checkable(asked):
    """Return the command of a value of the book whose certificate can be checked."""
    is_book = hasattr(asked, "certificate") and getattr(asked, "name", "") in PAGES
    return {"check": str(asked)} if is_book else {}


def _page_of(words):
    """Return the address of the server's page that answers a text, or an empty text."""
    if words == "/" or words.startswith(("/play/", "/games/")):
        return "" if words.startswith("/play/anydice") else words
    try:
        question(words)
    except InputError as problem:
        is_short = problem.argument == "question" and not words.startswith(("{", "/"))
        address = address_for(words) if is_short else ""
        return "" if address.startswith("/play/anydice") else address
    return ""


def _answered(asked, progress):
    """Return the report of a question, or its problem as the server's pages show it."""
    try:
        return asked.answer(Run(memory=_MEMORY, progress=progress))
    except (ModuleNotFoundError, MissingExtraError):
        raise
    except Exception as problem:
        if (line := told(problem)) is None:
            raise
        return addresses.Problem(line, getattr(problem, "argument", ""))


def _read(words):
    """Read a question from a command, an address or short notation; also return its command.

    An object, sent when the user presses Calculate, also contains the rules of a game.
    """
    if words.startswith("{"):
        asked = json.loads(words)
        Path("mine.py").write_text(asked["rules"], encoding="utf-8")
        return question(asked["words"]), words
    typed = words = words.removeprefix("exactdice ")
    if words.startswith("/"):
        typed = ""
        path, query = urlsplit(words).path, parse_qs(urlsplit(words).query)
        asked = question_from(question_class(" ".join(path.split("/")[2:])), query)
    else:
        try:
            asked = question(words)
        except InputError as problem:
            # a command with wrong fields is not short notation
            short = words_of(words) if problem.argument == "question" else []
            if not short:
                raise
            asked, typed = question(shlex.join(short)), ""
    if asked.command != "anydice":
        return asked, typed or str(asked)
    linked("exactdice.anydice.programs")._FRAMES = 1_200  # the stack of a browser is smaller
    if not is_program(asked.program):
        raise InputError("program", asked.program, "an output, for example: output 3d6")
    return asked, canonical(asked)


def _checked(words, progress):
    """Write a certificate of the value, and check it with the program that needs no exactdice."""
    import certificate_check

    file = Path("certificate.txt")
    storage.check_writable = lambda _: None  # files of a browser have no locks
    storage.write_whole = Path.write_text
    replace(question(words), certificate=file).answer(Run(memory=_MEMORY, progress=progress))
    size = file.stat().st_size
    if size > _CERTIFICATE:
        raise ConflictError("certificate", f"has {size} bytes; check it outside of the browser")
    with redirect_stdout(StringIO()) as printed:
        certificate_check.main([str(file)])
    return {"checked": f"certificate_check.py ({size} bytes): {printed.getvalue()}"}


def _run(cells):
    """Run cells of Python; return the output and value of the last one."""
    from pyodide.code import eval_code

    space = {}
    for cell in cells:
        with redirect_stdout(StringIO()) as printed:
            value = eval_code(cell, space)
    shown = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    text = "" if value is None or shown else repr(value)
    return {"html": f"<pre>{escape(printed.getvalue() + text)}</pre>{shown}"}


def _csv(report):
    """Write the outcomes, or the first table, as CSV, or the quantities."""
    names = [table.name for table in report.tables]
    try:
        chosen = "outcomes" if "outcomes" in names else "".join(names[:1])
        return render(report.only(chosen) if chosen else report, Format.CSV)
    except InputError:
        return ""
