"""Corotational elastic bodies: linearised model with a single factorisation.

    M ü + f(u) = F φ(t) + R F̂ φ(t) + contact forces

f follows from :mod:`fecontact.solid.corotational.frame` for corotational bodies and is K u for the
others. The tangent at a state is the factor of the undeformed bodies in rotated axes
(:mod:`fecontact.solid.corotational.factor`). Each connected part of the mesh has its frame. Springs
and hinges of corotational bodies (:mod:`fecontact.solid.corotational.links`) are added to both as
matrices of few dofs. Follower loads, F̂ in the axes of a corotational body, rotate with it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Integers
from fecontact.linked_factor import BodyFactor, WoodburyFactor
from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array
from fecontact.solid.components import Parts
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.loads import LoadHistory, Pattern
from fecontact.solid.corotational.bodies import CorotationalBodies
from fecontact.solid.corotational.factor import RestFactor, Turn, TurnedFactor
from fecontact.solid.corotational.frame import Frames
from fecontact.solid.corotational.links import Hinges, Links
from fecontact.solid.solid import Solid

MAX_CACHED_FACTORS = 12  # cached factors: full steps, and steps that were cut back or halved
EPSILON = float(np.finfo(float).eps)
FIXED = 1e12  # mass at a hinge, in masses of the model, that prevents it from accelerating


class CorotationalParts(NamedTuple):
    """Components of a :class:`CorotationalModel` besides those of a solid.

    node: (b,) one node of each connected corotational part of the mesh.
    spin: (b,) initial angular velocity, rad/s.
    springs, hinges: links on these parts.
    loads: load patterns that rotate with them, on the dofs owned by this rank.
    """

    node: Integers
    spin: Array
    springs: Discretes
    hinges: Hinges
    loads: Mapping[Pattern, Array]


class State(NamedTuple):
    """Displacements u with the frames, ū, f in N, and the stored energy in J at u."""

    u: Array
    frames: Frames
    strained: Array
    force: Array
    energy: float


class CorotationalModel(Solid):
    """Elastic bodies on this rank, some of which are corotational."""

    nonlinear = conserving = keeps_compliance = True

    def __init__(self, parts: Parts, more: CorotationalParts) -> None:
        super().__init__(parts)
        self._spins = more.spin
        part = connected_parts(self.mesh)
        number = np.full(part.max() + 1, -1)
        number[part[more.node]] = np.arange(len(more.node))
        self.corotational = CorotationalBodies(
            self.mesh, number[part], self._free.index, self.mass, self.size, self.total
        )
        self._corotational_surface = self.corotational.surface(self.surface)
        self._links = Links(more.springs, more.hinges, self.mesh, self.surface)
        self._linked = bool(len(self._links.dofs))
        self._hinged = more.hinges.names
        ones = np.ones(self.size)
        own = self.mass(ones, np.empty(self.size)).sum() / 2  # x and y have the same mass
        self._mass = float(self.total(np.array([own]))[0])  # kg/m, of all bodies
        if self._hinged:
            diagonal = self._matrices.stiffness.getDiagonal().getArray()
            self._links.hold(self._links.at(diagonal))
        self._slope: Array = np.zeros((0, 0))  # tangent of the links at the last linearisation
        self._dashpots = self._links.damping(np.zeros(len(self._links.dofs)))
        self.has_damping |= self._links.damped
        self._fastened = self._fastened_bodies(more)
        patterns = {key: vector[self._free.owned] for key, vector in more.loads.items()}
        self._following = LoadHistory(parts.functions, patterns, self.size)
        self._loads_follow = bool(patterns)
        self.follower_loads = self._loads_follow or self._links.turns_dashpots
        self._a = np.zeros(self.size)
        rest = self.corotational.frames(self._a)
        self._step = self.corotational.step(self._a, rest, self._a)
        nowhere = np.full(self.size, np.nan)
        self._state = State(nowhere, rest, nowhere, nowhere, 0.0)
        self.linearise(np.zeros(self.size), np.zeros(self.size))
        self._rest: OrderedDict[tuple[float, float, float], RestFactor] = OrderedDict()
        self.factorisations = 0
        self.rounding = self._rounding()

    def _fastened_bodies(self, more: CorotationalParts) -> NDArray[np.bool_]:
        """Return (b,) True for bodies constrained by springs or hinges."""
        nodes = np.concatenate([more.springs.ends.ravel(), more.hinges.node])
        bodies = self.corotational.of_node[nodes[nodes >= 0]]
        return np.isin(np.arange(len(more.node)), bodies)

    def _rounding(self) -> float:
        """Return the round-off of f from 16-digit positions: ε |K| |X|, N, over all dofs."""
        start, _, values = self._matrices.stiffness.getValuesCSR()
        sizes = np.add.reduceat(np.abs(values), start[:-1])[self.corotational.nodes.dof.ravel()]
        farthest = np.abs(self.corotational.nodes.place).max(initial=0.0)
        body = EPSILON * float(np.sqrt(self.comm.allreduce(np.sum((farthest * sizes) ** 2))))
        return body + EPSILON * self._links.largest_force(np.ptp(self.mesh.points))

    def deformation(self, u: Array) -> Array:
        """Return ū of corotational bodies and u of the others."""
        return self.corotational.deform(u, self._frames(u), np.empty_like(u))

    # Linearised model --------------------------------------------------------------------------

    def internal(self, u: Array, out: Array) -> float:
        """Compute out = f(u), N; return the stored energy, J, share of this rank."""
        if self._known(u):  # A step starts where the last one ended.
            out[:] = self._state.force
            return self._state.energy
        frames = self.corotational.frames(u)
        strained = self.corotational.deform(u, frames, np.empty_like(u))
        super().stiffness(strained, out)
        energy = 0.5 * float(strained @ out)
        self.corotational.turn_forces(frames, strained, out)
        if self._linked:
            forces, springs, hinges = self._links.forces(self._links.at(u))
            self._links.add(forces, out)
            energy += (springs + hinges) * (self.comm.rank == 0)
        self._state = State(u.copy(), frames, strained, out.copy(), energy)
        return energy

    def _known(self, u: Array) -> bool:
        """Return True if the last state is that at u; all ranks must agree."""
        return self.comm.size == 1 and bool((u == self._state.u).all())

    def _frames(self, u: Array) -> Frames:
        return self._state.frames if self._known(u) else self.corotational.frames(u)

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        """Compute out = f̄, N; f̄·(after − before) is the change of the stored energy."""
        if self._known(before):
            first, strained = self._state.frames, self._state.strained
        else:
            first = self.corotational.frames(before)
            strained = self.corotational.deform(before, first, np.empty_like(before))
        self._step = step = self.corotational.step(before, first, after)
        mean = self.corotational.deform(after, step.last, self._a)
        mean += strained
        mean *= 0.5
        super().stiffness(mean, out)
        self.corotational.turn_mean_forces(step, out)
        if self._linked:
            links = self._links
            links.add(links.mean_forces(links.at(before), links.at(after)), out)

    def linearise(self, u: Array, force: Array) -> None:
        """Set K to the tangent at u, where f is `force`."""
        turn = self._frames(u).turn
        ahead = np.zeros_like(turn)
        ahead[:, 0] = 1.0
        own = force
        if self._linked:
            at = self._links.at(u)
            own, self._slope = (
                self._unlinked(force, self._links.forces(at)[0]),
                self._links.slope(at),
            )
        self._turn = Turn(turn, turn, ahead, self.corotational.virial(turn, own))

    def linearise_mean(self, force: Array) -> None:
        """Set K to ∂(2 f̄)/∂(after) of the last :meth:`mean_internal`, where f̄ is `force`."""
        step, own = self._step, force
        if self._linked:
            places = self._links.at(step.before), self._links.at(step.after)
            own = self._unlinked(force, self._links.mean_forces(*places))
            self._slope = self._links.mean_slope(*places)
        virial = self.corotational.virial(step.middle, own)
        self._turn = Turn(step.middle, step.last.turn, step.half, virial)

    def _unlinked(self, force: Array, of_links: Array) -> Array:
        """Return the forces of the bodies alone, as the link forces do not rotate with them."""
        own = force.copy()
        self._links.add(-of_links, own)
        return own

    def balance(self, missing: Array, m: float, out: Array) -> Array:
        """Compute out = rigid-body correction of corotational bodies that balances the residual.

        At `after` of the last :meth:`mean_internal`, m M out has the resultants, and the moments
        about the mean positions, of the residual forces `missing`. Only bodies without springs and
        hinges, whose momenta are conserved, are corrected.
        """
        return self.corotational.balance(self._step, missing, m, self._fastened, out)

    def initial_guess(self, before: Array, predicted: Array, out: Array) -> Array:
        """Compute out = predicted displacements, with corotational bodies moved rigidly."""
        return self.corotational.initial_guess(before, self._frames(before), predicted, out)

    def stiffness(self, x: Array, out: Array) -> Array:
        """Compute out = K x at the last linearisation."""
        super().stiffness(self.corotational.rotated(self._turn.right, -1.0, x), out)
        out[:] = self.corotational.rotated(self._turn.left, 1.0, out)
        if self._linked:
            self._links.add(self._slope @ self._links.at(x), out)
        return out

    def stiffness_at_rest(self, x: Array, out: Array) -> Array:
        """Compute out = K x of the undeformed bodies, without links."""
        return super().stiffness(x, out)

    def damping_at_rest(self, x: Array, out: Array) -> Array:
        """Compute out = C x of the undeformed bodies, without links."""
        return super().damping(x, out)

    def damping(self, x: Array, out: Array) -> Array:
        """Compute out = C x, with dashpots in their current directions."""
        super().damping(x, out)
        if self._links.damped:
            self._links.add(self._dashpots @ self._links.at(x), out)
        return out

    def factor(self, m: float, c: float, k: float) -> BodyFactor:
        """Return the factor of m M + c C + k K at the last linearisation; cached by m, c, k.

        With k = 0, hinges still constrain their nodes, so that bodies rotate about them.
        """
        if k == 0.0:  # M is invariant to rotation
            factor = self.factor_at_rest(m, c, k)
            fixed = self._links.fixed(FIXED * m * self._mass)
            return self._link(factor, fixed) if self._hinged else factor
        key = m, c, k
        if key in self._rest:
            self._rest.move_to_end(key)
        else:
            factor = self.factor_at_rest(m, c, k)
            self._rest[key] = RestFactor(factor, m, k, self.corotational.spread, self.surface)
            self.factorisations += 1
            if len(self._rest) > MAX_CACHED_FACTORS:
                self._rest.popitem(last=False)
        rest = self._rest[key]
        nodes, surface = self.corotational.nodes, self._corotational_surface
        turned = TurnedFactor(rest, self._turn, nodes, surface, self.total)
        return self._link(turned, k * self._slope + c * self._dashpots) if self._linked else turned

    def _link(self, factor: BodyFactor, block: Array) -> WoodburyFactor:
        return WoodburyFactor(factor, self.surface, self._links.dofs, block)

    def follow(self, t: float, u: Array, increment: Array, out: Array) -> None:
        """Add follower loads at t, N, to out, with bodies at u + increment. Collective.

        Dashpots take their directions at mid-step.
        """
        if self._links.turns_dashpots:
            self._dashpots = self._links.damping(self._links.at(u + 0.5 * increment))
        if self._loads_follow:
            turn = self.corotational.frames(u + increment).turn
            out += self.corotational.rotated(turn, 1.0, self._following(t, self._a))

    # Motion and fields for results -------------------------------------------------------------

    def initial(self) -> tuple[Array, Array]:
        """Return displacement and velocity of the free dofs at t = 0, including spin."""
        u, v = super().initial()
        self.corotational.add_spin(self._spins, v)
        return u, v

    def spring_energy(self, u: Array, t: float) -> float:
        """Return the elastic energy of the discrete springs, J."""
        energy = super().spring_energy(u, t)
        return energy + self._links.forces(self._links.at(u))[1] if self._linked else energy

    def reaction(self, support: str, u: Array, v: Array, a: Array, t: float) -> Array:
        """Return the reaction force (x, y) of a support, N, without contact forces on prescribed
        nodes.
        """
        if support in self._hinged:
            return self._links.reaction(support, self._links.at(u))
        return super().reaction(support, u, v, a, t)

    def holds(self, support: str, nodes: Index) -> Array:
        """Return (S, 2, 2) the fraction of contact forces on nodes carried by a support.

        The fraction is 0 for hinges.
        """
        if support in self._hinged:
            return np.zeros((len(nodes), 2, 2))
        return super().holds(support, nodes)

    def angles(self, u: Array) -> Array:
        """Return (b,) θ of each corotational part, −π to π, rad, on every rank."""
        turn = self._frames(u).turn
        return np.arctan2(turn[:, 1], turn[:, 0])

    def spins(self, u: Array, v: Array) -> Array:
        """Return (b,) the rate of θ of each corotational part, rad/s, on every rank."""
        return self.corotational.spins(self._frames(u), v)

    def corotational_part(self, body: str, where: str) -> int:
        """Return the number of the corotational part of a body; −1 if it is not corotational."""
        return int(self.corotational.of_node[self._places.nodes(body, where)[0]])

    def stress(self, u: Array, t: float) -> Array:
        """Return the stress xx, yy, zz, xy in global axes, averaged to the nodes, Pa, on rank 0."""
        frames = self._frames(u)
        strained = self.corotational.deform(u, frames, np.empty_like(u))
        found = super().stress(strained, t)
        return self.corotational.in_space(found, np.arange(len(found)), frames)

    def stress_at(self, node: int, u: Array, t: float) -> Array:
        """Return the stress xx, yy, zz, xy in global axes at one node, Pa, on every rank."""
        frames = self._frames(u)
        strained = self.corotational.deform(u, frames, np.empty_like(u))
        found = super().stress_at(node, strained, t)
        return self.corotational.in_space(found[None, :], np.array([node]), frames)[0]
