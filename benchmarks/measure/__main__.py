"""`benchmarks/run`: computing times relative to lower bounds and to other programs."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from benchmarks.measure import long_joints, report, rolling, start_up
from benchmarks.measure import peers as others
from benchmarks.measure.children import run_child
from benchmarks.measure.finite_element import Measurement
from benchmarks.measure.finite_strain import SCRIPT as IRONING
from benchmarks.measure.finite_strain import Ironing
from benchmarks.measure.long_joints import LongJoint
from benchmarks.measure.lumped import bench as lumped_bench
from benchmarks.measure.reduced import Reduced
from benchmarks.measure.two_bodies import TwoBodies
from fecontact.isolation import python
from fecontact.versions import versions

SOLVERS = ("mumps", "cholesky")
ON_STRIP = 40  # elements of the shoe up to which it also slides on a deformable strip
JOINT = 320  # elements along the joint of two blocks
IRONED = 80  # maximum elements from base to top of the ironed block
REDUCED = 320  # elements of the largest reduced shoe, measured beside sizes of at least 80


@click.command()
@click.option(
    "--size",
    "sizes",
    default="5,20,40,80",
    show_default=True,
    metavar="N,N,…",
    help="Elements along an edge of the shoe of SDNV104; 320 takes minutes.",
)
@click.option(
    "--peers",
    is_flag=True,
    help="Also run CalculiX, GetFEM and NGSolve, up to 80×80 elements (half an hour).",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the numbers.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results/bench"),
    show_default=True,
    help="Folder for bench.json and the plot of cost against size.",
)
def bench(sizes: str, peers: bool, json_file: Path | None, out: Path) -> None:
    """Measure the cost of steps in back-substitutions, of iterations at finite strain, of reduced
    and of lumped steps, the start-up time, and the cost of peers.

    Each size is measured in a separate process, as CPU time on one thread, several times where it
    is short. Only ratios from one run are meaningful.
    """
    counts = _sizes(sizes)
    _require_folder(out)
    outcome = report.Outcome(versions=versions(), origin=_origin())
    for cells in counts:
        _measure_strip(outcome, cells, peers)
    for case, cells in _two_bodies(counts):
        _measure_two_bodies(outcome, case, cells, peers)
    outcome.rolling, outcome.rolling_peer = rolling.compare(peers)
    for cells in (cells for cells in counts if cells <= IRONED):
        _measure_ironing(outcome, cells, peers)
    for cells in long_joints.SIZES if max(counts) >= IRONED else ():
        _measure_long_joint(outcome, cells)
    for cells in sorted({*counts, REDUCED}) if max(counts) >= IRONED else counts:
        _measure_reduced(outcome, cells)
    outcome.million_steps = (_run_child("10⁶ steps", "reduced", "lumped") or {}).get("million")
    click.echo("lumped …", err=True)
    outcome.lumped = lumped_bench()
    click.echo("start-up …", err=True)
    outcome.start_up = start_up.measure()
    report.print_all(outcome)
    report.draw(outcome, out / "cost.png")
    for path in (out / "bench.json", json_file):
        if path is not None:
            outcome.write(path)
    click.echo(f"{out / 'cost.png'}, {out / 'bench.json'}")


def _run_child(name: str, module: str, *arguments: str) -> dict[str, Any] | None:
    """Return the measurement of a module in a separate process; None, with a message, if it was
    skipped.
    """
    click.echo(f"{name} …", err=True)
    answer = run_child(python("-m", f"benchmarks.measure.{module}", *arguments))
    if "skipped" in answer:
        click.echo(f"{name}: {answer['skipped']}", err=True)
        return None
    return answer


def _measure_strip(outcome: report.Outcome, cells: int, peers: bool) -> None:
    """Measure SDNV104 on the fixed strip with each solver and, for peers, each other program."""
    for solver in SOLVERS:
        answer = _run_child(
            f"{cells}×{cells} cells, {solver}", "finite_element", str(cells), solver
        )
        if answer:
            outcome.sizes.append(Measurement(**answer))
    for peer in others.SCRIPTS if peers and cells <= others.LARGEST else ():
        click.echo(f"{cells}×{cells} cells, {peer} …", err=True)
        outcome.peers.setdefault(peer, {})[cells] = others.measure(peer, cells)


def _measure_two_bodies(outcome: report.Outcome, case: str, cells: int, peers: bool) -> None:
    """Measure two deformable bodies and, on the matching strip, NGSolve."""
    answer = _run_child(f"{case}, {cells} cells", "two_bodies", case, str(cells))
    if answer:
        outcome.two_bodies.append(TwoBodies(**answer))
        if peers and case == "matching":
            click.echo(f"{case}, {cells} cells, NGSolve …", err=True)
            found = others.measure("NGSolve", cells, deformable=True)
            outcome.on_strip.setdefault("NGSolve", {})[cells] = found


def _measure_ironing(outcome: report.Outcome, cells: int, peers: bool) -> None:
    """Measure the ironing of a rubber block and, for peers, NGSolve."""
    answer = _run_child(f"ironing, {cells} cells", "finite_strain", str(cells))
    if answer:
        outcome.ironing.append(Ironing(**answer))
        if peers:
            click.echo(f"ironing, {cells} cells, NGSolve …", err=True)
            outcome.ironed[cells] = others.run(IRONING, str(cells))


def _measure_long_joint(outcome: report.Outcome, cells: int) -> None:
    """Measure a bolted lap joint."""
    answer = _run_child(f"joint of {cells} cells", "long_joints", str(cells))
    if answer:
        outcome.long_joints.append(LongJoint(**answer))


def _measure_reduced(outcome: report.Outcome, cells: int) -> None:
    """Measure the full and the reduced shoe."""
    answer = _run_child(f"{cells}×{cells} cells, reduced", "reduced", str(cells))
    if answer:
        outcome.reduced.append(Reduced(**answer))


def _commit() -> str:
    """Return the commit of this clone, read from its files: the environment has no git."""
    git = Path(__file__).parents[2] / ".git"
    if git.is_file():  # a worktree names the folder of its state
        git = Path(git.read_text(encoding="utf-8").partition("gitdir:")[2].strip())
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        kept = [git, *(git / line for line in _lines(git / "commondir"))]
        for folder in kept if head.startswith("ref: ") else []:
            head = next(iter(_lines(folder / head.removeprefix("ref: "))), head)
    except OSError:
        return "unknown"
    return head[:8] if not head.startswith("ref: ") else "unknown"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split() if file.is_file() else []


def _origin() -> dict[str, str]:
    """Return the date, the commit and the machine of the measurement."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
        "machine": f"{models[0] if models else platform.machine()}, {cores} cores",
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def _two_bodies(counts: list[int]) -> list[tuple[str, int]]:
    """Return cases and sizes with two deformable bodies, up to the largest selected size."""
    on_strip = [cells for cells in counts if cells <= ON_STRIP]
    cases = [(case, cells) for cells in on_strip for case in ("fixed", "matching", "other-mesh")]
    return [*cases, ("joint", min(JOINT, 8 * max(counts)))]


def _sizes(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() and int(part) > 0 for part in parts):
        raise click.UsageError(f"--size {text!r}: invalid. Example: 5,20,40")
    return sorted({int(part) for part in parts})


def _require_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--out {folder}: cannot be created: {error.strerror}") from None


if __name__ == "__main__":
    bench(prog_name="benchmarks/run")
