"""Finite strain in closed form against stored energies, the elastica against its equation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fecontact.reference import (
    ClampedArch,
    Elastica,
    GumBar,
    InflatedTube,
    LeverOnStrip,
    OgdenStrain,
    PulsingTube,
    SnapHook,
    StuckBlock,
    UniformStrain,
    YeohStrain,
)


def neo_hookean(body: UniformStrain, a: float, b: float, c: float) -> float:
    growth = math.log(a * b * c)
    return body.shear * ((a * a + b * b + c * c - 3) / 2 - growth) + body.lame * growth**2 / 2


def st_venant_kirchhoff(body: UniformStrain, a: float, b: float, c: float) -> float:
    strains = [(s * s - 1) / 2 for s in (a, b, c)]
    return body.lame * sum(strains) ** 2 / 2 + body.shear * sum(e * e for e in strains)


def hencky(body: UniformStrain, a: float, b: float, c: float) -> float:
    strains = [math.log(s) for s in (a, b, c)]
    return body.lame * sum(strains) ** 2 / 2 + body.shear * sum(e * e for e in strains)


LAWS = ["neo_hookean", "st_venant_kirchhoff", "hencky"]


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("stretches", [(1.5, 1.0), (0.8, 1.1), (1.3, 1.3)])
def test_stresses_are_derivatives_of_the_energy(name: str, stretches: tuple[float, float]) -> None:
    body, energy = UniformStrain(young=2.0, poisson=0.3), globals()[name]
    a, c = stretches
    b, first, third = getattr(body, name)(a, c)
    h = 1e-5
    slopes = [
        (energy(body, a + h, b, c) - energy(body, a - h, b, c)) / (2 * h),
        (energy(body, a, b + h, c) - energy(body, a, b - h, c)) / (2 * h),
        (energy(body, a, b, c + h) - energy(body, a, b, c - h)) / (2 * h),
    ]
    assert slopes == pytest.approx([first * b * c, 0.0, third * a * b], abs=1e-8)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("a", [1.5, 0.8])
def test_a_bar_is_a_body_with_two_free_sides(name: str, a: float) -> None:
    body = UniformStrain(young=2.0, poisson=0.3)
    side, stress = getattr(body, f"{name}_bar")(a)
    b, first, third = getattr(body, name)(a, side)
    assert (b, first, third) == pytest.approx((side, stress, 0.0), abs=1e-12)


def test_shear_of_henckys_law_is_the_logarithm_of_a_matrix() -> None:
    body, shear = UniformStrain(young=2.0, poisson=0.3), 0.8
    gradient = np.array([[1.0, shear], [0.0, 1.0]])
    values, ways = np.linalg.eigh(gradient @ gradient.T)
    stress = body.shear * ways @ np.diag(np.log(values)) @ ways.T
    assert (stress[0, 1], stress[0, 0]) == pytest.approx(body.hencky_sheared(shear), rel=1e-12)


def test_stresses_of_a_bar_of_gum_are_derivatives_of_its_energy() -> None:
    bar = GumBar(c_10=2.0, c_01=0.7, bulk=500.0, stretch=1.6)

    def energy(*stretches: float) -> float:
        a, b, c = (s * s for s in stretches)
        volume = math.prod(stretches)
        first, second = a + b + c, a * b + b * c + c * a
        shape = 2.0 * volume ** (-2 / 3) * first + 0.7 * volume ** (-4 / 3) * second
        return shape + 250.0 * (volume - 1) ** 2

    h, side = 1e-5, bar.side
    along = (energy(1.6 + h, side, side) - energy(1.6 - h, side, side)) / (2 * h)
    across = (energy(1.6, side + h, side) - energy(1.6, side - h, side)) / (2 * h)
    assert (along, across) == pytest.approx((bar.stress * side**2, 0.0), abs=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        OgdenStrain(mu=(6.3, 0.012, -0.1), alpha=(1.3, 5.0, -2.0), bulk=500.0),
        YeohStrain(c_10=2.0, c_20=-0.03, c_30=0.001, bulk=500.0),
    ],
    ids=["ogden", "yeoh"],
)
def test_stresses_of_rubber_are_derivatives_of_its_energy(body: OgdenStrain | YeohStrain) -> None:
    def energy(*stretches: float) -> float:
        volume = math.prod(stretches)
        own = [s * volume ** (-1 / 3) for s in stretches]
        if isinstance(body, OgdenStrain):
            terms = zip(body.mu, body.alpha, strict=True)
            shape = sum(m / a * (sum(s**a for s in own) - 3) for m, a in terms)
        else:
            x = sum(s * s for s in own) - 3
            shape = body.c_10 * x + body.c_20 * x**2 + body.c_30 * x**3
        return shape + body.bulk / 2 * (volume - 1) ** 2

    h, given = 1e-5, (1.7, 1.2, 0.5)
    volume = math.prod(given)
    for i, stress in enumerate(body.stresses(given)):
        ahead, behind = list(given), list(given)
        ahead[i] += h
        behind[i] -= h
        slope = (energy(*ahead) - energy(*behind)) / (2 * h)
        assert slope * given[i] / volume == pytest.approx(stress, rel=1e-7)
    side, stress = body.uniaxial(2.0)
    assert body.stresses((2.0, side, side)) == pytest.approx((stress, 0.0, 0.0), abs=1e-9)
    thin, one, two = body.biaxial(1.5, 1.2)
    assert body.stresses((1.5, 1.2, thin)) == pytest.approx((one, two, 0.0), abs=1e-9)


def test_a_small_shear_of_rubber_has_its_shear_modulus() -> None:
    body = OgdenStrain(mu=(3.0, -1.0), alpha=(2.0, -2.0), bulk=100.0)
    assert body.sheared(0.3)[3] == pytest.approx(4.0 * 0.3)  # Mooney and Rivlin: μ γ
    assert body.sheared(0.3)[0] - body.sheared(0.3)[1] == pytest.approx(4.0 * 0.3**2)


@pytest.mark.parametrize("load", [0.2, 1.0, 5.0])
def test_the_elastica_meets_its_differential_equation(load: float) -> None:
    """EI θ'' = −P cos θ, θ(0) = 0, with the tip angle from θ'(L) = 0, by Runge and Kutta."""
    rod = Elastica(length=2.0, stiffness=3.0, force=load * 3.0 / 4.0)
    steps, s = 2000, 2.0 / 2000

    def slope(state: np.ndarray) -> np.ndarray:
        angle, curvature = state[:2]
        return np.array(
            [curvature, -load / 4.0 * math.cos(angle), math.cos(angle), math.sin(angle)]
        )

    state = np.array([0.0, math.sqrt(2 * load / 4.0 * math.sin(rod.angle)), 0.0, 0.0])
    for _ in range(steps):
        k1 = slope(state)
        k2 = slope(state + s / 2 * k1)
        k3 = slope(state + s / 2 * k2)
        state = state + s / 6 * (k1 + 2 * k2 + 2 * k3 + slope(state + s * k3))
    assert state[:2] == pytest.approx([rod.angle, 0.0], abs=1e-8)
    assert (state[2] - 2.0, state[3]) == pytest.approx(rod.tip, abs=1e-8)


