"""Draw docs/pictures/verify-CASE.png: results of the studies of docs/verification.md, with the
exact solution as a dashed line.

Run from the root of the repository: docker/run python3 docs/figures/verification_cases.py [CASE…]
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from fecontact.record import RunRecord
from fecontact.results.checks.references import exact_curves, exact_profile
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.library import file_of

ROOT = Path(__file__).parents[2]


class Panel(NamedTuple):
    """Diagram of a history column, or of PAIR.QUANTITY along a contact surface at the end of the
    run, for some (study, variant); with the unit, as name and size, and the range of x.
    """

    title: str
    quantity: str
    unit: tuple[str, float]
    runs: dict[str, tuple[str, str | None]]
    shown: tuple[float, float] | None = None


MM, MPA, KN, W = ("mm", 1e-3), ("MPa", 1e6), ("kN/m", 1e3), ("W/m", 1.0)
BLOCK = {"lagrangian": ("hertz-block", None), "continuous": ("hertz-block", "continuous")}
CASES: dict[str, list[Panel]] = {
    "incline": [
        Panel("slides down", "x", ("m", 1.0), {"": ("incline", None)}),
        Panel("thrown upwards", "v", ("m/s", 1.0), {
            "slides back": ("incline", "thrown-up"), "sticks": ("incline", "thrown-up-and-stays")}),
    ],
    "belt": [
        Panel("displacement of the plate", "x", ("m", 1.0), {"": ("belt", None)}),
        Panel("friction", "friction", KN, {"": ("belt", None)}),
    ],
    "mindlin-loop": [
        Panel("friction traction at the end", "sole.traction", MPA, {"": ("mindlin-loop", None)},
              (-0.6, 0.6)),
        Panel("friction work", "energy.friction", ("mJ/m", 1e-3), {"": ("mindlin-loop", None)}),
    ],
    "lap-joint": [
        Panel("displacement of the end", "u", MM, {"": ("lap-joint", None)}),
        Panel("friction work", "energy.friction", ("J/m", 1.0), {"": ("lap-joint", None)}),
    ],
    "hertz": [
        Panel("rigid plane, pressure", "sole.pressure", MPA, {
            "quad4": ("hertz-rigid", None), "quad8 continuous": ("hertz-rigid", "quad8-continuous"),
        }, (-1.3, 1.3)),
        Panel("elastic block, pressure", "sole.pressure", MPA, BLOCK, (-1.8, 1.8)),
        Panel("elastic block, quad8", "sole.pressure", MPA, {
            "lagrangian": ("hertz-block", "quad8"),
            "continuous": ("hertz-block", "quad8-continuous"),
        }, (-1.8, 1.8)),
    ],
    "cattaneo-mindlin": [
        Panel("pressure", "sole.pressure", MPA, {"": ("cattaneo-mindlin", None)}, (-0.6, 0.6)),
        Panel("friction", "sole.traction", MPA, {
            "quad4": ("cattaneo-mindlin", None), "quad8": ("cattaneo-mindlin", "quad8"),
        }, (-0.6, 0.6)),
    ],
    "patch-test": [
        Panel("the coarser side is the slave", "joint.pressure", MPA, {
            "continuous": ("patch-test", None), "lagrangian": ("patch-test", "lagrangian")}),
        Panel("the finer side is the slave", "joint.pressure", MPA, {
            "continuous": ("patch-test", "swapped"),
            "lagrangian": ("patch-test", "lagrangian-swapped")}),
    ],
    "two-bars": [
        Panel("equal bars, force", "force", ("MN/m", 1e6), {"": ("two-bars", None)}),
        Panel("a bar half as long", "force", ("MN/m", 1e6), {"": ("two-bars", "unequal")}),
    ],
    "bouncing-rod": [
        Panel("upper end, 200 elements", "y_top", MM, {"massless nodes": ("bouncing-rod", "fine")}),
        Panel("upper end, 100 elements", "y_top", MM, {
            "massless nodes": ("bouncing-rod", None), "stabilized": ("bouncing-rod", "stabilized"),
            "HHT": ("bouncing-rod", "hht")}),
    ],
    "wavy-runner": [
        Panel("height of the block", "y", MM, {
            "quad4": ("wavy-runner", None), "quad8": ("wavy-runner", "quad8"),
            "slave and master swapped": ("wavy-runner", "swapped-continuous")}),
        Panel("drag", "drag", KN, {
            "quad4": ("wavy-runner", None), "quad8": ("wavy-runner", "quad8"),
            "slave and master swapped": ("wavy-runner", "swapped-continuous")}),
    ],
    "wear": [
        Panel("shoe, displacement", "x", ("m", 1.0), {"": ("wear-shoe", None)}),
        Panel("shoe, wear depth along the sole", "sole.wear_depth", ("µm", 1e-6), {
            "": ("wear-shoe", None)}),
        Panel("belt, work rate", "work_rate", W, {"": ("belt", None)}),
    ],
}  # fmt: skip


@cache
def computed(name: str, variant: str | None) -> tuple[FiniteElementStudy, RunRecord]:
    """Return a study of the repository and its record."""
    study = load(file_of(name), variant=variant)
    return study, Simulation(study).run()


def draw(axes: Axes, panel: Panel) -> None:
    """Draw the curves of all runs of a panel, and the exact solution if there is one."""
    name, size = panel.unit
    for label, (study_name, variant) in panel.runs.items():
        study, record = computed(study_name, variant)
        pair, _, quantity = panel.quantity.partition(".")
        if pair in record.surfaces:
            surface = record.surfaces[pair]
            x = 1e3 * record.mesh.points[surface.nodes, 0]
            y = getattr(surface, quantity)[-1]
            exact = exact_profile(study, record, panel.quantity, surface)
            axes.plot(x, y / size, lw=1.2, label=label)
            curve = None if exact is None else (x, exact)
            axes.set_xlabel("x [mm]")
        else:
            axes.plot(record.history.time, record.history.columns[panel.quantity] / size, lw=1.2,
                      label=label)  # fmt: skip
            curve = exact_curves(study, record).get(panel.quantity)
            axes.set_xlabel("time [s]")
        if curve is not None:
            axes.plot(curve[0], curve[1] / size, "k--", lw=0.8)
    axes.set_title(f"{panel.title} [{name}]", loc="left", fontsize=9)
    axes.tick_params(labelsize=8)
    if panel.shown:
        axes.set_xlim(*panel.shown)
    if len(panel.runs) > 1:
        axes.legend(fontsize=7, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.22))


def main(wanted: list[str]) -> None:
    for case in wanted or CASES:
        panels = CASES[case]
        figure, axes = plt.subplots(
            1, len(panels), figsize=(3.6 * len(panels), 2.5), layout="constrained", squeeze=False
        )
        for panel, place in zip(panels, axes[0], strict=True):
            draw(place, panel)
        figure.savefig(ROOT / "docs" / "pictures" / f"verify-{case}.png", dpi=100)
        plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1:])
