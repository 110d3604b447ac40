"""Series of refined meshes. Slow."""

import numpy as np
import pytest
from verification_runs import computed

from fecontact.reference import BouncingRod


@pytest.mark.slow
@pytest.mark.parametrize("method", ["lagrangian", "penalty", "continuous"])
def test_hertz_pressure_converges_with_the_mesh(method):
    """From a/3 to a/12; beyond, what a half disc differs from a half plane (1e-3) is left."""
    coarse, _, fine = (
        computed(
            "hertz-rigid", None,
            f"contact.sole.method={method}", f"mesh.shapes.cylinder.contact_size={size}",
        )[0].scalars["sole.pressure.error"].value
        for size in (3.2e-4, 1.6e-4, 8e-5)
    )  # fmt: skip
    assert fine < coarse / 5
    assert fine < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("method", ["lagrangian", "continuous"])
def test_hertz_pressure_between_two_bodies_converges_with_both_meshes(method):
    coarse, middle, fine = (
        computed(
            "hertz-block", "static", f"contact.sole.method={method}",
            f"mesh.shapes.cylinder.contact_size={size}", f"mesh.shapes.plane.cells={cells}",
        )[1]["distribution"].value
        for size, cells in ((1.12e-4, [52, 20]), (5.6e-5, [106, 28]), (2.8e-5, [210, 36]))
    )  # fmt: skip
    assert middle < 0.7 * coarse
    assert fine < 0.7 * middle
    assert fine < 0.02


@pytest.mark.slow
def test_impulse_of_a_bar_converges_with_the_mesh():
    errors = [
        abs(
            computed(
                "bar-impact", None,
                f"mesh.shapes.bar.cells=[{cells}, 1]", f"time.step={2e-4 / cells}",
            )[1]["impulse"].error
        )
        for cells in (50, 100, 200)
    ]  # fmt: skip
    assert errors[2] < errors[1] < errors[0]


@pytest.mark.slow
def test_ten_bounces_of_a_rod_converge_with_the_mesh():
    """The free end, period by period, in parts of the drop; later ones are worse, and converge."""
    rod = BouncingRod(length=1.0, young=1e7, density=1000.0, area=0.1, gravity=10.0, gap=0.0045)
    errors = []
    for cells in (50, 100, 200):
        history = computed(
            "bouncing-rod", None,
            f"mesh.shapes.rod.cells=[1, {cells}]", f"time.step={0.707e-2 / cells}",
        )[0].history  # fmt: skip
        exact = rod.history(history.time)["free_end_displacement"]
        square = (history.columns["y_top"] - exact) ** 2
        period = np.floor(history.time / 0.16)
        errors.append([np.sqrt(square[period == i].mean()) / 0.0045 for i in range(5)])
    coarse, middle, fine = np.array(errors)
    assert middle[0] < 0.6 * coarse[0]
    assert fine[0] < 0.6 * middle[0]
    assert np.all(fine < 0.65 * coarse)
    assert fine[4] < 0.1


@pytest.mark.slow
def test_the_runner_moves_alike_with_other_elements_and_with_roles_swapped():
    depths = [
        computed("wavy-runner", variant)[1]["depth"].value
        for variant in (None, "quad8", "continuous", "swapped", "swapped-continuous")
    ]
    assert max(depths) - min(depths) < 0.05 * abs(sum(depths) / len(depths))
