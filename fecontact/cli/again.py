"""`fecontact plot`, `report` and `animate`: what is made of a folder, without computing."""

from __future__ import annotations

from pathlib import Path

import click

from fecontact.cli.output import NamedPath, say
from fecontact.study.errors import InputError


@click.command()
@click.argument("folder", type=NamedPath(path_type=Path))
def plot(folder: Path) -> None:
    """Draw the pictures of a result FOLDER again."""
    from fecontact.results import draw_all

    for path in draw_all(folder):
        say(path)


@click.command()
@click.argument("folder", type=NamedPath(path_type=Path))
def report(folder: Path) -> None:
    """Make report.html of a result FOLDER again."""
    from fecontact.results import make_report

    say(make_report(folder))


@click.command()
@click.argument("folder", type=NamedPath(path_type=Path))
@click.option("--out", type=NamedPath(path_type=Path), help="File [FOLDER/plots/animation.gif].")
@click.option("--rate", type=click.IntRange(1, 60), default=20, help="Frames per second [20].")
def animate(folder: Path, out: Path | None, rate: int) -> None:
    """Write an animation of a result FOLDER: .gif, or .mp4 and .webm where ffmpeg is installed."""
    from fecontact.cli.progress import phase
    from fecontact.record import RunRecord
    from fecontact.results import load_folder
    from fecontact.results.plots.film import write_film

    result = load_folder(folder)
    if not isinstance(result.record, RunRecord):
        raise InputError(f"{folder}: a sweep has no motion to animate")
    path = out if out is not None else folder / "plots" / "animation.gif"
    with phase("writing the animation"):
        say(write_film(result.study, result.record, path, rate))
