"""Material parameters of each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Mask
from fecontact.mesh.cells import Index
from fecontact.record import Array, ModelMesh
from fecontact.solid.fem.measures import MEASURES, Measure
from fecontact.solid.laws.law import Elastic
from fecontact.study.errors import InputError
from fecontact.study.models.parts import Body


@dataclass(frozen=True)
class CellMaterials:
    """Material parameters, one value per cell of the ModelMesh.

    stiffness: (cells, 4, 4) D of (σ_xx, σ_yy, σ_zz, σ_xy) = D (ε_xx, ε_yy, ε_zz, γ_xy), Pa.
    density: kg/m³.
    rayleigh_mass, rayleigh_stiffness: a (1/s) and b (s) of C = a M + b K.
    thickness: m, 1 for bodies without thickness.
    sheet: True for plane-stress bodies of an axisymmetric model.
    body: index of the body.
    finite: True for finite-strain materials.
    linear: True if σ = D ε at any strain; otherwise `stiffness` is the small-strain tangent.
    """

    stiffness: Array
    density: Array
    rayleigh_mass: Array
    rayleigh_stiffness: Array
    thickness: Array
    sheet: Mask
    body: Index
    finite: Mask
    linear: Mask


def cell_materials(
    bodies: Mapping[str, Body],
    materials: Mapping[str, Elastic],
    mesh: ModelMesh,
    measure: Measure,
) -> CellMaterials:
    """Return the parameters of each cell from its body."""
    body = bodies_of_cells(bodies, mesh)
    laws = [materials[b.material] for b in bodies.values()]
    sheet = np.array([measure.hoop and b.plane is not None for b in bodies.values()])
    of_body = [MEASURES["stress"] if alone else measure for alone in sheet]
    stiffness = [m.stiffness(law.instantaneous()) for m, law in zip(of_body, laws, strict=True)]
    return CellMaterials(
        stiffness=np.array(stiffness)[body],
        density=np.array([m.density for m in laws])[body],
        rayleigh_mass=np.array([m.rayleigh_mass for m in laws])[body],
        rayleigh_stiffness=np.array([m.rayleigh_stiffness for m in laws])[body],
        thickness=np.array([b.depth for b in bodies.values()])[body],
        sheet=sheet[body],
        body=body,
        finite=np.array([m.finite for m in laws])[body],
        linear=np.array([m.linear for m in laws])[body],
    )


def fictitious_density(materials: CellMaterials, mesh: ModelMesh) -> Array:
    """Return (cells,) the density of the damping matrix of jumps in a static analysis, kg/m³.

    It is the shear modulus over the square of the size of the model. A unit of damping then resists
    a uniform motion about as a model of unit size resists shear.
    """
    size = float(np.ptp(mesh.points, axis=0).max())
    return np.asarray(materials.stiffness[:, 3, 3] / size**2)


def bodies_of_cells(bodies: Mapping[str, Body], mesh: ModelMesh) -> Index:
    """Return the index of the body of each cell; every cell must belong to exactly one."""
    body = np.full(len(mesh.cells), -1, dtype=np.int64)
    names = list(bodies)
    for index, (name, entry) in enumerate(bodies.items()):
        group = entry.cells or name
        if group not in mesh.cell_groups:
            known = ", ".join(map(repr, mesh.cell_groups)) or "none"
            raise InputError(
                f"bodies.{name}: element group {group!r} not found. Available groups: {known}."
            )
        cells = mesh.cell_groups[group]
        taken = body[cells]
        if (taken >= 0).any():
            other = names[taken[taken >= 0][0]]
            raise InputError(
                f"bodies.{name}: some of its elements also belong to body {other!r}. Assign each "
                "element to one body."
            )
        body[cells] = index
    if (body < 0).any():
        without = [
            group
            for group, cells in mesh.cell_groups.items()
            if len(cells) and (body[cells] < 0).any()
        ]
        hint = f" (in group {', '.join(map(repr, without))})" if without else ""
        raise InputError(
            f"bodies: {np.count_nonzero(body < 0)} elements{hint} belong to no body and have no "
            "material. Add them to [bodies]."
        )
    return body
