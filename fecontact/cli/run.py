"""`fecontact run`: one study from its file to its report."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from fecontact.cli import ranks
from fecontact.cli.interruption import after_the_step
from fecontact.cli.progress import progress
from fecontact.study.errors import InputError, RunError


@click.command()
@click.argument("study", required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Result folder [results/<study>].")
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a key, for example --set solver=lu --set contact.sole.friction=0.2",
)
@click.option("--variant", metavar="NAME", help="One of the study's variants.")
@click.option("--overwrite", is_flag=True, help="Replace an existing result folder.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in the folder.")
@click.option("--no-report", is_flag=True, help="Numbers only: no pictures, no page.")
@click.option("--quiet", is_flag=True, help="Print only what went wrong.")
def run(
    study: str | None,
    out: Path | None,
    overrides: tuple[str, ...],
    variant: str | None,
    overwrite: bool,
    resume: bool,
    no_report: bool,
    quiet: bool,
) -> None:
    """Compute STUDY (a file or a name from `fecontact list`; SDNV104 A if none is given).

    Writes histories, fields for ParaView, pictures and report.html into the result folder and
    prints the checks. With a [sweep] the study is computed for all combinations.

    Exit code: 0 computed and trusted; 1 a check failed; 2 the input is wrong; 3 the run could not
    go on; 4 computed, but a limit of trust is exceeded. The gravest of 3, 4, 1 counts.
    """
    from fecontact.study import load
    from fecontact.study.library import find

    path = find(study)
    loaded = load(path, overrides, variant)
    from fecontact.results.files import slug

    folder = _folder(out, path.stem if variant is None else f"{path.stem}-{slug(variant)}", resume)
    if loaded.sweep is not None:
        from fecontact.cli.sweeping import run_sweep_study

        run_sweep_study(loaded, path, overrides, variant, folder, overwrite, quiet, not no_report)
        return

    from fecontact.results import (
        evaluate_checks,
        exit_code,
        prepare_folder,
        print_outcome,
        print_wrong,
        write_results,
    )
    from fecontact.simulation import Simulation
    from fecontact.simulation.checkpoint import begin_anew

    try:
        simulation = Simulation(loaded, checkpoints=folder / "checkpoints", resume=resume)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    if ranks.rank() == 0:  # only now: wrong input leaves no folder behind
        if not resume:
            begin_anew(folder / "checkpoints", overwrite)
        prepare_folder(folder, overwrite=overwrite or resume)
    with progress(loaded.case or path.stem, quiet) as bar, after_the_step(bar) as callback:
        try:
            record = simulation.run(callback)
        except KeyboardInterrupt:
            simulation.save_checkpoint()
            raise RunError(f"interrupted; --resume --out {folder} goes on from here") from None
    code = 0
    if ranks.rank() == 0:
        rows = evaluate_checks(loaded, record)
        write_results(folder, loaded, record, rows, report=not no_report, overwrite=True)
        if record.failure is None:
            shutil.rmtree(folder / "checkpoints", ignore_errors=True)
        if quiet:
            print_wrong(record, rows)
        else:
            print_outcome(folder, loaded, record, rows)
        code = exit_code(rows)
    if record.failure:
        raise RunError(f"{record.failure}; what was computed until then is in {folder}")
    ranks.leave(code)


def _folder(out: Path | None, name: str, resume: bool) -> Path:
    """The folder asked for, or the first free results/NAME, NAME-2, … (the last one to resume)."""
    if out is not None:
        return out
    base = Path("results")
    taken = [base / name]
    while taken[-1].exists():
        taken.append(base / f"{name}-{len(taken) + 1}")
    if not resume:
        return taken[-1]
    if len(taken) == 1:
        raise InputError(f"--resume: there is no folder {taken[0]} to go on from")
    return taken[-2]
