"""Draw the diagrams of the documentation: `docker/run python docs/figures/diagrams.py [NAME…]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle, FancyArrowPatch, FancyBboxPatch, Polygon, Rectangle

PICTURES = Path(__file__).parents[1] / "pictures"
BLUE, RED, GREY, SAND = "#1f5a8a", "#b03030", "#888888", "#e4dccb"
TEXT = {"fontsize": 9, "ha": "center", "va": "center"}


def _canvas(width: float, height: float, panels: int = 1) -> tuple[plt.Figure, list[Axes]]:
    """Return a figure without axes lines, and its panels with equal scales."""
    figure, axes = plt.subplots(
        1, panels, figsize=(width, height), layout="constrained", squeeze=False
    )
    for axis in axes[0]:
        axis.set_aspect("equal")
        axis.axis("off")
    return figure, list(axes[0])


def _arrow(axis: Axes, start: tuple, end: tuple, colour: str = "k", style: str = "-|>") -> None:
    axis.add_patch(
        FancyArrowPatch(start, end, arrowstyle=style, mutation_scale=11, color=colour, lw=1.2)
    )


def architecture() -> plt.Figure:
    """Draw the parts of the package and the flow of data between them."""
    figure, (axis,) = _canvas(9.0, 4.3)
    boxes = {
        "study": (0, 3, "study\nkeys, units, validation"),
        "mesh": (3, 4, "mesh\ngmsh, import, groups"),
        "solid": (6, 4, "solid\nM, C, K, loads, supports"),
        "contact": (6, 2.6, "contact\nsearch, constraints,\nlocal problem"),
        "dynamics": (9, 3.3, "dynamics\nschemes, time loop,\nenergy balance"),
        "lumped": (6, 0.9, "lumped\nmasses, obstacles,\nintegrators"),
        "simulation": (12, 2.2, "simulation\nrun, monitors,\ncheckpoints"),
        "results": (12, 0.3, "results\nchecks, folder,\nreport"),
        "front": (9, -0.7, "front ends\ncli, api, sweep,\nverification"),
    }
    for x, y, text in boxes.values():
        axis.add_patch(
            FancyBboxPatch(
                (x - 1.2, y - 0.5), 2.4, 1.0, boxstyle="round,pad=0.05", fc=SAND, ec=BLUE
            )
        )
        name, _, rest = text.partition("\n")
        axis.text(x, y + 0.28, name, weight="bold", **TEXT)
        axis.text(x, y - 0.14, rest, fontsize=7.5, ha="center", va="center")
    links = [
        ((1.25, 3.2), (1.75, 3.8)), ((4.25, 4), (4.75, 4)), ((7.25, 4), (7.8, 3.6)),
        ((7.25, 2.7), (7.75, 3.1)), ((1.25, 2.7), (4.75, 1.1)), ((10.25, 3.1), (10.8, 2.5)),
        ((7.25, 1.0), (10.75, 1.9)), ((12, 1.65), (12, 0.85)), ((10.75, 0.0), (10.25, -0.4)),
    ]  # fmt: skip
    for start, end in links:
        _arrow(axis, start, end, BLUE)
    axis.annotate(
        "base class Bulk",
        (6, 3.3),
        fontsize=8,
        ha="center",
        va="center",
        color=RED,
        style="italic",
    )
    _arrow(axis, (5.0, 3.47), (5.0, 3.13), RED, "<|-|>")
    axis.text(12, 1.25, " RunRecord", fontsize=8, color=RED, ha="left", va="center", style="italic")
    axis.set_xlim(-1.4, 13.6)
    axis.set_ylim(-1.4, 4.7)
    return figure


def obstacles() -> plt.Figure:
    """Draw the obstacle types of lumped studies with normal and gap."""
    figure, axes = _canvas(10.0, 2.3, 6)
    titles = ("plane", "planes", "slot", "circle", "moving-planes", "moving-circle")
    for axis, title in zip(axes, titles, strict=True):
        axis.set_xlim(-1.45, 1.45)
        axis.set_ylim(-1.5, 1.5)
        axis.set_title(title, fontsize=9, family="monospace")
    wall = {"fc": SAND, "ec": "k", "hatch": "//"}
    for axis, sides in ((axes[0], (1,)), (axes[1], (-1, 1)), (axes[2], (-0.6, 1))):
        for x in sides:
            axis.add_patch(Rectangle((x if x > 0 else x - 0.25, -1.1), 0.25, 2.2, **wall))
    _arrow(axes[0], (0.1, 0.5), (0.9, 0.5))
    axes[0].text(0.4, 0.75, "normal", fontsize=8, ha="center")
    _dimension(axes[0], (0, -0.5), (1, -0.5), "gap")
    _dimension(axes[1], (0, -0.5), (1, -0.5), "half_gap")
    _dimension(axes[2], (0, -0.5), (1, -0.5), "ahead")
    _dimension(axes[2], (-0.6, 0.75), (0, 0.75), "behind")
    axes[3].add_patch(Circle((0, 0), 1.3, **wall))
    axes[3].add_patch(Circle((0, 0), 1.0, fc="white", ec="k"))
    axes[3].annotate("", (0, 0), (0.71, 0.71), arrowprops={"arrowstyle": "<->"})
    axes[3].text(0.1, 0.55, "gap", fontsize=8, ha="center")
    for x, sign, name in ((-0.9, 1, "on"), (0.9, -1, "against")):
        axes[4].add_patch(
            Rectangle((x - 0.15 if sign > 0 else 0.35, -0.9), 0.7, 1.8, fc=SAND, ec="k")
        )
        axes[4].plot(x, 0, "o", color=BLUE, ms=8)
        axes[4].text(x, 1.05, name, fontsize=8, ha="center")
        _dimension(axes[4], (x, -0.45), (x + sign * 0.55, -0.45), "")
    axes[4].text(0, -1.3, "thickness", fontsize=8, ha="center")
    axes[5].add_patch(Circle((0, 0), 1.3, fc=SAND, ec="k"))
    axes[5].add_patch(Circle((0, 0), 1.0, fc="white", ec="k"))
    axes[5].add_patch(Circle((-0.15, -0.2), 0.6, fc="#d6e4f0", ec=BLUE))
    axes[5].annotate("", (0.71, 0.71), (0, 0), arrowprops={"arrowstyle": "->"})
    axes[5].text(0.72, 0.35, "hole", fontsize=8, ha="center")
    axes[5].annotate("", (-0.15, -0.8), (-0.15, -0.2), arrowprops={"arrowstyle": "->"})
    axes[5].text(0.1, -0.62, "tube", fontsize=8, ha="center")
    for axis in axes[:4]:
        axis.plot(0, 0, "o", color=BLUE, ms=8)
    return figure


def _dimension(axis: Axes, start: tuple, end: tuple, text: str) -> None:
    axis.annotate("", start, end, arrowprops={"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0})
    axis.text((start[0] + end[0]) / 2, start[1] - 0.32, text, fontsize=8, ha="center")


def contact_notation() -> plt.Figure:
    """Draw slave point, projection, gap, normal, tangent and positive slip."""
    figure, (axis,) = _canvas(5.5, 3.0)
    x = np.linspace(-0.5, 5.5, 100)
    y = 0.25 * np.sin(0.9 * x)
    axis.fill_between(x, y, -1.2, fc=SAND, ec="k")
    axis.text(4.6, -0.75, "master", **TEXT)
    slave = np.array([[0.9, 2.7], [1.6, 1.5], [2.5, 1.25], [3.6, 1.55], [4.3, 2.7]])
    axis.add_patch(Polygon(slave, closed=False, fc="#d6e4f0", ec=BLUE, lw=1.4))
    axis.plot(*slave[1:4].T, "o", color=BLUE, ms=5)
    axis.text(2.6, 2.25, "slave", color=BLUE, **TEXT)
    foot = np.array([2.5, 0.25 * np.sin(0.9 * 2.5)])
    slope = 0.25 * 0.9 * np.cos(0.9 * 2.5)
    t = np.array([1.0, slope]) / np.hypot(1.0, slope)
    n = np.array([-t[1], t[0]])
    foot = foot + 0.0 * n
    axis.plot(*foot, "o", color="k", ms=4)
    axis.annotate("", foot, slave[2], arrowprops={"arrowstyle": "<->", "color": RED})
    axis.text(2.32, 0.78, "g", color=RED, fontsize=11, ha="center")
    axis.text(2.4, -0.12, "$x_m(\\xi)$", fontsize=10, ha="center")
    axis.text(2.72, 1.4, "$x$", fontsize=10)
    base = foot + 1.0 * t
    _arrow(axis, tuple(base), tuple(base + 0.9 * n))
    _arrow(axis, tuple(base), tuple(base + 0.9 * t))
    axis.text(*(base + 1.05 * n), "$n$", **TEXT)
    axis.text(*(base + 1.08 * t), "$t$", **TEXT)
    _arrow(axis, (4.5, 2.2), (5.3, 2.2), BLUE)
    axis.text(4.9, 2.4, "slip > 0", color=BLUE, **TEXT)
    axis.set_xlim(-0.6, 5.8)
    axis.set_ylim(-1.3, 2.9)
    return figure


def stiffness() -> plt.Figure:
    """Draw shear locking of a linear element in bending, and volumetric locking."""
    figure, axes = _canvas(8.0, 2.4, 3)
    s = np.linspace(-1, 1, 60)
    bend = 0.28
    for axis, title in zip(
        axes,
        ("exact bending", "quad4: parasitic shear", "nearly incompressible, bonded"),
        strict=True,
    ):
        axis.set_title(title, fontsize=9)
        axis.set_xlim(-1.7, 1.7)
        axis.set_ylim(-1.4, 1.2)
    top = np.stack([s * (1 + bend), 0.5 - bend * (1 - s**2) * -1 - bend], axis=1)
    low = np.stack([s * (1 - bend), -0.5 - bend * (1 - s**2) * -1 - bend], axis=1)
    axes[0].add_patch(Polygon(np.concatenate([low, top[::-1]]), fc="#d6e4f0", ec=BLUE))
    axes[1].add_patch(
        Polygon(
            [(-1 + bend, -0.5), (1 - bend, -0.5), (1 + bend, 0.5), (-1 - bend, 0.5)],
            fc="#f3dada",
            ec=RED,
        )
    )
    for axis in axes[:2]:
        for side in (-1, 1):
            axis.add_patch(
                Arc(
                    (side * 1.05, 0),
                    0.9,
                    1.5,
                    theta1=-60 if side > 0 else 120,
                    theta2=60 if side > 0 else 240,
                    color="k",
                )
            )
    axes[1].text(0, -1.05, "edges stay straight:\ntoo stiff", fontsize=8, ha="center")
    axes[0].text(0, -1.05, "edges curve", fontsize=8, ha="center")
    y = np.linspace(-0.5, 0.5, 40)
    bulge = 0.35 * (1 - 4 * y**2)
    outline = np.concatenate([np.stack([1.0 + bulge, y], 1), np.stack([-1.0 - bulge, y], 1)[::-1]])
    axes[2].add_patch(Polygon(outline, fc="#d6e4f0", ec=BLUE))
    for side in (-0.72, 0.5):
        axes[2].add_patch(Rectangle((-1.2, side), 2.4, 0.22, fc=SAND, ec="k", hatch="//"))
    axes[2].text(
        0, -1.15, "sides must bulge; linear\nelements cannot follow", fontsize=8, ha="center"
    )
    return figure


def report() -> plt.Figure:
    """Number the parts of the report's view."""
    image = plt.imread(PICTURES / "report-sdnv104.png")
    figure, (axis,) = _canvas(8.0, 5.6)
    axis.imshow(image)
    height, width = image.shape[:2]
    for number, (x, y) in enumerate(
        ((0.014, 0.03), (0.68, 0.077), (0.87, 0.45), (0.28, 0.70), (0.014, 0.80), (0.014, 0.877)), 1
    ):
        axis.add_patch(Circle((x * width, y * height), 11, fc=RED, ec="white"))
        axis.text(x * width, y * height, str(number), color="white", weight="bold", **TEXT)
    return figure


