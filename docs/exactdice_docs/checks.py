"""Checks of the built pages: examples run, links work, and nothing is loaded from other hosts.

A page may link to another host, but it must not load a script, style, font, picture or frame from
one. Dead links, such requests, and examples that raise an error stop the build with the page, also
in later builds until they are fixed.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

__all__ = ["problems", "raised", "register"]

_LOG = logging.getLogger(__name__)

# Attributes that load something with the page.
_LOADS = {"src", "srcset", "poster", "data"}
_LOADING_LINKS = {"stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "icon"}
_LOADING_LINKS |= {"modulepreload", "manifest", "apple-touch-icon"}
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_HOST = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_STYLE_LOADS = re.compile(
    r"""(?:url\(\s*|@import\s+)['"]?((?:https?:)?//[^'")\s]+)""", re.IGNORECASE
)
_SCRIPT_LOADS = re.compile(
    r"""(?:(?<!@)\bimport\s*\(?|\bfrom|\bfetch\(|importScripts\()\s*['"`]((?:https?:)?//[^'"`\s]+)"""
)


class _Page(HTMLParser):
    """Collects the requests, links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self._in = ""
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        self.loads += [given[name] for name in _LOADS if given.get(name)]
        if tag == "link" and _LOADING_LINKS & set(given.get("rel", "").lower().split()):
            self.loads.append(given.get("href", ""))
        elif tag in ("use", "image"):
            self.loads.append(given.get("href", given.get("xlink:href", "")))
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])
        if "style" in given:
            self.inline.append(given["style"])
        self._in = tag

    def handle_data(self, data: str) -> None:
        if self._in in ("style", "script"):
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._in = ""


def problems(site: Path) -> Iterator[str]:
    """Yield a line for each request to another host and each dead link of a built site."""
    pages: dict[Path, _Page] = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = _Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        shown = path.relative_to(site).as_posix()
        for address in page.loads:
            if _HOST.match(address):
                yield f"{shown}: loads {address} from another host"
            elif not address.startswith(("data:", "#")):
                yield from _dead(site, path, address, pages)
        for part in page.inline:
            yield from (f"{shown}: loads {found} from another host" for found in _loaded(part))
        for address in page.links:
            if not urlsplit(address).scheme and not _HOST.match(address):
                yield from _dead(site, path, address, pages)
    for pattern in ("*.css", "*.js", "*.mjs"):
        for path in sorted(site.rglob(pattern)):
            content = path.read_text(encoding="utf-8", errors="replace")
            shown = path.relative_to(site).as_posix()
            yield from (f"{shown}: loads {found} from another host" for found in _loaded(content))


def _loaded(content: str) -> list[str]:
    return _STYLE_LOADS.findall(content) + _SCRIPT_LOADS.findall(content)


def _dead(site: Path, page: Path, address: str, pages: dict[Path, _Page]) -> Iterator[str]:
    parts = urlsplit(address)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    shown = page.relative_to(site).as_posix()
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        yield f"{shown}: links to {address}, which does not exist"
    elif parts.fragment and target in pages:
        anchor = unquote(parts.fragment)
        if anchor not in pages[target].anchors:
            yield f"{shown}: links to {address}, which has no such anchor"


def raised(env: BuildEnvironment) -> Iterator[tuple[str, str]]:
    """Yield each page with an example that raises an error, and the last line of the error."""
    for page, known in sorted(getattr(env, "nb_metadata", {}).items()):
        run = known.get("exec_data") or {"succeeded": True}
        if not run["succeeded"]:
            lines = _COLOUR.sub("", run["traceback"] or run["error"]).strip().splitlines()
            yield page, lines[-1]


def _check(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for page, said in raised(app.env):
        _LOG.warning("an example raises %s", said, location=page)
        app.statuscode = 1
    site = Path(app.outdir).resolve()
    (site / "_static" / "webpack-macros.html").unlink(missing_ok=True)  # a template of the theme
    for line in problems(site):
        _LOG.warning("site: %s", line)
        app.statuscode = 1


def _plain_type(
    _app: Sphinx, _env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.Element
) -> nodes.Element | None:
    """Show a type in a signature without a link if it has no page."""
    above: nodes.Node | None = node
    while above is not None and not isinstance(above, addnodes.desc_signature):
        above = above.parent
    return shown if above is not None else None


def register(app: Sphinx) -> None:
    """Check the site after the build, and let signatures name private types."""
    app.connect("build-finished", _check)
    app.connect("missing-reference", _plain_type)
