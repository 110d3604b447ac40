"""Benchmark results as tables on the terminal, as a plot of cost against size, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.measure.finite_element import Measurement, exact_displacement, shoe
from benchmarks.measure.finite_strain import Ironing
from benchmarks.measure.long_joints import LAYERS, LongJoint
from benchmarks.measure.lumped import Timing
from benchmarks.measure.reduced import Reduced
from benchmarks.measure.rolling import Rolling
from benchmarks.measure.start_up import StartUp
from benchmarks.measure.two_bodies import TwoBodies
from fecontact.results.folder.files import written_whole
from fecontact.results.plots.style import COLOURS, DASHES, picture

_WIDTH = 160  # columns of a table outside a terminal


@dataclass
class Outcome:
    """All measurements of a benchmark run.

    peers: peer → elements → report of its script; on_strip: the same on the deformable strip;
    ironed: elements → report of NGSolve's script of the ironing; rolling_peer: report of that of
    the rolling disc; million_steps: CPU seconds of 10⁶ steps of the reduced shoe; lumped: timings
    and ratios of SDND121; origin: date and machine.
    """

    sizes: list[Measurement] = field(default_factory=list)
    peers: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    two_bodies: list[TwoBodies] = field(default_factory=list)
    on_strip: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    ironing: list[Ironing] = field(default_factory=list)
    ironed: dict[int, dict[str, Any]] = field(default_factory=dict)
    rolling: list[Rolling] = field(default_factory=list)
    rolling_peer: dict[str, Any] = field(default_factory=dict)
    long_joints: list[LongJoint] = field(default_factory=list)
    reduced: list[Reduced] = field(default_factory=list)
    million_steps: float | None = None
    lumped: dict[str, Any] = field(default_factory=dict)
    start_up: StartUp | None = None
    versions: dict[str, str] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)

    def fastest(self, cells: int) -> Measurement:
        """Return the solver with the shortest loop at a size."""
        return min((m for m in self.sizes if m.cells == cells), key=lambda m: m.loop)

    def write(self, path: Path) -> None:
        """Write all measurements as JSON."""
        with written_whole(path) as temporary:
            text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
            temporary.write_text(text + "\n", encoding="utf-8")


def print_all(outcome: Outcome) -> None:
    """Print every table."""
    print_sizes(outcome)
    if outcome.peers:
        print_peers(outcome)
    print_two_bodies(outcome)
    print_ironing(outcome)
    print_rolling(outcome)
    print_long_joints(outcome)
    print_reduced(outcome)
    print_lumped(outcome.lumped)
    if outcome.start_up is not None:
        print_start_up(outcome.start_up)


def print_sizes(outcome: Outcome) -> None:
    """Print the cost of fecontact's steps in units of their limit."""
    _print(
        "SDNV104, shoe of n×n cells, 350 steps (times: CPU seconds)",
        ("n", "solver", "dofs", "contact dofs", "loop s", "step ms", "back-substitution ms",
         "step / back-substitution", "compliance / loop", "writing / run", "memory MB", "error m"),
        [
            (
                str(m.cells), m.solver, str(m.dofs), str(m.contact_dofs), f"{m.loop:.3g}",
                f"{1e3 * m.step:.3g}", f"{1e3 * m.back_substitution:.3g}", f"{m.ratio:.1f}",
                f"{100 * m.share:.1f} %", f"{100 * m.writing:.1f} %", f"{m.memory:.0f}",
                f"{m.error:.1e}",
            )
            for m in outcome.sizes
        ],
    )  # fmt: skip


def print_peers(outcome: Outcome) -> None:
    """Print the relative cost and the error of other programs."""
    rows = []
    for peer, answers in outcome.peers.items():
        for cells, answer in answers.items():
            own = outcome.fastest(cells)
            if "skipped" in answer:
                rows.append((peer, str(cells), f"skipped: {answer['skipped']}", "", "", "", ""))
                continue
            found = {t: answer.get(t) for t in ("x170", "x340")}
            rows.append(
                (
                    f"{peer} {answer['version']}".rstrip(), str(cells),
                    f"{answer['seconds']:.3g}"
                    + ("" if answer["steps"] == own.steps else f" (from {answer['steps']} steps)"),
                    f"{own.loop:.3g} ({own.solver})", f"{answer['seconds'] / own.loop:.0f}",
                    _error(found, own), f"{own.error:.1e}",
                )
            )  # fmt: skip
    _print(
        "Peers on the same problem in the same run (CPU seconds of 350 steps)",
        ("peer", "n", "peer s", "fecontact s", "ratio", "peer's error m", "fecontact's error m"),
        rows,
    )