def response() -> plt.Figure:
    """Draw the branch of `response-stop`: stable and unstable periodic motions, with two folds."""
    import fecontact

    branch = fecontact.response(fecontact.load("response-stop"))
    amplitude = branch.measures["q1"]["amplitude"]
    figure, axis = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
    axis.plot(branch.frequency, amplitude, color=GREY, lw=0.8)
    for stable, colour, label in ((True, BLUE, "stable"), (False, RED, "unstable")):
        chosen = np.asarray(branch.stable) == stable
        axis.plot(branch.frequency[chosen], amplitude[chosen], "o", ms=3.5, color=colour,
                  label=label)  # fmt: skip
    axis.axhline(1.0, color=GREY, ls="--", lw=0.8)
    axis.text(0.128, 1.02, "gap of the stop", fontsize=8, color=GREY, ha="right")
    axis.set_xlabel("frequency of the load [Hz]")
    axis.set_ylabel("amplitude [m]")
    axis.legend()
    return figure


DIAGRAMS: dict[str, Callable[[], plt.Figure]] = {
    "architecture": architecture,
    "lumped-obstacles": obstacles,
    "contact-notation": contact_notation,
    "element-stiffness": stiffness,
    "report-parts": report,
    "guide-response": response,
}


def main(wanted: list[str]) -> None:
    """Draw the wanted diagrams, or all."""
    for name in wanted or DIAGRAMS:
        figure = DIAGRAMS[name]()
        figure.savefig(PICTURES / f"{name}.png", dpi=110)
        plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1:])
