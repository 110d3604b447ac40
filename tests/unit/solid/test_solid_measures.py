"""All integrals of a solid use its measure of depth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from solid_models import rectangle, solid, study

from fecontact.record import Array
from fecontact.solid.fem.measures import MEASURES, PlaneStrain
from fecontact.solid.solid import Solid

MODEL: dict[str, Any] = {
    "shapes": {"block": rectangle(corner=(1.0, 0.0))},
    "loads": {
        "weight": {"type": "gravity", "on": "block", "value": [0.0, -1.0]},
        "push": {"type": "pressure", "on": "block.top", "value": 2.0},
    },
}


class Thick(PlaneStrain):
    """Half a metre deep."""

    def depth(self, x: Any) -> Any:
        return 0.5


class Wedge(PlaneStrain):
    """As deep as x, as a sector of an axisymmetric body is."""

    def depth(self, x: Any) -> Any:
        return x[..., 0]


def answers(bulk: Solid) -> list[Array]:
    """K x, M x and the load for one x."""
    x, out = np.cos(np.arange(bulk.size)), np.empty(bulk.size)
    return [
        f.copy()
        for f in (bulk.stiffness(x, out.copy()), bulk.mass(x, out.copy()), bulk.load(1, out))
    ]


@pytest.mark.parametrize("mass_matrix", ["consistent", "lumped"])
@pytest.mark.parametrize("element", ["quad4", "quad8"])
def test_stiffness_mass_and_loads_are_proportional_to_the_depth(
    element: str, mass_matrix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = study(element, mass_matrix=mass_matrix, **MODEL)
    unit = answers(solid(model))
    monkeypatch.setitem(MEASURES, "strain", Thick())
    assert len(unit) > 2
    for half, whole in zip(answers(solid(model)), unit, strict=True):
        assert np.abs(half - 0.5 * whole).max() <= 1e-15 * np.abs(whole).max()


@pytest.mark.parametrize("mass_matrix", ["consistent", "lumped"])
def test_depth_that_varies_weighs_mass_weight_pressure_and_means(
    mass_matrix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 1 ≤ x ≤ 4, 0 ≤ y ≤ 2: V = ∫x dA = 15, ρ = 2, p = 2 over ∫x dx = 7.5, x̄ = ∫x² dA / V."""
    monkeypatch.setitem(MEASURES, "strain", Wedge())
    bulk = solid(study("quad8", mass_matrix=mass_matrix, **MODEL))
    up = bulk.at_free_dofs(np.tile([0.0, 1.0], (len(bulk.mesh.points), 1)))
    assert up @ bulk.mass(up, np.empty(bulk.size)) == pytest.approx(30.0, rel=1e-13)
    assert up @ bulk.load(1.0, np.empty(bulk.size)) == pytest.approx(-30.0 - 15.0, rel=1e-13)
    places = bulk.at_free_dofs(bulk.mesh.points)
    assert bulk.mean("block", "here")(places, 1.0) == pytest.approx([42.0 / 15.0, 1.0], rel=1e-13)
