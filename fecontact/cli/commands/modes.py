"""`fecontact modes`: natural frequencies, mode shapes, and the stability of steady sliding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fecontact.cli import ranks
from fecontact.cli.commands.analysis import study_options, write_once
from fecontact.isolation import named
from fecontact.study.errors import InputError
from fecontact.study.plugins import import_modules

if TYPE_CHECKING:
    from fecontact.study import AnyStudy


@click.command()
@click.argument("source")
@click.option("--number", type=int, help="Number of modes [10, or modes.number of the study].")
@click.option(
    "--at",
    type=click.Choice(["start", "end"]),
    help="State: the model at t = 0, or the end of the run [start; end with --sliding].",
)
@click.option(
    "--contact",
    type=click.Choice(["status", "open", "tied", "frictionless"]),
    help="Contact nodes: by status, all open, closed nodes tied, or sliding without friction.",
)
@click.option("--sliding", is_flag=True, help="Complex modes of steady sliding: growth rates.")
@study_options
def modes(
    source: str,
    number: int | None,
    at: str | None,
    contact: str | None,
    sliding: bool,
    out: Path | None,
    overrides: tuple[str, ...],
    variant: str | None,
    overwrite: bool,
    modules: tuple[str, ...],
) -> None:
    """Compute the modes of SOURCE: a study, or the result folder of a finished run.

    For a study, the motion is linearised about the model at t = 0, or with --at end about the
    state at the end of the run, which is computed first. For a result folder, the motion
    is linearised about its final state. Stresses and contact of the state are part of the model.

    Writes modes.csv, modes.npz, modes.html with the animated shapes, and fields/modes.pvd.
    """
    import_modules(modules)
    from fecontact.api import modes as compute
    from fecontact.results.folder.modes import print_modes, write_modes

    chosen: dict[str, Any] = {"number": number, "at": at, "contact": contact}
    chosen["sliding"] = sliding or None
    chosen = {key: value for key, value in chosen.items() if value is not None}
    given, name, title = _source(source, overrides, variant)
    found = compute(given, **chosen)
    if ranks.rank() == 0:
        print_modes(found)
    target = out if out is not None else named("results") / f"{name}-modes"
    write_once(target, overwrite, lambda folder: write_modes(folder, title, found))
    ranks.leave(4 if any(warning.wrong for warning in found.warnings) else 0)


def _source(
    source: str, overrides: tuple[str, ...], variant: str | None
) -> tuple[AnyStudy | Path, str, str]:
    """Return the study or result folder that an argument names, its name and its title."""
    from fecontact.results.folder.result_folder import load_folder
    from fecontact.study import load
    from fecontact.study.library import find

    folder = named(source)
    if folder.is_dir():
        if overrides or variant is not None:
            raise InputError("--set and --variant do not apply to a result folder. Name a study.")
        return folder, folder.name, load_folder(folder).study.title
    path = find(source)
    study = load(path, overrides, variant)
    return study, path.stem if variant is None else f"{path.stem}-{variant}", study.title
