"""Print the lowest versions that setup.cfg allows, as requirements for pip: ``name==version``.

Usage: oldest.py setup.cfg EXTRA …, such as ``oldest.py setup.cfg test``. A requirement has its
lowest version after ``>=``; one without is left to pip.
"""

import configparser
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

#: A requirement as setup.cfg writes them: a name, then the lowest version that will do.
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:>=\s*(?P<lowest>[\w.]+))?")


def lowest(requirements: Iterable[str]) -> Iterator[str]:
    """Pin each requirement to its lowest version.

    Examples
    --------
    >>> list(lowest(["numpy >= 1.26", "types-networkx"]))
    ['numpy==1.26', 'types-networkx']
    """
    for requirement in requirements:
        found = REQUIREMENT.fullmatch(requirement)
        if found is None:
            raise ValueError(f"{requirement!r}: write NAME or NAME >= VERSION")
        yield found["name"] + (f"=={found['lowest']}" if found["lowest"] else "")


def requirements(setup: Path, extras: Iterable[str]) -> list[str]:
    """Read what the package requires, and each of its extras."""
    config = configparser.ConfigParser(interpolation=None)
    config.read_string(setup.read_text())
    listed = [config["options"]["install_requires"]]
    listed += [config["options.extras_require"][extra] for extra in extras]
    return [line.strip() for lines in listed for line in lines.splitlines() if line.strip()]


if __name__ == "__main__":
    print("\n".join(dict.fromkeys(lowest(requirements(Path(sys.argv[1]), sys.argv[2:])))))
