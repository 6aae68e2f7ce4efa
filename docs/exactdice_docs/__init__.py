"""The Sphinx extension of the manual: pages made from the code, and pages held to it.

A *page made from the code* is written into the folders of `build.OWNED` before Sphinx reads: one
for each question and claim, the tables, figures, papers and the public API. A *page held to the
code* uses the directives and roles of `answers`: what it shows of a question is computed when it is
built, and a question, quantity or claim that does not exist stops the build with the place.
"""

from typing import Any

from sphinx.application import Sphinx

from exactdice.storage import source_identity
from exactdice_docs import answers, api, build, checks, mathml

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything."""
    # Every page is read again where the package is another one: its answers may be others.
    app.add_config_value("exactdice_sources", source_identity(), "env")
    app.add_config_value("exactdice_made_pages", default=True, rebuild="env")
    answers.register(app)
    api.register(app)
    mathml.register(app)
    checks.register(app)
    app.connect("config-inited", build.make_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
