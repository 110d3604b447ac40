"""Material laws: closed forms, limits, and supported settings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter
from solid_models import mesh_of, solid, study

import ufl
from ufl.algorithms.apply_algebra_lowering import apply_algebra_lowering

import fecontact
from fecontact.record import Array
from fecontact.solid.fem.measures import MEASURES
from fecontact.solid.laws import Hencky, Isotropic, Material, MooneyRivlin, Ogden, Orthotropic, Yeoh
from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.study.errors import StudyError
from fecontact.study.load import study_from_dict

PROJECT = Path(__file__).parents[3]
PLY = Orthotropic(
    law="orthotropic",
    young_1=140e9,
    young_2=10e9,
    young_3=9e9,
    poisson_12=0.3,
    poisson_13=0.25,
    poisson_23=0.4,
    shear_12=5e9,
    density=1600.0,
)


def turned(degrees: float) -> Orthotropic:
    return PLY.model_copy(update={"angle": degrees})


def pulled_off_axis(plane: str, degrees: float, tension: float) -> tuple[Array, float]:
    """ε_xx, ε_yy, γ_xy and σ_zz of a plate pulled along x (Lekhnitskii 1963, engineering form).

    In plane strain ε_zz = 0 makes σ_zz = E₃(ν₁₃σ₁/E₁ + ν₂₃σ₂/E₂) and turns the constants of the
    plane into those below with a dash: 1/E₁' = 1/E₁ − E₃(ν₁₃/E₁)² and so on.
    """
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    along, across = PLY.poisson_13 / PLY.young_1, PLY.poisson_23 / PLY.young_2
    prescribed = PLY.young_3 if plane == "strain" else 0.0
    first = 1 / PLY.young_1 - prescribed * along**2
    second = 1 / PLY.young_2 - prescribed * across**2
    lateral = PLY.poisson_12 / PLY.young_1 + prescribed * along * across
    shear = 1 / PLY.shear_12
    axial = first * c**4 + (shear - 2 * lateral) * s**2 * c**2 + second * s**4
    side = (first + second - shear) * s**2 * c**2 - lateral * (s**4 + c**4)
    slide = (2 * first + 2 * lateral - shear) * s * c**3
    slide -= (2 * second + 2 * lateral - shear) * s**3 * c
    sigma_zz = prescribed * tension * (along * c**2 + across * s**2)
    return tension * np.array([axial, side, slide]), sigma_zz


@pytest.mark.parametrize("plane", ["strain", "stress"])
@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, -65.0])
@pytest.mark.parametrize("element", ["quad4", "tri6"])
def test_plate_pulled_off_its_axes_strains_and_shears_as_the_closed_form(
    element: str, degrees: float, plane: str
) -> None:
    tension = 1e6
    model = study(
        element,
        plane=plane,
        materials={"m": turned(degrees).model_dump()},
        supports={
            "pin": {"on": "block.bottom-left", "x": 0.0, "y": 0.0},
            "roller": {"on": "block.bottom-right", "y": 0.0},
        },
        loads={
            "right": {"type": "traction", "on": "block.right", "value": [tension, 0.0]},
            "left": {"type": "pressure", "on": "block.left", "value": -tension},
        },
    )
    mesh = mesh_of(model)
    bulk = solid(model, mesh)
    load = bulk.load(1.0, np.empty(bulk.size))
    u = bulk.factor(0.0, 0.0, 1.0).solve(load, np.empty(bulk.size))
    (axial, side, slide), sigma_zz = pulled_off_axis(plane, degrees, tension)
    x, y = mesh.points.T
    expected = np.stack([axial * x + slide * y, side * y], axis=1)
    assert np.abs(bulk.nodal(u, 1.0) - expected).max() < 1e-10 * np.abs(expected).max()
    assert np.abs(bulk.stress(u, 1.0) - [tension, 0.0, sigma_zz, 0.0]).max() < 1e-10 * tension


@pytest.mark.parametrize("plane", ["strain", "stress"])
def test_orthotropic_body_with_equal_constants_is_isotropic_at_any_angle(plane: str) -> None:
    young, nu = 2e11, 0.3
    same = Isotropic(young=young, poisson=nu, density=0.0)
    ratios = dict.fromkeys(("poisson_12", "poisson_13", "poisson_23"), nu)
    moduli = dict.fromkeys(("young_1", "young_2", "young_3"), young)
    shear = young / (2 * (1 + nu))
    body = Orthotropic(
        law="orthotropic", shear_12=shear, angle=37.0, density=0.0, **ratios, **moduli
    )
    measure = MEASURES[plane]
    assert np.abs(measure.stiffness(body) - measure.stiffness(same)).max() < 1e-14 * 4 * young


@pytest.mark.parametrize("law", [Isotropic(young=1e7, poisson=0.499, density=1.0), turned(20.0)])
def test_stiffness_is_the_inverse_of_the_compliance(law: Isotropic | Orthotropic) -> None:
    assert np.abs(law.stiffness() @ law.compliance() - np.eye(4)).max() < 1e-12


def test_plane_stress_stays_exact_where_the_material_is_nearly_incompressible() -> None:
    """D_xx = E/(1−ν²) though λ = Eν/((1+ν)(1−2ν)) is 3e11 times as large."""
    nu = 0.5 - 1e-12
    matrix = MEASURES["stress"].stiffness(Isotropic(young=1.0, poisson=nu, density=0.0))
    assert matrix[0, 0] == pytest.approx(1 / (1 - nu**2), rel=1e-15)
    assert not matrix[2].any()


def described(**material: Any) -> dict[str, Any]:
    data = study().model_dump(exclude_unset=True)
    return data | {"materials": {"m": material}}


def complaint(**material: Any) -> str:
    with pytest.raises(StudyError) as rejected:
        study_from_dict(described(**material))
    return str(rejected.value)


def test_a_material_without_a_law_is_isotropic() -> None:
    material = TypeAdapter(Material).validate_python({"young": 1.0, "density": 0.0})
    assert isinstance(material, Isotropic)


def test_keys_of_another_law_and_unknown_laws_are_rejected() -> None:
    ply = PLY.model_dump()
    assert 'belongs to law = "isotropic"' in complaint(**ply, poisson=0.3)
    assert 'must be "isotropic" or "orthotropic"' in complaint(**ply | {"law": "orthotopic"})


def test_constants_with_which_strain_would_free_energy_are_rejected() -> None:
    ply = PLY.model_dump()
    messages = complaint(**ply | {"poisson_12": 3.8})
    assert "`materials.m.poisson_12` is 3.8" in messages
    assert "√(young_1/young_2) = 3.742" in messages
    same = dict.fromkeys(("young_1", "young_2", "young_3"), 1e9)
    thrice = dict.fromkeys(("poisson_12", "poisson_13", "poisson_23"), 0.6)
    assert "positive definite" in complaint(**ply | same | thrice)


def test_reading_the_laws_takes_neither_finite_elements_nor_arrays() -> None:
    heavy = "dolfinx", "ufl", "petsc4py", "mpi4py", "numpy"
    code = (
        "import sys, fecontact.solid.laws.orthotropic; "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    messages = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert messages.stdout.strip() == "[]"


def test_the_documented_law_is_the_one_in_use() -> None:
    page = (PROJECT / "docs" / "how-to-add.md").read_text(encoding="utf-8")
    source = (PROJECT / "fecontact" / "solid" / "laws" / "orthotropic.py").read_text("utf-8")
    start = "<!-- fecontact/solid/laws/orthotropic.py -->\n```python\n"
    assert page.partition(start)[2].partition("```\n")[0] == source


@pytest.mark.parametrize("difference", [0.0, 1e-9, 0.1, 1.0, 3.0])
def test_henckys_energy_is_that_of_the_principal_logarithms(difference: float) -> None:
    """Also where two stretches are the same, or all but."""
    turn, back = (np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (0.7, -0.4))
    strains = np.array([0.2 + difference, 0.2, -0.3])
    gradient = np.diag(np.exp(strains))
    gradient[:2, :2] = turn @ gradient[:2, :2] @ back
    energy = apply_algebra_lowering(Hencky.psi(ufl.as_matrix(gradient.tolist()), 2.6, 0.3))(())
    expected = 0.75 * strains.sum() ** 2 + strains @ strains  # λ = 1.5, μ = 1
    assert float(energy) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("exponent", [1.3, -2.0, 25.0])
@pytest.mark.parametrize("difference", [0.0, 1e-9, 0.1, 1.0, 2.0])
def test_ogdens_energy_is_that_of_the_principal_stretches(
    difference: float, exponent: float
) -> None:
    """Also where two stretches are equal, or nearly equal."""
    law = Ogden(law="ogden", mu=(3.0 / exponent,), alpha=(exponent,), bulk=9.0, density=1.0)
    turn, back = (np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (0.7, -0.4))
    stretches = np.exp([0.2 + difference, 0.2, -0.4 - difference])
    gradient = np.diag(stretches)
    gradient[:2, :2] = turn @ gradient[:2, :2] @ back
    energy = apply_algebra_lowering(law.psi(ufl.as_matrix(gradient.tolist()), **law.constants()))
    expected = 3.0 / exponent**2 * (np.sum(stretches**exponent) - 3)
    assert float(energy(())) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "law",
    [
        Ogden(law="ogden", mu=(6.3e5, -1e4), alpha=(1.3, -2.0), bulk=1e7, density=1.0),
        Yeoh(law="yeoh", c_10=2e5, c_20=-3e3, c_30=1e2, bulk=1e7, density=1.0),
        MooneyRivlin(law="mooney-rivlin", c_10=1e5, c_01=4e4, bulk=1e7, density=1.0),
    ],
    ids=lambda law: law.law,
)
def test_the_small_strain_matrix_of_rubber_is_that_of_its_energy(law: Hyperelastic) -> None:
    """μ from the energy of a small shear without change of volume: ψ = ½ μ γ²."""
    shear = 1e-3
    gradient = np.array([[1.0, shear, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    energy = apply_algebra_lowering(law.psi(ufl.as_matrix(gradient.tolist()), **law.constants()))
    matrix = law.stiffness()
    assert 2 * float(energy(())) / shear**2 == pytest.approx(matrix[3, 3], rel=1e-5)
    assert matrix[:3, :3].sum() / 9 == pytest.approx(law.bulk_modulus)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"law": "ogden", "mu": [1e5, 1e3], "alpha": [2.0]}, "each μ_p needs one exponent"),
        ({"law": "ogden", "mu": [1e5, 1e3], "alpha": [2.0, -2.0]}, "product must be positive"),
        ({"law": "ogden", "mu": [1e5], "alpha": [40.0]}, "between −30 and 30"),
        ({"law": "ogden", "mu": [], "alpha": []}, "at least 1"),
        ({"law": "yeoh", "c_10": 1e5, "c_20": -1e3}, "greater than"),
    ],
)
def test_rubber_that_would_lose_its_stiffness_is_reported(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TypeAdapter(Material).validate_python(keys | {"bulk": 1e8, "density": 1e3})


def test_the_small_strain_stiffness_of_a_registered_energy_is_its_second_derivative() -> None:
    """St. Venant–Kirchhoff, ψ = μ E:E + λ/2 (tr E)²: λ + 2μ, λ and, for γ_xy, μ."""

    def energy(F: Any, shear: Any, lam: Any) -> Any:
        E = (F.T * F - ufl.Identity(3)) / 2
        return shear * ufl.inner(E, E) + lam / 2 * ufl.tr(E) ** 2

    fecontact.register_law("quadratic", energy)
    shear, lam = 3e5, 7e5
    keys = {"law": "registered", "energy": "quadratic", "values": {"shear": shear, "lam": lam}}
    law = TypeAdapter(Material).validate_python(keys | {"density": 1e3})
    expected = np.zeros((4, 4))
    expected[:3, :3] = lam + 2 * shear * np.eye(3)
    expected[3, 3] = shear
    assert law.stiffness() == pytest.approx(expected, rel=1e-5, abs=1e-5 * shear)
