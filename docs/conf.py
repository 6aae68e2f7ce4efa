"""How Sphinx builds the manual; `make docs` runs it with warnings as errors.

The pages that are made from the code (questions, claims, tables, figures, papers, the public API)
come from the extension beside this file. Nothing is asked of the network, at build or in a browser.
"""

import os
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent
sys.path[:0] = [str(HOME), str(HOME.parent)]

# A page's kernel finds the package of this checkout, too.
os.environ["PYTHONPATH"] = os.pathsep.join([str(HOME.parent), os.environ.get("PYTHONPATH", "")])

from exactdice_docs.build import KEPT  # noqa: E402

# A kernel has a profile of its own, so that nothing of the user's runs in it; and it need not warn
# of its sockets, which no other machine reaches.
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
smartquotes_action = "qe"  # no dashes: --penalty stays what is typed
html_theme = "pydata_sphinx_theme"
html_title = "exactdice"
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
# Pages without others below them have nothing to list beside them.
ALONE = "start words tables/index figures/index papers/index public-api comparison cite"
html_sidebars = {page: [] for page in ALONE.split()}
html_context = {"default_mode": "auto"}
html_math_renderer = "mathml"

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_raise_on_error = False  # or a raised error looks like one of Sphinx: see checks.py
nb_execution_timeout = 120
# A page is executed again where the package is another one, not only where the page is.
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
