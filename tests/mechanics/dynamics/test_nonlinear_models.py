"""Models with nonlinear internal forces: Newton's method around the contact problem."""

import numpy as np
import pytest
from dense_bulk import DenseBulk
from quad4_blocks import Time, shoe
from scipy.special import ellipk

from fecontact.bulk import Bulk
from fecontact.contact.interface.layout import Pair
from fecontact.contact.methods import Lagrangian
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.steps.newton import equilibrium_of
from fecontact.study.errors import RunError

GRAVITY = 9.81


class Linearised(DenseBulk):
    """A nonlinear model: all but f and K are the defaults of the base class."""

    nonlinear = True

    def factor(self, m, c, k):
        self.factorisations += 1
        return super().factor(m, c, k)


class Bars(Linearised):
    """Point masses joined by bars of energy ½ k (l − L)², with any rotation."""

    def __init__(self, coordinates, bars, mass, stiffness, prescribed=(), contact=()):
        self._x, self._bars, self._bar = np.asarray(coordinates, float), np.array(bars), stiffness
        self._length = np.linalg.norm(self._x[self._bars[:, 1]] - self._x[self._bars[:, 0]], axis=1)
        fixed = np.zeros(self._x.shape, bool)
        fixed[list(prescribed)] = True
        weight = np.outer(mass, [0.0, -GRAVITY])
        inertia, none = np.diag(np.repeat(mass, 2)), np.zeros((2 * len(mass),) * 2)
        super().__init__(self._x, inertia, none, fixed, np.array(contact, int), lambda t: weight)
        self.linearise(np.zeros(self.size), np.zeros(self.size))

    def _stretched(self, u):
        """Direction, length and tension of the bars."""
        moved = np.zeros(self._x.size)
        moved[self._free] = u
        x = self._x + moved.reshape(-1, 2)
        along = x[self._bars[:, 1]] - x[self._bars[:, 0]]
        length = np.linalg.norm(along, axis=1)
        return along / length[:, None], length, self._bar * (length - self._length)

    def internal(self, u, out):
        e, length, tension = self._stretched(u)
        full = np.zeros_like(self._x)
        np.add.at(full, self._bars[:, 1], tension[:, None] * e)
        np.add.at(full, self._bars[:, 0], -tension[:, None] * e)
        out[:] = full.ravel()[self._free]
        return 0.5 * self._bar * float(np.sum((length - self._length) ** 2))

    def linearise(self, u, force):
        full = np.zeros((self._x.size, self._x.size))
        for (a, b), e, length, tension in zip(self._bars, *self._stretched(u), strict=True):
            block = self._bar * np.outer(e, e) + tension / length * (np.eye(2) - np.outer(e, e))
            ends = [2 * a, 2 * a + 1, 2 * b, 2 * b + 1]
            full[np.ix_(ends, ends)] += np.block([[block, -block], [-block, block]])
        self._k = self._restrict(full)


def ended(loop):
    while not loop.finished:
        loop.advance()
    return loop


def test_of_a_linear_bulk_newtons_method_finds_what_one_pass_does():
    loops = []
    for kind in (DenseBulk, Linearised):
        bulk, pairs = shoe(3)
        bulk.__class__ = kind
        loops.append(ended(TimeLoop(bulk, pairs, Time(scheme="hht", step=0.01, end=0.5))))
    one, newton = loops
    assert newton.now.u == pytest.approx(one.now.u, rel=1e-9, abs=1e-12)
    assert newton.contact.force == pytest.approx(one.contact.force, rel=1e-7, abs=1e-3)