def print_two_bodies(outcome: Outcome) -> None:
    """Print the cost of steps with two deformable bodies; of other programs on the
    matching strip.
    """
    prescribed = {m.cells: m for m in outcome.two_bodies if m.case == "fixed"}
    rows = []
    for m in outcome.two_bodies:
        others = [
            f"{peer} {answers[m.cells]['seconds'] / m.loop:.0f}"
            for peer, answers in outcome.on_strip.items()
            if m.case == "matching" and "seconds" in answers.get(m.cells, {})
        ]
        beside = f"{m.step / prescribed[m.cells].step:.1f}" if m.cells in prescribed else ""
        rows.append(
            (
                m.case, str(m.cells), str(m.dofs), str(m.contact_dofs), f"{m.loop:.3g}",
                f"{1e3 * m.step:.3g}", beside, f"{m.pairings:.1f}", f"{m.iterations:.1f}",
                f"{m.memory:.0f}", ", ".join(others),
            )
        )  # fmt: skip
    _print(
        "Two bodies: SDNV104 on a strip of 20 m, fixed and deformable; a joint under cyclic shear",
        ("case", "n", "dofs", "contact dofs", "loop s", "step ms", "step / fixed", "pairings",
         "iterations", "memory MB", "others, times as long"),
        rows,
    )  # fmt: skip


def print_ironing(outcome: Outcome) -> None:
    """Print the cost of a Newton iteration at finite strain in units of its limit; NGSolve on the
    same elements and load steps.
    """
    rows = []
    for m in outcome.ironing:
        other = outcome.ironed.get(m.cells, {})
        peer = ("", "")
        if "skipped" in other:
            peer = (f"skipped: {other['skipped']}", "")
        elif other:
            off = max(abs(other[name] / getattr(m, name) - 1) for name in ("normal", "tangential"))
            peer = (f"{other['cpu'] / m.loop:.1f}", f"{100 * off:.2f} %")
        rows.append(
            (
                str(m.cells), str(m.dofs), str(m.contact_dofs), f"{m.loop:.3g}",
                str(m.iterations), str(m.factorisations), f"{1e3 * m.iteration:.3g}",
                f"{1e3 * m.assembly:.3g} + {1e3 * m.factor:.3g} + {1e3 * m.solve:.3g}",
                f"{m.ratio:.2f}", *peer,
            )
        )  # fmt: skip
    _print(
        "Finite strain: ironing of a rubber block of 2n×n cells, 30 steps (times: CPU seconds)",
        ("n", "dofs", "contact dofs", "loop s", "iterations", "factorisations", "iteration ms",
         "assembly + factor + solve ms", "iteration / these", "NGSolve, times as long",
         "forces differ by"),
        rows,
    )  # fmt: skip


def print_rolling(outcome: Outcome) -> None:
    """Print the cost of steps of a corotational body, and the relative cost of NGSolve."""
    peer, rows = outcome.rolling_peer, []
    for m in outcome.rolling:
        times = f"{peer['step'] / m.step:.0f}" if "step" in peer else ""
        rows.append(
            (
                m.scheme, str(m.dofs), str(m.contact_dofs), str(m.steps), str(m.factorisations),
                f"{m.iterations:.1f}", f"{m.substitutions:.1f}", f"{1e3 * m.step:.3g}",
                f"{m.step / m.back_substitution:.1f}", _off(m.x, m.exact), times,
            )
        )  # fmt: skip
    if "step" in peer and outcome.rolling:
        rows.append(
            (
                f"NGSolve {peer['version']}, hht", str(peer["dofs"]), "", str(peer["steps"]),
                f"{peer['iterations'] * peer['steps']:.0f}", f"{peer['iterations']:.1f}", "",
                f"{1e3 * peer['step']:.3g}", "", _off(peer["x"], outcome.rolling[0].exact), "",
            )
        )  # fmt: skip
    _print(
        "A disc that rolls down a slope and turns (ms: CPU; x: how far, against a rigid disc)",
        ("way", "dofs", "contact dofs", "steps", "factorisations", "iterations",
         "back-substitutions", "step ms", "step / back-substitution", "x off by", "NGSolve, times"),
        rows,
    )  # fmt: skip
    if "skipped" in peer:
        print(f"NGSolve: {peer['skipped']}")


def _off(found: float, exact: float) -> str:
    return f"{100 * (found / exact - 1):+.2f} %"


