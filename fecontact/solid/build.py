"""Construction of the finite-element model from a study, with checks before assembly."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from mpi4py import MPI

from fecontact.mesh.cells import Index
from fecontact.record import Array, ModelMesh, RunWarning
from fecontact.solid.checks import (
    check_inclined_supports,
    check_motion,
    check_offsets,
    check_pairs,
    check_rigid_body_motion,
    check_supports,
    stabilised_by_contact,
)
from fecontact.solid.components import Parts
from fecontact.solid.conditions.axis import axis_nodes
from fecontact.solid.conditions.discrete import Discretes, add_preloads, discretes
from fecontact.solid.conditions.drift import drift_warnings
from fecontact.solid.conditions.foundations import edge_tensors, nodes_on
from fecontact.solid.conditions.interface import interface_nodes
from fecontact.solid.conditions.pretension import add_pretension, released_modes, sections
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.conditions.unconstrained import unconstrained_warnings
from fecontact.solid.corotational.checks import (
    check_follower_loads,
    check_rotations,
    corotational_nodes,
    corotational_parts,
    following_loads,
    hinges,
)
from fecontact.solid.corotational.model import CorotationalModel, CorotationalParts
from fecontact.solid.fem.forms import Depth, Forms
from fecontact.solid.fem.materials import CellMaterials, cell_materials, fictitious_density
from fecontact.solid.fem.measures import MEASURES
from fecontact.solid.fem.regions import Places
from fecontact.solid.fem.space import NodalSpace
from fecontact.solid.hyperelastic.checks import check_finite_strain
from fecontact.solid.hyperelastic.conserving import ConservingSolid
from fecontact.solid.hyperelastic.follower_pressure import PressedEdges, pressed_edges
from fecontact.solid.hyperelastic.forms import laws_of_cells
from fecontact.solid.hyperelastic.free_bodies import add_spin
from fecontact.solid.hyperelastic.model import HyperelasticModel
from fecontact.solid.linear.inclined import InclinedFiniteSolid, InclinedSolid
from fecontact.solid.plasticity.model import flows_of_cells, yielding_pieces
from fecontact.solid.solid import Solid
from fecontact.solid.viscoelastic.finite_model import InclinedViscoelasticModel, ViscoelasticModel
from fecontact.solid.viscoelastic.model import InclinedViscoelasticSolid, ViscoelasticSolid
from fecontact.solid.viscoelastic.series import Branch, branches_of_cells
from fecontact.study.finite_element import FiniteElementStudy


def build_solid(study: FiniteElementStudy, mesh: ModelMesh, comm: MPI.Comm) -> Solid:
    """Build the bodies of a study with their supports and loads; collective.

    Raise InputError if the model cannot be computed.
    """
    places = Places(study.bodies, mesh)
    check_pairs(study, places)
    check_supports(study, mesh, places)
    # All pairs are included: an inactive pair may act later, with the same mass and nodes.
    surfaces = _contact_nodes(study, places, "slave", "master")
    redistributed = study.time.on_impact.massless_contact_nodes and not study.reduced
    sides = ("slave",) if redistributed else ()
    massless = _contact_nodes(study, places, *sides)
    return _build(study.acting, NodalSpace(mesh, comm), places, surfaces, massless)


def _build(
    study: FiniteElementStudy, space: NodalSpace, places: Places, surfaces: Index, massless: Index
) -> Solid:
    """Build the bodies; surfaces, massless: nodes of all contact edges, and those without mass."""
    mesh, measure = space.mesh, MEASURES[study.plane]
    materials = cell_materials(study.bodies, study.materials, mesh, measure)
    chosen = [study.materials[body.material] for body in study.bodies.values()]
    laws, flows = laws_of_cells(chosen, materials.body), flows_of_cells(chosen, materials.body)
    axis = axis_nodes(study, mesh, places)
    turns = corotational_nodes(study, mesh, places)
    prescribed, hinged = hinges(study, places, turns)
    supports = Supports(prescribed, study.functions, mesh, places, axis, measure.depth)
    forms = Forms(space, Depth(measure, materials.thickness, materials.sheet))
    springs = discretes(study.springs, study.point_masses, forms, places)
    _check(study, mesh, places, turns, springs, supports)
    contact = _contact_nodes(study, places, "slave", "master")
    cuts = sections(study.loads, forms, materials, places)
    released = released_modes(cuts, mesh)
    stabilised = stabilised_by_contact(study, mesh, materials, supports, contact, released)
    foundations = edge_tensors(study.foundations, forms, materials, places)
    check_rigid_body_motion(study, mesh, materials, supports, springs, foundations, stabilised)
    pressures = pressed_edges(study, forms, places, _nodes_of(mesh, materials.finite))
    density = materials.density
    loads, following = following_loads(study, forms, density, places, turns, without=pressures)
    add_preloads(loads, study.springs, springs.factor, space)
    add_pretension(loads, cuts, space)
    holding, founded = springs.and_hinges(hinged.node, hinged.prescribed), nodes_on(foundations)
    of_all = *loads.values(), *following.values()
    warnings = _warnings(study, forms, supports, springs, holding, founded, of_all)
    linked = np.logical_or(*(turns[springs.ends] & (springs.ends >= 0)).T)
    retained = interface_nodes(study, mesh, places, supports, springs)
    parts = Parts(
        forms=forms,
        places=places,
        materials=materials,
        laws=laws,
        yielding=yielding_pieces(forms.pieces, flows),
        body_names=list(study.bodies),
        supports=supports,
        discretes=springs.only(~linked),
        foundations=foundations,
        loads=loads,
        functions=study.functions,
        contact=_joined(surfaces, _present(springs.ends[linked]), hinged.node, retained),
        stabilised=stabilised,
        massless=massless,
        initial=_initial(study, mesh, places, forms, density),
        lumped=study.mass_matrix == "lumped",
        solver=study.solver,
        warnings=warnings,
        notes=[f"{len(axis)} nodes on the axis of symmetry are fixed in x"] if len(axis) else [],
        sections=cuts,
        fictitious_density=_density_in_jumps(study, materials, mesh),
    )
    if not study.corotational or laws or flows or study.viscoelastic:
        branches = branches_of_cells(chosen, materials.body, measure.thins)
        return _without_frames(study, parts, list(pressures.values()), branches)
    node, spin = corotational_parts(study, mesh, places)
    more = CorotationalParts(node, spin, springs.only(linked), hinged, following)
    return CorotationalModel(parts, more)


def _check(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    places: Places,
    turns: NDArray[np.bool_],
    springs: Discretes,
    supports: Supports,
) -> None:
    """Raise InputError if the conditions of a study contradict each other; turns: (N,) nodes of
    corotational bodies.
    """
    check_offsets(study, mesh, places)
    check_motion(study, places, supports)
    check_follower_loads(springs, turns)
    if study.corotational:
        check_rotations(study, mesh, places, turns, springs, supports)
    check_finite_strain(study, mesh, places)
    check_inclined_supports(study, mesh, supports)


def _density_in_jumps(
    study: FiniteElementStudy, materials: CellMaterials, mesh: ModelMesh
) -> Array | None:
    """Return the density that damps jumps of static steps, kg/m³; None if they are not damped."""
    return fictitious_density(materials, mesh) if study.time.damping_of_jumps else None


def _present(nodes: Index) -> Index:
    """Return the nodes of springs that do not end at the ground, where the number is −1."""
    return nodes[nodes >= 0]


def _joined(*nodes: Index) -> Index:
    """Return the nodes of several groups, each once."""
    return np.unique(np.concatenate(nodes))


def _nodes_of(mesh: ModelMesh, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (N,) True at the nodes of the given cells (cells,)."""
    found = np.zeros(len(mesh.points), dtype=bool)
    found[mesh.cells[cells]] = True
    return found


