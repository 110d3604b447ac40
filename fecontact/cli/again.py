"""`fecontact plot` and `fecontact report`: pictures and page of a folder, without computing."""

from __future__ import annotations

from pathlib import Path

import click

from fecontact.cli.output import say


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def plot(folder: Path) -> None:
    """Draw the pictures of a result FOLDER again."""
    from fecontact.results import draw_all

    for path in draw_all(folder):
        say(path)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Make report.html of a result FOLDER again."""
    from fecontact.results import make_report

    say(make_report(folder))
