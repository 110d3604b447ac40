"""Quantities with units in study files: converted exactly, checked for dimension."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fecontact.mesh import build
from fecontact.study import StudyError, load
from fecontact.study.models.stages import stages_of
from fecontact.study.script import changed, define
from fecontact.study.toml.units import UnknownUnit, names, parse_unit
from fecontact.study.validation.plausibility import doubtful_units

BLOCK: dict[str, Any] = {
    "title": "20 mm block",
    "kind": "finite-element",
    "mesh.unit": "mm",
    "mesh.shapes.block": {
        "type": "rectangle",
        "corner": [0, "1 cm"],
        "size": [20, 10.3],
        "cells": [4, 2],
    },
    "mesh.points.far": [7, 100],
    "materials.steel": {"young": "210 GPa", "poisson": 0.3, "density": "7.85 t/m^3"},
    "bodies.block.material": "steel",
    "supports.base": {"on": "block.bottom", "x": 0.0, "y": 0.0},
    "loads.p": {"type": "pressure", "on": "block.top", "value": "10 N/mm²"},
    "time": {"scheme": "static", "step": "500 ms", "end": "1 s"},
    "watch.u": {"type": "displacement", "at": "block.top-left", "component": "y"},
}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("mm", 0.001), ("kN/m", 1e3), ("N/mm^2", 1e6), ("N/mm²", 1e6), ("N*s/mm", 1e3),
        ("N·s/m", 1.0), ("N s/m", 1.0), ("t/mm3", 1e12), ("1/s", 1.0), ("1/MPa", 1e-6),
        ("rpm", np.pi / 30), ("deg", np.pi / 180), ("kg·m**2", 1.0), ("m s⁻²", 1.0),
    ],
)  # fmt: skip
def test_units(text: str, size: float) -> None:
    assert float(parse_unit(text).factor) == pytest.approx(size, rel=1e-15)


@pytest.mark.parametrize("text", ["mmm", "N/", "/s", "kkg", "m^", "N/(m s)", "²", "xyz"])
def test_unknown_units(text: str) -> None:
    with pytest.raises(UnknownUnit):
        parse_unit(text)


def test_every_unit_of_the_table_is_read() -> None:
    assert all(parse_unit(name).factor > 0 for name in names())


def test_quantities_are_the_nearest_floats() -> None:
    for i in range(1, 200):
        study = define(BLOCK | {"bodies.block.thickness": f"{i / 10} mm"})
        assert study.bodies["block"].thickness == float(f"{i / 10}e-3")


def test_lengths_of_the_mesh_are_in_its_unit() -> None:
    study = define(BLOCK)
    shape = study.mesh.shapes["block"]
    assert shape.corner == (0.0, 0.01) and shape.size == (0.02, 0.0103)
    assert study.mesh.points["far"] == (0.007, 0.1)
    assert study.materials["steel"].young == 2.1e11
    assert study.materials["steel"].density == 7850.0
    assert study.loads["p"].value == 1e7
    assert study.time.step == 0.5
    again = changed(study, {"time.step": "1 s"})
    assert again.mesh == study.mesh


@pytest.mark.parametrize("given", [{"mesh.unit": "mm"}, {"mesh.unit": "m"}])
def test_lengths_outside_the_mesh_are_in_metres(given: dict[str, str]) -> None:
    study = define(BLOCK | given | {
        "bodies.block.thickness": 0.01,
        "supports.base.y": -0.001,
        "tools.pin": {"type": "circle", "center": [0.5, 0.25], "radius": 0.003},
        "contact.top": {"slave": "block.top", "master": "pin"},
        "sweep.axes": {"tools.pin.radius": {"values": [0.001, 0.002]}},
        "sweep.results.u": {"quantity": "u", "measure": "final"},
    })  # fmt: skip
    assert study.bodies["block"].thickness == 0.01
    assert study.supports["base"].y == -0.001
    assert (study.tools["pin"].center, study.tools["pin"].radius) == ((0.5, 0.25), 0.003)
    assert study.sweep.axes["tools.pin.radius"].values == (0.001, 0.002)


def test_scale_stands_for_a_unit() -> None:
    keys = {k: v for k, v in BLOCK.items() if k != "mesh.unit"} | {"mesh.scale": 0.001}
    assert define(keys).mesh.shapes == define(BLOCK).mesh.shapes


def test_mesh_files_are_scaled(tmp_path: Path) -> None:
    from fecontact.mesh import write

    write(build(define(BLOCK | {"mesh.unit": "m"}).mesh, tmp_path), tmp_path / "block.msh")
    keys = {k: v for k, v in BLOCK.items() if not k.startswith("mesh.")}
    study = define(keys | {"mesh": {"file": str(tmp_path / "block.msh"), "unit": "mm"}})
    assert study.mesh.scale == 0.001
    points = build(study.mesh, tmp_path).points
    assert np.ptp(points[:, 0]) <= 0.02 * 1.001 and points[:, 0].max() == pytest.approx(0.02)


def test_a_study_in_millimetres_is_read_again_unchanged(tmp_path: Path) -> None:
    """A saved result, a copy and a stage are in metres, for any unit of the file."""
    from fecontact.mesh import write
    from fecontact.study.load import study_from_dict

    write(build(define(BLOCK | {"mesh.unit": "m"}).mesh, tmp_path), tmp_path / "block.msh")
    groups = {"left": {"box": [[-1.0, -1.0], [0.1, 30.0]]}}
    mesh = {"file": str(tmp_path / "block.msh"), "points": {"far": [7.0, 100.0]}, "groups": groups}
    keys = {k: v for k, v in BLOCK.items() if not k.startswith("mesh.")}
    from_file = [
        define(keys | {"mesh": mesh | {k: v}}) for k, v in (("unit", "mm"), ("scale", 1e-3))
    ]
    for study in (define(BLOCK), *from_file):
        saved = study_from_dict(study.model_dump(mode="json", by_alias=True))
        assert saved.mesh == study.mesh and study.mesh.points["far"] == (0.007, 0.1)
        assert changed(study, {"time.step": "1 s"}).mesh == study.mesh


def test_a_file_may_have_another_unit_than_the_study(tmp_path: Path) -> None:
    from fecontact.mesh import write

    write(build(define(BLOCK | {"mesh.unit": "m"}).mesh, tmp_path), tmp_path / "block.msh")
    keys = {k: v for k, v in BLOCK.items() if not k.startswith("mesh.")}
    mesh = {"file": str(tmp_path / "block.msh"), "unit": "cm", "scale": 0.5}
    study = define(keys | {"mesh": mesh | {"points": {"far": [7.0, 1.0]}}})
    assert (study.mesh.points["far"], study.mesh.scale) == ((0.07, 0.01), 0.5)


def test_stages_may_have_quantities() -> None:
    first = {"time": {"end": "400 ms", "step": "200 ms"}, "loads": {"p": {"value": "2 MPa"}}}
    second = {"time": {"step": "0.3 s"}, "loads": {"p": {"value": "3 MPa"}}}
    stages = stages_of(define(BLOCK | {"stages": {"one": first, "two": second}}))
    assert [s.study.loads["p"].value for s in stages] == [2e6, 3e6]
    assert stages[0].study.time.end == 0.4


def test_axes_of_a_sweep_are_in_the_units_of_their_keys() -> None:
    sweep = {
        "axes": {
            "materials.steel.young": {"values": ["70 GPa", "210 GPa"]},
            "mesh.shapes.block.corner.0": {"start": 1, "stop": 3, "count": 2},
        },
        "results": {"u": {"quantity": "u", "measure": "final"}},
    }
    axes = define(BLOCK | {"sweep": sweep}).sweep.axes
    assert axes["materials.steel.young"].values == (7e10, 2.1e11)
    assert axes["mesh.shapes.block.corner.0"].start == 0.001


def test_a_check_is_in_the_unit_of_its_quantity() -> None:
    check = {"quantity": "u", "measure": "final", "source": "by hand"}
    given = {"reference": "-0.4 µm", "tolerance": "2 nm"}
    found = define(BLOCK | {"checks.u": check | given}).checks["u"]
    assert found.reference == -4e-7 and found.tolerance == 2e-9


def test_forces_per_depth() -> None:
    force = {"type": "point-force", "on": "block.top-left", "value": ["0.5 kN/m", 0.0]}
    keys = BLOCK | {"loads.f": force}
    assert define(keys).loads["f"].value == (500.0, 0.0)
    with pytest.raises(StudyError, match="not of force"):
        define(keys | {"bodies.block.thickness": "5 mm"})


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("materials.steel.young", "20 kg", '"kg" is a unit'),
        ("materials.steel.young", "20 GPaa", 'unknown unit "GPaa": did you mean "GPa"'),
        ("materials.steel.young", "210", "number without quotes"),
        ("materials.steel.young", "1,5 GPa", "decimal number"),
        ("materials.steel.poisson", "0.3 mm", "no unit"),
        ("mesh.shapes.block.cells", ["4 mm", 2], "no unit"),
        ("mesh.unit", "furlong", 'it must be "m" or'),
        ("mesh.unit", "s", 'it must be "m" or'),
        ("mesh.scale", 2.0, "has no effect"),
        ("time.step", "1e99999 s", "be a number"),
        ("checks.u", {"quantity": "u", "reference": "3 kg", "time": 1.0, "source": "",
                      "tolerance": 1.0}, "fit the quantity"),
    ],
)  # fmt: skip
def test_wrong_units_are_reported_once(key: str, value: Any, said: str) -> None:
    with pytest.raises(StudyError) as error:
        define(BLOCK | {key: value})
    assert len(error.value.messages) == 1
    assert said in error.value.messages[0] and key.split(".")[0] in error.value.messages[0]


def test_a_number_with_a_unit_needs_quotes(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("[time]\nstep = 10 ms\n")
    with pytest.raises(StudyError, match='in quotes, for example "20 mm"'):
        load(tmp_path / "s.toml")


def test_notes_about_doubtful_units() -> None:
    assert not [*doubtful_units(define(BLOCK), 0.02, 0.005)]
    soft = define(BLOCK | {"materials.steel.young": 210000})
    assert 'write young = "210000 MPa"' in next(doubtful_units(soft))
    light = define(BLOCK | {"materials.steel.density": 7.85e-9})
    (note,) = doubtful_units(light)
    assert 'density = "7.85e-09 t/mm^3"' in note
    define(BLOCK | {"materials.steel.density": "7.85e-09 t/mm^3"})
    large = define({k: v for k, v in BLOCK.items() if k != "mesh.unit"})
    assert 'mesh.unit = "mm"' in next(doubtful_units(large, 20.0, 5.0))
    assert not [*doubtful_units(define(BLOCK | {"mesh.unit": "m"}), 20.0, 5.0)]


def test_a_sheet_thicker_than_the_model_is_noted() -> None:
    sheet = BLOCK | {"plane": "stress"}
    body = next(key.split(".")[1] for key in sheet if key.startswith("bodies."))
    thick = define(sheet | {f"bodies.{body}.thickness": 1e6})
    assert next(doubtful_units(thick, 0.02, 0.005)).startswith(f"bodies.{body}.thickness")
    assert not [*doubtful_units(define(sheet | {f"bodies.{body}.thickness": 0.01}), 0.02, 0.005)]
