"""Sphinx configuration of the manual; `make docs` builds it with warnings as errors.

The extension `exactdice_docs` generates the pages of questions, claims, tables, figures, papers and
the public API. Neither the build nor the pages use the network.
"""

import os
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent
sys.path[:0] = [str(HOME), str(HOME.parent)]

# Kernels import the package of this checkout, too, and draw charts with `exactdice_docs`.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(HOME.parent), str(HOME), os.environ.get("PYTHONPATH", "")]
)

from exactdice_docs.build import KEPT  # noqa: E402

# Kernels have their own profile, so that no user code runs in them. They need not warn about their
# sockets, which other machines cannot reach.
profile = KEPT / "ipython" / "profile_default"
profile.mkdir(parents=True, exist_ok=True)
(profile / "ipython_kernel_config.py").write_text('get_config().IPKernelApp.log_level = "ERROR"\n')
os.environ["IPYTHONDIR"] = str(profile.parent)

import exactdice  # noqa: E402
from exactdice.storage import source_identity  # noqa: E402

project = "exactdice"
author = "The exactdice authors"
project_copyright = author
version = release = exactdice.__version__
language = "en"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinxcontrib.bibtex",
    "sphinx_design",
    "sphinx_copybutton",
    "exactdice_docs",
]
exclude_patterns = ["exactdice_docs", "play", "_static", "**/.ipynb_checkpoints"]
nitpicky = True
default_role = "code"
smartquotes_action = "qe"  # no dashes: keep --penalty
html_theme = "pydata_sphinx_theme"
html_title = "exactdice"
html_logo = html_favicon = "../exactdice/web/static/die-5.svg"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_js_files = [("tables.js", {"defer": "defer"})]
html_extra_path = [str(KEPT / "extra")]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "logo": {"text": "exactdice"},
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
# Pages without subpages need no sidebar.
SINGLE = (
    "start faq words gallery tables/index figures/index papers/index public-api comparison cite"
)
html_sidebars = {page: [] for page in SINGLE.split()}
html_context = {"default_mode": "auto"}
html_math_renderer = "mathml"

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_raise_on_error = False  # checks.py reports errors with their page
nb_execution_timeout = 120
# If the package changes, pages are executed again.
nb_execution_cache_path = str(KEPT / "executed" / source_identity()[-16:])
nb_merge_streams = True

autosummary_generate = True
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

bibtex_bibfiles = [str(HOME.parent / "papers" / "bibliography.bib")]
bibtex_default_style = "plain"

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
