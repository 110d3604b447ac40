"""The exact scheme against independent exact solutions and against fine steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from lumped_systems import Data, oscillator, run, sliding_block, study, two_masses

from fecontact.lumped.run import LumpedRun
from fecontact.reference import CoulombOscillator, ImpactOscillator, ShakenBlock


def stop(gap: float = 1e-3, stiffness: float = 1e10, damping: float = 0.0) -> Data:
    return {
        "type": "plane",
        "on": "m",
        "normal": [1.0, 0.0, 0.0],
        "gap": gap,
        "normal_stiffness": stiffness,
        "normal_damping": damping,
    }


def sdnd121(damping: float = 0.0) -> Data:
    data = oscillator(156.0, 2e6)
    data["functions"] = {"f": {"type": "sine", "frequency": 5.0}}
    data["forces"] = {"F": {"on": "m", "value": [3000.0, 0.0, 0.0], "function": "f"}}
    data["obstacles"] = {"stop": stop(damping=damping)}
    data["time"] = {"scheme": "exact", "step": 0.1, "end": 4.0}
    return data


@pytest.mark.parametrize("damping", [0.0, 2e4])
def test_all_contact_times_of_the_impact_oscillator(damping: float) -> None:
    """SDND121: 70 impacts; with a dashpot the force ends before the gap opens."""
    intervals = [i for i in run(sdnd121(damping)).intervals if i.state == "contact"]
    found = np.array([(i.start, i.end) for i in intervals]).ravel()
    exact = ImpactOscillator(
        mass=156.0,
        stiffness=2e6,
        gap=1e-3,
        contact_stiffness=1e10,
        contact_damping=damping,
        force=3000.0,
        frequency=5.0,
    )
    times = exact.contacts(4.0).ravel()
    assert len(found) == len(times) >= 100
    assert np.abs(found - times).max() < 1e-11


def shaken(a0: float) -> Data:
    data = sliding_block(friction=0.1)
    data["masses"]["block"]["directions"] = ["x"]
    data["watch"].pop("y")
    data["functions"] = {"shake": {"type": "sine", "frequency": 1.0}}
    data["base"] = {"acceleration": [a0, 0.0, 0.0], "function": "shake"}
    data["statistics"] = {"steady": {"interval": [4.0, 12.0]}}
    data["time"] = {"scheme": "exact", "step": 0.01, "end": 12.0}
    return data


@pytest.mark.parametrize("a0", [15.0, 1.5, 1.01, 0.99])
def test_wear_of_the_shaken_block(a0: float) -> None:
    """SDND104: slip–slip, stick–slip twice, stick."""
    record = run(shaken(a0))
    exact = ShakenBlock(
        mass=1.0, gravity=10.0, friction_coefficient=0.1, acceleration=a0, frequency=1.0
    )
    wear = record.scalars["steady.floor.work_rate"].value
    assert wear == pytest.approx(exact.wear_work(4.0, 12.0) / 8.0, rel=1e-10, abs=1e-30)
    motion = exact.history(record.history.time)
    assert np.abs(record.history.columns["x"] - motion["displacement"]).max() < 1e-11


def test_released_oscillator_to_its_stop() -> None:
    """SDND100: every extremum and the stop to 1e-12."""
    data = sliding_block(friction=0.1)
    data["masses"]["block"] |= {"directions": ["x"], "displacement": [8.5e-4, 0.0, 0.0]}
    data["watch"].pop("y")
    data["springs"] = {"s": {"between": ["block", "ground"], "stiffness": [1e4, 0.0, 0.0]}}
    record = run(data, scheme="exact", step=1e-3, end=0.3)
    exact = CoulombOscillator(mass=1.0, stiffness=1e4, friction=1.0, offset=8.5e-4)
    for i, (time, value) in enumerate(exact.extrema(), 1):
        assert record.scalars[f"x.extremum.{i}.time"].value == pytest.approx(time, rel=1e-12)
        assert record.scalars[f"x.extremum.{i}"].value == pytest.approx(value, rel=1e-12)
    time, position = exact.stop()
    assert record.scalars["floor.final_stick_time"].value == pytest.approx(time, rel=1e-12)
    assert record.history.columns["x"][-1] == pytest.approx(position, rel=1e-12)


def two_stops() -> Data:
    """Two masses, three stops, dashpots in springs and stops, ramped harmonic force."""
    data = two_masses()
    data["springs"]["middle"]["damping"] = [1.5, 0.0, 0.0]
    data["functions"]["r"] = {"type": "ramp", "end": 0.35}
    data["functions"]["p"] = {"type": "product", "of": ["f", "r"]}
    data["forces"]["push"] |= {"value": [60.0, 0.0, 0.0], "function": "p"}
    data["obstacles"] = {
        "a": stop(0.012, 3e4, 20.0) | {"on": "a"},
        "b": {
            "type": "planes",
            "on": "b",
            "normal": [1.0, 0.0, 0.0],
            "half_gap": 0.05,
            "normal_stiffness": 2e4,
            "normal_damping": 30.0,
        },
        "ab": {
            "type": "moving-planes",
            "on": "a",
            "against": "b",
            "normal": [1.0, 0.0, 0.0],
            "thickness": [0.01, 0.015],
            "normal_stiffness": 5e4,
        },
    }
    data["masses"]["b"]["position"] = [0.04, 0.0, 0.0]
    data["obstacles"]["b"]["origin"] = [0.04, 0.0, 0.0]
    data["time"] = {"scheme": "exact", "step": 0.01, "end": 2.0}
    return data


def test_many_bodies_and_stops_agree_with_fine_steps() -> None:
    exact = run(two_stops())
    fine = run(two_stops(), scheme="rk54", step=1e-5, tolerance=1e-12)
    assert exact.scalars["ab.impacts"].value > 3
    assert exact.scalars["b.impacts"].value > 3
    for name in ("xa", "xb", "vb"):
        last = fine.history.columns[name][-1]
        size = np.abs(fine.history.columns[name]).max()
        assert exact.history.columns[name][-1] == pytest.approx(last, abs=2e-7 * size)
    for name in (
        "a.contact_start.1",
        "a.contact_end.last",
        "ab.contact_start.last",
        "ab.largest_force",
        "b.rms_force",
    ):
        assert exact.scalars[name].value == pytest.approx(fine.scalars[name].value, rel=2e-4)
    assert exact.scalars["energy.error"].value < 1e-10


def test_two_blocks_that_stick_and_slip_agree_with_a_stiff_slider() -> None:
    """Two sliding masses coupled by a spring; static friction above dynamic."""
    data = two_masses()
    for name in ("a", "b"):
        data["masses"][name]["directions"] = ["x"]
        data.setdefault("obstacles", {})[f"under_{name}"] = {
            "type": "plane",
            "on": name,
            "normal": [0.0, 0.0, -1.0],
            "gap": -0.1,
            "normal_stiffness": 60.0,
            "friction": 0.3,
            "static_friction": 0.5,
            "tangential_stiffness": 1e9,
        }
    data["forces"]["push"]["value"] = [8.0, 0.0, 0.0]
    data["time"] = {"scheme": "exact", "step": 0.01, "end": 1.5}
    exact = run(data)
    assert {i.state for i in exact.intervals} == {"stick", "slip"}
    assert exact.scalars["energy.error"].value < 1e-10
    stiff = run(data, scheme="rk54", step=1e-6, max_step=2e-5, tolerance=1e-9)
    for name in ("xa", "xb"):
        last = exact.history.columns[name][-1]
        assert stiff.history.columns[name][-1] == pytest.approx(last, abs=2e-5)
    slip = exact.scalars["under_b.slip"].value
    assert stiff.scalars["under_b.slip"].value == pytest.approx(slip, rel=1e-2)


def test_stick_waits_for_static_friction() -> None:
    """A force that grows by 1 N/s starts a block at μ_s N, not at μ_d N."""
    data = sliding_block(friction=0.2, static_friction=0.35)
    data["masses"]["block"]["directions"] = ["x"]
    data["functions"] = {"r": {"type": "ramp", "end": 10.0, "final": 10.0}}
    data["forces"] = {"F": {"on": "block", "value": [1.0, 0.0, 0.0], "function": "r"}}
    data["time"] = {"scheme": "exact", "step": 0.1, "end": 5.0}
    record = run(data)
    assert record.scalars["floor.slip.1"].value == pytest.approx(3.5, rel=1e-13)
    # then ẍ = t − 2: x = s³/6 + 1.5 s²/2 with s = t − 3.5
    s = 5.0 - 3.5
    assert record.history.columns["x"][-1] == pytest.approx(s**3 / 6 + 0.75 * s**2, rel=1e-12)


@pytest.mark.parametrize(
    ("released", "ideal", "damped", "undamped"),
    [(0.07, -0.03, -0.01, -0.01), (0.066, -0.026, -0.026, -0.014)],
)
def test_what_stays_after_a_swing_hangs_on_the_slider(
    released: float, ideal: float, damped: float, undamped: float
) -> None:
    """Released at x₀ a block swings to x₁ = −(x₀ − 2 μ_d N/k), where the spring pulls it with a
    force between μ_d N = 2 N and μ_s N = 3.5 N: by Coulomb's law it stays. On an elastic slider the
    friction turns round by k|x₁| + μ_d N and overshoots by all of that, or with critical damping by
    e⁻² of it: beyond μ_s N the block swings on, to x₂ = −x₁ − 2 μ_d N/k."""
    data = sliding_block(friction=0.2, static_friction=0.35)
    data["masses"]["block"] = {
        "mass": 1.0,
        "directions": ["x"],
        "displacement": [released, 0.0, 0.0],
    }
    data["springs"] = {"k": {"between": ["block", "ground"], "stiffness": [100.0, 0.0, 0.0]}}
    found = run(data, scheme="exact", step=0.1)
    assert found.history.columns["x"][-1] == pytest.approx(ideal, rel=1e-12)
    for damping, rest in (("auto", damped), (0.0, undamped)):
        data["obstacles"]["floor"]["tangential_damping"] = damping
        elastic = run(data, max_step=1e-4)
        assert elastic.history.columns["x"][-1] == pytest.approx(rest, abs=1e-4)


def test_a_run_that_may_take_minutes_reports_it() -> None:
    """Ten million stretches of 1/ω, ω² = k_c/m, are 1250 s of SDND121 if the stop stayed closed."""
    data = sdnd121()
    assert LumpedRun(study(data)).found_at_start == []
    data["time"]["end"] = 2000.0
    (sentence,) = LumpedRun(study(data)).found_at_start
    assert "intervals of 0.00012 s" in sentence and "up to 2e+07 of them" in sentence


def test_a_free_flight_is_a_parabola() -> None:
    """No stiffness, no frequency at all: the series is a polynomial."""
    data = oscillator(2.0, 0.0)
    data["springs"] = {}
    data["forces"] = {"weight": {"on": "m", "value": [-19.62, 0.0, 0.0]}}
    data["masses"]["m"]["velocity"] = [3.0, 0.0, 0.0]
    record = run(data)
    t = record.history.time
    assert record.history.columns["x"] == pytest.approx(3.0 * t - 4.905 * t**2, abs=1e-14)
    assert record.scalars["x.extremum.1.time"].value == pytest.approx(3.0 / 9.81, rel=1e-14)


def test_bouncing_ball_reaches_the_same_height() -> None:
    data = oscillator(1.0, 0.0)
    data["springs"] = {}
    data["forces"] = {"weight": {"on": "m", "value": [-10.0, 0.0, 0.0]}}
    data["obstacles"] = {"floor": stop(1.0, 1e6) | {"normal": [-1.0, 0.0, 0.0]}}
    record = run(data, end=20.0, step=0.05)
    tops = [
        s.value
        for name, s in record.scalars.items()
        if name.startswith("x.extremum") and not name.endswith("time") and s.value > -0.5
    ]
    assert len(tops) > 15
    assert np.abs(tops).max() < 1e-11
    assert record.scalars["floor.impacts"].value == pytest.approx(
        math.ceil((20.0 - math.sqrt(0.2)) / (2 * math.sqrt(0.2))), abs=1
    )


def test_the_largest_force_of_a_stop_with_a_dashpot() -> None:
    """x = (v/ω_d) e^(−ζωt) sin ω_d t; F = k x + c ẋ has its maximum where its derivative is 0."""
    mass, stiffness, damping, speed = 2.0, 2e4, 40.0, 1.5
    data = oscillator(mass)
    data.pop("springs")
    data["masses"]["m"]["velocity"] = [speed, 0.0, 0.0]
    data["obstacles"] = {"stop": stop(0.01, stiffness, damping)}
    omega = math.sqrt(stiffness / mass)
    zeta = damping / (2.0 * mass * omega)
    turning = omega * math.sqrt(1.0 - zeta**2)
    # Ḟ = 0 for F = m v (ω²/ω_d − 2ζ²ω²/ω_d) e^… sin + 2ζω m v e^… cos = A e^… sin(ω_d t + φ).
    sine, cosine = omega**2 * (1.0 - 2.0 * zeta**2) / turning, 2.0 * zeta * omega
    t = (math.atan2(turning, zeta * omega) - math.atan2(cosine, sine)) / turning
    wave = sine * math.sin(turning * t) + cosine * math.cos(turning * t)
    largest = mass * speed * math.exp(-zeta * omega * t) * wave
    found = run(data, step=0.001, end=0.1).scalars["stop.largest_force"].value
    assert found == pytest.approx(largest, rel=1e-9)


@pytest.mark.parametrize("start", [0.0, 0.5])
def test_a_constant_force_above_the_friction_limit_starts_slip(start: float) -> None:
    """Limit 2 N: 1 N until the start, then 3 N; m = 1 kg accelerates with 1 m/s²."""
    data = sliding_block(friction=0.2)
    data["masses"]["block"]["directions"] = ["x"]
    data["watch"].pop("y")
    data["forces"] = {"pull": {"on": "block", "value": [3.0, 0.0, 0.0]}}
    if start:
        times, values = [0.0, start, start, 2.0], [1 / 3, 1 / 3, 1.0, 1.0]
        data["functions"] = {"jump": {"type": "table", "times": times, "values": values}}
        data["forces"]["pull"]["function"] = "jump"
    columns = run(data, scheme="exact", step=0.1, end=1.5).history.columns
    assert columns["x"][-1] == pytest.approx(0.5 * (1.5 - start) ** 2, rel=1e-9)


def test_the_friction_limit_of_a_stop_with_a_normal_dashpot() -> None:
    """N = k p + c dp/dt of a block that swings against the plane; slip starts where μ N falls to
    the pull."""
    stiffness, damping, weight, pull, friction, speed = 50.0, 3.0, 10.0, 1.5, 0.2, 2.0
    data = sliding_block(friction, normal_damping=damping)
    data["masses"]["block"] |= {"directions": ["x", "z"], "velocity": [0.0, 0.0, -speed]}
    data["watch"].pop("y")
    data["forces"] = {"both": {"on": "block", "value": [pull, 0.0, -weight]}}
    decay, frequency = damping / 2.0, math.sqrt(stiffness - damping**2 / 4.0)
    time = np.linspace(0.0, 0.65, 650_001)
    wave = speed / frequency * np.exp(-decay * time)
    rate = wave * (frequency * np.cos(frequency * time) - decay * np.sin(frequency * time))
    normal = stiffness * (0.2 + wave * np.sin(frequency * time)) + damping * rate
    start = int(np.argmax(friction * normal < pull))
    assert 300_000 < start < 600_000
    velocity = np.trapezoid((pull - friction * normal)[start:], time[start:])
    columns = run(data, scheme="exact", step=0.05, end=0.65).history.columns
    assert columns["vx"][-1] == pytest.approx(velocity, rel=2e-5)
