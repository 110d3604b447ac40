"""`fecontact run`: a study from its file to its report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fecontact.cli import ranks
from fecontact.cli.output import NamedPath
from fecontact.isolation import named
from fecontact.study.errors import InputError, Interrupted, RunError, printable
from fecontact.study.plugins import import_modules, imported

if TYPE_CHECKING:
    from fecontact.cli.interruption import Listener
    from fecontact.cli.progress import Callback
    from fecontact.record import RunRecord
    from fecontact.results.folder.output import Views
    from fecontact.simulation import Simulation
    from fecontact.study import AnyStudy


_VIEWED = 20  # saved fields of a study that says nothing about them


@dataclass(frozen=True)
class Request:
    """Options of the command line: a study with its changes, and the requested output."""

    study: AnyStudy
    path: Path
    overrides: tuple[str, ...]
    variant: str | None
    overwrite: bool
    resume: bool
    report: bool
    plots: bool
    quiet: bool
    verbose: bool
    live: bool

    @property
    def title(self) -> str:
        return self.study.case or self.path.stem

    @property
    def views(self) -> Views:
        """Return the requested output of the results."""
        return "plots" if self.plots else "report" if self.report else "none"

    def command_to_resume(self, folder: Path) -> str:
        """Return the command that continues the run whose checkpoints are in the folder."""
        words = ["fecontact", "run", str(self.path)]
        words += [word for override in self.overrides for word in ("--set", override)]
        words += ["--variant", self.variant] if self.variant is not None else []
        words += [word for module in imported() for word in ("--import", module)]
        words += [] if self.report else ["--no-report"]
        words += ["--plots"] if self.plots else []
        launcher = ["mpirun", "-n", str(ranks.size())] if ranks.size() > 1 else []
        return shlex.join([*launcher, *words, "--out", str(folder), "--resume"])


@click.command()
@click.argument("study", required=False)
@click.option("--out", type=NamedPath(path_type=Path), help="Result folder [results/<study>].")
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a key, for example --set solver=mumps --set contact.sole.friction=0.2",
)
@click.option("--variant", metavar="NAME", help="One of the study's variants.")
@click.option("--overwrite", is_flag=True, help="Replace the results in the folder.")
@click.option("--resume", is_flag=True, help="Continue from the last checkpoint in the folder.")
@click.option("--no-report", is_flag=True, help="Write only numerical results, no report.")
@click.option("--no-sweep", is_flag=True, help="Run the study itself, without its [sweep].")
@click.option("--plots", is_flag=True, help="Also draw all charts as PNG and SVG into plots/.")
@click.option("--quiet", is_flag=True, help="Print only warnings and failures.")
@click.option("--live", is_flag=True, help="Update report.html during the run.")
@click.option(
    "--task",
    metavar="K/N",
    help="Compute the K-th of N subsets of a sweep into --out (job arrays); --resume merges them.",
)
@click.option(
    "--import",
    "modules",
    multiple=True,
    metavar="MODULE",
    help="Import a Python module or file that registers laws (fecontact.register_law, …).",
)
@click.option("-v", "--verbose", is_flag=True, help="Print all settings and timings.")
def run(
    study: str | None,
    out: Path | None,
    overrides: tuple[str, ...],
    variant: str | None,
    overwrite: bool,
    resume: bool,
    no_report: bool,
    no_sweep: bool,
    plots: bool,
    quiet: bool,
    verbose: bool,
    live: bool,
    task: str | None,
    modules: tuple[str, ...],
) -> None:
    """Compute STUDY (a file or a name from `fecontact list`; SDNV104 A if none is given).

    Writes histories, fields for ParaView and report.html into the result folder and prints key
    figures and checks. A study with a [sweep] is computed for all sweep points.

    Exit code: 0 computed and trusted; 2 the input is invalid; 3 the run did not complete; 4
    computed, but a quality limit is exceeded; 5 a check failed. The most severe of 3, 4, 5
    determines the exit code.

    SIGINT (Ctrl-C), SIGTERM and SIGHUP end the run after the current step, with a checkpoint from
    which --resume continues.
    """
    import_modules(modules)
    from fecontact.cli.interruption import listening
    from fecontact.results.folder.files import slug
    from fecontact.study import load
    from fecontact.study.library import find

    path = find(study)
    loaded = load(path, overrides, variant)
    if no_sweep:
        loaded = loaded.model_copy(update={"sweep": None})
    if live and (loaded.sweep is not None or ranks.size() > 1):
        raise InputError("--live is not supported for sweeps and under MPI. Remove the option.")
    request = Request(
        study=loaded if no_report else with_view(loaded),
        path=path,
        overrides=overrides,
        variant=variant,
        overwrite=overwrite,
        resume=resume,
        report=not no_report,
        plots=plots,
        quiet=quiet,
        verbose=verbose,
        live=live,
    )
    if task is not None:
        _run_task(request, out, task)
        return
    name = path.stem if variant is None else f"{path.stem}-{slug(variant)}"
    with listening() as signals, _locked_output(out, name, request, signals) as folder:
        if loaded.sweep is not None:
            from fecontact.cli.commands.sweeping import run_sweep_study

            run_sweep_study(request, folder)
        else:
            _run_study(request, folder, signals)


def with_view(study: AnyStudy) -> AnyStudy:
    """Return the study with fields saved about 20 times for the view of the report, unless its
    [output] says how often.
    """
    from fecontact.study.finite_element import FiniteElementStudy

    chosen = {"fields_every", "fields_at", "fields_at_events"} & study.output.model_fields_set
    if not isinstance(study, FiniteElementStudy) or chosen or study.sweep is not None:
        return study
    every = max(1, round(study.time.end / study.time.longest / _VIEWED))
    output = study.output.model_copy(update={"fields_every": every})
    return study.model_copy(update={"output": output})


def _run_task(request: Request, out: Path | None, task: str) -> None:
    from fecontact.cli.commands.sweeping import run_task
    from fecontact.cli.interruption import listening

    if request.study.sweep is None or out is None or ranks.size() > 1:
        raise InputError(
            "--task needs a study with a [sweep] and --out, the folder that all tasks write to. "
            "It is not supported under MPI: start one process per task."
        )
    with listening():
        run_task(request, out, task)


@contextmanager
def _locked_output(
    out: Path | None, name: str, request: Request, signals: Listener
) -> Iterator[Path]:
    """Lock the result folder for this run: the given one, or results/NAME (to replace it), or the
    first unused of results/NAME, NAME-2, … (the last existing one to resume).
    """
    from fecontact.results.folder.lock import locked_folder, new_locked_folder

    base = named("results")
    with ExitStack() as stack:
        signals.tidy_up = stack.close
        found: Path | InputError | None = None
        if ranks.rank() == 0:
            try:
                if out is None and request.resume:
                    out = last_folder(base, name)
                elif out is None and request.overwrite:
                    out = base / name
                mine = new_locked_folder(base, name) if out is None else locked_folder(out)
                found = stack.enter_context(mine)
            except InputError as error:
                found = error
        yield ranks.agreed(found)


def last_folder(base: Path, name: str) -> Path:
    """Return the last existing of BASE/NAME, BASE/NAME-2, …."""
    last, number = base / name, 2
    if not last.exists():
        raise InputError(f"folder {last} with an earlier run not found. Omit --resume.")
    while (following := base / f"{name}-{number}").exists():
        last, number = following, number + 1
    return last


def _run_study(request: Request, folder: Path, signals: Listener) -> None:
    """Compute a study without a sweep and write its results."""
    from fecontact.results import prepare_folder
    from fecontact.simulation import Simulation
    from fecontact.simulation.restart.checkpoint import discard_checkpoints

    checkpoints = folder / "checkpoints"
    try:
        with signals.building():
            simulation = Simulation(request.study, checkpoints=checkpoints, resume=request.resume)
    except InputError as error:
        raise InputError(f"{request.path}: {error}") from None
    if ranks.rank() == 0:  # only now: invalid input leaves no folder behind
        if not request.resume:
            discard_checkpoints(checkpoints, request.overwrite)
        prepare_folder(folder, overwrite=request.overwrite or request.resume)
        if not request.quiet:
            for sentence in simulation.found_at_start:
                click.echo(printable(sentence), err=True)
    record = _stepped(request, folder, simulation, signals)
    shown_before = simulation.found_at_start
    code = _write(request, folder, record, shown_before) if ranks.rank() == 0 else 0
    if record.failure:
        raise RunError(f"{record.failure} The results up to this time are in {folder}.")
    ranks.leave(code)


def _stepped(
    request: Request, folder: Path, simulation: Simulation, signals: Listener
) -> RunRecord:
    """Return the record of the run; a signal ends it after its step, with a checkpoint."""
    from fecontact.cli.live import LivePage
    from fecontact.cli.progress import progress

    with ExitStack() as stack:
        shown: Callback | None = stack.enter_context(progress(request.title, request.quiet))
        if request.live:
            shown = LivePage(request.study, lambda: simulation.record, folder, shown)
        simulation.warn = lambda text: click.echo(printable(f"warning: {text}"), err=True)
        callback = stack.enter_context(signals.postponed(shown, simulation.comm))
        try:
            return simulation.run(callback)
        except Interrupted as caught:
            simulation.save_checkpoint()
            more = f"resume with: {request.command_to_resume(folder)}"
            raise Interrupted(caught.number, more) from None


def _write(request: Request, folder: Path, record: RunRecord, shown_before: list[str]) -> int:
    """Save the numbers first, then evaluate and draw them, so that a failure loses no results.

    shown_before: notes shown before the run. Return the exit code.
    """
    from fecontact.cli.progress import phase
    from fecontact.results import (
        evaluate_checks,
        exit_code,
        print_decisions,
        print_files,
        print_outcome,
        print_wrong,
        write_numbers,
        write_views,
    )
    from fecontact.simulation.restart import checkpoint

    write_numbers(folder, request.study, record)
    if record.failure is None:
        # the results are saved: the checkpoints are no longer needed, but do no harm
        with suppress(OSError):
            checkpoint.remove(folder / "checkpoints")
    rows = evaluate_checks(request.study, record)
    if request.quiet:
        print_wrong(record, rows)
    else:
        print_outcome(request.study, record, rows, shown_before)
    with phase("writing the report" if request.report else "writing fields", request.quiet):
        write_views(folder, request.study, record, rows, request.views)
    if not request.quiet:
        print_files(folder)
    if request.verbose:
        print_decisions(request.study, record)
    return exit_code(rows)
