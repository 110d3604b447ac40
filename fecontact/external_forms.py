"""User-defined nonlinear dolfinx forms as a structural model with contact.

    M ü + C u̇ + f(u, t) = F(t) + contact forces,    f = residual form,    K = ∂f/∂u

The user supplies the residual as a UFL form of a displacement function; fecontact solves each step
by Newton's method around the contact problem, in serial and under MPI. History variables of the
user (viscoelasticity, plasticity, damage) are updated when a step is accepted.
``examples/viscoelastic_pad.py`` is a complete script.

Without a form of the stored energy the work of the internal forces, ½ (f₀ + f₁)·[u] summed over the
steps, takes its place in the energy balance. It includes the energy dissipated by the material.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ufl
from dolfinx import fem
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

from fecontact import compat
from fecontact.arrays import Array
from fecontact.external import PetscBulk
from fecontact.linked_factor import BodyFactor
from fecontact.solid.fem.dofs import restricted
from fecontact.solid.solvers.products import distributed_product
from fecontact.study.errors import InputError

EPSILON = float(np.finfo(float).eps)


class FormBulk(PetscBulk):
    """Structural model M ü + C u̇ + f(u, t) = load(t), with f a UFL form of the user.

    residual: linear form f of a test function, N per m of depth, in terms of u. u: displacement
    function of a vector Lagrange space of degree 1 or 2 in the plane; fecontact sets its values.
    facets, bcs, update_bcs, load, damping: as for :class:`PetscBulk`. mass: assembled mass matrix;
    not needed in a static analysis. jacobian: bilinear form ∂f/∂u, default ``ufl.derivative``;
    symmetric: False if the Jacobian is not symmetric. energy: stored energy as a UFL form, J per m,
    if f has one. on_step: (t, step) ↦ sets the user's constants for a step of this size that ends
    at t. on_accept: t ↦ updates the user's history variables at the end of an accepted step, where
    u is its displacement.

    >>> bulk = fecontact.FormBulk(
    ...     ufl.inner(stress(u), ufl.grad(v)) * ufl.dx, u, {"sole": sole}, bcs=[clamp]
    ... )
    """

    nonlinear = True

    def __init__(
        self,
        residual: ufl.Form,
        u: fem.Function,
        facets: Mapping[str, NDArray[np.int32]],
        *,
        bcs: Sequence[fem.DirichletBC] = (),
        mass: PETSc.Mat | None = None,
        load: Callable[[float], Array] | None = None,
        jacobian: ufl.Form | None = None,
        symmetric: bool = True,
        energy: ufl.Form | None = None,
        damping: PETSc.Mat | None = None,
        update_bcs: Callable[[float], None] | None = None,
        on_step: Callable[[float, float], None] | None = None,
        on_accept: Callable[[float], None] | None = None,
    ) -> None:
        self.u, space = u, u.function_space
        self._force_form = _compiled("residual", residual, 1)
        if jacobian is None:
            jacobian = ufl.derivative(residual, u, ufl.TrialFunction(space))
        self._tangent_form = _compiled("jacobian", jacobian, 2)
        self._energy_form = None if energy is None else _compiled("energy", energy, 0)
        self._has_mass = mass is not None
        self._of_all = petsc.assemble_matrix(self._tangent_form)
        self._of_all.assemble()
        empty = self._of_all.duplicate()
        empty.zeroEntries()
        empty.assemble()
        nothing: Array = np.zeros(2 * space.dofmap.index_map.size_local)
        super().__init__(
            space,
            empty if mass is None else mass,
            empty,  # the forces of f are not in a constant matrix
            (lambda t: nothing) if load is None else load,
            facets,
            bcs,
            damping,
            update_bcs=update_bcs,
        )
        self._solver = self._solver if symmetric else "unsymmetric"
        self._on_step, self._on_accept = on_step, on_accept
        self._fixed = np.flatnonzero(self._prescribed.prescribed)
        self._vector = fem.Function(space).x
        self._full: Array = np.zeros_like(nothing)
        self._time = self._accepted_at = 0.0
        self._place_prescribed(0.0)
        self._force: Array = nothing  # f over all dofs, of the last evaluation …
        self._at: Array = self._full.copy()  # … its displacement …
        self._work = 0.0  # … and the energy or work there, J
        self._accepted = self._at, self._force, self._work
        self._evaluate_at(self._full)
        self._accepted = self._at, self._force, self._work
        self.linearise(self._full[self._free], self._force)
        self.rounding = self._rounding()

    def step_in(self, step: float, inertia: bool) -> None:
        """Set the step length, s, and whether velocities of prescribed dofs are needed."""
        if inertia and not self._has_mass:
            raise InputError(
                "FormBulk: mass is missing. Pass `mass`, because a dynamic analysis needs it."
            )
        super().step_in(step, inertia)

    def _place_prescribed(self, t: float) -> None:
        self._full[self._fixed] = self._prescribed.jet(t)[0][self._fixed]

    def hold(self, t: float) -> None:
        """Set prescribed dofs and the user's constants to a time, s."""
        self._time = t
        self._place_prescribed(t)
        if self._on_step is not None and t != self._accepted_at:
            self._on_step(t, t - self._accepted_at)
        self._at = self._at + np.nan  # forces depend on time and history variables

    def _evaluate(self, u: Array) -> None:
        """Evaluate f over all dofs at displacements u of the free ones. Collective."""
        self._full[self._free] = u
        if self.comm.allreduce(np.array_equal(self._at, self._full), MPI.LAND):
            return
        start = self._time == self._accepted_at
        if self.comm.allreduce(start and np.array_equal(self._accepted[0], self._full), MPI.LAND):
            self._at, self._force, self._work = self._accepted
            self._put(self._full)
            return
        self._evaluate_at(self._full)

    def _put(self, full: Array) -> None:
        self.u.x.array[: len(full)] = full
        self.u.x.scatter_forward()

    def _evaluate_at(self, full: Array) -> None:
        self._put(full)
        self._vector.array[:] = 0.0
        fem.assemble_vector(self._vector.array, self._force_form)
        self._force = compat.owned(self._vector)
        self._at = full.copy()
        if self._energy_form is not None:
            self._work = float(np.real(fem.assemble_scalar(self._energy_form)))
            return
        place, force, work = self._accepted
        self._work = work + 0.5 * float((force + self._force) @ (self._at - place))

    def internal(self, u: Array, out: Array) -> float:
        """Compute out = f(u), N; return the stored energy, J, share of this rank. Collective."""
        self._evaluate(u)
        out[:] = self._force[self._free]
        return self._work

    def linearise(self, u: Array, force: Array) -> None:
        """Set K to the Jacobian at u. Collective."""
        self._evaluate(u)
        self._of_all.zeroEntries()
        petsc.assemble_matrix(self._of_all, self._tangent_form)
        self._of_all.assemble()
        self._now = restricted(self._of_all, self._free)

    def linearise_support_motion(self, u: Array, before: float, out: Array) -> bool:
        """Set K with prescribed dofs at their previous values; out = f there + K times their
        motion.
        """
        now = self._full[self._fixed]
        here: Array = self._accepted[0][self._fixed] if before == self._accepted_at else now
        moved = now - here
        if not self.comm.allreduce(bool(moved.any()), MPI.LOR):
            return False
        self._full[self._fixed] = here
        self.internal(u, out)
        self.linearise(u, out)
        self._full[self._fixed] = now
        x, y = self._of_all.createVecs()
        x.getArray()[self._fixed] = moved
        self._of_all.mult(x, y)
        out += y.getArray()[self._free]
        return True

    @property
    def prescribed_force(self) -> Array:
        """Return f at the prescribed dofs, last evaluation, N."""
        return self._force[self._fixed]

    def prescribed_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        """Return [u_h]·½(f_h(before) + f_h(t)) over all ranks, J."""
        moved = self._full[self._fixed] - self._accepted[0][self._fixed]
        return float(
            self.total(np.array([0.5 * float(moved @ (first + self.prescribed_force))]))[0]
        )

    def accept(self) -> None:
        """Commit the last evaluation; update the user's history variables."""
        self._accepted, self._accepted_at = (self._at, self._force, self._work), self._time
        if self._on_accept is not None:
            self._on_accept(self._time)

    def stiffness(self, x: Array, out: Array) -> Array:
        """Compute out = K x at the last linearisation."""
        return distributed_product(self._now)(x, out)

    def _tangent(self) -> PETSc.Mat:
        return self._now.copy()

    def factor(self, m: float, c: float, k: float) -> BodyFactor:
        """Return the factor of m M + c C + k K at the last linearisation."""
        self.factorisations += k != 0.0
        return self.factor_at_rest(m, c, k)

    def _rounding(self) -> float:
        """Return the round-off of f from 16-digit positions: ε |K| |X|, N, over all dofs."""
        start, _, values = self._now.getValuesCSR()
        rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
        sums = np.bincount(rows, np.abs(values), len(start) - 1)
        farthest = float(np.abs(self.space.tabulate_dof_coordinates()).max(initial=0.0))
        squares, farthest = (
            self.comm.allreduce(float(sums @ sums)),
            self.comm.allreduce(farthest, MPI.MAX),
        )
        return EPSILON * farthest * float(np.sqrt(squares))


def _compiled(name: str, form: ufl.Form, rank: int) -> Any:
    """Return a compiled form; raise InputError if it has another number of arguments."""
    arguments = len(form.arguments()) if isinstance(form, ufl.Form) else -1
    if arguments != rank:
        wanted = ("no test function", "a test function", "a test and a trial function")[rank]
        raise InputError(f"FormBulk: {name} must be a UFL form with {wanted}.")
    return fem.form(form)
