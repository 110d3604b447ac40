"""`fecontact verify`: all verification studies and variants in one table with their references."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fecontact.cli import ranks
from fecontact.cli.output import NamedPath, print_line
from fecontact.study.errors import InputError, printable

if TYPE_CHECKING:
    from fecontact.results import CheckRow
    from fecontact.results.manual.entry import Entry
    from fecontact.verification import LevelRun, Run

_PAGE = 0.05  # MB of the manual for each run


@click.command()
@click.argument("cases", nargs=-1)
@click.option(
    "--json",
    "json_file",
    type=NamedPath(path_type=Path),
    help=("Write the table to this file as JSON."),
)
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    help="Write a validation manual to this folder: an overview and a page per case.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of parallel runs [processors of this machine].",
)
@click.option(
    "--full", is_flag=True, help="Also compute refinement series and their convergence orders."
)
@click.option(
    "--page",
    "pages",
    multiple=True,
    type=NamedPath(path_type=Path),
    help="Refresh the tables of this Markdown page.",
)
@click.option("--pdf", is_flag=True, help="Print the manual of --out to manual.pdf (Chromium).")
@click.option("--ranks", "rank_counts", metavar="1,2,4", help="Compare runs on 1, 2, 4 MPI ranks.")
def verify(
    cases: tuple[str, ...],
    json_file: Path | None,
    out: Path | None,
    jobs: int | None,
    full: bool,
    pages: tuple[Path, ...],
    pdf: bool,
    rank_counts: str | None,
) -> None:
    """Run the verification studies (all, or those of CASES) and print one table.

    A CASE is a case ("sdnv104"), a study ("sdnv104a"), a study with a variant ("sdnv104a-lu") or a
    file. Regression checks (known deviations) are printed in a separate table: they do not verify
    the result. Runs are computed in separate processes, one per processor; one that fails is
    reported and does not stop the others. Under mpirun all ranks share one run after another.

    Exit code: 0 all checks are met; 2 the input is invalid; 3 a run did not complete; 4 a run is
    not trusted; 5 a check failed; 70 an internal error. The most severe of 70, 2, 3, 4, 5
    determines the exit code.
    """
    from fecontact.results.manual.markdown import check_page, write_page_table
    from fecontact.verification import runs_of

    runs = runs_of(cases)
    if pdf:
        _require_printing(out)
    for page in pages:
        check_page(page)
    if rank_counts is not None:
        from fecontact.cli.commands.rank_comparison import compare_ranks

        compare_ranks(sorted({r.path for r in runs}), rank_counts)
        return

    from fecontact.cli.interruption import listening
    from fecontact.results.manual.overview import make_manual, print_manual
    from fecontact.verification import levels_of, series_of, verdict

    levels = levels_of(runs) if full else []
    if out is not None and ranks.rank() == 0:
        print_line(
            f"the manual of {len(runs)} runs needs about {_PAGE * len(runs):.2g} MB in {out}"
        )
    with listening(), _locked_output(out):
        computed = _computed([*runs, *levels], jobs, out is not None)
        entries, series = computed[: len(runs)], series_of(levels, computed[len(runs) :])
        rows = [row for entry in entries for row in entry.rows] + [one.row for one in series]
        if ranks.rank() == 0:
            _print_failures(rows)
            if json_file is not None:
                _write_json(json_file, [row.to_json() for row in rows])
            for page in pages:
                write_page_table(page, rows)
            if out is not None:
                print_line(f"manual: {make_manual(out, entries, series)}")
                if pdf:
                    print_line(f"manual: {print_manual(out)}")
    ranks.leave(verdict(computed, rows))


def _require_printing(out: Path | None) -> None:
    """Raise InputError before the runs if no folder or no browser for printing is available."""
    from fecontact.results.report.pdf import require_browser

    if out is None:
        raise InputError("--pdf needs a folder for the manual. Add --out FOLDER.")
    require_browser()


def _computed(runs: list[Run | LevelRun], jobs: int | None, pictures: bool) -> list[Entry]:
    from fecontact.cli.progress import shared_progress
    from fecontact.verification import one_by_one, over_cores

    with shared_progress([run.name for run in runs]) as report:
        if ranks.size() > 1:
            return one_by_one(runs, pictures, report)
        processes = jobs or len(os.sched_getaffinity(0))
        return over_cores(runs, min(processes, len(runs)), pictures, report)


@contextmanager
def _locked_output(out: Path | None) -> Iterator[None]:
    """Lock the folder for this verification; raise InputError, before any run, if its overview
    would replace a user's page.
    """
    from fecontact.results.folder.lock import locked_folder
    from fecontact.results.manual.overview import check_manual_ownership

    with ExitStack() as stack:
        error_of_rank: InputError | None = None
        if out is not None and ranks.rank() == 0:
            try:
                check_manual_ownership(stack.enter_context(locked_folder(out)))
            except InputError as error:
                error_of_rank = error
        ranks.agreed(error_of_rank)
        yield


def _print_failures(rows: list[CheckRow]) -> None:
    """Print the checks that verify results, then the regression checks, and the count of each."""
    from fecontact.results import print_checks
    from fecontact.results.checks.evaluation import nearer_than_aster, tally

    known = [row for row in rows if row.outcome == "known deviation"]
    print_checks([row for row in rows if row.outcome != "known deviation"])
    if known:
        click.echo(
            "\nknown deviations, regression checks only (the tolerance exceeds a tenth of the "
            "reference, or the reference is fecontact's own value):"
        )
        print_checks(known)
    for row in rows:
        if row.outcome in ("stopped", "not trusted"):
            name = " ".join(filter(None, (row.case, row.model, row.variant)))
            click.echo(printable(f"{row.outcome}: {name}: {row.reason}"))
    click.echo(tally(rows))
    if compared := nearer_than_aster(rows):
        click.echo(compared)


def _write_json(path: Path, rows: list[dict]) -> None:
    try:
        path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--json {path}: cannot be written: {error.strerror}") from None
