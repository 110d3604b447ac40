"""Model with viscoelastic bodies among finite-strain or elastoplastic bodies.

Finite-strain bodies have history variables at their quadrature points
(:mod:`fecontact.solid.viscoelastic.points`), small-strain bodies nodal ones
(:mod:`fecontact.solid.viscoelastic.branches`). Both depend on the time since the last committed
step, which `hold` sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from petsc4py import PETSc

from fecontact.record import Array
from fecontact.restart_file import RELAXATION
from fecontact.solid.components import Parts
from fecontact.solid.hyperelastic.follower_pressure import PressedEdges
from fecontact.solid.hyperelastic.forms import FiniteForms
from fecontact.solid.hyperelastic.model import HyperelasticModel
from fecontact.solid.linear.inclined import InclinedContact
from fecontact.solid.viscoelastic.branches import NodalBranches
from fecontact.solid.viscoelastic.points import RelaxingPoints
from fecontact.solid.viscoelastic.series import Branch, check_relaxation

POINTS = f"{RELAXATION}_points"


class RelaxingForms(FiniteForms):
    """Forms of nonlinear bodies and branches of linear viscoelastic bodies of one model."""

    def __init__(self, parts: Parts, branches: Sequence[Branch]) -> None:
        super().__init__(parts.forms, parts.laws, parts.yielding)
        self.branches = NodalBranches(parts.forms, branches)
        self.points: list[RelaxingPoints] = [one for one in self.relaxing if one is not None]
        self._u: Array = np.zeros(2 * parts.forms.space.owned_blocks)
        self._before: Array = self._u  # at the committed state
        self._restored = False  # True if the next displacements are those of the committed state

    def set_step(self, size: float) -> None:
        """Set the time since the committed state, s."""
        self.branches.set_step(size)
        for points in self.points:
            points.set_step(size)

    def put(self, owned: Array) -> None:
        super().put(owned)
        self._u = owned.copy()
        if self._restored:
            self._before, self._restored = self._u, False
        self.branches.move(self._u - self._before)

    def energy(self) -> float:
        return super().energy() + self.branches.stored_beside(self._u, self.branches.trial)

    def force(self) -> Array:
        return super().force() + self.branches.forces_of(self._u, self.branches.trial)

    def stiffness(self) -> PETSc.Mat:
        matrix = super().stiffness()
        if len(self.branches.times):
            softening = self.branches.softening()
            matrix.axpy(-1.0, softening, PETSc.Mat.Structure.DIFFERENT_NONZERO_PATTERN)
        return matrix

    def viscous_work(self) -> float:
        """Return the dissipation since the committed state, J, share of this rank."""
        lost = self.branches.energies(self._u - self._before)[2]
        return lost + sum(points.viscous_work() for points in self.points)

    def accept(self) -> None:
        """Commit the history variables at the current displacements."""
        for points in self.points:
            points.accept()
        self.branches.accept()
        self._before = self._u
        self.set_step(0.0)

    def take(self, nodal: Array, memory: Array) -> None:
        """Set the history variables of all ranks.

        The next displacements must be those of their time. Collective.
        """
        self.branches.put_nodal(nodal)
        rest = memory
        for points in self.points:
            own, rest = np.split(rest, [points.whole_memory().size])
            points.take_memory(own)
        self._restored = True
        self.set_step(0.0)

    def start(self) -> None:
        """Commit the current displacements as an instantaneous deformation."""
        self.branches.put(np.tile(self._u, (len(self.branches.times), 1)))
        self.branches.move(0.0 * self._u)
        self.accept()


class ViscoelasticModel(HyperelasticModel):
    """Bodies on this rank, including viscoelastic and finite-strain or elastoplastic ones."""

    _finite: RelaxingForms

    def __init__(
        self, parts: Parts, pressures: Sequence[PressedEdges], branches: Sequence[Branch]
    ) -> None:
        self._series = branches
        self._committed = 0.0  # time of the last committed step, s
        super().__init__(parts, pressures)
        self._stress.use_points(self._finite.relaxing)
        self._finite.start()
        self._at = None

    def _finite_forms(self, parts: Parts) -> RelaxingForms:
        return RelaxingForms(parts, self._series)

    def hold(self, t: float) -> None:
        super().hold(t)
        self._finite.set_step(t - self._committed)
        self._at = None  # forces depend on the time

    def dissipation(self) -> tuple[float, float]:
        return self._finite.plastic_work(), self._finite.viscous_work()

    def accept(self) -> None:
        super().accept()
        self._finite.accept()
        self._committed, self._at = self._time, None

    # State and results ---------------------------------------------------------------------------

    def _relaxation(self) -> dict[str, Array]:
        points = [np.zeros(0), *(one.whole_memory().ravel() for one in self._finite.points)]
        return {RELAXATION: self._finite.branches.nodal(), POINTS: np.concatenate(points)}

    def exported_state(self, u: Array, t: float) -> dict[str, Array]:
        return super().exported_state(u, t) | self._relaxation()

    def import_state(self, state: Mapping[str, Array], t: float) -> None:
        super().import_state(state, t)
        check_relaxation(state, self._relaxation())
        self._take_relaxation(state, t)

    def _take_relaxation(self, state: Mapping[str, Array], t: float) -> None:
        self._finite.take(state[RELAXATION], state[POINTS])
        self._committed, self._at = t, None

    def internal_state(self) -> dict[str, Array]:
        return super().internal_state() | self._relaxation()

    def restore(self, state: Mapping[str, Array], u: Array, t: float) -> None:
        self._take_relaxation(state, t)
        super().restore(state, u, t)

    def _strained(self, u: Array, t: float) -> Array:
        self._evaluate(u)
        return super()._strained(u, t)


class InclinedViscoelasticModel(InclinedContact, ViscoelasticModel):  # type: ignore[misc]
    """The same with inclined supports."""
