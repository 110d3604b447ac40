"""A study with the groups of an external mesh gives the result of the generated mesh."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from solid_models import rectangle

from mpi4py import MPI

from fecontact.mesh import build, write
from fecontact.record import ModelMesh
from fecontact.solid.build import build_solid
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.shapes import MeshSource

NAMES = {
    "shoe": "PATIN",
    "base": "BATI",
    "shoe.bottom": "LESC",
    "base.top": "LMAI",
    "shoe.top": "FSUP",
    "shoe.left": "FLAT",
    "shoe.bottom-left": "A",
}


def shoe_on_base(element: str) -> ModelMesh:
    shapes = {
        "shoe": rectangle((3, 3), (1.0, 1.0)),
        "base": rectangle((1, 1), (4.1, 0.1), (-0.1, -0.1)),
    }
    source = {"element": element, "shapes": shapes, "points": {"R1": (1.1, 0.0)}}
    return build(MeshSource.model_validate(source), Path())


def foreign(mesh: ModelMesh) -> ModelMesh:
    """The same mesh with other names and numbers, a spring as a segment, edges turned round."""
    shuffled = np.random.default_rng(1).permutation(len(mesh.points))
    points = np.empty_like(mesh.points)
    points[shuffled] = mesh.points
    spring = [mesh.point_groups["shoe.bottom-right"], mesh.point_groups["R1"]]
    edges = {
        NAMES[name]: shuffled[group[:, [1, 0, 2][: group.shape[1]]]]
        for name, group in mesh.edge_groups.items()
        if name in NAMES
    }
    return ModelMesh(
        points,
        shuffled[mesh.cells],
        {NAMES[name]: cells for name, cells in mesh.cell_groups.items()},
        edges | {"RESSORT": shuffled[np.array([spring])]},
        {"A": int(shuffled[mesh.point_groups["shoe.bottom-left"]])},
    )


def study(names: dict[str, str], spring: tuple[str, str]) -> FiniteElementStudy:
    return FiniteElementStudy.model_validate(
        {
            "kind": "finite-element",
            "title": "shoe",
            "mesh": {"file": "shoe.msh"},
            "materials": {"m": {"young": 2.1e11, "density": 7000.0}},
            "bodies": {names["shoe"]: {"material": "m"}, names["base"]: {"material": "m"}},
            "supports": {"base": {"on": names["base"], "x": 0.0, "y": 0.0}},
            "loads": {
                "weight": {"type": "pressure", "on": names["shoe.top"], "value": 7e4},
                "push": {"type": "pressure", "on": names["shoe.left"], "value": 2e5},
            },
            "springs": {"s": {"between": spring, "stiffness": (12000.0, 0.0)}},
            "contact": {"c": {"slave": names["shoe.bottom"], "master": names["base.top"]}},
            "time": {"step": 0.01, "end": 1.0},
        }
    )


@pytest.mark.parametrize("element", ["quad4", "quad8", "tri6"])
def test_groups_numbers_and_orientation_of_a_file_do_not_matter(
    element: str, tmp_path: Path
) -> None:
    mesh = shoe_on_base(element)
    write(foreign(mesh), tmp_path / "shoe.msh", 2.2)
    read = build(MeshSource(file="shoe.msh"), tmp_path)
    own = build_solid(
        study({n: n for n in NAMES}, ("shoe.bottom-right", "R1")), mesh, MPI.COMM_SELF
    )
    other = build_solid(study(NAMES, ("RESSORT.start", "RESSORT.end")), read, MPI.COMM_SELF)
    corner = []
    for solid, point in ((own, "shoe.bottom-left"), (other, "A")):
        factor = solid.factor(4e4, 0.0, 1.0)
        u = factor.solve(solid.load(0.0, np.empty(solid.size)), np.empty(solid.size))
        compliance = np.sort(np.linalg.eigvalsh(factor.compliance(np.arange(solid.surface.size))))
        node = solid.mesh.point_groups[point]
        corner.append([*solid.nodal(u, 0.0)[node], solid.spring_energy(u, 0.0), *compliance])
    assert corner[0] == pytest.approx(corner[1], rel=1e-9)