def test_a_pendulum_swings_as_wide_as_it_likes():
    """From 120° on either side; period 4 K(k) √(L/g), k = sin(60°)."""
    angle = np.radians(120.0)
    bob = np.array([np.sin(angle), -np.cos(angle)])
    bulk = Bars([[0.0, 0.0], bob], [[0, 1]], [0.0, 2.0], 1e6, prescribed=[0])
    period = 4.0 * ellipk(np.sin(angle / 2) ** 2) / np.sqrt(GRAVITY)
    steps = 2000
    scheme = Time(scheme="average-acceleration", step=period / steps, end=period)
    loop = TimeLoop(bulk, [], scheme)
    heights = []
    while not loop.finished:
        loop.advance()
        heights.append(bob[1] + loop.now.u[1])
        assert abs(loop.ledger.balance_error) < 1e-9 * 2.0 * GRAVITY
    assert min(heights) == pytest.approx(-1.0, abs=1e-4)  # it is longer by the force over k
    assert loop.now.u == pytest.approx([0.0, 0.0], abs=20 * (2 * np.pi / steps))


@pytest.mark.parametrize("friction", (0.0, 0.4))
def test_a_frame_thrown_with_spin_tumbles_on_the_floor_and_its_ledger_closes(friction):
    side, floor = 1.0, 3.0
    square = np.array([[0.0, 0.3], [side, 0.3], [side, 1.3], [0.0, 1.3]])
    ground = [[-floor, 0.0], [-floor, -0.5], [4 * floor, -0.5], [4 * floor, 0.0]]
    bars = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]]
    mass = np.array([1.0] * 4 + [0.0] * 4)
    bulk = Bars(
        np.vstack([square, ground]), bars, mass, 1e5, prescribed=range(4, 8), contact=range(8)
    )
    edges = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
    settings = Lagrangian(slave="frame", master="floor", friction=friction)
    pair = Pair("fall", settings, edges, np.array([[7, 4]]))
    centre, spin = square.mean(axis=0), 3.0
    v = np.column_stack([1.0 - spin * (square - centre)[:, 1], spin * (square - centre)[:, 0]])
    scheme = Time(scheme="average-acceleration", impact="stabilized", step=2e-3, end=1.2)
    loop = TimeLoop(bulk, [pair], scheme, v=v.ravel())
    lowest, turned, touched = np.inf, 0.0, False
    while not loop.finished:
        loop.advance()
        ledger = loop.ledger
        total = ledger.kinetic + ledger.strain - ledger.external_work
        assert total <= ledger.initial * 1.001  # the scheme keeps energy to its order only
        assert abs(ledger.balance_error) < 1e-8 * ledger.initial
        x = square + loop.now.u.reshape(-1, 2)
        lowest, turned = (
            min(lowest, x[:, 1].min()),
            max(turned, abs(np.arctan2(*(x[1] - x[0])[::-1]))),
        )
        touched |= bool(loop.contact.force.any())
    assert ledger.friction >= 0.0 and (ledger.friction > 0.0) == (friction > 0.0)
    assert touched and lowest > -1e-9
    assert np.linalg.norm(x[1] - x[0]) == pytest.approx(side, rel=0.05)
    assert turned > 0.5  # rad: no small rotation


def test_a_load_beyond_the_limit_point_is_reported():
    """Two flat bars under their own weight: statically they snap through, and the step ends."""
    nodes = [[-1.0, 0.0], [0.0, 0.05], [1.0, 0.0]]
    bulk = Bars(nodes, [[0, 1], [1, 2]], [0.0, 50.0, 0.0], 1e5, prescribed=[0, 2])
    bulk._load = lambda t: np.array([[0.0, 0.0], [0.0, -50.0 * t], [0.0, 0.0]])
    loop = TimeLoop(bulk, [], Time(scheme="static", step=0.1, end=1.0, min_step=0.01))
    with pytest.raises(RunError, match=r"equilibrium|singular"):
        ended(loop)
    assert 0.0 < loop.time < 1.0


def test_a_model_without_mean_forces_cannot_conserve_energy() -> None:
    bulk = Bars([[0.0, 0.0], [0.0, 1.0]], [[0, 1]], [0.0, 1.0], 1e3, prescribed=[0])
    with pytest.raises(RunError, match="energy-momentum is not supported"):
        equilibrium_of(bulk, 0, True, lambda size: None)


def test_a_model_that_lacks_an_operation_is_not_built() -> None:
    class Half(Bulk):
        def mass(self, x, out):
            return x

    with pytest.raises(TypeError, match="abstract"):
        Half()