def test_the_wall_of_the_tube_is_in_equilibrium() -> None:
    """dσ_r/dr = μ (λ² − 1/λ²)/r with λ = r/R, from 0 outside to the pressure in the bore."""
    tube = InflatedTube(inner=0.1, outer=0.2, shear=3.0, bore=0.15)
    assert tube.outside**2 - tube.bore**2 == pytest.approx(tube.outer**2 - tube.inner**2)
    assert tube.radial_stress(tube.outside) == pytest.approx(0.0, abs=1e-12)
    assert tube.radial_stress(tube.bore) == pytest.approx(-tube.pressure)
    for r in (0.16, 0.2):
        stretch = r / math.sqrt(r**2 - 0.15**2 + 0.1**2)
        slope = (tube.radial_stress(r + 1e-6) - tube.radial_stress(r - 1e-6)) / 2e-6
        assert slope == pytest.approx(3.0 * (stretch**2 - stretch**-2) / r, rel=1e-7)


BLOCK = {"young": 2.0, "width": 2.0, "height": 1.0, "squash": 0.15}


def test_a_stuck_block_that_does_not_bulge_is_in_uniform_strain() -> None:
    """ν = 0: the side is free of stress without moving."""
    block = StuckBlock(**BLOCK, poisson=0.0, degrees=3)
    assert block.force == pytest.approx(2.0 * 1.0 * (1 / 0.85 - 0.85), rel=1e-12)
    assert block.bulge == pytest.approx(0.0, abs=1e-12)


