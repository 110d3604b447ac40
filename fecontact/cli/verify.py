"""`fecontact verify`: every verification study and variant, one table against the references."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fecontact.cli import ranks
from fecontact.cli.output import say
from fecontact.cli.progress import progress
from fecontact.study.errors import InputError

if TYPE_CHECKING:
    from fecontact.results import CheckRow


@dataclass(frozen=True)
class Run:
    """One run of the verification: a study file and one of its variants (None: as it stands)."""

    path: Path
    variant: str | None

    @property
    def name(self) -> str:
        return self.path.stem if self.variant is None else f"{self.path.stem}-{self.variant}"


@click.command()
@click.argument("cases", nargs=-1)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the rows here.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write each study's report and a summary page, a validation manual, into this folder.",
)
@click.option("--ranks", "rank_counts", metavar="1,2,4", help="Compare runs on 1, 2, 4 MPI ranks.")
def verify(
    cases: tuple[str, ...], json_file: Path | None, out: Path | None, rank_counts: str | None
) -> None:
    """Run the verification studies (all, or those of CASES) and print one table.

    A CASE is a case ("sdnv104"), a study ("sdnv104a"), a study with a variant ("sdnv104a-lu") or a
    file. Checks that guard known errors stand in a table of their own: they prove nothing.

    Exit code: 0 all is met; 1 a check failed; 2 the input is wrong; 3 a run could not go on; 4 a
    run is not to be trusted. The gravest of 3, 4, 1 counts.
    """
    runs = _runs(cases)
    if rank_counts is not None:
        from fecontact.cli.rank_comparison import compare_ranks

        compare_ranks(sorted({r.path for r in runs}), rank_counts)
        return

    from fecontact.results import exit_code, make_summary

    rows, entries = [], []
    with _claimed(out):
        for number, run in enumerate(runs, 1):
            with progress(f"{number}/{len(runs)} {run.name}") as callback:
                new_rows, entry = _verify(run, out, callback)
            rows += new_rows
            entries.append(entry)
        if ranks.rank() == 0:
            _tell(rows)
            if json_file is not None:
                _write_json(json_file, [row.to_json() for row in rows])
            if out is not None:
                say(f"summary: {make_summary(out, entries)}")
    ranks.leave(exit_code(rows))


@contextmanager
def _claimed(out: Path | None) -> Iterator[None]:
    """The folder for this verification alone, and refused before anything is computed if its
    summary page would replace one of the user's."""
    from fecontact.results.claim import claimed
    from fecontact.results.summary import refuse_foreign_summary

    with ExitStack() as stack:
        refused: InputError | None = None
        if out is not None and ranks.rank() == 0:
            try:
                refuse_foreign_summary(stack.enter_context(claimed(out)))
            except InputError as error:
                refused = error
        ranks.agreed(refused)
        yield


def _tell(rows: list[CheckRow]) -> None:
    """The tables: what is proved, and the known errors that are only guarded; how many of each."""
    from fecontact.results import print_checks
    from fecontact.results.checks import nearer_than_aster, tally

    guarded = [row for row in rows if row.outcome == "known error"]
    print_checks([row for row in rows if row.outcome != "known error"])
    if guarded:
        click.echo(
            "\nknown errors, guarded (the tolerance is more than a tenth of the reference, or the "
            "reference fecontact's own):"
        )
        print_checks(guarded)
    click.echo(tally(rows))
    if compared := nearer_than_aster(rows):
        click.echo(compared)


def _verify(run: Run, out: Path | None, callback):  # type: ignore[no-untyped-def]
    """Compute one run: its check rows and its entry of the summary page."""
    from fecontact.results import SummaryEntry, evaluate_checks, write_results
    from fecontact.results.claim import claimed
    from fecontact.results.files import slug
    from fecontact.simulation import Simulation
    from fecontact.study import load

    study = load(run.path, variant=run.variant)
    record = Simulation(study).run(callback)
    rows = evaluate_checks(study, record) if ranks.rank() == 0 else []
    report = None
    if out is not None and ranks.rank() == 0:
        # Variants repeat the study's pictures: one report a study keeps the manual readable.
        folder = out / slug(run.name)
        with claimed(folder):
            write_results(folder, study, record, rows, report=run.variant is None, overwrite=True)
        report = folder / "report.html" if run.variant is None else None
    return rows, SummaryEntry(study=study, rows=rows, report=report)


def _runs(cases: tuple[str, ...]) -> list[Run]:
    """The runs asked for: studies with checks, as they stand and in each variant."""
    from fecontact.study.library import directory
    from fecontact.study.load import resolve

    files = sorted(directory().glob("*.toml"))
    files += [Path(c) for c in cases if Path(c).is_file() and Path(c).suffix == ".toml"]
    runs: list[Run] = []
    known: set[str] = set()
    for path in files:
        data = resolve(path)
        if not data.get("checks") or data.get("sweep"):
            continue
        case = str(data.get("case", "")).lower()
        known.update((case, path.stem))
        for run in (Run(path, None), *(Run(path, v) for v in data.get("variants", {}))):
            names = {case, path.stem.lower(), run.name.lower(), str(path).lower()}
            if not cases or names & {c.lower() for c in cases}:
                runs.append(run)
    if not runs:
        raise InputError(
            f"no verification study matches {' '.join(cases)!r}; "
            f"there are: {', '.join(sorted(known - {''}))}"
        )
    return runs


def _write_json(path: Path, rows: list[dict]) -> None:
    try:
        path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--json {path}: cannot be written: {error.strerror}") from None
