"""Formulas as MathML, which browsers display without scripts, fonts or requests.

A formula with an unknown command stops the build with its place.
"""

import re

from docutils import nodes
from latex2mathml.converter import convert
from latex2mathml.exceptions import InvalidWidthError
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

__all__ = ["converted", "register"]

_UNKNOWN = re.compile(r"<m[a-z]+>\\+[A-Za-z]*")
_BROKEN_LINE = 'linebreak="newline"'  # two backslashes instead of one


def converted(latex: str, *, is_block: bool) -> str:
    """Write LaTeX as MathML.

    Raises
    ------
    ValueError
        If the formula cannot be converted.
    """
    try:
        made = convert(latex, display="block" if is_block else "inline")
    except (ValueError, IndexError, KeyError, InvalidWidthError) as problem:
        raise ValueError(f"{latex!r} is not a formula: {type(problem).__name__}") from problem
    if unknown := _UNKNOWN.search(made):
        raise ValueError(f"{latex!r} has the unknown command {unknown[0].split('>')[1]}")
    if _BROKEN_LINE in made:
        raise ValueError(f"{latex!r} has two backslashes in a row")
    return made


def _inline(writer: nodes.NodeVisitor, node: nodes.math) -> None:
    _write(writer, node, is_block=False)


def _block(writer: nodes.NodeVisitor, node: nodes.math_block) -> None:
    _write(writer, node, is_block=True)


def _write(writer: nodes.NodeVisitor, node: nodes.Element, *, is_block: bool) -> None:
    try:
        writer.body.append(converted(node.astext(), is_block=is_block))
    except ValueError as problem:
        raise ExtensionError(f"{_place(node)}: formula: {problem}") from problem
    raise nodes.SkipNode


def _place(node: nodes.Node) -> str:
    while node.parent is not None and not node.line:
        node = node.parent
    return f"{node.source or node.document.get('source')}:{node.line or ''}"


def register(app: Sphinx) -> None:
    """Add the renderer; `html_math_renderer = "mathml"` chooses it."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