def test_more_polynomials_compress_a_stuck_block_with_less_force() -> None:
    """Newton's method ends, so the tangent is one; a fixed n is too stiff, as in `studies`."""
    found = [StuckBlock(**BLOCK, poisson=0.3, degrees=n).force for n in (3, 5, 7)]
    assert found == sorted(found, reverse=True)
    assert found[-1] / 2e-6 == pytest.approx(419_380, rel=2e-3)


def test_a_stuck_block_that_is_wide_is_compressed_as_between_walls() -> None:
    """λ_x = 1 in the middle; the ends, as long as the block is high, carry less."""
    wide = StuckBlock(young=2.0, poisson=0.3, width=40.0, height=1.0, squash=0.1, degrees=8)
    body = UniformStrain(young=2.0, poisson=0.3)
    between = body.shear * (1 / 0.9 - 0.9) - body.lame * math.log(0.9) / 0.9
    assert 0.97 < wide.force / (40.0 * between) < 1.0


def test_the_pulsing_tube_meets_the_equation_of_motion_of_its_wall() -> None:
    """ρ [(a ȧ)˙ ln(b/a) + ½ (a ȧ)² (1/b² − 1/a²)] = p − Rivlin's pressure at the bore a: the
    momentum of the wall, integrated over it."""
    tube = PulsingTube(inner=0.1, outer=0.2, shear=1e6, density=1000.0, pressure=3e5)
    h = 1e-6
    for t in np.linspace(0.05, 1.9, 12) * tube.period:
        a = 0.1 + tube.history(np.array([t - h, t, t + h]))["bore"]
        b = math.sqrt(0.2**2 - 0.1**2 + a[1] ** 2)
        rate, growth = (a[2] ** 2 - a[0] ** 2) / (4 * h), (a[2] ** 2 - 2 * a[1] ** 2 + a[0] ** 2)
        inertia = growth / (2 * h * h) * math.log(b / a[1])
        inertia += rate**2 / 2 * (b**-2 - a[1] ** -2)
        still = InflatedTube(inner=0.1, outer=0.2, shear=1e6, bore=float(a[1])).pressure
        assert 1000.0 * inertia == pytest.approx(3e5 - still, abs=300.0)


def test_the_pulsing_tube_swings_between_rest_and_its_widest() -> None:
    tube = PulsingTube(inner=0.1, outer=0.2, shear=1e6, density=1000.0, pressure=3e5)
    swing = tube.history(tube.period * np.array([0.0, 0.5, 1.0, 1.5]))
    assert swing["bore"] == pytest.approx([0.0, tube.widest - 0.1] * 2, abs=1e-12)
    volume = (0.2 + swing["outside"]) ** 2 - (0.1 + swing["bore"]) ** 2
    assert volume == pytest.approx(0.2**2 - 0.1**2)
    soft = PulsingTube(inner=0.1, outer=0.2, shear=1e6, density=1000.0, pressure=1.0)
    small = math.sqrt(2e6 * (0.1**-2 - 0.2**-2) / (1000.0 * math.log(2.0)))  # linear theory
    assert soft.period == pytest.approx(2 * math.pi / small, rel=1e-5)


