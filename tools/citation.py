"""Write the facts that citation data repeat into each file, from CITATION.cff and setup.cfg.

    python tools/citation.py           write the files
    python tools/citation.py --check   write nothing; name the files that differ, exit status 1

Edit title, abstract, authors and keywords in CITATION.cff; description, licence, addresses and
requirements in setup.cfg; the version in exactdice/__init__.py. citation.toml lists the lines
that are written. Edit all others by hand, for example the authors of the article for JOSS.
"""

import configparser
import json
import re
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
VALUE = r"(?:(?:\n    - .*)+| \[\n(?:    .*\n)*  \],?|.*)"  # a list in YAML or JSON, or one line


def named(who: dict[str, str], person: str, group: str = "{name}") -> str:
    """Return the name of an author, a person or a group, in a format."""
    return (group if "name" in who else person).format_map(who)


def records(people: list[dict[str, str | None]]) -> str:
    return json.dumps([{key: said for key, said in who.items() if said} for who in people])


def facts(root: Path) -> dict[str, str]:
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    setup = configparser.ConfigParser()
    setup.read(root / "setup.cfg", encoding="utf-8")
    about, options, authors = setup["metadata"], setup["options"], cited["authors"]
    lines = options["install_requires"].replace(" >= ", " >=").split("\n")[1:]
    needed = [line for line in lines if ";" not in line]  # the others are for some systems only
    init = (root / "exactdice" / "__init__.py").read_text(encoding="utf-8")
    full, sorting = "{given-names} {family-names}", "{family-names}, {given-names}"
    creators = [{"name": named(a, sorting), "orcid": a.get("orcid")} for a in authors]
    agents = [
        {"@type": named(a, "Person", "Organization"), "name": named(a, full), "@id": a.get("orcid")}
        for a in authors
    ]
    return {**cited, **about, **dict(re.findall(r"(\w+) = (.*)", about["project_urls"]))} | {
        "version": re.findall(r"""__version__ = ["'](.*)["']""", init)[0],
        "licence": about["license_expression"],
        "python": options["python_requires"].strip(">= "),
        "requirements": "".join(f"\n    - {line}" for line in ("python", *needed)),
        "libraries": json.dumps([line.split()[0] for line in needed]),
        "keywords": json.dumps(cited["keywords"], indent=2).replace("\n", "\n  "),
        "names": ", ".join(named(a, full) for a in authors),
        "bibtex": " and ".join(named(a, sorting, "{{{name}}}") for a in authors),
        "creators": records(creators).replace("https://orcid.org/", ""),
        "agents": records(agents),
    }


def main(words: list[str], root: Path = ROOT) -> int:
    known, check, stale = facts(root), words == ["--check"], False
    lines = tomllib.loads((ROOT / "tools" / "citation.toml").read_text(encoding="utf-8"))
    for file, listed in lines.items():
        text = wanted = (root / file).read_text(encoding="utf-8")
        for start, rest in (line.split("|") for line in listed.split("\n")):
            before, *after = re.split(f"(?m)^{re.escape(start)}{VALUE}", wanted, maxsplit=1)
            wanted = (start + rest.format_map(known)).join([before, *after])
        if wanted != text:
            stale = True
            print(f"{file} {'differs' if check else 'written'}")
        if not check:
            (root / file).write_text(wanted, encoding="utf-8")
    return int(stale and check)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
