"""Factorisation for one step size, reused in corotated axes.

M is isotropic, so the effective matrix rotates as a whole. Over a step in which a body rotates by
φ, with A₀ = m M + k K of the undeformed body, R_l and R_r the axes of its forces and of its motion,
and c, s = cos, sin(φ/2), the matrix of the step is

    A = R_l [c A₀ + s m M J + k V/I² (M J X)(M J X)ᵀ + …] R_rᵀ

(R_l = R_r and φ = 0 for schemes with forces at the end of the step). V = Σ X·R_lᵀf is the virial of
the internal forces: as they rotate with the body, they gain a moment about its old axes. The
neglected terms are smaller by a factor of the order of the strains. Only the action of the second
term on the rigid modes Φ = (e_x, e_y, J X) is retained: there it is as large as the first, while
for elastic modes of frequency ω it is at most s m/(c k ω²) of the first. With M-orthogonal Φ and
A₀⁻¹ M Φ = Φ/m, Woodbury's formula has a closed form. For b̂ = R_lᵀ b with the resultant F and the
moment T about the centre, mass m_b and inertia I of the body, and ν = k V/(c m I),

    A⁻¹ b = R_r [ A₀⁻¹ b̂/c − s/(c m m_b) J R(−φ/2) F + T/(c I (1 + ν)) (s/c g − ν/m J X) ]

with g = A₀⁻¹ M X. Each A₀ needs one additional vector, and a solve costs one back-substitution as
for a body without rotation. The compliance G of the contact dofs follows from G₀ in the same
manner; its rows are computed on demand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.kernels import kernel, summing
from fecontact.solid.corotational.frame import CorotationalNodes, rotate
from fecontact.solid.fem.dofs import SharedNodes
from fecontact.solid.solvers.substructure import DirectFactor

BLOCK = 32  # rows of G₀ computed at a time
MAX_DENSE_DOFS = 1000  # contact dofs up to which all rows are computed together
LIMIT = 9_000_000  # stored entries of G₀, 72 MB


class Turn(NamedTuple):
    """Axes of forces and of motion (b, 2) as cosine and sine; cos, sin(φ/2) (b, 2); V (b,), J."""

    left: Array
    right: Array
    half: Array
    virial: Array


class CorotationalSurface(NamedTuple):
    """Contact nodes, identical on every rank.

    dof: (k, 2).
    body: (k,), −1 for bodies that are not corotational.
    place: (k, 2) X, m.
    node: (n,) node of each contact dof.
    """

    dof: Integers
    body: Integers
    place: Array
    node: Integers


class RestFactor:
    """Factorised A₀, shared by all rotations at one step size.

    factor: factor of A₀.
    g: A₀⁻¹ M X on the free dofs of this rank, and at the contact dofs.
    """

    def __init__(
        self,
        factor: DirectFactor,
        m: float,
        k: float,
        spread: Array,
        surface: SharedNodes,
    ) -> None:
        """Factorise A₀; spread: M X on the free dofs, 0 for other than corotational bodies."""
        self.factor, self.m, self.k, self._size = factor, m, k, surface.size
        self.g: Array = factor.solve(spread, np.empty_like(spread))
        self.g_contact: Array = surface.gather(self.g, np.empty(surface.size))
        self._width = max(1, surface.size if surface.size <= MAX_DENSE_DOFS else BLOCK)
        self.rows: Array = np.zeros((0, surface.size))
        self.place: Integers = np.full(surface.size, -1)

    def need(self, dofs: Integers) -> None:
        """Compute and store the rows of G₀ of the given contact dofs. Collective."""
        for block in np.unique(dofs[self.place[dofs] < 0] // self._width):
            if (len(self.rows) + self._width) * self._size > LIMIT and len(self.rows):
                self.rows, self.place[:] = self.rows[:0], -1
                return self.need(dofs)
            first = block * self._width
            wanted = np.arange(first, min(first + self._width, self._size))
            self.place[wanted] = len(self.rows) + np.arange(len(wanted))
            self.rows = np.concatenate([self.rows, self.factor.compliance(wanted)])
        return None


class TurnedFactor:
    """A at one rotation; :class:`fecontact.bulk.Factor`.

    total: sum over all ranks, bitwise identical on each.
    """

    def __init__(
        self,
        rest: RestFactor,
        turn: Turn,
        nodes: CorotationalNodes,
        surface: CorotationalSurface,
        total: Callable[[Array], Array],
    ) -> None:
        self._rest, self._turn, self._nodes = rest, turn, nodes
        self._surface, self._total = surface, total
        self.stabilised = rest.factor.stabilised
        self.spring_stiffness = rest.factor.spring_stiffness
        self._unit = _responses(rest, turn, nodes)
        self._turned: Array = np.zeros_like(rest.g)
        self._resultant: Array = np.zeros((len(nodes.total), 3))

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        resultant = self._into_frames(b)
        self._rest.factor.solve(self._turned, out)
        self._out_of_frames(resultant, out)
        return out

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b on every rank; b is stored for :meth:`solution_with_contact`."""
        self._resultant = self._into_frames(b)
        out = self._rest.factor.interface_solution(self._turned)
        add_rigid(self._surface, self._turn, self._unit, self._resultant, self._rest.g_contact, out)
        return out

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`interface_solution`."""
        turned = force.copy()
        resultant = self._resultant.copy()
        turn_contact_forces(self._surface, self._turn.left, turned, resultant)
        self._rest.factor.solution_with_contact(turned, out)
        self._out_of_frames(resultant, out)
        return out

    def compliance(self, dofs: Integers) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ: displacements of all contact dofs under unit forces at
        `dofs`.
        """
        rest, surface = self._rest, self._surface
        node = surface.node[dofs]
        pairs = surface.dof[node]
        rest.need(np.unique(pairs[pairs >= 0]))
        out = np.zeros((len(dofs), len(rest.place)))
        of_rest = rest.rows, rest.place, rest.g_contact
        _turn_rows(dofs, node, surface, self._turn, self._unit, out, *of_rest)
        return out

    def _into_frames(self, b: Array) -> Array:
        """Return b̂ = R_lᵀ b and its resultants and moments (b, 3), over all ranks."""
        self._turned[:] = b
        rotate(self._nodes, self._turn.left, -1.0, b, self._turned)
        resultant: Array = np.zeros((len(self._nodes.total), 3))
        add_up_resultants(self._nodes, self._turned, resultant)
        return self._total(resultant)

    def _out_of_frames(self, resultant: Array, out: Array) -> None:
        """Transform A₀⁻¹ b̂ → A⁻¹ b in place."""
        add_rigid(self._nodes, self._turn, self._unit, resultant, self._rest.g, out)