@pytest.mark.parametrize(
    ("angle", "load", "shortening", "sway"),
    [
        (20.0, 1.015396866, 0.030269093, 0.219413042),
        (40.0, 1.063663266, 0.118796488, 0.422240340),
        (80.0, 1.293889324, 0.440604081, 0.719497105),
    ],
)
def test_the_elastica_buckles(angle: float, load: float, shortening: float, sway: float) -> None:
    """P/P_cr = (2K/π)², 2(1 − E/K) and 2k/K with k = sin(α/2), by complete elliptic integrals."""
    force = load * math.pi**2 * 3.0 / (4.0 * 2.0**2)
    rod = Elastica(length=2.0, stiffness=3.0, force=force, direction=1e-8)
    assert math.degrees(rod.angle) == pytest.approx(angle, abs=1e-5)
    assert rod.tip == pytest.approx((-2.0 * shortening, 2.0 * sway), abs=1e-6)


def shallow(arch: ClampedArch, beta: float) -> tuple[float, float, float]:
    """Return deflection, force and thrust of a shallow arch, EI w⁗ + H w″ = −H/R, at β² = H/EI,
    with the smaller force of the two that belong to this thrust.
    """
    a, kappa = arch.radius * math.sin(math.radians(arch.half_angle)), 1 / arch.radius
    h = arch.thickness
    bending, b = arch.young * h**3 / 12, beta
    points, weights = np.polynomial.legendre.leggauss(30)
    x, weights = a * (points + 1) / 2, weights / 2
    matrix = np.array(
        [
            [0, b, 0, 1],  # w′(0) = 0
            [0, -bending * b**3, 0, 0],  # the force
            [math.cos(b * a), math.sin(b * a), 1, a],  # w(a) = w′(a) = 0
            [-b * math.sin(b * a), b * math.cos(b * a), 0, 1],
        ]
    )
    by_force, by_shape = np.linalg.solve(
        matrix, np.array([[0, 0.5, 0, 0], [0, 0, kappa * a**2 / 2, kappa * a]]).T
    ).T

    def slope(c: np.ndarray) -> np.ndarray:
        return -c[0] * b * np.sin(b * x) + c[1] * b * np.cos(b * x) + c[3]

    one, none = slope(by_force), slope(by_shape) - kappa * x
    square, linear = weights @ one**2 / 2, weights @ ((none + kappa * x) * one)
    rest = weights @ (none**2 / 2 + kappa * x * none) + bending * b**2 / (arch.young * h)
    force = (-linear - math.sqrt(linear**2 - 4 * square * rest)) / (2 * square)
    down = by_shape[0] + by_shape[2] + force * (by_force[0] + by_force[2])
    return down, force, bending * b**2


def test_a_flat_arch_is_the_shallow_arch_in_closed_form() -> None:
    """Up to the limit point; the difference is of the order of the slope squared."""
    errors = []
    for angle in (0.1, 0.05):
        radius = 1 / math.sin(angle)
        shape = {"radius": radius, "half_angle": math.degrees(angle)}
        thickness = radius * (1 - math.cos(angle)) / 4
        arch = ClampedArch(**shape, thickness=thickness, young=1e9, poisson=0.0, speed=1.0)
        down, force, thrust = np.array([shallow(arch, b) for b in (1.5, 2.5, 3.5)]).T
        found = arch.path(down)
        assert found[1] == pytest.approx(thrust, rel=2 * angle**2)
        errors.append(np.abs(found[0] / force - 1).max())
    assert errors[0] < 0.01
    assert errors[1] < 0.3 * errors[0]


HOOK = {
    "length": 0.042, "thickness": 0.002, "nose": 0.0025, "young": 2.4e9, "poisson": 0.38,
    "friction": 0.2, "angle": 20.0, "radius": 0.002, "height": -0.0005, "begin": 0.05,
    "end": 0.053, "speed": 1.0,
}  # fmt: skip


