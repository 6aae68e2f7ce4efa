"""A page for each claim at a permanent address, `claims/ID.html`, with its certificate.

Sentence, verdict, foundations and Coq theorem come only from the claim and its certificate.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

from exactdice.claims.certificates import checkout, cited, coq_theorem, stated, trusted
from exactdice.claims.model import Claim
from exactdice.jobs.claims import CLAIMS, claim_named
from exactdice_docs.browser import table

__all__ = ["certificates", "pages", "verdict_of"]


@cache
def _proofs() -> Path:
    return checkout() / "proofs"


@cache
def _stated(name: str) -> tuple[str, Mapping[str, str]]:
    """Return the verdict of a claim's certificate, and its formal parts."""
    return stated(claim_named(name), checkout())


def verdict_of(name: str) -> str:
    """Return the verdict of a claim, by its id; ``open`` if it has no certificate."""
    return _stated(name)[0]


def certificates() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of every certificate."""
    for path in sorted((_proofs() / "certificates").iterdir()):
        yield f"claims/{path.name}", path.read_bytes()


def pages() -> Iterator[tuple[str, str]]:
    """Yield name and text of every page, the index first."""
    yield "claims/index.md", _index()
    yield "claims/theorems.md", (_proofs() / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    yield "claims/trust.md", (_proofs() / "TRUST.md").read_text(encoding="utf-8")
    yield "claims/cited.md", _cited()
    for claim in CLAIMS:
        yield f"claims/{claim.id}.md", "\n".join(_lines(claim)) + "\n"


def _index() -> str:
    rows = [
        (f'<a href="{claim.id}.html">{claim.id}</a>', verdict, escape(formal["says"]))
        for claim in CLAIMS
        for verdict, formal in [_stated(claim.id)]
    ]
    listed = table(("claim", "verdict", "statement"), rows)
    names = "\n".join(claim.id for claim in CLAIMS)
    register = (checkout() / "CLAIMS.md").read_text(encoding="utf-8")
    verdicts = register.split("# Claims\n\n")[1].split(" Every other claim")[0]
    return f"""# Claims

{verdicts} Every other claim has a certificate.
[Certificates](../explanation/certificates.md) explains what they prove, and [one table](trust.md)
lists what each claim relies on.

The address of a claim's page does not change.

```{{html-table}}
{listed}
```

```{{toctree}}
:hidden:

theorems
trust
cited
{names}
```
"""


def _cited() -> str:
    lines = ["# Cited facts", "", "Theorems of others that our proofs use.", ""]
    for key, (fact, reference) in cited().items():
        lines += [f"({_cited_label(key)})=", f"## {key}", "", fact, "", f"{reference}.", ""]
    return "\n".join(lines)


def _cited_label(key: str) -> str:
    return f"cited-{key}"


def _lines(claim: Claim) -> Iterator[str]:
    verdict, formal = _stated(claim.id)
    yield f"# {claim.id}"
    yield ""
    yield f":::{{admonition}} {verdict}"
    yield formal["sentence"]
    yield ":::"
    yield ""
    if formal["formula"]:
        yield f"$$\n{formal['formula']}\n$$"
        yield ""
    yield f"Source\n: {formal['source']}"
    yield ""
    if claim.depends_on:
        yield f"Relies on\n: {', '.join(map(_foundation, claim.depends_on))}"
        yield ""
    if claim.cites:
        links = [f"[{key}](cited.md#{_cited_label(key)})" for key in claim.cites]
        yield f"Cited theorems\n: {', '.join(links)}"
        yield ""
    if (coq := coq_theorem(claim)) and claim.kind:
        yield f"In Coq\n: `proofs/coq/{coq['file']}`, theorem `{coq['theorem']}` ({coq['extent']})"
        yield ""
    yield f"Trusted\n: {trusted(claim)}; [explanation](trust.md)"
    yield ""
    yield f"Method\n: {claim.method}"
    yield ""
    if claim.note:
        yield f"Explanation\n: {claim.note}"
        yield ""
    if claim.lacks:
        yield f"Not available\n: {claim.lacks}"
        yield ""
    if not claim.kind:
        yield f"The claim is {verdict}, so it has no certificate."
        return
    yield (
        f'Certificate\n: <a href="{claim.id}.json">proofs/certificates/{claim.id}.json</a>, '
        f"of kind {claim.kind}"
    )
    yield ""
    yield "## Check it"
    yield ""
    in_cpp = "recomputed/" in trusted(claim)  # a program that the certificate names
    compiler = " and a C++ compiler" if in_cpp else ""
    yield f"Without this package, in a checkout, with only Python's standard library{compiler}:"
    yield ""
    yield "```sh"
    programs = "--programs " if in_cpp else ""
    yield f"python3 proofs/check.py {programs}proofs/certificates/{claim.id}.json"
    yield "```"
    yield ""
    yield "Compute it again and compare the certificate byte for byte"
    yield "(takes longer than a few seconds):" if claim.is_long else "(takes seconds):"
    yield ""
    yield "```sh"
    yield f"exactdice verify {claim.id}"
    yield "```"


def _foundation(name: str) -> str:
    if found := re.fullmatch(r"theorem (\d+)", name):
        return f"[{name}](theorems.md#{_theorems()[int(found[1])]})"
    return f"[{name}]({name}.md)"


@cache
def _theorems() -> dict[int, str]:
    """Return the anchors of the theorems' headings, in the style of GitHub and MyST."""
    text = (_proofs() / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (Theorem (\d+): .*)$", text, re.MULTILINE)
    return {int(number): _anchor(heading) for heading, number in headings}


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
