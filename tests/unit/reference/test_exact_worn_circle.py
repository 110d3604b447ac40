"""Wear of a plane by a circle: volume by quadrature, pressure by Archard's law."""

import numpy as np
import pytest

from fecontact.reference import WornCircle

CIRCLE = WornCircle(radius=0.1, depth=0.02, feed=1e-4, speed=2.0, wear=1e-9)


def test_the_wear_volume_is_what_lies_below_the_plane():
    x = np.linspace(-CIRCLE.half_width, CIRCLE.half_width, 200_001)
    below = np.sqrt(CIRCLE.radius**2 - x**2) - (CIRCLE.radius - CIRCLE.depth)
    assert CIRCLE.volume == pytest.approx(np.trapezoid(below, x), rel=1e-7)


def test_the_load_is_the_pressure_against_the_feed():
    x = np.linspace(-CIRCLE.half_width, CIRCLE.half_width, 200_001)
    # p cos φ over the arc R dφ = dx / cos φ.
    assert CIRCLE.load == pytest.approx(np.trapezoid(CIRCLE.profile(x)["pressure"], x), rel=1e-7)


def test_the_volume_grows_by_the_wear_of_the_pressures():
    later = WornCircle(radius=0.1, depth=0.02 + 1e-4 * 1e-3, feed=1e-4, speed=2.0, wear=1e-9)
    phi = np.linspace(-CIRCLE.angle, CIRCLE.angle, 100_001)
    pressure = CIRCLE.profile(CIRCLE.radius * np.sin(phi))["pressure"]
    worn = 1e-9 * 2.0 * 1e-3 * np.trapezoid(pressure, CIRCLE.radius * phi)
    assert later.volume - CIRCLE.volume == pytest.approx(worn, rel=1e-4)


def test_a_depth_beyond_the_radius_is_reported():
    with pytest.raises(ValueError, match="the radius"):
        WornCircle(radius=0.1, depth=0.2, feed=1e-4, speed=2.0, wear=1e-9)
