"""Components from which the model of the bodies is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fecontact.mesh.cells import Index
from fecontact.record import Array, RunWarning
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.foundations import EdgeTensors
from fecontact.solid.conditions.loads import Pattern
from fecontact.solid.conditions.pretension import Section
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.regions import Places
from fecontact.solid.hyperelastic.forms import LawCells
from fecontact.solid.plasticity.model import YieldingPiece
from fecontact.study.models.functions import TimeFunction


@dataclass(frozen=True)
class Parts:
    """Components of a :class:`fecontact.solid.solid.Solid`.

    forms: weak forms on the mesh, integrated with the measure of the plane.
    laws: finite-strain materials.
    yielding: elastoplastic cells of each kind, or None.
    body_names: in the order of the material indices.
    loads: load patterns on the dofs owned by this rank.
    functions: time functions referenced by loads and supports.
    contact: nodes of the contact edges.
    stabilised: (N, 2) components of contact nodes with stabilising springs in a static analysis.
    massless: nodes whose mass is redistributed to the other nodes of their body.
    initial: displacement and velocity (N, 2) at t = 0.
    lumped: True if M is lumped.
    solver: solver settings of the study.
    warnings: possible input errors.
    notes: automatic adjustments.
    sections: pretension sections.
    fictitious_density: (cells,) kg/m³ of the damping matrix of jumps in a static analysis, which
        replaces M; None without stabilisation.
    """

    forms: Forms
    places: Places
    materials: CellMaterials
    laws: Sequence[LawCells]
    yielding: Sequence[YieldingPiece | None]
    body_names: Sequence[str]
    supports: Supports
    discretes: Discretes
    foundations: Sequence[EdgeTensors]
    loads: Mapping[Pattern, Array]
    functions: Mapping[str, TimeFunction]
    contact: Index
    stabilised: NDArray[np.bool_]
    massless: Index
    initial: tuple[Array, Array]
    lumped: bool
    solver: str
    warnings: Sequence[RunWarning]
    notes: Sequence[str]
    sections: Sequence[Section] = ()
    fictitious_density: Array | None = None
