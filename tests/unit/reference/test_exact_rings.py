"""Michell's rings against the equations of elasticity and the document's numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.reference import RingInRing

RINGS = RingInRing(inner=0.2, joint=0.6, outer=1.0, young=1e9, poisson=0.2, mean=1e7, cosine=1e5)


def test_the_rings_of_ssnp167_have_its_pressures_and_displacements() -> None:
    pressures = RINGS.profile(np.array([0.6, 0.0, 0.6 / np.sqrt(2)]))["pressure"]
    assert pressures == pytest.approx([9394977.169, 9123541.350, 9259259.259], rel=1e-10)
    mean, cosine = RINGS.displacements()
    assert mean + cosine == pytest.approx(-0.00551736681887, rel=1e-11)
    assert mean - cosine == pytest.approx(-0.00514929984779, rel=1e-11)


def test_the_joint_of_thin_rings_lies_between_those_of_its_neighbours() -> None:
    """A cosine passes through a thin outer ring unchanged."""
    thin = replace(RINGS, outer=0.6001)
    assert thin.pressures()[1] == pytest.approx(1e5, rel=1e-3)


def test_rings_that_part_are_no_rings_in_each_other() -> None:
    with pytest.raises(ValueError, match="the rings separate"):
        replace(RINGS, cosine=1e7)
    with pytest.raises(ValueError, match="must grow"):
        replace(RINGS, inner=0.7)
