"""Run the example notebooks without a kernel, and rewrite their outputs.

python tests/notebooks/notebook.py examples/tour.ipynb
"""

import ast
import json
import sys
from pathlib import Path


def last_value(source, names):
    """Execute a cell and return the value of its last expression, as a notebook would."""
    tree = ast.parse(source)
    final = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - our own notebook
    if final is None:
        return None
    return eval(compile(ast.Expression(final.value), "<cell>", "eval"), names)  # noqa: S307


def output_of(value, count):
    """Outputs of a cell, in the notebook's format."""
    if value is None:
        return []
    data = {"text/plain": repr(value)}
    for kind, method in (("text/html", "_repr_html_"), ("text/latex", "_repr_latex_")):
        if hasattr(value, method):
            data[kind] = getattr(value, method)()
    return [
        {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}
    ]


def executed(document):
    """Return the notebook with the outputs that its cells give now."""
    names, cells, count = {}, [], 0
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            value = last_value("".join(cell["source"]), names)
            cells.append(cell | {"execution_count": count, "outputs": output_of(value, count)})
        else:
            cells.append(cell)
    return document | {"cells": cells}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        document = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
