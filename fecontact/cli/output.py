"""Lines on the terminal, and paths in arguments."""

from __future__ import annotations

from typing import Any

import click

from fecontact.isolation import named
from fecontact.study.errors import printable


class NamedPath(click.Path):
    """A path in an argument, relative to the directory in which the command was called."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        return super().convert(named(value), param, ctx)


def print_line(line: object) -> None:
    """Print a line that may contain names and titles of a study or of files."""
    click.echo(printable(line))
