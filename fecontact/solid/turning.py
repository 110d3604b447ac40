"""Elastic bodies of which some turn as far as they like: a bulk that is linearised, factored once.

    M ü + f(u) = F φ(t) + R F̂ φ(t) + contact forces

f is that of :mod:`fecontact.solid.turning_frame` for turning bodies and K u for the others; its
matrix at a state is the factor of the bodies at rest in turned axes
(:mod:`fecontact.solid.turning_factor`). A frame belongs to a connected part of the mesh. Springs
and hinges of turning bodies (:mod:`fecontact.solid.links`) are added to both as what they are,
matrices of few dofs. Loads that follow the surface of a turning body, F̂ in its axes, turn with it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Integers
from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array
from fecontact.solid.discrete import Discretes
from fecontact.solid.linked_factor import BodyFactor, LinkedFactor
from fecontact.solid.links import Hinges, Links
from fecontact.solid.loads import LoadHistory, Pattern
from fecontact.solid.solid import Parts, Solid
from fecontact.solid.turning_factor import (
    RestFactor,
    Turn,
    TurnedFactor,
    TurningSurface,
    add_up_resultants,
)
from fecontact.solid.turning_frame import (
    Frames,
    TurningNodes,
    add_up_moments,
    add_up_motion,
    add_up_spin,
    add_up_spread,
    add_up_turn,
    add_up_virial,
    carry_on,
    deform,
    mean_arm,
    rotate,
    turn_forces,
)

KEPT = 12  # factors kept: the sizes of whole steps, and of cut or halved ones
EPSILON = float(np.finfo(float).eps)
HELD = 1e12  # mass, kg, that keeps a hinge from accelerating at the start


class TurningParts(NamedTuple):
    """What a :class:`TurningSolid` has beside the parts of a solid.

    node: (b,) of each connected part of the mesh that turns; spin: (b,) its initial rate of
    rotation, rad/s. springs, hinges: on these parts. loads: patterns that turn with them, on the
    dofs this rank owns.
    """

    node: Integers
    spin: Array
    springs: Discretes
    hinges: Hinges
    loads: Mapping[Pattern, Array]


class TurningSolid(Solid):
    """Elastic bodies on this rank, some of which turn; :class:`fecontact.contact.bulk`'s
    `ConservingBulk` and `FollowingBulk`.

    follows: whether loads or dashpots turn with the bodies.
    """

    def __init__(self, parts: Parts, more: TurningParts) -> None:
        super().__init__(parts)
        turning, self._spins = more.node, more.spin
        self._part = connected_parts(self.mesh)
        number = np.full(self._part.max() + 1, -1)
        number[self._part[turning]] = np.arange(len(turning))
        self._body_of_node = number[self._part]
        self._turning = self._turning_nodes(len(turning))
        self._spread = self._spread_of_mass()
        self._turning_surface = self._contact_surface()
        self._links = Links(more.springs, more.hinges, self.mesh, self.surface)
        self._linked = bool(len(self._links.dofs))
        self._hinged = more.hinges.names
        if self._hinged:
            diagonal = self._matrices.stiffness.getDiagonal().getArray()
            self._links.hold(self._links.at(diagonal))
        self._slope: Array = np.zeros((0, 0))  # of the links, where last linearised
        self._dashpots = self._links.damping(np.zeros(len(self._links.dofs)))
        self.has_damping |= self._links.damped
        self._fastened = self._fastened_bodies(more)
        patterns = {key: vector[self._free.owned] for key, vector in more.loads.items()}
        self._following = LoadHistory(parts.functions, patterns, self.size)
        self._loads_follow = bool(patterns)
        self.follows = self._loads_follow or self._links.turns_dashpots
        self.linearise(np.zeros(self.size), np.zeros(self.size))
        self._rest: OrderedDict[tuple[float, float, float], RestFactor] = OrderedDict()
        self.factorisations = 0
        self._a, self._b, self._c = np.zeros((3, self.size))
        self.rounding = self._rounding()

    # What frames are made of -------------------------------------------------------------------

    def _turning_nodes(self, count: int) -> TurningNodes:
        """The turning nodes of this rank with masses, places and inertia."""
        index = self._free.index
        nodes = np.flatnonzero((self._body_of_node >= 0) & (index >= 0).all(axis=1))
        dof, body = index[nodes], self._body_of_node[nodes]
        ones, product = np.zeros(self.size), np.zeros(self.size)
        ones[dof[:, 0]] = 1.0
        mass = self.mass(ones, product)[dof[:, 0]]
        points = self.mesh.points[nodes]
        sums: Array = np.zeros((count, 3))
        np.add.at(sums, body, np.column_stack([mass, mass[:, None] * points]))
        sums = self.agreed(sums)
        self._centre = sums[:, 1:] / sums[:, :1]
        place = points - self._centre[body]
        turned = np.zeros(self.size)
        turned[dof[:, 0]], turned[dof[:, 1]] = -place[:, 1], place[:, 0]
        self.mass(turned, product)
        inertia = np.zeros(count)
        np.add.at(inertia, body, np.sum(turned[dof] * product[dof], axis=1))
        return TurningNodes(dof, body, place, mass, sums[:, 0].copy(), self.agreed(inertia))

    def _spread_of_mass(self) -> Array:
        """M X of turning bodies."""
        x = np.zeros(self.size)
        x[self._turning.dof] = self._turning.place
        return self.mass(x, np.zeros(self.size))

    def _contact_surface(self) -> TurningSurface:
        """Bodies and places of the contact nodes, on every rank."""
        nodes, dof = self.surface.node, self.surface.dof
        body = self._body_of_node[nodes]
        place = np.where((body >= 0)[:, None], self.mesh.points[nodes] - self._centre[body], 0.0)
        of_dof = np.zeros(self.surface.size, dtype=np.int64)
        for component in range(2):
            free = dof[:, component] >= 0
            of_dof[dof[free, component]] = np.flatnonzero(free)
        return TurningSurface(dof, body, place, of_dof)

    def _fastened_bodies(self, more: TurningParts) -> NDArray[np.bool_]:
        """(b,) bodies that springs or hinges hold."""
        nodes = np.concatenate([more.springs.ends.ravel(), more.hinges.node])
        bodies = self._body_of_node[nodes[nodes >= 0]]
        return np.isin(np.arange(len(more.node)), bodies)

    def _rounding(self) -> float:
        """What f is uncertain by because places have 16 digits: ε |K| |X|, N, over all dofs."""
        start, _, values = self._matrices.stiffness.getValuesCSR()
        sizes = np.add.reduceat(np.abs(values), start[:-1])[self._turning.dof.ravel()]
        farthest = np.abs(self._turning.place).max(initial=0.0)
        body = EPSILON * float(np.sqrt(self.comm.allreduce(np.sum((farthest * sizes) ** 2))))
        return body + EPSILON * self._links.largest_force(np.ptp(self.mesh.points))

    def agreed(self, partial: Array) -> Array:
        """The sum over all ranks, the same bits on each."""
        if self.comm.size == 1:
            return partial
        result = self.total(partial)
        self.comm.Bcast(result)
        return result

    def frames(self, u: Array) -> Frames:
        """The frames at displacements u; collective."""
        nodes, count = self._turning, len(self._turning.total)
        centre: Array = np.zeros((count, 2))
        sums: Array = np.zeros((count, 2))
        add_up_motion(nodes, u, centre)
        centre = self.agreed(centre) / nodes.total[:, None]
        add_up_turn(nodes, u, centre, sums)
        sums = self.agreed(sums)
        h = np.hypot(sums[:, 0], sums[:, 1])
        return Frames(centre, sums / h[:, None], h)

    def deformation(self, u: Array) -> Array:
        """ū of turning bodies and u of the others."""
        return self._deformation(u, self.frames(u), u.copy())

    def _deformation(self, u: Array, frames: Frames, out: Array) -> Array:
        deform(self._turning, u, frames.centre, frames.turn, out)
        return out

    # The linearised bulk -----------------------------------------------------------------------

    def internal(self, u: Array, out: Array) -> float:
        """out = f(u), N; returns the stored energy, J, this rank's share."""
        frames, strained = self.frames(u), self._a
        strained[:] = u
        self._deformation(u, frames, strained)
        super().stiffness(strained, out)
        energy = 0.5 * float(strained @ out)
        moment: Array = np.zeros(len(frames.h))
        add_up_moments(self._turning, strained, out, moment)
        moment, one = self.agreed(moment), np.ones(len(frames.h))
        turn_forces(self._turning, frames.turn, frames.h, moment, one, out)
        if self._linked:
            forces, springs, hinges = self._links.forces(self._links.at(u))
            self._links.add(forces, out)
            energy += (springs + hinges) * (self.comm.rank == 0)
        return energy

    def _virial(self, turn: Array, force: Array, of_links: Array) -> Array:
        """(b,) Σ X·Rᵀf, J, of the bodies themselves: what links do does not turn with them."""
        own, virial = force.copy(), np.zeros(len(turn))
        if self._linked:
            self._links.add(-of_links, own)
        turned = own.copy()
        rotate(self._turning, turn, -1.0, own, turned)
        add_up_virial(self._turning, turned, virial)
        return self.agreed(virial)

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        """out = f̄, N, with f̄·(after − before) the change of the stored energy."""
        nodes, first, last = self._turning, self.frames(before), self.frames(after)
        half, middle = _half_way(first, last)
        strained, other, arm = self._a, self._b, self._c
        strained[:], other[:] = before, after
        self._deformation(before, first, strained)
        self._deformation(after, last, other)
        strained += other
        strained *= 0.5
        super().stiffness(strained, out)
        mean_arm(nodes, before, after, first.centre, last.centre, middle, arm)
        sums = np.zeros((2, len(nodes.total)))
        add_up_spread(nodes, arm, sums[0])
        add_up_moments(nodes, arm, out, sums[1])
        h, moment = self.agreed(sums)
        turn_forces(nodes, middle, h, moment, half[:, 0].copy(), out)
        if self._linked:
            links = self._links
            links.add(links.mean_forces(links.at(before), links.at(after)), out)

    def linearise(self, u: Array, force: Array) -> None:
        """Take K at u, where f is `force`, for what follows."""
        turn = self.frames(u).turn
        ahead = np.zeros_like(turn)
        ahead[:, 0] = 1.0
        of_links: Array = np.zeros(0)
        if self._linked:
            at = self._links.at(u)
            of_links, self._slope = self._links.forces(at)[0], self._links.slope(at)
        self._turn = Turn(turn, turn, ahead, self._virial(turn, force, of_links))

    def linearise_mean(self, before: Array, after: Array, force: Array) -> None:
        """Take for K the derivative of 2 f̄ by `after`, where f̄ is `force`."""
        first, last = self.frames(before), self.frames(after)
        half, middle = _half_way(first, last)
        of_links: Array = np.zeros(0)
        if self._linked:
            places = self._links.at(before), self._links.at(after)
            of_links = self._links.mean_forces(*places)
            self._slope = self._links.mean_slope(*places)
        self._turn = Turn(middle, last.turn, half, self._virial(middle, force, of_links))

    def balance(self, before: Array, after: Array, missing: Array, m: float, out: Array) -> Array:
        """out = the rigid motion of turning bodies at `after` that gives m M times it the
        resultants, and the moments about the mean places, of forces that are missing; of bodies
        that no spring or hinge holds, whose momenta are to stay what they are."""
        nodes, first, last = self._turning, self.frames(before), self.frames(after)
        half, middle = _half_way(first, last)
        turned, arm = missing.copy(), self._c
        rotate(nodes, middle, -1.0, missing, turned)
        mean_arm(nodes, before, after, first.centre, last.centre, middle, arm)
        sums: Array = np.zeros((len(nodes.total), 3))
        add_up_resultants(nodes, turned, sums)
        add_up_moments(nodes, arm, turned, sums[:, 2])
        sums = self.agreed(sums)
        sums[self._fastened] = 0.0
        moved, angle = sums[:, :2], sums[:, 2] / half[:, 0] ** 2
        cos, sin = middle.T
        moved = np.stack(
            [cos * moved[:, 0] - sin * moved[:, 1], sin * moved[:, 0] + cos * moved[:, 1]], axis=1
        )
        out[:] = after
        moved = moved / (m * nodes.total[:, None])
        carry_on(nodes, after, last.centre, moved, angle / (m * nodes.inertia), out)
        out -= after
        return out

    def carry_on(self, before: Array, predicted: Array, out: Array) -> Array:
        """out: predicted displacements, but turning bodies go on rigidly, as far as predicted."""
        nodes, frames = self._turning, self.frames(before)
        step = predicted - before
        moved: Array = np.zeros((len(nodes.total), 2))
        angle = np.zeros(len(nodes.total))
        add_up_motion(nodes, step, moved)
        add_up_spin(nodes, frames.turn, frames.h, step, angle)
        moved = self.agreed(moved) / nodes.total[:, None]
        out[:] = predicted
        carry_on(nodes, before, frames.centre, moved, self.agreed(angle), out)
        return out

    def stiffness(self, x: Array, out: Array) -> Array:
        """out = K x at the state last linearised."""
        turned = x.copy()
        rotate(self._turning, self._turn.right, -1.0, x, turned)
        super().stiffness(turned, out)
        rotate(self._turning, self._turn.left, 1.0, out, out)
        if self._linked:
            self._links.add(self._slope @ self._links.at(x), out)
        return out

    def stiffness_at_rest(self, x: Array, out: Array) -> Array:
        """out = K x of the bodies at rest, without links."""
        return super().stiffness(x, out)

    def damping_at_rest(self, x: Array, out: Array) -> Array:
        """out = C x of the bodies at rest, without links."""
        return super().damping(x, out)

    def damping(self, x: Array, out: Array) -> Array:
        """out = C x, with dashpots in their present directions."""
        super().damping(x, out)
        if self._links.damped:
            self._links.add(self._dashpots @ self._links.at(x), out)
        return out

    def factor(self, m: float, c: float, k: float) -> BodyFactor | LinkedFactor:
        """m M + c C + k K at the state last linearised; factored once for each m, c, k. With k = 0
        hinges hold, too: what is moved is moved about them."""
        if k == 0.0:  # M does not turn
            factor = self.factor_at_rest(m, c, k)
            return self._link(factor, self._links.fixed(HELD * m)) if self._hinged else factor
        key = m, c, k
        if key in self._rest:
            self._rest.move_to_end(key)
        else:
            factor = self.factor_at_rest(m, c, k)
            self._rest[key] = RestFactor(factor, m, k, self._spread, self.surface)
            self.factorisations += 1
            if len(self._rest) > KEPT:
                self._rest.popitem(last=False)
        rest = self._rest[key]
        turned = TurnedFactor(rest, self._turn, self._turning, self._turning_surface, self.agreed)
        return self._link(turned, k * self._slope + c * self._dashpots) if self._linked else turned

    def _link(self, factor: BodyFactor, block: Array) -> LinkedFactor:
        return LinkedFactor(factor, self.surface, self._links.dofs, block)

    def follow(self, t: float, u: Array, increment: Array, out: Array) -> None:
        """out += loads at t that follow bodies, which are at u + increment then, N; dashpots take
        their directions half way. Collective."""
        if self._links.turns_dashpots:
            self._dashpots = self._links.damping(self._links.at(u + 0.5 * increment))
        if self._loads_follow:
            turned = self._following(t, self._a).copy()
            rotate(self._turning, self.frames(u + increment).turn, 1.0, self._a, turned)
            out += turned

    # Motion and fields for results -------------------------------------------------------------

    def initial(self) -> tuple[Array, Array]:
        """Displacement and velocity of the free dofs at t = 0, spin included."""
        u, v = super().initial()
        nodes = self._turning
        spin = self._spins[nodes.body]
        v[nodes.dof[:, 0]] -= spin * nodes.place[:, 1]
        v[nodes.dof[:, 1]] += spin * nodes.place[:, 0]
        return u, v

    def spring_energy(self, u: Array, t: float) -> float:
        """Elastic energy of the discrete springs, J."""
        energy = super().spring_energy(u, t)
        return energy + self._links.forces(self._links.at(u))[1] if self._linked else energy

    def reaction(self, support: str, u: Array, v: Array, a: Array, t: float) -> Array:
        """Force (x, y) that holds a support, without contact forces on held nodes, N."""
        if support in self._hinged:
            return self._links.reaction(support, self._links.at(u))
        return super().reaction(support, u, v, a, t)

    def holds(self, support: str, nodes: Index) -> Array:
        """(S, 2, 2) what of contact forces on these nodes a support takes; hinges take nothing."""
        if support in self._hinged:
            return np.zeros((len(nodes), 2, 2))
        return super().holds(support, nodes)

    def angles(self, u: Array) -> Array:
        """(b,) θ of each turning part, −π to π, rad, on every rank."""
        turn = self.frames(u).turn
        return np.arctan2(turn[:, 1], turn[:, 0])

    def spins(self, u: Array, v: Array) -> Array:
        """(b,) rate of θ of each turning part, rad/s, on every rank."""
        frames, spin = self.frames(u), np.zeros(len(self._turning.total))
        add_up_spin(self._turning, frames.turn, frames.h, v, spin)
        return self.agreed(spin)

    def turning_part(self, body: str, where: str) -> int:
        """The number of the turning part that a body belongs to; −1 if it does not turn."""
        return int(self._body_of_node[self._places.nodes(body, where)[0]])

    def stress(self, u: Array, t: float) -> Array:
        """Stress xx, yy, zz, xy in the axes of space, averaged to the nodes, Pa, on rank 0."""
        frames = self.frames(u)
        return self._in_space(super().stress(self.deformation(u), t), self._body_of_node, frames)

    def stress_at(self, node: int, u: Array, t: float) -> Array:
        """Stress xx, yy, zz, xy in the axes of space at one node, Pa, on every rank."""
        frames, body = self.frames(u), self._body_of_node[node : node + 1]
        found = super().stress_at(node, self.deformation(u), t)
        return self._in_space(found[None, :], body, frames)[0]

    def _in_space(self, stress: Array, body: Integers, frames: Frames) -> Array:
        """Stresses (n, 4) in the frames of their bodies, turned into the axes of space."""
        padded = np.vstack([frames.turn, [1.0, 0.0]])  # −1: no turn
        cos, sin = padded[body].T
        xx, yy, zz, xy = stress.T
        along, shear = (xx - yy) * cos * sin, xy * (cos**2 - sin**2)
        return np.stack(
            [
                cos**2 * xx + sin**2 * yy - 2 * cos * sin * xy,
                sin**2 * xx + cos**2 * yy + 2 * cos * sin * xy,
                zz,
                along + shear,
            ],
            axis=1,
        )


def _half_way(first: Frames, last: Frames) -> tuple[Array, Array]:
    """cos, sin(φ/2) (b, 2) and the axes half way (b, 2); φ between −π and π."""
    (c0, s0), (c1, s1) = first.turn.T, last.turn.T
    half = 0.5 * np.arctan2(s1 * c0 - c1 * s0, c1 * c0 + s1 * s0)
    cos, sin = np.cos(half), np.sin(half)
    middle = np.stack([c0 * cos - s0 * sin, s0 * cos + c0 * sin], axis=1)
    return np.stack([cos, sin], axis=1), middle
