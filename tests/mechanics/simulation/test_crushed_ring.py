"""SSNP501 evaluated in numpy from its displacements: plane stress, and the forces that the test
file of code_aster sums.
"""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.simulation.finite_element import FiniteElementRun

GAUSS = np.array([-1.0, 1.0]) / np.sqrt(3.0)
CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])  # of the reference cell, anticlockwise


def crushed(law: str) -> FiniteElementRun:
    """The ring in four steps: without friction nothing depends on their number."""
    changes = {"materials.polyurethane.law": law, "time.step": 1.0, "checks": None}
    run = FiniteElementRun(fecontact.load("ssnp501", changes))
    while not run.finished:
        run.advance()
    return run


def kirchhoff(gradient: np.ndarray, law: str, young: float, poisson: float) -> tuple:
    """J σ (…, 2, 2) and λ_z of plane stress by Hooke's law in principal axes."""
    values, ways = np.linalg.eigh(gradient @ gradient.swapaxes(-1, -2))
    strain = np.log(values) / 2 if law == "hencky" else (values - 1) / 2
    stress = young / (1 - poisson**2) * (strain + poisson * strain[..., ::-1])
    across = -poisson / (1 - poisson) * strain.sum(axis=-1)
    if law == "hencky":
        thickness = np.exp(across)
    else:
        thickness, stress = np.sqrt(1 + 2 * across), stress * values
    return ways * stress[..., None, :] @ ways.swapaxes(-1, -2), thickness


def nodal_forces(run: FiniteElementRun, law: str, thins: bool) -> np.ndarray:
    """∫ Bᵀσ over the present cells, (N, 2), N; thins: with the present thickness or that at
    rest."""
    solid = run.solid
    moved = solid.nodal(run.loop.now.u, 4.0)
    rest, cells = solid.mesh.points, solid.mesh.cells[:, :4]
    forces = np.zeros_like(rest)
    for xi in GAUSS:
        for eta in GAUSS:
            slope = CORNERS * (1 + CORNERS[:, ::-1] * [eta, xi]) / 4
            jacobian = np.einsum("cni,nj->cij", rest[cells], slope)
            gradients = slope @ np.linalg.inv(jacobian)
            gradient = np.einsum("cni,cnj->cij", (rest + moved)[cells], gradients)
            stress, thickness = kirchhoff(gradient, law, 4.07e6, 0.48)
            volume = 0.01 * np.linalg.det(jacobian) / (1.0 if thins else thickness)
            now = gradients @ np.linalg.inv(gradient)
            parts = np.einsum("cij,cnj,c->cni", stress, now, volume)
            np.add.at(forces, cells, parts)
    return forces


@pytest.mark.parametrize(
    ("law", "thins", "bulge", "digits"),
    [
        # The present test file, and what older ones gave, of which the document has these digits.
        ("hencky", False, 0.014077566068892031, (32.62305898824099, 1e-11)),
        ("st-venant-kirchhoff", True, 0.012855270869707, (32.86, 2e-4)),
    ],
)
def test_code_aster_adds_up_the_outer_arc_with_the_node_on_the_plane_of_symmetry(
    law, thins, bulge, digits
):
    run = crushed(law)
    columns = run.record().history.columns
    assert columns["bulge"][-1] == pytest.approx(bulge, rel=1e-9)
    plate = columns["contact.plate.normal"][-1]
    arc = np.unique(run.solid.mesh.edge_groups["ring.outer"])
    prescribed = arc[run.solid.mesh.points[arc, 1] < 1e-9]
    true = nodal_forces(run, law, thins=True)[:, 1]
    assert -true[arc].sum() + true[prescribed].sum() == pytest.approx(plate, rel=1e-9)
    summed = nodal_forces(run, law, thins)[arc, 1].sum()
    assert -summed == pytest.approx(digits[0], rel=digits[1])
