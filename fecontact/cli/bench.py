"""`fecontact bench`: speed as ratios to limits and to other programs."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import click

from fecontact.cli.output import NamedPath, say
from fecontact.study.errors import InputError

SOLVERS = ("mumps", "cholesky")
ON_STRIP = 40  # elements of the shoe up to which it also slides on a deformable strip
JOINT = 320  # elements along the joint of two blocks
IRONED = 80  # maximum elements from base to top of the ironed block


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
@click.option("--json", "json_file", type=NamedPath(path_type=Path), help="Write the numbers.")
@click.option(
    "--out",
    type=NamedPath(path_type=Path, file_okay=False),
    default=Path("results/bench"),
    show_default=True,
    help="Folder for bench.json and the plot of cost against size.",
)
def bench(sizes: str, peers: bool, json_file: Path | None, out: Path) -> None:
    """Measure the cost of steps in back-substitutions, of iterations at finite strain and of lumped
    steps, the start-up time, and the cost of peers.

    Each size is measured in a separate process, as CPU time on one thread, several times where it
    is short. Only ratios from one run are meaningful.
    """
    from fecontact.simulation.installed import require_dolfinx

    require_dolfinx()
    from fecontact.bench import peers as others
    from fecontact.bench import report, rolling, start_up
    from fecontact.bench.children import ask
    from fecontact.bench.finite_element import Measurement
    from fecontact.bench.finite_strain import SCRIPT as IRONING
    from fecontact.bench.finite_strain import Ironing
    from fecontact.bench.lumped import bench as lumped_bench
    from fecontact.bench.two_bodies import TwoBodies
    from fecontact.isolation import python
    from fecontact.versions import versions

    counts = _sizes(sizes)
    _require_folder(out)
    outcome = report.Outcome(versions=versions(), origin=_origin())
    for cells in counts:
        for solver in SOLVERS:
            click.echo(f"{cells}×{cells} cells, {solver} …", err=True)
            answer = ask(python("-m", "fecontact.bench.finite_element", str(cells), solver))
            if "skipped" in answer:
                click.echo(f"{cells}×{cells} cells, {solver}: {answer['skipped']}", err=True)
                continue
            outcome.sizes.append(Measurement(**answer))
        for peer in others.SCRIPTS if peers and cells <= others.LARGEST else ():
            click.echo(f"{cells}×{cells} cells, {peer} …", err=True)
            outcome.peers.setdefault(peer, {})[cells] = others.measure(peer, cells)
    for case, cells in _two_bodies(counts):
        click.echo(f"{case}, {cells} cells …", err=True)
        answer = ask(python("-m", "fecontact.bench.two_bodies", case, str(cells)))
        if "skipped" in answer:
            click.echo(f"{case}, {cells} cells: {answer['skipped']}", err=True)
            continue
        outcome.two_bodies.append(TwoBodies(**answer))
        if peers and case == "matching":
            click.echo(f"{case}, {cells} cells, NGSolve …", err=True)
            found = others.measure("NGSolve", cells, deformable=True)
            outcome.on_strip.setdefault("NGSolve", {})[cells] = found
    outcome.rolling, outcome.rolling_peer = rolling.compare(peers)
    report.print_sizes(outcome)
    if peers:
        report.print_peers(outcome)
    report.print_two_bodies(outcome)
    for cells in (cells for cells in counts if cells <= IRONED):
        click.echo(f"ironing, {cells} cells …", err=True)
        answer = ask(python("-m", "fecontact.bench.finite_strain", str(cells)))
        if "skipped" in answer:
            click.echo(f"ironing, {cells} cells: {answer['skipped']}", err=True)
            continue
        outcome.ironing.append(Ironing(**answer))
        if peers:
            click.echo(f"ironing, {cells} cells, NGSolve …", err=True)
            outcome.ironed[cells] = others.run(IRONING, str(cells))
    report.print_ironing(outcome)
    report.print_rolling(outcome)
    click.echo("lumped …", err=True)
    outcome.lumped = lumped_bench()
    report.print_lumped(outcome.lumped)
    click.echo("start-up …", err=True)
    outcome.start_up = start_up.measure()
    report.print_start_up(outcome.start_up)
    report.draw(outcome, out / "cost.png")
    for path in (out / "bench.json", json_file):
        if path is not None:
            outcome.write(path)
    say(f"{out / 'cost.png'}, {out / 'bench.json'}")


def _origin() -> dict[str, str]:
    """Return the date and the machine of the measurement."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{models[0] if models else platform.machine()}, {cores} cores",
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def _two_bodies(counts: list[int]) -> list[tuple[str, int]]:
    """Return cases and sizes with two deformable bodies, up to the largest selected size."""
    on_strip = [cells for cells in counts if cells <= ON_STRIP]
    cases = [(case, cells) for cells in on_strip for case in ("held", "matching", "other-mesh")]
    return [*cases, ("joint", min(JOINT, 8 * max(counts)))]


def _sizes(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() and int(part) > 0 for part in parts):
        raise InputError(f"--size {text!r}: invalid. Example: 5,20,40")
    return sorted({int(part) for part in parts})


def _require_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be created: {error.strerror}") from None
