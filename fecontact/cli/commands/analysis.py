"""Common parts of the commands that analyse a study without running it (`modes`, `response`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from fecontact.cli import ranks
from fecontact.cli.output import NamedPath, print_line

_OPTIONS = (
    click.option(
        "--out", type=NamedPath(path_type=Path), help="Result folder [results/<study>-…]."
    ),
    click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Change a key."),
    click.option("--variant", metavar="NAME", help="One of the study's variants."),
    click.option("--overwrite", is_flag=True, help="Replace the results in the folder."),
    click.option("--import", "modules", multiple=True, metavar="MODULE", help="As for `run`."),
)


def study_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose and change a study, and the folder of the results."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def write_once(target: Path, overwrite: bool, write: Callable[[Path], Iterable[Path]]) -> None:
    """Write results to a folder on rank 0 and list their files."""
    from fecontact.results import prepare_folder
    from fecontact.results.folder.lock import locked_folder

    if ranks.rank() != 0:
        return
    with locked_folder(target):
        prepare_folder(target, overwrite=overwrite)
        files = write(target)
    for file in files:
        print_line(f"wrote {file}")
