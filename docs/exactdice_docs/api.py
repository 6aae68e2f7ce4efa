"""The public API: a page for each public module, made by autosummary and numpydoc.

The names in the ``__all__`` of the modules in `MODULES` are public. `docs/public-api.md` describes
how they may change.
"""

import importlib
import inspect
import re
from collections.abc import Iterator

from sphinx.application import Sphinx

from exactdice.games import GAMES
from exactdice.question import Question

__all__ = ["MODULES", "pages", "register"]

#: The public modules, in the order of the reference.
MODULES = (
    "exactdice.rooms",
    "exactdice.run",
    "exactdice.dice",
    "exactdice.models",
    "exactdice.formats.openspiel",
    "exactdice.formats.gymnasium",
    "exactdice.formats.files",
    *(f"exactdice.games.{game}" for game in GAMES),
    "exactdice.book",
    "exactdice.symbolic",
    "exactdice.question",
    "exactdice.report.model",
    "exactdice.report.writers",
    "exactdice.report.readers",
    "exactdice.arithmetic",
    "exactdice.enclosure",
    "exactdice.claims.model",
    "exactdice.errors",
)


def pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of every page, the index first."""
    listed = "\n".join(f"| [{name}]({name}.md) | {_summary(name)} |" for name in MODULES)
    names = "\n".join(MODULES)
    yield (
        "api/index.md",
        f"""# Public API

These modules and the names in their `__all__` are public. [How the API changes](../public-api.md).

| module | contents |
|---|---|
{listed}

```{{toctree}}
:hidden:

{names}
```
""",
    )
    for name in MODULES:
        yield f"api/{name}.md", _page(name)


def _summary(name: str) -> str:
    documented = inspect.getdoc(importlib.import_module(name)) or ""
    return " ".join(documented.split("\n\n")[0].split()).replace("|", r"\|")


def _page(name: str) -> str:
    module = importlib.import_module(name)
    lines = [f"# {name}", "", "```{eval-rst}", f".. automodule:: {name}", "", ""]
    members = [member for member in module.__all__ if _is_documented(getattr(module, member))]
    lines += [f".. currentmodule:: {name}", "", ".. autosummary::", "   :nosignatures:", ""]
    lines += [f"   {member}" for member in members]
    lines.append("")
    for member in members:
        lines += _directive(name, member, getattr(module, member))
    return "\n".join([*lines, "```", ""])


def _is_documented(found: object) -> bool:
    return inspect.isclass(found) or inspect.isfunction(found)


def _left_out(found: type) -> tuple[str, ...]:
    """Return names to omit: members of every question, and fields without documentation."""
    if issubclass(found, Question) and found is not Question:
        return ("check", "report", "has_files", "shares_work", "game_from", "endings", "unlisted")
    return getattr(found, "_fields", ())


def _directive(module: str, member: str, found: object) -> Iterator[str]:
    if inspect.isclass(found):
        yield f".. autoclass:: {module}.{member}"
        yield "   :members:"
        if left_out := _left_out(found):
            yield f"   :exclude-members: {', '.join(left_out)}"
        home = found.__module__.rpartition(".")[0]
        others = [base for base in found.__mro__[1:] if base.__module__.rpartition(".")[0] != home]
        if len(others) < len(found.__mro__) - 1:  # some of its members are in the same package
            yield f"   :inherited-members: {', '.join(base.__name__ for base in others)}"
    else:
        yield f".. autofunction:: {module}.{member}"
    yield ""


def _without_headings(
    _app: Sphinx, what: str, _name: str, _obj: object, _o: object, lines: list[str]
) -> None:
    """Turn headings of a module docstring into rubrics: the page has its own headings."""
    if what != "module":
        return
    text = re.sub(r"^(\w.*)\n-{3,}$", r".. rubric:: \1\n", "\n".join(lines), flags=re.MULTILINE)
    lines[:] = text.split("\n")


def shortened(signature: str, longest: int = 40) -> str:
    """Shorten long defaults to their outermost brackets.

    Examples
    --------
    >>> shortened("(rules: Rules = Rules(name='kcd', faces=(1, (2, 3))), left: int = 0)", 20)
    '(rules: Rules = Rules(...), left: int = 0)'
    """
    shown, at = "", 0
    for default in re.finditer(r"= ?~?[\w.]+(?=\()", signature):
        if default.start() < at:
            continue
        end, depth = default.end(), 0
        while end == default.end() or depth:
            depth += {"(": 1, ")": -1}.get(signature[end], 0)
            end += 1
        is_long = end - default.end() > longest
        shown += signature[at : default.end()] + (
            "(...)" if is_long else signature[default.end() : end]
        )
        at = end
    return shown + signature[at:]


def _signature(
    _app: Sphinx, _what: str, _name: str, _obj: object, _o: object, signature: str, returns: str
) -> tuple[str, str] | None:
    if not signature:
        return None
    if "<" in signature:  # for example <factory>, which Sphinx cannot parse
        signature = re.sub(r"~(\w+\.)+(?=\w)", "", signature)
    return shortened(signature), returns


def register(app: Sphinx) -> None:
    """Register the hooks, before numpydoc."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _without_headings, priority=100)
