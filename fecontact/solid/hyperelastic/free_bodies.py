"""Unconstrained finite-strain bodies: rigid-body motions, momenta and spin.

    [L] = Σ x_m × forces Δt,    x_m = ½ (x₀ + x₁)

holds for a step of the midpoint rule, and the mean force of a stored energy has no moment about x_m
(:mod:`fecontact.solid.hyperelastic.discrete_gradient`). The resultants remaining after Newton's
method are removed by a small rigid-body motion.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy


class Massive(Protocol):
    """Required interface of a solid: mesh, M, and sums over all ranks."""

    mesh: ModelMesh
    size: int

    def mass(self, x: Array, out: Array) -> Array:
        """Compute out = M x."""
        ...

    def total(self, partial: Array) -> Array:
        """Return the sum over all ranks."""
        ...


class FreeBodies:
    """Connected parts of a mesh, with the motion of the unconstrained ones.

    index: (N, 2) free dofs of all nodes on this rank, −1 if not free here.
    prescribed: (N,) True for constrained nodes.
    """

    def __init__(self, solid: Massive, index: Index, prescribed: Mask) -> None:
        self._solid, self._part = solid, connected_parts(solid.mesh)
        self._count = int(self._part.max()) + 1
        chosen = np.flatnonzero((index >= 0).all(axis=1))
        self._dof, self._of = index[chosen], self._part[chosen]
        self._place: Array = solid.mesh.points[chosen]
        ones = np.zeros(solid.size)
        ones[self._dof[:, 0]] = 1.0
        self._weight: Array = self._times_mass(ones)[self._dof[:, 0]]
        masses = self._sums(self._weight)
        self._whole = np.where(masses > 0.0, masses, 1.0)
        self._free = (masses > 0.0) & ~np.isin(np.arange(self._count), self._part[prescribed])

    def free_part(self, nodes: Index, where: str) -> int:
        """Return the number of the connected part that contains the nodes of a body.

        Raise InputError, naming the key `where`, if this part is constrained.
        """
        parts = np.unique(self._part[nodes])
        if len(parts) > 1 or not self._free[parts].all():
            raise InputError(
                f"{where}: the angular momentum is available only for one connected, "
                "unconstrained body with mass. Remove this key."
            )
        return int(parts[0])

    def _times_mass(self, x: Array) -> Array:
        return self._solid.mass(x, np.zeros(self._solid.size))

    def _sums(self, values: Array) -> Array:
        """Return Σ of values at the nodes of this rank for each part, over all ranks.

        Collective.
        """
        return self._solid.total(
            np.bincount(self._of, values, minlength=self._count).astype(np.float64)
        )

    def _arms(self, u: Array) -> Array:
        """Return node positions relative to the centre of mass of their part, (n, 2), m.

        Collective.
        """
        place = self._place + u[self._dof]
        centre = [self._sums(self._weight * place[:, i]) / self._whole for i in (0, 1)]
        return np.asarray(place - np.stack(centre, axis=1)[self._of])

    def _turned(self, arms: Array) -> Array:
        """Return J arms, the displacement of a rotation by 1 rad, on the free dofs."""
        out = np.zeros(self._solid.size)
        out[self._dof[:, 0]], out[self._dof[:, 1]] = -arms[:, 1], arms[:, 0]
        return out

    def _moments(self, arms: Array, force: Array) -> Array:
        """Return Σ arms × force of each part. Collective."""
        fx, fy = force[self._dof].T
        return self._sums(arms[:, 0] * fy - arms[:, 1] * fx)

    def balance(self, before: Array, after: Array, missing: Array, m: float, out: Array) -> Array:
        """Compute out = rigid-body correction of free bodies at `after` for the residual forces.

        m M out has the resultants, and the moments about the mean positions, of `missing`.
        Collective.
        """
        arms, mean = self._arms(after), self._arms(0.5 * (before + after))
        turned = self._turned(arms)
        inertia = self._moments(mean, self._times_mass(turned))
        moment = self._moments(mean, missing)
        angle = np.where(self._free, moment / np.where(self._free, m * inertia, 1.0), 0.0)
        out[:] = 0.0
        for axis in (0, 1):
            force = self._sums(missing[self._dof[:, axis]])
            out[self._dof[:, axis]] = np.where(self._free, force / (m * self._whole), 0.0)[self._of]
        turned[self._dof] *= angle[self._of, None]
        out += turned
        return out

    def angular_momenta(self, u: Array, v: Array) -> Array:
        """Return (parts,) Σ r × M v about the centres of mass, kg m²/s. Collective."""
        return self._moments(self._arms(u), self._times_mass(v))


def add_spin(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    places: Places,
    forms: Forms,
    density: Array,
    v: Array,
) -> None:
    """Add the initial spin of finite-strain bodies to v (N, 2). Collective.

    Each connected part spins about its centre of mass. Raise InputError if connected bodies have
    different spins.
    """
    if not any(study.bodies[name].angular_velocity for name in study.finite):
        return
    part = connected_parts(mesh)
    spin = np.full(part.max() + 1, np.nan)
    for name, body in study.bodies.items():
        own = np.unique(part[places.nodes(name, f"bodies.{name}")])
        if (np.isfinite(spin[own]) & (spin[own] != body.angular_velocity)).any():
            raise InputError(
                f"bodies.{name}.angular_velocity is {body.angular_velocity:g} rad/s; it must "
                "be the same for all connected bodies"
            )
        spin[own] = body.angular_velocity
    weight = np.zeros(len(mesh.points))
    space = forms.space
    weight[space.node[: space.owned_blocks]] = forms.body_force(density, (1.0, 0.0))[::2]
    weight = space.comm.allreduce(weight)
    mass = np.bincount(part, weight)
    sums = [np.bincount(part, weight * x) for x in mesh.points.T]
    arms = mesh.points - (np.stack(sums) / np.where(mass > 0.0, mass, 1.0)).T[part]
    rate = np.nan_to_num(spin)[part]
    v[:, 0] -= rate * arms[:, 1]
    v[:, 1] += rate * arms[:, 0]
