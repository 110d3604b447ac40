"""Assembly: masses, coordinates, constraints, springs, base, modes."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from lumped_systems import oscillator, run, study, two_masses

from fecontact.lumped.model.system import assemble
from fecontact.study.errors import InputError


def test_modes_of_two_masses() -> None:
    system = assemble(study(two_masses()))
    m, k = np.diag([1.0, 2.0]), np.array([[1300.0, -400.0], [-400.0, 400.0]])
    omega2 = np.linalg.eigvals(np.linalg.solve(m, k))
    assert system.frequencies == pytest.approx(np.sort(np.sqrt(omega2)) / (2 * math.pi))


def test_a_constraint_turns_three_springs_into_one() -> None:
    """Along the diagonal n of the cube k = n·diag(k)·n."""
    data = oscillator()
    data["masses"]["m"]["directions"] = ["x", "y", "z"]
    data["springs"]["s"]["stiffness"] = [300.0, 600.0, 900.0]
    data["constraints"] = {
        "xy": {"coefficients": {"m.x": 1.0, "m.y": -1.0}},
        "yz": {"coefficients": {"m.y": 2.0, "m.z": -2.0}},
    }
    system = assemble(study(data))
    assert system.frequencies == pytest.approx([math.sqrt(600.0 / 2.0) / (2 * math.pi)])


def test_an_inclined_spring_is_the_projection_of_its_stiffness() -> None:
    data = oscillator()
    data["springs"] = {
        "s": {
            "between": ["m", "ground"],
            "axial_stiffness": 800.0,
            "direction": [1.0, 1.0, 0.0],
        }
    }
    assert assemble(study(data)).frequencies == pytest.approx([math.sqrt(200.0) / (2 * math.pi)])


def test_a_constraint_with_a_value_preloads_the_spring() -> None:
    """Two masses constrained 0.1 m apart oscillate about the place that balances both springs."""
    data = two_masses()
    data["forces"] = {}
    data["springs"] = {
        name: {"between": [name, "ground"], "stiffness": [100.0, 0.0, 0.0]} for name in ("a", "b")
    }
    for name, x in (("a", -0.05), ("b", 0.05)):
        data["masses"][name] |= {"displacement": [x, 0.0, 0.0], "velocity": [0.0, 0.0, 0.0]}
    data["constraints"] = {"rod": {"coefficients": {"b.x": 1.0, "a.x": -1.0}, "value": 0.1}}
    record = run(data)
    assert record.history.columns["xa"] == pytest.approx(-0.05, abs=1e-14)
    assert record.history.columns["xb"] == pytest.approx(0.05, abs=1e-14)


def test_modal_data_and_masses_describe_the_same_system() -> None:
    """Generalised coordinates with the modes of two masses move a point as the mass moves."""
    data = two_masses()
    data["forces"] = {}
    direct = run(data)
    system = assemble(study(data))
    shapes = system.places["b"][0][0]
    start = system.start
    modal = copy.deepcopy(data)
    del modal["masses"], modal["springs"], modal["watch"]["xa"]
    modal["coordinates"] = {
        f"q{i}": {
            "mass": 1.0,
            "stiffness": float(system.equations.stiffness[i]),
            "displacement": float(start[0, i]),
            "velocity": float(start[1, i]),
        }
        for i in range(2)
    }
    modal["points"] = {"b": {"shape": {f"q{i}": [float(shapes[i]), 0.0, 0.0] for i in range(2)}}}
    by_modes = run(modal)
    assert by_modes.history.columns["xb"] == pytest.approx(direct.history.columns["xb"], abs=1e-14)


def test_truncation_keeps_the_slow_mode() -> None:
    data = two_masses()
    data["modal"] = {"modes": 1}
    assert run(data).scalars["frequency.1"].value == pytest.approx(
        assemble(study(two_masses())).frequencies[0]
    )
    assert "frequency.2" not in run(data).scalars


def test_modal_damping_decays_every_mode() -> None:
    data = oscillator()
    data["masses"]["m"]["displacement"] = [0.01, 0.0, 0.0]
    data["modal"] = {"damping": 0.05}
    record = run(data)
    omega = 20.0
    damped = omega * math.sqrt(1 - 0.05**2)
    t = record.history.time
    x = np.exp(-0.05 * omega * t) * (
        np.cos(damped * t) + 0.05 * omega / damped * np.sin(damped * t)
    )
    assert record.history.columns["x"] == pytest.approx(0.01 * x, abs=1e-14)


def test_a_shaken_base_is_a_force_of_minus_mass_times_acceleration() -> None:
    data = oscillator()
    data["functions"] = {"f": {"type": "sine", "frequency": 1.5}}
    shaken = data | {"base": {"acceleration": [3.0, 0.0, 0.0], "function": "f"}}
    pushed = data | {"forces": {"F": {"on": "m", "value": [-6.0, 0.0, 0.0], "function": "f"}}}
    a, b = run(shaken).history.columns["x"], run(pushed).history.columns["x"]
    assert a == pytest.approx(b, abs=1e-16)


def test_incompatible_arrays_are_rejected() -> None:
    data = two_masses()
    data["constraints"] = {
        "one": {"coefficients": {"a.x": 1.0}, "value": 0.01},
        "two": {"coefficients": {"a.x": 2.0}, "value": 0.05},
    }
    with pytest.raises(InputError, match="contradicts"):
        assemble(study(data))
    data["constraints"] = {"one": {"coefficients": {"a.x": 1.0}, "value": 0.0}}
    with pytest.raises(InputError, match=r"constraints\.one.*initial displacement"):
        assemble(study(data))
    data = oscillator()
    data["constraints"] = {"one": {"coefficients": {"m.x": 1.0}}}
    with pytest.raises(InputError, match="degree of freedom"):
        assemble(study(data))
    data = oscillator()
    data["modal"] = {"modes": 3}
    with pytest.raises(InputError, match="only 1 mode"):
        assemble(study(data))
