"""`fecontact compare`: comparison of saved or newly computed results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fecontact.cli import ranks
from fecontact.cli.output import NamedPath, print_line
from fecontact.isolation import named
from fecontact.study.errors import InputError

if TYPE_CHECKING:
    from fecontact.results.folder.result import Result


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="A [B ...]")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Change a key.")
@click.option("--methods", help="Contact methods, comma-separated: run the study with each.")
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    help="File of the page [results/comparison.html, -2, …].",
)
def compare(
    sources: tuple[str, ...], overrides: tuple[str, ...], methods: str | None, out: Path | None
) -> None:
    """Compare results with the first: largest differences with time and position, and a page.

    Each source is a result folder, or a study (a file or a name), which is computed with --set. A
    single study is compared with its last result in results/.
    """
    from fecontact.results.report.comparison import compare as compared
    from fecontact.results.report.comparison_page import print_comparison

    if methods is not None:
        found = _by_methods(sources, overrides, methods.split(","))
    else:
        found = [(source.rstrip("/"), _result(source, overrides)) for source in _pair(sources)]
    if ranks.rank() == 0:
        names = [name for name, _ in found]
        comparison = compared(*(result for _, result in found), names=_distinct(names))
        print_comparison(comparison)
        print_line(comparison.save(out if out is not None else _free(named("results"))))


def _pair(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sources; for a single study, preceded by its last result."""
    if len(sources) > 1:
        return sources
    from fecontact.cli.commands.run import last_folder
    from fecontact.study.library import find

    if _is_result(sources[0]):
        raise InputError(f"{sources[0]}: a second result or study is missing. Add it.")
    return str(last_folder(named("results"), find(sources[0]).stem)), sources[0]


def _result(source: str, overrides: tuple[str, ...]) -> Result:
    """Return the result in a folder, or that of a study, which is computed."""
    from fecontact.results import load_folder

    if _is_result(source):
        return load_folder(named(source))
    return _computed(source, overrides)


def _is_result(source: str) -> bool:
    return (named(source) / "result.json").exists()


def _by_methods(
    sources: tuple[str, ...], overrides: tuple[str, ...], methods: list[str]
) -> list[tuple[str, Result]]:
    """Return the results of a study computed with every contact method, one for all its pairs."""
    from fecontact.study import load
    from fecontact.study.library import find

    if len(sources) > 1 or _is_result(sources[0]):
        raise InputError(
            "--methods needs exactly one study file. Give one study file and no result folder."
        )
    pairs = getattr(load(find(sources[0]), overrides), "contact", {})
    if not pairs:
        raise InputError(
            f"{sources[0]}: the study has no contact pairs, so --methods has no effect. "
            "Remove the option."
        )
    return [
        (m, _computed(sources[0], (*overrides, *(f"contact.{p}.method={m}" for p in pairs))))
        for m in methods
    ]


def _computed(source: str, overrides: tuple[str, ...]) -> Result:
    from fecontact.api import run
    from fecontact.cli.progress import progress
    from fecontact.study import load
    from fecontact.study.library import find

    study = load(find(source), overrides)
    if study.sweep is not None:
        raise InputError(f"{source}: sweeps cannot be compared. Give studies without [sweep].")
    with progress(study.case or source) as bar:
        return run(study, bar)


def _distinct(names: list[str]) -> list[str]:
    """Return the last parts of paths, or the whole paths where these are equal."""
    short = [Path(name).name for name in names]
    return short if len(set(short)) == len(short) else names


def _free(folder: Path) -> Path:
    """Return the first unused of comparison.html, comparison-2.html, … in a folder."""
    path, number = folder / "comparison.html", 2
    while path.exists():
        path, number = folder / f"comparison-{number}.html", number + 1
    return path
