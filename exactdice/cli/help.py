"""`exactdice help TOPIC`: the concepts that several commands share, and the help of a command."""

import re
from importlib import resources

import click

from exactdice.errors import one_named
from exactdice.question.words import Command


def _topics() -> dict[str, tuple[str, str]]:
    text = resources.files("exactdice.cli").joinpath("topics.txt").read_text(encoding="utf-8")
    _, *sections = re.split(r"^= ", text, flags=re.MULTILINE)
    topics = {}
    for section in sections:
        head, _, body = section.partition("\n")
        name, _, line = head.partition(": ")
        topics[name] = (line, body.strip("\n"))
    return topics


#: The topics: by name, one line about each, and its text.
TOPICS = _topics()


def _run(topic: str | None) -> None:
    if topic is None:
        width = max(map(len, TOPICS))
        for name, (line, _) in TOPICS.items():
            click.echo(f"{name:{width}}  {line}")
        click.echo("\nexactdice help TOPIC shows one; exactdice COMMAND --help says what it takes.")
        return
    line, text = one_named(TOPICS, topic, "topic")
    click.echo(f"{topic}: {line}\n\n{text}")


command = Command(
    "help",
    help="Explain a concept that several commands share; without one, list them.\n\n"
    "\b\nExample:\n  exactdice help weights",
    callback=_run,
    params=[click.Argument(["topic"], required=False, metavar="TOPIC")],
)
