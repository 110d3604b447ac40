"""Debonding of a block with cohesion, compared with the integration of its equation of motion."""

import numpy as np
import pytest

from fecontact.reference.contact.glued_block import GluedBlock

BLOCK = {"mass": 2.0, "stiffness": 50.0, "speed": 0.5, "normal_force": 10.0, "coefficient": 0.3}


@pytest.mark.parametrize("distance", [None, 0.5, 0.05])
def test_the_closed_form_is_what_integration_finds(distance) -> None:
    block = GluedBlock(**BLOCK, cohesive_force=5.0, distance=distance)
    x, v, h, t = 0.0, 0.0, 1e-5, block.start
    end = t + 0.6

    def pull(t, x):
        left = 1.0 if distance is None else max(0.0, 1.0 - x / distance)
        return (50.0 * (0.5 * t - x) - 5.0 * left - 3.0) / 2.0

    while t < end and (v >= 0.0 or t == block.start):
        middle = x + 0.5 * h * v
        v += h * pull(t + 0.5 * h, middle)
        x, t = middle + 0.5 * h * v, t + h
    found = block.history(np.array([0.5 * block.start, t, end]))
    assert found["displacement"][1:] == pytest.approx(x, rel=1e-4)
    assert found["friction"][0] == pytest.approx(-0.5 * block.strength)
