"""`fecontact response`: periodic motions under harmonic load, and nonlinear normal modes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fecontact.cli import ranks
from fecontact.cli.commands.analysis import study_options, write_once
from fecontact.isolation import named
from fecontact.study.plugins import import_modules


@click.command()
@click.argument("source", metavar="STUDY")
@click.option(
    "--frequency",
    type=(float, float),
    metavar="FROM TO",
    help="First and last frequency of the load, Hz [response.frequency of the study].",
)
@click.option("--points", type=int, help="Number of points of the branch [50].")
@click.option(
    "--at",
    type=float,
    multiple=True,
    metavar="FREQUENCY",
    help="Frequency of an additional point, Hz; can be repeated.",
)
@click.option("--periods", type=int, help="Periods of the load in one period of the motion [1].")
@study_options
def response(
    source: str,
    out: Path | None,
    overrides: tuple[str, ...],
    variant: str | None,
    overwrite: bool,
    modules: tuple[str, ...],
    **options: Any,
) -> None:
    """Compute the periodic motions of STUDY, a lumped study, over the frequency of its load.

    The table [response] of the study has the settings; options override them. Floquet multipliers
    determine which points of the branch are stable. With response.type = "free" the branch is a
    nonlinear normal mode over the energy.

    Writes response.csv, response.json and response.html with a chart of the amplitudes.
    """
    import_modules(modules)
    from fecontact.api import response as compute
    from fecontact.results.folder.response import print_response, write_response
    from fecontact.study import load
    from fecontact.study.library import find

    path = find(source)
    study = load(path, overrides, variant)
    chosen = {key: value for key, value in options.items() if value not in (None, ())}
    found = compute(study, **chosen)
    name = path.stem if variant is None else f"{path.stem}-{variant}"
    target = out if out is not None else named("results") / f"{name}-response"
    if ranks.rank() == 0:
        print_response(found)
    write_once(target, overwrite, lambda folder: write_response(folder, study.title, found))
    ranks.leave(4 if any(warning.wrong for warning in found.warnings) else 0)
