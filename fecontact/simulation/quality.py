"""Quality measures and warnings of a finite-element run, collected for its result record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, Scalar, SurfaceSeries
from fecontact.simulation.monitors.chords import chord_height
from fecontact.simulation.monitors.contact_limits import (
    averaged_friction,
    coarse_pressures,
    excessive_wear,
    long_jumps,
    penetrating_prescribed_nodes,
    point_contacts,
    soft_penalties,
    springy_penalties,
    uneven_at_axis,
)
from fecontact.simulation.monitors.energy_limits import energy_scalars, energy_warnings, has_settled
from fecontact.simulation.monitors.jumps import Jumps
from fecontact.simulation.monitors.local_deformation import contacts_within_an_edge
from fecontact.simulation.monitors.monitors import Monitors
from fecontact.simulation.monitors.resolution import load_resolution, profile_resolution
from fecontact.simulation.monitors.rolling import rolling_losses
from fecontact.simulation.monitors.static_path import StaticPath
from fecontact.simulation.monitors.turns import Turns
from fecontact.simulation.monitors.warnings import fast_turns, rounded_away, unstable_equilibria
from fecontact.simulation.output.totals import Totals
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.stages import Stage

CLOSURE = 1e-9  # limit of the energy balance error, relative to the energy input
RESIDUAL = 1e-7  # limit of the residuals of equilibrium and contact, relative to the forces
TRUSTED = 1e-4  # largest value of either that is accepted as round-off
OVERLAP = 0.02  # limit of the overlap of two bodies, relative to the shortest boundary edge
COARSE_FLOW = 0.1  # limit of the error of the plastic work, relative to the energy input
PENETRATION = 2e-3  # limit of the overlap of a pair, relative to its shortest edge: 2 TOLERATED


@dataclass(frozen=True)
class Quality:
    """Data of a run for the evaluation of its quality; solid and loop belong to the last stage.

    lost_peaks: fractions of peaks of tables that lie between nodes, by key.
    """

    study: FiniteElementStudy
    mesh: ModelMesh
    stages: list[Stage]
    solid: Solid
    loop: TimeLoop
    totals: Totals
    monitors: Monitors
    path: StaticPath
    jumps: Jumps
    turns: Turns | None
    lost_peaks: dict[str, float]

    def warnings(self, surfaces: dict[str, SurfaceSeries]) -> list[RunWarning]:
        """Return a warning for each exceeded limit; surfaces: the saved contact surfaces."""
        loop, totals, contact = self.loop, self.totals, self.loop.contact
        return [
            *self.monitors.warnings(loop, self._energy, OVERLAP),
            *soft_penalties(loop, self._allowed_penetration),
            *springy_penalties(loop, totals),
            *coarse_pressures(self.study, contact, totals),
            *point_contacts(self.study, self.mesh, loop),
            *averaged_friction(self.study, contact),
            *(contacts_within_an_edge(self.study, self.mesh, loop) if self._rests else ()),
            *penetrating_prescribed_nodes(contact, PENETRATION),
            *(self._energy_warnings() if self._moves else ()),
            *excessive_wear(self.mesh, contact, surfaces),
            *long_jumps(contact),
            *uneven_at_axis(self.study, self.mesh, contact, surfaces),
            *rounded_away(loop, totals, TRUSTED),
            *unstable_equilibria(loop),
            *self.path.warnings(self.monitors.shortest),
            *self.jumps.warnings(self._energy),
            *(self._corotational_warnings(self.turns) if self.turns is not None else ()),
        ]

    @property
    def _rests(self) -> bool:
        """Return True if any stage is a static analysis."""
        return not all(stage.study.time.inertia for stage in self.stages)

    @property
    def _moves(self) -> bool:
        """Return True if inertia acts in any stage."""
        return any(stage.study.time.inertia for stage in self.stages)

    def _energy_warnings(self) -> list[RunWarning]:
        settled = has_settled(self.loop, self.totals)
        scheme, phase = self.loop.scheme, self.monitors.phase
        found = energy_warnings(scheme, self.totals, self.monitors.resolution, settled)
        return found if settled else [*found, *phase.warnings(scheme)]

    def _corotational_warnings(self, turns: Turns) -> list[RunWarning]:
        return [
            *fast_turns(self.loop, turns.farthest),
            *rolling_losses(self.study, self.mesh, self.loop, self.totals, turns),
        ]

    @property
    def _energy(self) -> float:
        """Return the energy input by loads, supports and motion, J.

        An interference adds its strain energy.
        """
        ledger = self.loop.ledger
        return max(self.totals.put_in, ledger.kinetic, ledger.strain, 1e-300)

    @property
    def _allowed_penetration(self) -> float:
        """Return the penetration limit relative to the shortest contact edge.

        It includes the height of curved edges over their chords.
        """
        contact = self.loop.contact
        shortest = float(contact.layout.shortest.min(initial=np.inf))
        return PENETRATION + chord_height(self.mesh, contact) / shortest

    def scalars(self) -> dict[str, Scalar]:
        """Return the quality measures of the run with their limits."""
        ledger, statistics, totals = self.loop.ledger, self.loop.statistics, self.totals
        energy = self._energy
        scalars = {
            "energy.balance_error": Scalar(
                totals.balance_error / energy,
                "1",
                "largest error of the energy balance, relative to the energy input",
                min(CLOSURE + ledger.rounding / energy, TRUSTED),
            ),
            "residual.equilibrium": Scalar(
                statistics.largest_imbalance,
                "1",
                "largest residual of the equations of motion, relative to the forces",
                RESIDUAL,
            ),
        }
        if self._moves:
            settled = has_settled(self.loop, totals)
            scalars |= energy_scalars(totals, self.monitors.resolution, settled)
        if self.study.stabilised:
            scalars |= self.jumps.scalars(ledger.stabilization, energy)
        if self.solid.yields:
            meaning = "end of the first step with plastic strain; 0 if no body yields"
            scalars["yield.onset_time"] = Scalar(totals.yields_at, "s", meaning)
            meaning = "largest equivalent plastic strain at a quadrature point"
            scalars["yield.max_plastic_strain"] = Scalar(
                self.solid.max_plastic_strain(), "1", meaning
            )
            if self.study.initial_state is None:  # otherwise part of the flow has no work here
                missing = self.solid.plastic_work_of_strain() - ledger.plastic
                scalars["energy.plastic_error"] = Scalar(
                    abs(missing) / energy,
                    "1",
                    "error of the plastic work because of long steps, relative to the energy input",
                    COARSE_FLOW,
                )
        scalars |= self.monitors.scalars(OVERLAP)
        scalars |= self.solid.reduction_scalars(self.monitors.reduction, energy)
        scalars |= load_resolution(self.stages) | profile_resolution(self.lost_peaks)
        if self.study.contact:
            residual, rounding, largest_force = statistics.contact_error
            scalars["residual.contact"] = Scalar(
                residual / largest_force,
                "1",
                "largest residual of the contact and friction laws at a node, relative to the "
                "largest contact force",
                min(RESIDUAL + rounding / largest_force, TRUSTED),
            )
            shortest = float(self.loop.contact.layout.shortest.min())
            scalars["penetration"] = Scalar(
                statistics.deepest_penetration / shortest,
                "1",
                "deepest penetration of a contact pair, relative to the shortest contact edge",
                self._allowed_penetration,
            )
        return scalars