def print_long_joints(outcome: Outcome) -> None:
    """Print the cost of bolted lap joints."""
    _print(
        f"A bolted lap joint of two blocks of n×{LAYERS} cells, static, 40 steps (times: CPU)",
        ("n", "dofs", "contact dofs", "run s", "step ms", "iterations", "memory MB"),
        [
            (
                str(m.cells), str(m.dofs), str(m.contact_dofs), f"{m.total:.3g}",
                f"{1e3 * m.step:.3g}", f"{m.iterations:.1f}", f"{m.memory:.0f}",
            )
            for m in outcome.long_joints
        ],
    )  # fmt: skip


def print_reduced(outcome: Outcome) -> None:
    """Print the cost of a reduced step, and the steps after which the reduction pays."""
    _print(
        "SDNV104, shoe of n×n cells, full and reduced to 8 modes (times: CPU)",
        ("n", "dofs", "coordinates", "full step ms", "reduced step ms", "set-up s", "break-even"),
        [
            (
                str(m.cells), str(m.dofs), str(m.coordinates), f"{1e3 * m.full_step:.3g}",
                f"{1e3 * m.step:.3g}", f"{m.set_up:.3g}", f"{m.pays_after:.0f} steps",
            )
            for m in outcome.reduced
        ],
    )  # fmt: skip
    if outcome.million_steps is not None:
        print(f"10⁶ steps of the reduced 5×5 shoe in a lumped study: {outcome.million_steps:.3g} s")


def print_lumped(lumped: dict[str, Any]) -> None:
    """Print the methods to solve SDND121, and their ratios."""
    timings: list[Timing] = lumped["timings"]
    _print(
        "SDND121 (one mass, 70 impacts): CPU seconds, error of the contact times",
        ("way", "s", "error s"),
        [(t.name, f"{t.seconds:.3g}", f"{t.error:.1e}") for t in timings],
    )
    for name, ratio in lumped.items():
        if name != "timings":
            print(f"{name}: {ratio:.3g}")


def print_start_up(start: StartUp) -> None:
    """Print the time from the command to the written result."""
    meaning = {
        "dolfinx": 'python -c "import dolfinx"',
        "report": "with report, all caches full, median",
        "warm": "all caches full, median",
        "cold": "forms to be compiled",
        "first": "forms and kernels to be compiled",
    }
    _print(
        "fecontact run sdnv104a --no-report",
        ("start", "wall s", "CPU s", "CPU / dolfinx", ""),
        [
            (
                name,
                *(f"{seconds:.2f}" for seconds in getattr(start, name)),
                f"{getattr(start, name)[1] / start.dolfinx[1]:.1f}",
                words,
            )
            for name, words in meaning.items()
        ],
    )


def draw(outcome: Outcome, path: Path) -> None:
    """Draw CPU seconds of the loop against the number of free dofs, both logarithmic."""
    dofs = {m.cells: m.dofs for m in outcome.sizes}
    curves: dict[str, tuple[list[int], list[float]]] = {}
    for solver in dict.fromkeys(m.solver for m in outcome.sizes):
        of_solver = [m for m in outcome.sizes if m.solver == solver]
        curves[f"fecontact, {solver}"] = (
            [m.dofs for m in of_solver],
            [m.loop for m in of_solver],
        )
        curves[f"350 back-substitutions, {solver}"] = (
            [m.dofs for m in of_solver],
            [350 * m.back_substitution for m in of_solver],
        )
    for peer, answers in outcome.peers.items():
        good = {cells: a["seconds"] for cells, a in answers.items() if "skipped" not in a}
        if good:
            curves[peer] = ([dofs[cells] for cells in good], list(good.values()))
    with picture(path.with_suffix(""), 7.0, 4.5) as figure:
        axes = figure.add_subplot()
        for i, (name, (x, y)) in enumerate(curves.items()):
            style = {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}
            axes.loglog(x, y, marker="o", markersize=4, label=name, **style)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_xlabel("free dofs")
        axes.set_ylabel("CPU s for 350 steps")
        axes.set_title("SDNV104: cost against size")
        axes.legend(fontsize=8)


def _error(found: dict[str, float | None], own: Measurement) -> str:
    """Return a peer's error against the exact solution; a dash if it did not reach that time."""
    if None in found.values():
        return "—"
    exact = exact_displacement(shoe(own.cells, own.solver))
    return f"{np.abs(np.array(list(found.values()), float) - exact).max():.1e}"


def _print(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    table = Table(title=title, title_justify="left", header_style="bold", pad_edge=False)
    for name in columns:
        table.add_column(
            name, justify="left" if name in ("solver", "peer", "case", "way", "") else "right"
        )
    for row in rows:
        table.add_row(*row)
    console.print(table)
