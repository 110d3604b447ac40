"""Lines on the terminal."""

from __future__ import annotations

import click

from fecontact.study.errors import printable


def say(line: object) -> None:
    """Print a line in which names and titles of a study or of files may stand."""
    click.echo(printable(line))
