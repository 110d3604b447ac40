"""Element matrices against independent ones from monomials and Gauss points."""

from __future__ import annotations

import numpy as np
import pytest
from solid_models import ELEMENTS, distorted, mesh_of, rectangle, study, with_triangles

from mpi4py import MPI

from fecontact.mesh.cells import by_kind
from fecontact.record import Array, ModelMesh
from fecontact.solid.conditions.discrete import discretes
from fecontact.solid.fem.forms import Depth, Forms
from fecontact.solid.fem.materials import cell_materials
from fecontact.solid.fem.matrices import assemble
from fecontact.solid.fem.measures import MEASURES
from fecontact.solid.fem.regions import Places
from fecontact.solid.fem.space import NodalSpace

MONOMIALS = {
    3: [(0, 0), (1, 0), (0, 1)],
    4: [(0, 0), (1, 0), (0, 1), (1, 1)],
    6: [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)],
    8: [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2)],
}
SQUARE = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0)]
TRIANGLE = [(0, 0), (1, 0), (0, 1), (0.5, 0), (0.5, 0.5), (0, 0.5)]


def shape_functions(nodes: int, s: float, t: float) -> tuple[Array, Array]:
    """N and dN/d(s, t): the polynomials that are 1 at one node and 0 at the others."""
    powers = MONOMIALS[nodes]
    places = (TRIANGLE if nodes in (3, 6) else SQUARE)[:nodes]
    vandermonde = np.array([[x**i * y**j for i, j in powers] for x, y in places])
    values = np.array([s**i * t**j for i, j in powers])
    slopes = np.array(
        [(i * s ** max(i - 1, 0) * t**j, j * s**i * t ** max(j - 1, 0)) for i, j in powers]
    )
    return np.linalg.solve(vandermonde.T, values), np.linalg.solve(vandermonde.T, slopes)


def gauss_points(nodes: int) -> list[tuple[float, float, float]]:
    """2×2 or 3×3 points on the square; on the triangle as many, collapsed at a corner."""
    points, weights = np.polynomial.legendre.leggauss({4: 2, 8: 3}.get(nodes, 5))
    square = [
        (s, t, w * v)
        for s, w in zip(points, weights, strict=True)
        for t, v in zip(points, weights, strict=True)
    ]
    if nodes in (4, 8):
        return square
    return [((1 + s) / 2, (1 + t) * (1 - s) / 4, w * (1 - s) / 8) for s, t, w in square]


def element_matrices(x: Array, plane: str, young: float, poisson: float, density: float) -> tuple:
    nodes = len(x)
    if plane == "strain":
        law = (
            young
            / ((1 + poisson) * (1 - 2 * poisson))
            * np.array(
                [[1 - poisson, poisson, 0], [poisson, 1 - poisson, 0], [0, 0, 0.5 - poisson]]
            )
        )
    else:
        law = (
            young
            / (1 - poisson**2)
            * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson) / 2]])
        )
    stiffness, mass = np.zeros((2 * nodes, 2 * nodes)), np.zeros((2 * nodes, 2 * nodes))
    for s, t, weight in gauss_points(nodes):
        n, slopes = shape_functions(nodes, s, t)
        jacobian = slopes.T @ x
        gradient = slopes @ np.linalg.inv(jacobian).T
        area = weight * np.linalg.det(jacobian)
        strain, values = np.zeros((3, 2 * nodes)), np.zeros((2, 2 * nodes))
        strain[0, ::2], strain[1, 1::2] = gradient.T
        strain[2, ::2], strain[2, 1::2] = gradient[:, 1], gradient[:, 0]
        values[0, ::2] = values[1, 1::2] = n
        stiffness += strain.T @ law @ strain * area
        mass += density * values.T @ values * area
    return stiffness, mass


def independent(mesh: ModelMesh, plane: str) -> tuple[Array, Array]:
    size = 2 * len(mesh.points)
    stiffness, mass = np.zeros((size, size)), np.zeros((size, size))
    for cell in (cell for _, cells in by_kind(mesh.cells) for cell in cells):
        k, m = element_matrices(mesh.points[cell], plane, 10.0, 0.3, 2.0)
        dofs = (2 * cell[:, None] + [0, 1]).ravel()
        stiffness[np.ix_(dofs, dofs)] += k
        mass[np.ix_(dofs, dofs)] += m
    return stiffness, mass


def from_dolfinx(mesh: ModelMesh, element: str, plane: str) -> tuple[Array, Array]:
    """K and M in the numbering of the mesh."""
    model = study(element, plane=plane)
    measure, space = MEASURES[plane], NodalSpace(mesh, MPI.COMM_SELF)
    materials = cell_materials(model.bodies, model.materials, mesh, measure)
    forms = Forms(space, Depth(measure, materials.thickness, materials.sheet))
    springs = discretes({}, {}, forms, Places(model.bodies, mesh))
    matrices = assemble(forms, materials, springs, [], lumped=False)
    dofs = (2 * space.block[:, None] + [0, 1]).ravel()
    return tuple(
        matrix.convert("dense").getDenseArray()[np.ix_(dofs, dofs)]
        for matrix in (matrices.stiffness, matrices.mass)
    )


@pytest.mark.parametrize("plane", ["strain", "stress"])
@pytest.mark.parametrize(
    ("element", "mixed"), [*((e, False) for e in ELEMENTS), ("quad4", True), ("quad8", True)]
)
def test_matrices_of_distorted_cells_agree_with_independent_ones(
    element: str, mixed: bool, plane: str
) -> None:
    mesh = mesh_of(study(element))
    mesh = distorted(with_triangles(mesh) if mixed else mesh)
    stiffness_and_mass = independent(mesh, plane)
    assert len(stiffness_and_mass) == 2
    for ours, reference in zip(from_dolfinx(mesh, element, plane), stiffness_and_mass, strict=True):
        assert np.abs(ours - reference).max() < 1e-12 * np.abs(reference).max()


def test_curved_quad8_agrees_with_an_independent_one() -> None:
    wavy = rectangle(cells=(2, 1), wave_amplitude=0.3, wave_length=3.0)
    mesh = mesh_of(study("quad8", shapes={"block": wavy}))
    stiffness_and_mass = independent(mesh, "strain")
    assert len(stiffness_and_mass) == 2
    for ours, reference in zip(
        from_dolfinx(mesh, "quad8", "strain"), stiffness_and_mass, strict=True
    ):
        assert np.abs(ours - reference).max() < 1e-12 * np.abs(reference).max()
