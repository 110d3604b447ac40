"""Claims of the verification studies beyond their checks."""

import numpy as np
import pytest
from verification_runs import computed

from fecontact.reference import BouncingRod


def test_node_to_segment_contact_fails_the_patch_test_but_not_equilibrium():
    _, rows = computed("patch-test", "lagrangian")
    assert 0.05 < rows["distribution"].value < 0.12
    assert rows["resultant"].error < 1e-8 * rows["resultant"].reference


def test_a_finer_slave_makes_node_to_segment_contact_better():
    coarse = computed("patch-test", "lagrangian")[1]["distribution"].value
    fine = computed("patch-test", "lagrangian-swapped")[1]["distribution"].value
    assert fine < 0.5 * coarse


def test_a_master_finer_than_its_slave_is_reported():
    messages = computed("patch-test", "lagrangian")[0].warnings
    assert any("is finer than slave" in sentence for sentence in messages)
    assert not computed("patch-test")[0].warnings


def test_between_bodies_of_equal_meshes_integrated_pressures_scatter_less_than_nodal_ones():
    mesh = ("mesh.shapes.cylinder.contact_size=5.6e-5", "mesh.shapes.plane.cells=[210, 36]")
    nodal, integrated = (
        computed("hertz-block", "static", f"contact.sole.method={method}", *mesh)[1]
        for method in ("lagrangian", "continuous")
    )
    assert 0.02 < nodal["distribution"].value < 0.04
    assert integrated["distribution"].value < 0.01


def test_pressures_do_not_ring_at_the_edge_of_a_contact_of_quadratic_elements():
    record, _ = computed(
        "hertz-rigid", "static", "mesh.element=quad8", "contact.sole.method=continuous",
        "mesh.shapes.cylinder.contact_size=8e-5",
    )  # fmt: skip
    sole = record.surfaces["sole"]
    pressure = sole.pressure[-1][record.mesh.points[sole.nodes, 0] > 0.0]
    assert (
        np.diff(pressure).max() < 0.01 * pressure.max()
    )  # it decreases everywhere from the middle


def test_average_acceleration_rings_and_makes_energy_where_massless_nodes_do_not():
    record, rings = computed("bar-impact", None, "time.impact=implicit")
    calm = computed("bar-impact")[1]
    assert rings["ringing"].value > 1.5 * rings["ringing"].reference
    assert calm["ringing"].value < 1.005 * calm["ringing"].reference
    assert rings["numerical"].value < -400.0  # more than the bar had
    assert abs(calm["numerical"].value) < 4.0
    assert not record.scalars["energy.gain"].within_limit


@pytest.mark.parametrize("impact", ["implicit", "velocity"])
@pytest.mark.parametrize(
    "scheme", [("average-acceleration",), ("newmark",), ("hht", "time.alpha=0.0")]
)
def test_a_scheme_that_generates_energy_at_impact_is_reported(scheme, impact):
    name, *more = scheme
    short = (f"time.scheme={name}", f"time.impact={impact}", "time.end=2e-6", *more)
    messages = computed("bar-impact", None, *short)[0].warnings
    assert len(messages) == 1
    assert messages[0].startswith(f'time.impact = "{impact}"')
    assert "redistributed-mass" in messages[0]


@pytest.mark.parametrize(
    "scheme", ["generalized-alpha time.rho_infinity=1.0", "hht time.alpha=-0.05", "implicit-euler"]
)
def test_a_scheme_that_does_not_is_not(scheme):
    name, *more = scheme.split()
    record, rows = computed(
        "bar-impact", None, f"time.scheme={name}", "time.impact=implicit", *more
    )
    assert not [text for text in record.warnings if text.startswith("time.impact")]
    made = -rows["numerical"].value - rows["loss"].value
    assert made < 4.0  # 1 % of the bar's energy


def test_a_bouncing_rod_that_lands_early_comes_ever_earlier_by_the_exact_solution():
    """Why the checks of bouncing-rod allow 1 % after ten contacts."""
    rod = {"length": 1.0, "young": 1e7, "density": 1000.0, "area": 0.1, "gravity": 10.0}
    early, exact, late = (
        BouncingRod(**rod, gap=0.0045 * share).contacts(0.8)[:, 0] for share in (0.99, 1.0, 1.01)
    )
    assert exact[-1] - early[-1] == pytest.approx(9.1e-3, abs=1e-4)
    assert late[-1] - exact[-1] == pytest.approx(4.5e-4, abs=1e-5)


def test_wear_of_a_surface_adds_up_to_that_of_a_point_mass():
    surface = computed("wear-shoe")[0]
    mass = computed("wear-shoe-lumped")[0]
    both = [record.history.columns["wear"][-1] for record in (surface, mass)]
    assert both[0] == pytest.approx(both[1], rel=1e-3)


def test_wear_power_is_friction_power_over_the_coefficient():
    columns = computed("wear-shoe")[0].history.columns
    lost = columns["energy.friction"][-1]
    assert columns["wear"][-1] == pytest.approx(lost / 0.3, rel=1e-9)


def test_wear_depth_along_the_edge_adds_up_to_the_wear_volume():
    record = computed("wear-shoe")[0]
    sole = record.surfaces["sole"]
    assert sole.wear_depth is not None
    volume = np.trapezoid(sole.wear_depth[-1], sole.arc)
    assert volume == pytest.approx(record.scalars["contact.sole.wear_volume"].value, rel=1e-9)
    assert sole.wear_depth[-1].argmax() in (0, len(sole.arc) - 1)  # an end, not the middle


def test_plate_and_mass_on_a_belt_move_alike():
    plate, mass = (computed(name)[0].history for name in ("belt", "belt-lumped"))
    seen_from_the_belt = plate.columns["x"] - 0.2 * plate.time
    there = np.interp(plate.time, mass.time, mass.columns["x"])
    assert np.abs(seen_from_the_belt - there).max() < 3e-3  # of 0.14 m


def test_a_body_that_turns_too_far_for_the_linear_bulk_is_reported():
    record, _ = computed(
        "incline", None, "time.end=0.2", "contact.sole.friction=0.0",
        "loads.weight.value=[0.0, 0.0]",
        'loads.tip={type="point-force", on="block.top-right", value=[0.0, 3e5]}',
    )  # fmt: skip
    assert any("the rotation reaches" in sentence for sentence in record.warnings)


def test_a_body_that_only_travels_far_is_not_reported():
    assert not computed("wear-shoe")[0].warnings


def test_a_body_that_its_support_moves_rigidly_loses_nothing_to_stiffness_damping():
    record, _ = computed(
        "incline", None, "contact.sole.friction=0.0", "bodies.block.velocity=[1.0, 0.0]",
        "materials.steel.rayleigh_stiffness=1e-3", 'functions.travel={type="ramp", end=2.0}',
        'supports.pull={on="block.top", x=2.0, function="travel"}',
    )  # fmt: skip
    columns = record.history.columns
    assert columns["energy.kinetic"][-1] == pytest.approx(0.5 * 3900.0, rel=1e-3)
    assert abs(columns["energy.damping"][-1]) < 0.1  # as it settles under its weight
    # K u and the support's action, E · 2 m = 4e11 N a node, cancel: their round-off remains.
    closure, limit = (
        record.scalars["energy.balance_error"].value,
        record.scalars["energy.balance_error"].limit,
    )
    assert abs(closure) < limit < 1e-5