def test_the_rod_of_the_snap_hook_bends_as_beams_do() -> None:
    """On a plateau without friction: by a little as a beam with shear, but for 3/2 e θ/L of the
    nose that turns, 1e-3; by a third of its length as the elastica, without thickness and shear."""
    low = SnapHook(**HOOK | {"friction": 0.0, "height": -0.0025 + 2e-4})
    bending, shear = 2.4e9 / (1 - 0.38**2) * 0.002**3 / 12, 5 / 6 * 2.4e9 / 2.76 * 0.002
    push, across = low.path()[1:]
    middle = len(push) // 2
    assert push[middle] == 0.0
    assert across[middle] == pytest.approx(
        2e-4 / (0.042**3 / 3 / bending + 0.042 / shear), rel=2e-3
    )
    thin = {"length": 1.0, "thickness": 1e-3, "nose": 1e-6, "height": 0.3, "friction": 0.0}
    high = SnapHook(**HOOK | thin | {"begin": 1.5, "end": 1.6})
    force = float(high.path()[2][middle])
    rod = Elastica(length=1.0, stiffness=2.4e9 / (1 - 0.38**2) * 1e-9 / 12, force=force)
    assert rod.tip[1] == pytest.approx(0.3, rel=1e-3)


def test_the_work_of_the_snap_hook_is_rubbed_away() -> None:
    """∫ push over the path of the root = µ ∫ pressure over the outline, the hook being free again;
    without friction it is nothing."""
    hook = SnapHook(**HOOK)
    assert hook.slides
    root, push, across = hook.path()
    x, y, _ = hook._outline()
    way = np.hypot(np.diff(x), np.diff(y))
    normal = np.hypot(push, across) * math.cos(math.atan(0.2))
    rubbed = 0.2 * np.sum(way * (normal[1:] + normal[:-1]) / 2)
    assert np.trapezoid(push, root) == pytest.approx(rubbed, rel=1e-4)
    root, push, _ = SnapHook(**HOOK | {"friction": 0.0}).path()
    assert np.trapezoid(push, root) == pytest.approx(0.0, abs=1e-4 * rubbed)


LEVER = {
    "length": 1.0, "thickness": 0.01, "young": 1.2e9, "poisson": 0.0, "hinge": 0.4, "arm": 0.8,
    "travel": 0.5, "duration": 2.0,
}  # fmt: skip


def test_the_lever_does_its_work_on_the_strip() -> None:
    """∫ F du = ∫ P n·dc, trapezoidal rule: 1e-3; a little travel bends the strip as a beam."""
    lever = LeverOnStrip(**LEVER)
    path = lever.path()
    beta, mean = path["angle"], lambda v: (v[1:] + v[:-1]) / 2
    down = 0.8 * np.sin(beta)
    fx, fy = -path["force"] * np.sin(beta), -path["force"] * np.cos(beta)
    done = np.sum(mean(fx) * np.diff(path["x"]) + mean(fy) * np.diff(path["y"]))
    assert done > 10.0
    assert np.trapezoid(path["drive"], down) == pytest.approx(done, rel=1e-3)
    assert lever.history(np.array([1.0]))["angle"] == pytest.approx(-math.asin(0.25 / 0.8))
    little = LeverOnStrip(**LEVER | {"travel": 1e-3}).path()
    beam = 3 * 100.0 * little["y"][-1]  # 3 EI/L³, with shear of (h/L)²
    assert -little["force"][-1] == pytest.approx(beam, rel=1e-3)


def test_parameters_out_of_range_are_named() -> None:
    with pytest.raises(ValueError, match="hinge"):
        LeverOnStrip(**LEVER | {"hinge": 1.0})
    with pytest.raises(ValueError, match="travel"):
        LeverOnStrip(**LEVER | {"travel": 0.8})
    with pytest.raises(ValueError, match="poisson"):
        UniformStrain(young=1.0, poisson=0.5)
    with pytest.raises(ValueError, match="less than height"):
        StuckBlock(**BLOCK | {"squash": 1.0}, poisson=0.3)
    with pytest.raises(ValueError, match="stiffness"):
        Elastica(length=1.0, stiffness=0.0, force=1.0)
    with pytest.raises(ValueError, match="pressure must be below 693147 Pa"):
        PulsingTube(inner=0.1, outer=0.2, shear=1e6, density=1000.0, pressure=7e5)
    with pytest.raises(ValueError, match="height must be above"):
        SnapHook(**HOOK | {"height": -0.0024})
