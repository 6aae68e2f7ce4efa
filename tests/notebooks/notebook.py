"""Run the example notebooks in a kernel of their own, and write into them what they show.

.venv/bin/python tests/notebooks/notebook.py examples/tour.ipynb

That needs the extra ``test``, as `make test` installs it.
"""

import sys

import nbformat
from nbclient import NotebookClient

SECONDS = 120  # a cell may take


def executed(path):
    """Return the notebook with the outputs that its cells give now, and nothing of the machine."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", record_timing=False)
    client.execute()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    return notebook


if __name__ == "__main__":
    for name in sys.argv[1:]:
        nbformat.write(executed(name), name)
