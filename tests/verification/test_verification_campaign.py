"""Every variant of the verification studies, and series of refined meshes. Slow."""

import tomllib

import pytest
from verification_runs import STUDIES, computed, wrong

NAMES = (
    "incline", "belt", "belt-lumped", "hertz-rigid", "hertz-block", "cattaneo-mindlin",
    "patch-test", "bar-impact", "two-bars", "bouncing-rod", "wavy-runner", "wear-shoe",
)  # fmt: skip


def _runs():
    for name in NAMES:
        own = tomllib.loads((STUDIES / f"{name}.toml").read_text(encoding="utf-8"))
        yield from ((name, variant) for variant in (None, *own.get("variants", {})))


@pytest.mark.slow
@pytest.mark.parametrize("name, variant", _runs())
def test_every_variant_meets_its_checks(name, variant):
    assert not wrong(name, variant)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["lagrangian", "penalty", "continuous"])
def test_hertz_pressure_converges_with_the_mesh(method):
    sizes = (8e-5, 4e-5, 2e-5)
    errors = [
        computed(
            "hertz-rigid", None,
            f"contact.sole.method={method}", f"mesh.shapes.cylinder.contact_size={size}",
        )[0].scalars["sole.pressure.error"].value
        for size in sizes
    ]  # fmt: skip
    assert errors[2] < errors[0] / 2
    assert errors[2] < 0.02


@pytest.mark.slow
def test_rebound_of_a_bar_converges_with_the_mesh():
    errors = []
    for cells in (50, 100, 200):
        record, _ = computed(
            "bar-impact", None, f"mesh.shapes.bar.cells=[{cells}, 1]", f"time.step={2e-4 / cells}"
        )
        errors.append(abs(record.history.columns["v"][-1] - 1.0))
    assert errors[2] < errors[1] < errors[0]


@pytest.mark.slow
def test_bouncing_rod_converges_with_the_mesh():
    late = []
    for cells in (50, 100, 200):
        record, _ = computed(
            "bouncing-rod", None, f"mesh.shapes.rod.cells=[1, {cells}]", f"time.step={1e-2 / cells}"
        )
        late.append(abs(record.history.columns["y_mean"][-1]))  # after five periods: 0 exactly
    assert late[2] < late[0]


@pytest.mark.slow
def test_the_runner_moves_alike_with_other_elements_and_with_roles_exchanged():
    depths = [
        computed("wavy-runner", variant)[1]["depth"].value
        for variant in (None, "quad8", "continuous", "exchanged", "exchanged-continuous")
    ]
    assert max(depths) - min(depths) < 0.05 * abs(sum(depths) / len(depths))
