"""The Sphinx extension of the manual: generated pages, and checks of the hand-written ones.

*Generated pages* are written to the folders of `build.OWNED` before Sphinx reads: a page for each
question and claim, and the tables, figures, papers and public API. *Hand-written pages* use the
directives and roles of `answers`, which compute answers when the page is built. A question,
quantity or claim that does not exist stops the build with its place.
"""

from typing import Any

from sphinx.application import Sphinx

from exactdice.storage import source_identity
from exactdice_docs import answers, api, build, checks, mathml

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything."""
    # If the package changes, every page is read again, because its answers may change.
    app.add_config_value("exactdice_sources", source_identity(), "env")
    app.add_config_value("exactdice_made_pages", default=True, rebuild="env")
    answers.register(app)
    api.register(app)
    mathml.register(app)
    checks.register(app)
    app.connect("config-inited", build.make_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
