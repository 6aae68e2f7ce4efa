"""The server's pages without a server: the same handlers and templates, in a browser.

Starlette and the desk with its processes do not run there; small stand-ins take their places. Call
`stand_in` before anything imports `exactdice.web.views`.
"""

import json
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from types import ModuleType, SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

HERE = "https://engine.invalid"  # the page writes its own address instead


class Several(dict):
    """The fields of a query, or headers."""

    def __init__(self, pairs=()):
        self.pairs = list(pairs)
        super().__init__(self.pairs)

    def getlist(self, name):
        return [value for one, value in self.pairs if one == name]


class Address(str):
    """An address with its parts."""

    path = property(lambda self: urlsplit(self).path)
    query = property(lambda self: urlsplit(self).query)


class Request:
    def __init__(self, address, desk, **path_params):
        self.url = Address(HERE + address)
        self.query_params = Several(parse_qsl(self.url.query, keep_blank_values=True))
        self.headers, self.client, self.path_params = Several(), None, path_params
        self.app = SimpleNamespace(state=SimpleNamespace(desk=desk))


class Response:
    def __init__(self, content="", status_code=200, headers=None):
        self.body = content.encode() if isinstance(content, str) else content
        self.status_code, self.headers = status_code, dict(headers or {})


class RedirectResponse(Response):
    def __init__(self, url, status_code=307):
        super().__init__("", status_code, {"location": url})


class HTTPException(Exception):  # noqa: N818 - the name of the library
    def __init__(self, status_code):
        super().__init__(f"there is no page at this address ({status_code})")


class Job:
    """Never used: every question is answered while the handler waits."""


class Problem:
    def __init__(self, line, argument="", status=422):
        self.line, self.argument, self.status = line, argument, status


def stand_in():
    """Put the stand-ins into the place of Starlette and of the server's processes."""
    kinds = dict.fromkeys(("HTMLResponse", "JSONResponse", "PlainTextResponse"), Response)
    types = dict.fromkeys(("ASGIApp", "Message", "Receive", "Scope", "Send"), Any)
    modules = {
        "starlette": {},
        "starlette.datastructures": {"Headers": Several, "MutableHeaders": Several},
        "starlette.exceptions": {"HTTPException": HTTPException},
        "starlette.requests": {"Request": Request},
        "starlette.responses": kinds | {"Response": Response, "RedirectResponse": RedirectResponse},
        "starlette.types": types,
        "exactdice.web.desk": {"Desk": object, "Job": Job, "Piece": tuple},
        "exactdice.web.workers": {"Problem": Problem},
    }
    folder = f"{find_spec('exactdice.web').submodule_search_locations[0]}/play"
    modules["exactdice.web.play"] = {"__path__": [folder]}  # its pages are imported one by one
    for name, content in modules.items():
        sys.modules[name] = module = ModuleType(name)
        vars(module).update(content)


#: Modules of the pages, with the names of the pages in them.
MODULES = {"dice": ("advice", "CALCULATOR"), "risk": ("advice", "RISK"),
           "reroll": ("advice", "REROLL"), "swe": ("advice", "SWE"),
           "fatestones": ("advice", "FATESTONES"), "farkle": ("farkle", "GAME"),
           "against": ("against", "AGAINST")}  # fmt: skip


def _handler(path):
    """Return what shows the page at a path, with the names in it."""
    if path.startswith("/play/") and path[6:] in MODULES:
        module, name = MODULES[path[6:]]
        return getattr(import_module(f"exactdice.web.play.{module}"), name).show, {}
    from exactdice.web.play.games import cards, show_game

    async def start(request):
        return views().page(request, "start.html", titles={}, cards=cards())

    return (start, {}) if path == "/" else (show_game, {"name": path.removeprefix("/games/")})


@cache
def views():
    """Return the module with the templates, which link to files beside the page.

    `compiled` writes them as Python for the page, which then needs no compiler of Jinja.
    """
    from jinja2 import ChoiceLoader, DictLoader, ModuleLoader

    from exactdice.web import views
    from exactdice.web.play import model

    whole = ChoiceLoader([views._PAGES.loader, DictLoader({"answer.html": ANSWER})])
    views._PAGES.loader = ChoiceLoader([ModuleLoader(COMPILED), whole])

    model.asyncio = SimpleNamespace(gather=_in_turn)
    views._PAGES.globals["static"] = lambda name: name
    views.linked = lambda _: ()
    return views


def compiled(folder):
    """Write all templates as modules into a new folder."""
    rmtree(folder, ignore_errors=True)
    pages = views()._PAGES
    pages.overlay(loader=pages.loader.loaders[1]).compile_templates(
        folder, zip=None, ignore_errors=False, filter_func=lambda name: name not in OF_THE_SERVER
    )


COMPILED = Path(__file__).parent / "compiled"
#: Templates of pages that only the server has.
OF_THE_SERVER = [f"{n}.html" for n in ("about", "anydice", "job", "question", "room", "typed")]
ANSWER = """{% import "macros.html" as parts %}
<h1>{{ of.title }}</h1>
{{ parts.number_and_chart(of) }}
{% for one in of.tables if is_short(one) %}{{ parts.table(one, "") }}{% endfor %}
<details{% if not (of.big or of.chart) %} open{% endif %}><summary>All numbers</summary>
{% for one in of.tables if not is_short(one) %}{{ parts.table(one, "") }}{% endfor %}
<dl class="same">
{% for name, fact in of.facts %}
<div><dt>{{ name | capitalize }}</dt><dd>{{ fact }}</dd></div>
{% endfor %}
</dl></details>
{% if rules %}<pre class="printed">{{ rules }}</pre>{% endif %}
<p class="printed">{{ here }} · exactdice {{ version }}</p>"""


def page_of(view, words):
    """Return the answer to a command, with the server's sentence, chart and tables."""
    answer = views()._PAGES.get_template("answer.html")
    rules = json.loads(words).get("rules", "") if words.startswith("{") else ""
    here = HERE if rules else f"{HERE}{quote(words)}"  # whose address is as long as the rules
    return answer.render(of=view, is_short=_is_short, here=here, rules=rules)


def _is_short(table):
    return table.name != "quantities" and 0 < len(table.rows) <= 12


async def _in_turn(*asked):
    return [await one for one in asked]


def page_at(address: str, answered: Callable[[Any], Any]) -> dict[str, str]:
    """Return the title and the content of the page at an address of the server.

    `answered` returns the report of a question, or a `Problem`.
    """
    views()

    async def ask(question, piece, *_):
        report = answered(question)
        return report if isinstance(report, Problem) else piece[0](report, *piece[1:])

    desk = SimpleNamespace(ask=ask)

    for _ in range(3):  # redirects, for example to a game with a seed
        handler, given = _handler(urlsplit(address).path)
        waiting = handler(Request(address, desk, **given))
        try:
            waiting.send(None)
        except StopIteration as done:
            made = done.value
        if "location" not in made.headers:
            break
        address = made.headers["location"]
    html = made.body.decode()
    main = re.search(r"<main[^>]*>(.*)</main>", html, re.S)[1]
    title = re.search(r"<title>(.*?)</title>", html, re.S)[1]
    return {"title": title.removesuffix(" · exactdice"), "page": main, "words": address}
