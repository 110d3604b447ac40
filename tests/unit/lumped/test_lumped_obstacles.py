"""Geometries of obstacles: position of first contact."""

from __future__ import annotations

import math
from typing import Any

import pytest
from lumped_systems import run

from fecontact.lumped.obstacles import GEOMETRIES
from fecontact.study import StudyError, study_from_dict

CONTACT = math.pi * math.sqrt(1.0 / 1e6)  # half a period of 1 kg on 1e6 N/m, s


def flying_mass(**stop: Any) -> dict[str, Any]:
    """1 kg at x = 2 m that flies with 1 m/s, obliquely in the x-y plane, towards an obstacle."""
    direction = [0.6, 0.8, 0.0]
    mass = {"mass": 1.0, "position": [2.0, 0.0, 0.0], "velocity": direction}
    obstacle = {"on": "m", "normal": direction, "normal_stiffness": 1e6, **stop}
    return {
        "kind": "lumped",
        "title": "a mass between faces",
        "masses": {"m": mass},
        "obstacles": {"stop": obstacle},
        "watch": {"x": {"type": "displacement", "at": "m", "component": "x"}},
        "time": {"step": 1e-3, "end": 1.2, "scheme": "exact"},
    }


@pytest.mark.parametrize(("scheme", "error"), (("exact", 1e-9), ("rk54", 1e-4)))
def test_a_mass_in_a_slot_meets_each_face_after_its_own_clearance(scheme, error):
    slot = flying_mass(type="slot", ahead=0.3, behind=0.1)
    scalars = run(slot, scheme=scheme).scalars
    met = [scalars[f"stop.contact_start.{n}"].value for n in (1, 2, 3)]
    across = 0.4 + CONTACT  # from leaving one face to leaving the other, at 1 m/s
    assert met == pytest.approx([0.3, 0.3 + across, 0.3 + 2 * across], abs=error)


def test_a_slot_is_two_planes_about_its_middle():
    slot = flying_mass(type="slot", ahead=0.3, behind=0.1)
    middle = [2.0 + 0.1 * 0.6, 0.1 * 0.8, 0.0]
    planes = flying_mass(type="planes", origin=middle, half_gap=0.2)
    x, same = (run(data).history.columns["x"] for data in (slot, planes))
    assert x == pytest.approx(same, abs=1e-12)


def test_every_geometry_has_a_type_of_its_own():
    types = [geometry.model_fields["type"].annotation for geometry in GEOMETRIES]
    assert len({str(name) for name in types}) == len(GEOMETRIES)


def test_a_key_of_another_geometry_is_reported_with_its_owner():
    with pytest.raises(StudyError, match=r'half_gap.* belongs to type = "planes"'):
        study_from_dict(flying_mass(type="slot", ahead=0.3, behind=0.1, half_gap=0.2))