def _responses(rest: RestFactor, turn: Turn, nodes: CorotationalNodes) -> Array:
    """Return for each body (b, 3) s/(c m m_b) and the factors of g and of J X for a unit moment."""
    cos, sin = turn.half.T
    added = rest.k * turn.virial / (cos * rest.m * nodes.inertia)
    moment = 1.0 / (cos * nodes.inertia * (1.0 + added))
    shares = moment * sin / cos, -moment * added / rest.m
    return np.stack([sin / (cos * rest.m * nodes.total), *shares], axis=1)


@summing
def add_up_resultants(nodes, force, out):  # type: ignore[no-untyped-def]
    """Compute out (b, 3) = Σ force_x, Σ force_y, Σ X × force of this rank."""
    for b in range(len(out)):
        x, y, moment = 0.0, 0.0, 0.0
        for i in range(nodes.first[b], nodes.first[b + 1]):
            fx, fy = force[nodes.dof[i, 0]], force[nodes.dof[i, 1]]
            x += fx
            y += fy
            moment += nodes.place[i, 0] * fy - nodes.place[i, 1] * fx
        out[b, 0], out[b, 1], out[b, 2] = x, y, moment


@kernel
def turn_contact_forces(surface, left, force, resultant):  # type: ignore[no-untyped-def]
    """Transform force ← R_lᵀ force at the contact dofs and add its resultants to `resultant`."""
    for i in range(len(surface.body)):
        b = surface.body[i]
        if b < 0:
            continue
        d, e = surface.dof[i, 0], surface.dof[i, 1]
        fx, fy = force[d], force[e]
        if fx == 0.0 and fy == 0.0:
            continue
        cos, sin = left[b, 0], left[b, 1]
        force[d], force[e] = cos * fx + sin * fy, cos * fy - sin * fx
        resultant[b, 0] += force[d]
        resultant[b, 1] += force[e]
        resultant[b, 2] += surface.place[i, 0] * force[e] - surface.place[i, 1] * force[d]


