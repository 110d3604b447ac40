"""Slip patch: critical length, integral equation, stress at its ends."""

import numpy as np
import pytest

from fecontact.reference import SlipPatch
from fecontact.reference.friction.slip_patch import critical_ratio

KEYS = {
    "young": 6e10, "poisson": 0.25, "pressure": 1e8, "static_coefficient": 0.6,
    "dynamic_coefficient": 0.1, "distance": 1e-3, "reach": 1.4,
}  # fmt: skip


def patch(share: float, **changes: float) -> SlipPatch:
    keys = KEYS | changes
    weakening = 0.5 * keys["pressure"] / keys["distance"]
    modulus = 0.5 * keys["young"] / (1.0 - keys["poisson"] ** 2)
    return SlipPatch(**keys, half_length=share * critical_ratio() * modulus / weakening)


def test_the_critical_length_is_that_of_uenishi_and_rice():
    """Their nucleation length is 1.158 μ*/W."""
    assert 2.0 * critical_ratio() == pytest.approx(1.158, abs=5e-4)


@pytest.mark.parametrize("reach", [0.5, 1.4, 20.0])
def test_the_load_is_largest_at_the_critical_length_whatever_its_shape(reach):
    loads = [patch(share, reach=reach).load for share in (0.90, 0.98, 0.999)]
    assert loads[0] < loads[1] < loads[2]
    assert loads[2] - loads[1] < 0.2 * (loads[1] - loads[0])
    with pytest.raises(ValueError, match="critical"):
        patch(1.001, reach=reach)


def test_stresses_of_the_slip_hold_the_load():
    """The load minus friction is the integral over the slip, by quadrature; the load has a
    kink in the middle, which is seen."""
    found = patch(0.7)
    a, points = found.half_length, 4001
    angle = (np.arange(points) + 0.5) * np.pi / points
    xi = a * np.cos(angle)
    slope = np.gradient(found.profile(xi)["slip"], angle) / (-a * np.sin(angle))
    x = a * np.cos(np.arange(1, 8) * 500 * np.pi / points)  # between the points: Cauchy's value
    x = np.concatenate([x, [1.02 * a, 1.5 * a, 3.0 * a]])
    weights = a * np.sin(angle) * np.pi / points
    change = -found.modulus / (2 * np.pi) * ((slope / (x[:, None] - xi)) @ weights)
    applied = found.load * (1.0 - np.abs(x) / found.reach)
    borne = -found.profile(x)["traction"]
    assert applied + change == pytest.approx(borne, rel=4e-3)
    near = found.profile(np.array([0.9999, 1.0001]) * a)["traction"]
    assert near[0] == pytest.approx(near[1], rel=0.01)
