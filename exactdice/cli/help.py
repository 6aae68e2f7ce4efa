"""`exactdice help TOPIC`: concepts that several commands share."""

import re
from importlib import resources

import click

from exactdice.errors import one_named
from exactdice.question.words import Command


def _topics() -> dict[str, tuple[str, str]]:
    text = resources.files("exactdice.cli").joinpath("topics.txt").read_text(encoding="utf-8")
    sections = re.split(r"^= (\w+): (.*)\n", text, flags=re.MULTILINE)[1:]
    names, lines, bodies = sections[::3], sections[1::3], sections[2::3]
    return {n: (line, body.strip("\n")) for n, line, body in zip(names, lines, bodies, strict=True)}


#: The topics: by name, one line about each, and its text.
TOPICS = _topics()


def _run(topic: str | None) -> None:
    if topic is None:
        width = max(map(len, TOPICS))
        for name, (line, _) in TOPICS.items():
            click.echo(f"{name:{width}}  {line}")
        click.echo(
            "\nexactdice help TOPIC shows a topic; exactdice COMMAND --help shows a command."
        )
        return
    line, text = one_named(TOPICS, topic, "topic", "exactdice help")
    click.echo(f"{topic}: {line}\n\n{text}")


command = Command(
    "help",
    help="Explain a concept that several commands share. Without a topic, list them.\n\n"
    "\b\nExample:\n  exactdice help weights",
    callback=_run,
    params=[click.Argument(["topic"], required=False, metavar="[TOPIC]")],
)
