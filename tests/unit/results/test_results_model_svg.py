"""The drawing of the model on the page of a report: complete, to scale, and without matplotlib."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from synthetic import shoe_mesh

import fecontact
from fecontact.mesh import build
from fecontact.results.plots.model import model_svg
from fecontact.results.plots.svg import Drawing, SvgAxes


def texts(drawing: Drawing) -> list[str]:
    """Return the texts of a drawing and of its legend."""
    inside = ElementTree.fromstring(drawing.svg).iter("text")
    return [*(str(node.text) for node in inside), *(label for _, label in drawing.legend)]


def test_every_part_of_a_model_is_in_the_legend() -> None:
    study = fecontact.load("sdnv104a", {"bodies.shoe.thickness": 0.01})
    words = texts(model_svg(study, shoe_mesh()))
    names = [*study.bodies, *study.contact, *study.supports, *study.loads, *study.springs]
    assert len(names) > 3
    for name in (*study.bodies, *study.contact, *study.loads):
        assert any(text.startswith(f"{name}: ") for text in words), name
    assert {"x [mm]", "y [mm]"} <= set(words) or {"x [m]", "y [m]"} <= set(words)


def test_both_axes_have_one_scale_and_y_points_up() -> None:
    axes = SvgAxes(((0.0, 2.0), (-1.0, 1.0)), 0)
    (corner, right, above) = axes.place(np.array([[0.0, -1.0], [1.0, -1.0], [0.0, 0.0]]))
    assert right[0] - corner[0] == pytest.approx(corner[1] - above[1])
    assert axes.place(np.array([[2.0, -1.0]]))[0] == pytest.approx([axes.width, axes.height])


def test_ticks_are_round_values_without_a_negative_zero() -> None:
    words = texts(SvgAxes(((-0.4, 1.2), (-0.3, 1.3))).drawing())
    assert {"0", "0.5", "1"} <= set(words)
    assert "-0" not in words


def test_polygons_outside_the_window_are_left_out() -> None:
    axes = SvgAxes(((0.0, 1.0), (0.0, 1.0)), 0)
    triangle = np.array([[0.1, 0.1], [0.4, 0.1], [0.1, 0.4]])
    axes.polygons(np.array([triangle, triangle + 5.0]), "#fff", "#000", 0.5, "")
    path = next(p for p in re.findall(r'd="(M[^"]*Z)"', axes.drawing().svg))
    assert path.count("Z") == 1


def test_names_close_together_do_not_cover_each_other() -> None:
    axes = SvgAxes(((0.0, 1.0), (0.0, 1.0)), 0)
    for n in range(3):
        axes.name(f"a-long-name-{n}", np.array([0.5, 0.5 + 0.001 * n]), True, False)
    document = ElementTree.fromstring(axes.drawing().svg)
    shown = [t for t in document.iter("text") if str(t.text).startswith("a-long")]
    heights = sorted(float(text.get("y", "0")) for text in shown)
    assert len(heights) == 3
    assert np.diff(heights).min() >= 8.0


def test_names_of_a_study_are_text_and_never_elements() -> None:
    axes = SvgAxes(((0.0, 1.0), (0.0, 1.0)), 0)
    axes.plot([], [], label="<script>alert(1)</script> & co")
    axes.name("<b>", np.array([0.5, 0.5]), True, True)
    assert {"<script>alert(1)</script> & co", "<b>"} <= set(texts(axes.drawing()))


def test_many_elements_are_drawn_by_their_outline_with_its_hole() -> None:
    study = fecontact.define(
        {
            "title": "ring",
            "kind": "finite-element",
            "mesh.shapes.ring": {
                "type": "ring",
                "center": [0.0, 0.0],
                "radii": [0.5, 1.0],
                "cells": [10, 120],
            },
            "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
            "bodies.ring": {"material": "steel"},
            "time": {"step": 1.0, "end": 1.0},
        }
    )
    drawing = model_svg(study, build(study.mesh, Path()))
    (body,) = re.findall(r'd="(M[^"]*Z)" fill-rule="evenodd"', drawing.svg)
    assert body.count("Z") == 2
    assert len(drawing.svg) < 20_000


@pytest.mark.parametrize("name", ["belt-law", "buffer"])
def test_a_report_is_written_without_matplotlib_and_gmsh(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    script = (
        "import sys\n"
        "from fecontact.cli.main import cli\n"
        "try:\n"
        f"    cli(['run', {name!r}, '--quiet', '--out', {str(folder)!r}])\n"
        "except SystemExit as end:\n"
        "    assert not end.code\n"
        "sys.exit(bool({'matplotlib', 'gmsh', 'meshio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert '<figure class="drawing"' in page and '<ul class="samples">' in page