@kernel
def add_rigid(nodes, turn, unit, resultant, g, x):  # type: ignore[no-untyped-def]
    """Compute x ← R_r [x/c + rigid modes] at corotational nodes; g at the same dofs as x."""
    last = -1
    inverse, shift_x, shift_y, of_g, of_turn, cos, sin = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(nodes.body)):
        b = nodes.body[i]
        if b < 0:
            continue
        if b != last:  # Per-body terms.
            c, s, (fx, fy, moment), last = turn.half[b, 0], turn.half[b, 1], resultant[b], b
            shift_x, shift_y = unit[b, 0] * (c * fy - s * fx), -unit[b, 0] * (c * fx + s * fy)
            inverse, of_g, of_turn = 1.0 / c, unit[b, 1] * moment, unit[b, 2] * moment
            cos, sin = turn.right[b, 0], turn.right[b, 1]
        d, e = nodes.dof[i, 0], nodes.dof[i, 1]
        ux = inverse * x[d] + shift_x + of_g * g[d] - of_turn * nodes.place[i, 1]
        uy = inverse * x[e] + shift_y + of_g * g[e] + of_turn * nodes.place[i, 0]
        x[d], x[e] = cos * ux - sin * uy, sin * ux + cos * uy


@kernel
def _turn_rows(dofs, node, surface, turn, unit, out, *of_rest):  # type: ignore[no-untyped-def]
    """Compute rows of G from rows g0 of G₀; dof d has row place[d]; node: node of each dof.

    of_rest: g0, place, and g at the contact dofs.
    """
    g0, place, g = of_rest
    for row in range(len(dofs)):
        here = node[row]
        b = surface.body[here]
        if b < 0:
            for k in range(out.shape[1]):
                out[row, k] = g0[place[dofs[row]], k]
            continue
        first, second = g0[place[surface.dof[here, 0]]], g0[place[surface.dof[here, 1]]]
        cos, sin = turn.left[b, 0], turn.left[b, 1]
        fx, fy = (cos, -sin) if dofs[row] == surface.dof[here, 0] else (sin, cos)
        c, s = turn.half[b, 0], turn.half[b, 1]
        shift_x, shift_y = unit[b, 0] * (c * fy - s * fx), -unit[b, 0] * (c * fx + s * fy)
        moment = surface.place[here, 0] * fy - surface.place[here, 1] * fx
        of_g, of_turn = unit[b, 1] * moment, unit[b, 2] * moment
        cos, sin = turn.right[b, 0], turn.right[b, 1]
        for i in range(len(surface.body)):
            if surface.body[i] != b:
                continue
            d, e = surface.dof[i, 0], surface.dof[i, 1]
            ux = (fx * first[d] + fy * second[d]) / c + shift_x + of_g * g[d]
            uy = (fx * first[e] + fy * second[e]) / c + shift_y + of_g * g[e]
            ux -= of_turn * surface.place[i, 1]
            uy += of_turn * surface.place[i, 0]
            out[row, d], out[row, e] = cos * ux - sin * uy, sin * ux + cos * uy
