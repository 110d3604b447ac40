"""Viscoelastic reference solutions against published numbers, integrals and limits."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import HertzLineContact, HunterRolling, RelaxingLineContact, StandardSolid

SOLID = {"instantaneous": 1e7, "long_term": 5e6, "relaxation_time": 0.1}
CONTACT = SOLID | {"load": 500.0, "radius": 0.01, "poisson": 0.4}


def rolling(length: float) -> HunterRolling:
    """length: V τ_c, m."""
    return HunterRolling(**CONTACT, speed=length / 0.2)


@pytest.mark.parametrize(
    ("length", "front", "rear", "resistance", "peak"),
    [  # mm; solved independently, from the integral equation, to 1e-7
        (0.1, 1.03331844, 0.98513515, 0.0046381561, 308400.3),
        (0.5, 1.01680388, 0.81430041, 0.0163770117, 336960.4),
        (1.0, 0.98307992, 0.68624767, 0.0203119969, 382023.1),
        (2.0, 0.92659950, 0.61977469, 0.0185578767, 413128.8),
        (10.0, 0.80750266, 0.66139551, 0.0079731578, 433493.5),
        (100.0, 0.74478752, 0.71786726, 0.0014128574, 435250.5),
    ],
)
def test_hunter(length, front, rear, resistance, peak):
    found = rolling(1e-3 * length)
    assert found.front == pytest.approx(1e-3 * front, rel=1e-8)
    assert found.rear == pytest.approx(1e-3 * rear, rel=1e-8)
    assert found.resistance == pytest.approx(resistance, rel=1e-8, abs=5e-11)  # ten decimals
    assert found.peak_pressure == pytest.approx(peak, rel=2e-7)


def test_pressure_of_hunter_carries_the_load_and_resists():
    found = rolling(1e-3)
    c, nodes = found.half_length, np.polynomial.legendre.leggauss(400)
    angle = 0.5 * np.pi * (1 + nodes[0])
    x = found.shift + c * np.cos(angle)
    weights = 0.5 * np.pi * c * np.sin(angle) * nodes[1]
    pressure = found.profile(x)["pressure"]
    assert weights @ pressure == pytest.approx(500.0, rel=1e-9)
    moment = weights @ (pressure * x)  # the surface has the slope x/R
    assert moment / (0.01 * 500.0) == pytest.approx(found.resistance, rel=1e-9)


@pytest.mark.parametrize(("length", "young"), [(1e-6, 5e6), (10.0, 1e7)])
def test_slow_and_fast_rolling_is_elastic(length, young):
    hertz = HertzLineContact(load=500.0, radius_1=0.01, young_1=young, poisson_1=0.4)
    found = rolling(length)
    # The deviation is of first order in ℓ/a for slow and in a/ℓ for fast rolling.
    slow = length / hertz.half_width
    first_order = min(slow, 1.0 / slow)
    assert found.half_length == pytest.approx(hertz.half_width, rel=first_order)
    assert abs(found.resistance) < first_order


def test_lee_and_radok():
    found = RelaxingLineContact(**CONTACT)
    t = np.array([0.0, 0.05, 0.1, 0.2, 0.5, np.inf])
    exact = [0.7312733, 0.808115, 0.863234, 0.934234, 1.012731, 1.0341766]
    assert 1e3 * found.half_width(t) == pytest.approx(exact, rel=1e-6)
    hertz = HertzLineContact(load=500.0, radius_1=0.01, young_1=1e7, poisson_1=0.4)
    late = HertzLineContact(load=500.0, radius_1=0.01, young_1=5e6, poisson_1=0.4)
    pressure = found.history(np.array([0.0, 5.0]))["center_pressure"]
    assert pressure == pytest.approx([hertz.peak_pressure, late.peak_pressure], rel=1e-6)


def test_modulus_and_compliance_are_inverse():
    """∫ E(t − s) dJ(s) = 1."""
    solid = StandardSolid(**SOLID)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    s, h = 0.15 * (1 + nodes), 1e-6
    rate = (solid.compliance(s + h) - solid.compliance(s - h)) / (2 * h)
    total = solid.modulus(0.3) * solid.compliance(0.0)
    total += 0.15 * weights @ (solid.modulus(0.3 - s) * rate)
    assert total == pytest.approx(1.0, rel=1e-9)
    t = np.array([0.0, 0.1])
    assert solid.history(t)["modulus"] * solid.history(t)["compliance"] == pytest.approx(
        [1.0, solid.modulus(0.1) * solid.compliance(0.1)]
    )


def test_loss_of_a_cycle():
    solid, frequency = StandardSolid(**SOLID), 7.0
    nodes = np.linspace(0.0, 2 * np.pi, 2001)[:-1]
    storage, loss = solid.dynamic_moduli(frequency)
    stress = 0.01 * (storage * np.sin(nodes) + loss * np.cos(nodes))
    work = np.mean(stress * 0.01 * np.cos(nodes)) * 2 * np.pi
    assert solid.loss(0.01, frequency) == pytest.approx(work, rel=1e-12)


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="speed"):
        HunterRolling(**CONTACT, speed=0.0)
    with pytest.raises(ValueError, match="relaxation_time"):
        StandardSolid(**SOLID | {"relaxation_time": -1.0})
