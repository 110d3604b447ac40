"""`fecontact plot`, `report` and `animate`: post-processing of a result folder."""

from __future__ import annotations

from pathlib import Path

import click

from fecontact.cli.output import NamedPath, print_line
from fecontact.study.errors import InputError


@click.command()
@click.argument("folder", type=NamedPath(path_type=Path))
def plot(folder: Path) -> None:
    """Draw the figures of a result FOLDER again."""
    from fecontact.results import draw_all

    for path in draw_all(folder):
        print_line(path)


@click.command()
@click.argument("folder", type=NamedPath(path_type=Path))
@click.option(
    "--pdf", is_flag=True, help="Also print the report to FOLDER/report.pdf (needs Chromium)."
)
def report(folder: Path, pdf: bool) -> None:
    """Write report.html of a result FOLDER again; with --pdf also report.pdf."""
    from fecontact.results import make_report
    from fecontact.results.report.pdf import require_browser, write_pdf

    if pdf:
        require_browser()
    page = make_report(folder)
    print_line(page)
    if pdf:
        print_line(write_pdf(page, folder / "report.pdf"))


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
        raise InputError(f"{folder}: a sweep has no motion to animate. Give the folder of a run.")
    path = out if out is not None else folder / "plots" / "animation.gif"
    with phase("writing the animation"):
        print_line(write_film(result.study, result.record, path, rate))