def _without_frames(
    study: FiniteElementStudy, parts: Parts, pressed: list[PressedEdges], branches: list[Branch]
) -> Solid:
    """Return the model of linear, finite-strain, elastoplastic and viscoelastic bodies.

    pressed: edges under follower pressure;
    branches: Prony branches of the linear viscoelastic bodies.
    """
    inclined = len(parts.supports.axes.node) > 0
    if parts.laws and study.time.conserving:
        return ConservingSolid(parts, pressed)
    if (parts.laws or study.yielding) and study.viscoelastic:
        mixed = InclinedViscoelasticModel if inclined else ViscoelasticModel
        return mixed(parts, pressed, branches)
    if parts.laws or study.yielding:
        return (InclinedFiniteSolid if inclined else HyperelasticModel)(parts, pressed)
    if branches:
        return (InclinedViscoelasticSolid if inclined else ViscoelasticSolid)(parts, branches)
    return (InclinedSolid if inclined else Solid)(parts)


def _warnings(
    study: FiniteElementStudy,
    forms: Forms,
    supports: Supports,
    springs: Discretes,
    holding: Discretes,
    founded: Index,
    loads: Iterable[Array],
) -> list[RunWarning]:
    """Return warnings on bodies that drift or are constrained by contact only. Collective.

    holding: springs and hinges;
    founded: nodes on foundations.
    """
    mesh = forms.space.mesh
    if study.time.inertia:
        forces = _nodal(forms.space, loads)
        return drift_warnings(study, mesh, supports, holding, founded, forces)
    if study.contact:
        return unconstrained_warnings(study, mesh, supports, springs, founded)
    return []


def _contact_nodes(study: FiniteElementStudy, places: Places, *sides: str) -> Index:
    """Return the nodes of the edges on the given sides (slave, master) of all contact pairs."""
    nodes = [
        places.edges(getattr(pair, side), f"contact.{name}.{side}").ravel()
        for name, pair in study.contact.items()
        for side in sides
        if side == "slave" or pair.master not in study.tools
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *nodes]))


def _initial(
    study: FiniteElementStudy, mesh: ModelMesh, places: Places, forms: Forms, density: Array
) -> tuple[Array, Array]:
    """Return displacement and velocity of all nodes at t = 0, without the spin of corotational
    bodies.
    """
    u, v = np.zeros(mesh.points.shape), np.zeros(mesh.points.shape)
    for name, body in study.bodies.items():
        nodes = places.nodes(name, f"bodies.{name}")
        u[nodes], v[nodes] = body.displacement, body.velocity
    add_spin(study, mesh, places, forms, density, v)
    return u, v


def _nodal(space: NodalSpace, loads: Iterable[Array]) -> list[Array]:
    """Return load patterns as nodal forces (N, 2), identical on every rank; collective."""
    own = space.node[: space.owned_blocks]
    forces = []
    for load in loads:
        nodal = np.zeros(space.mesh.points.shape)
        nodal[own] = load.reshape(-1, 2)
        forces.append(np.asarray(space.comm.allreduce(nodal, MPI.SUM)))
    return forces
