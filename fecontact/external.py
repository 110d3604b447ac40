"""User-assembled elastic bodies as a linear structural model with contact.

The user supplies a dolfinx mesh, a displacement space, the assembled matrices and the names of the
contact facets. fecontact adds contact and time integration, in serial and under MPI.
``examples/own_forms.py`` starts from a plain dolfinx script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from dolfinx import fem
from mpi4py import MPI
from petsc4py import PETSc

from fecontact.arrays import Array, Index, Mask
from fecontact.bulk import ContactNodes, NodeTable
from fecontact.contact.driven_tool import DrivenTool, driven_tools
from fecontact.contact.force_controlled import WithTools
from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.rigid_surface import tool_in_time
from fecontact.contact.tools import Tool
from fecontact.contact.tools.base import FUNCTIONS
from fecontact.dynamics.checked_loop import CheckedLoop
from fecontact.solid.conditions.prescribed import Prescribed
from fecontact.solid.fem.dofs import SharedDofs, numbered, restricted
from fecontact.solid.fem.facets import facet_edges
from fecontact.solid.fem.matrices import Matrices
from fecontact.solid.solvers.system import FreeSystem
from fecontact.study.base import Name, Problem, StudyModel, missing, unknown
from fecontact.study.errors import InputError, StudyError
from fecontact.study.finite_element import ContactPair, Time, solver_name
from fecontact.study.models.functions import TimeFunction
from fecontact.study.script import plain
from fecontact.study.validation.drives import impossible_drives
from fecontact.study.validation.explain import explain
from fecontact.timefunctions import function_of_time

# fraction of a step: interval of the finite difference for velocities of boundary conditions
DIFFERENCE = 1e-3
SOLVERS = ("auto", "mumps", "cholesky")
FACETS = "name of facets"


class PetscBulk(FreeSystem):
    """Structural model M ü + C u̇ + K u = f(t) with boundary conditions and contact facets.

    space: Lagrange vectors of degree 1 or 2 in the plane. mass, stiffness, damping: assembled over
    all dofs, without boundary conditions, symmetric. load: t ↦ the load vector at the dofs this
    rank owns (N per m of depth). facets: name → boundary facets (indices of this rank, as returned
    by `dolfinx.mesh.locate_entities_boundary`). bcs: prescribed displacements; in a static analysis
    a value that you change between steps holds in the next one. update_bcs: t ↦ sets the values of
    bcs at that time, which a dynamic analysis needs for their velocity (by differences). solver:
    "mumps" or "cholesky", or "auto" for the faster one.

    >>> sole = dolfinx.mesh.locate_entities_boundary(domain, 1, lambda x: np.isclose(x[1], 0.0))
    >>> bulk = fecontact.PetscBulk(V, M, K, lambda t: F.array, {"sole": sole}, bcs=[clamp])
    """

    def __init__(
        self,
        space: fem.FunctionSpace,
        mass: PETSc.Mat,
        stiffness: PETSc.Mat,
        load: Callable[[float], Array],
        facets: Mapping[str, NDArray[np.int32]],
        bcs: Sequence[fem.DirichletBC] = (),
        damping: PETSc.Mat | None = None,
        solver: str = "auto",
        update_bcs: Callable[[float], None] | None = None,
    ) -> None:
        self.space, self._load = space, load
        _check_space(space)
        _check_sizes(space, mass=mass, stiffness=stiffness, damping=damping)
        self.edges = {name: facet_edges(space, own, name) for name, own in facets.items()}
        self._prescribed = Prescribed(space, bcs, update_bcs, (stiffness, damping, mass))
        prescribed = self._prescribed.prescribed
        self._free: Index = np.flatnonzero(~prescribed)
        self.surface, shared, here = _contact_nodes(space, self.edges, prescribed.reshape(-1, 2))
        self._prescribed.on_contact(here, self.surface.node)
        self.prescribed_moves = self._prescribed.touches
        free = [
            None if m is None else restricted(m, self._free) for m in (stiffness, damping, mass)
        ]
        super().__init__(Matrices(*free), self._free, shared, space.mesh.comm, _solver(solver))

    def step_in(self, step: float, inertia: bool) -> None:
        """Set the step length, s, and whether velocities of prescribed dofs are needed."""
        self._prescribed.interval = DIFFERENCE * step if inertia else 0.0
        self._prescribed.inertia = inertia

    def load(self, t: float, out: Array) -> Array:
        """Compute out = f(t) − K_fh u_h − C_fh u̇_h − M_fh ü_h."""
        force = self._prescribed.force(t)[self._free]
        return np.subtract(self._load(t)[self._free], force, out=out)

    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Return displacement and velocity of prescribed contact dofs, 0 where free."""
        return self._prescribed.at_contact(t)

    def spring_energy(self, u: Array, t: float) -> float:
        """Return 0: springs are part of K."""
        return 0.0

    def support_energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        """Return the energies x·X_fh x_h + ½ x_h·X_hh x_h (kinetic, strain) of prescribed dofs."""
        kinetic, strain = self._prescribed.energy(t, u[: len(self._free)], v, self._free)
        return kinetic, strain

    def support_damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        """Return [u]·C_fh v_h + [u_h]·(C_hf v + C_hh v_h); v and v_h are means over the step."""
        return self._prescribed.dissipated(increment, v, before, t, self._free)

    def at_free_dofs(self, function: fem.Function) -> Array:
        """Return the values of a function of `space` at the free dofs of this rank."""
        return np.array(function.x.array[self._free])

    def displacement(self, u: Array, out: fem.Function | None = None) -> fem.Function:
        """Return the displacements u of the free dofs (``loop.now.u``) and of the prescribed dofs
        as a function.
        """
        return self._function(u, self._prescribed.last[0], out)

    def velocity(self, v: Array, out: fem.Function | None = None) -> fem.Function:
        """Return velocities (or accelerations) of the free dofs as a function."""
        return self._function(v, self._prescribed.last[1], out)

    def _function(self, x: Array, prescribed: Array, out: fem.Function | None) -> fem.Function:
        function = fem.Function(self.space) if out is None else out
        function.x.array[: len(prescribed)] = prescribed
        function.x.array[self._free] = x[: len(self._free)]
        function.x.scatter_forward()
        return function


class _Settings(StudyModel):
    """Tables of a study needed for contact and time integration, and the names of the facets."""

    facets: tuple[Name, ...]
    contact: dict[Name, ContactPair]
    time: Time
    tools: dict[Name, Tool]
    functions: dict[Name, TimeFunction]

    def problems(self) -> Iterator[Problem]:
        for name, pair in self.contact.items():
            if pair.offset_function is not None:
                path = ("contact", name, "offset_function")
                yield from missing(path, "function", pair.offset_function, self.functions)
            masters = [*self.facets, *self.tools]
            yield from missing(("contact", name, "slave"), FACETS, pair.slave, self.facets)
            yield from missing(("contact", name, "master"), FACETS, pair.master, masters)
            for i, place in enumerate(pair.exclude):
                yield from missing(("contact", name, "exclude", i), FACETS, place, self.facets)
        for name, tool in self.tools.items():
            if name in self.facets:
                yield ("tools", name), "has the name of facets. Rename it."
            for key in FUNCTIONS:
                function = getattr(tool, key)
                if function is not None:
                    yield from missing(("tools", name, key), "function", function, self.functions)
            for words in tool.wrong_parts(self.tools):
                yield ("tools", name, "of"), words
            if tool.drawn_in is not None:
                yield (
                    ("tools", name, "type"),
                    ("needs segments of a mesh file, which are not available"),
                )
        yield from impossible_drives(self.tools, self.contact, self.time, axisymmetric=False)


def contact_loop(
    bulk: PetscBulk,
    contact: Mapping[str, Mapping[str, Any]],
    time: Mapping[str, Any],
    u: fem.Function | None = None,
    v: fem.Function | None = None,
    tools: Mapping[str, Mapping[str, Any]] | None = None,
    functions: Mapping[str, Mapping[str, Any]] | None = None,
) -> CheckedLoop:
    """Return a time loop of a structural model with contact.

    Step it with ``while not loop.finished: loop.advance()``.

    contact, time, tools, functions: the tables [contact.NAME], [time], [tools.NAME] and
    [functions.NAME] of a study file, with the same keys, units, defaults and errors; slave and
    master are names of the model's facets, a master can be a tool. u, v: displacement (m) and
    velocity (m/s) at t = 0, default 0. ``loop.now.u``, ``.v``, ``.a`` are the motion of the free
    dofs (followed, on the first rank, by that of free tools), ``loop.surface(NAME)`` nodes, arc
    length, pressure, gap and status along a slave edge, ``loop.contact.tool_forces()`` force and
    moment on each tool, ``loop.ledger`` the energies, ``loop.quality`` their errors.
    :func:`run_loop` advances the loop to its end and returns a result with report and fields.

    >>> floor = {"type": "half-plane"}
    >>> pair = {"slave": "sole", "master": "ground", "friction": 0.3}
    >>> loop = fecontact.contact_loop(
    ...     bulk, {"pair": pair}, {"step": 1e-3, "end": 0.1}, tools={"ground": floor}
    ... )
    >>> while not loop.finished:
    ...     loop.advance()
    >>> loop.surface("pair")["pressure"]
    """
    tables = {"facets": tuple(bulk.edges), "contact": plain(contact), "time": plain(time)}
    tables |= {"tools": plain(tools or {}), "functions": plain(functions or {})}
    try:
        settings = _Settings.model_validate(tables)
    except ValidationError as error:
        raise StudyError(explain(error, _Settings, lambda _: "contact_loop")) from None
    driven = _driven(bulk, settings)
    pairs = [_pair(bulk, settings, name, driven) for name in settings.contact]
    if settings.time.on_impact.massless_contact_nodes:
        _require_massless(bulk, pairs)
    bulk.step_in(settings.time.longest, settings.time.inertia)
    start = [np.zeros(bulk.size) if f is None else bulk.at_free_dofs(f) for f in (u, v)]
    moving: PetscBulk | WithTools = bulk
    if driven:
        moving = WithTools(bulk, list(driven.values()), bulk.comm.rank == 0)
        start = list(moving.initial(*start))
    loop = CheckedLoop(moving, pairs, settings.time, *start)
    loop.model = bulk
    loop.tables = {name: table for name, table in tables.items() if name != "facets"}
    return loop


def _driven(bulk: PetscBulk, settings: _Settings) -> dict[str, DrivenTool]:
    """Return the force-controlled tools by name."""
    surface, slaves = bulk.surface, {}
    for name in settings.tools:
        pairs = [pair for pair in settings.contact.values() if pair.master == name]
        if pairs:
            nodes = np.concatenate([bulk.edges[pair.slave].ravel() for pair in pairs])
            slaves[name] = surface.coordinates[np.isin(surface.node, nodes)]
    first = int(surface.node.max()) + 1
    return driven_tools(settings.tools, settings.functions, slaves, first)


def _pair(
    bulk: PetscBulk, settings: _Settings, name: str, driven: Mapping[str, DrivenTool]
) -> Pair:
    """Return a contact pair with its edges, or with the tool that is its master."""
    pair, tool = settings.contact[name], None
    if pair.master in settings.tools:
        own = driven.get(pair.master)
        tool = tool_in_time(pair.master, settings.tools, settings.functions, own)
    function = pair.offset_function
    return Pair(
        name,
        pair,
        bulk.edges[pair.slave],
        np.zeros((0, 2), np.int64) if tool is not None else bulk.edges[pair.master],
        offset_in_time=(
            None if function is None else function_of_time(settings.functions, function)
        ),
        tool=tool,
        left_out=np.concatenate(
            [np.zeros(0, np.int64), *(bulk.edges[f].ravel() for f in pair.exclude)]
        ),
    )


def _require_massless(bulk: PetscBulk, pairs: Sequence[Pair]) -> None:
    """Raise InputError if the caller's mass matrix has mass on slave nodes (redistributed mass)."""
    nodes = bulk.surface
    light = bulk.gather(bulk.massless.astype(float), np.empty(nodes.size))
    for pair in pairs:
        dofs = nodes.dof[np.isin(nodes.node, pair.slave)]
        if not light[dofs[dofs >= 0]].all():
            raise InputError(
                'contact_loop: time.impact is "redistributed-mass", but the mass matrix has mass '
                f"on the facets {pair.settings.slave!r}. Pass a matrix without mass there."
            )


def _solver(word: str) -> str:
    name = solver_name(word)
    if name not in SOLVERS:
        raise InputError(f"PetscBulk: solver {unknown('solver', word, SOLVERS)}")
    return str(name)


def _check_space(space: fem.FunctionSpace) -> None:
    layout = space.dofmap.dof_layout
    plane = space.mesh.geometry.dim == 2 and space.mesh.topology.dim == 2 and space.dofmap.bs == 2
    if not plane or len(layout.entity_closure_dofs(1, 0)) not in (2, 3):
        raise InputError(
            "PetscBulk: invalid space. Use a vector Lagrange space of degree 1 or 2, for example "
            'dolfinx.fem.functionspace(mesh, ("Lagrange", 1, (2,))).'
        )


def _check_sizes(space: fem.FunctionSpace, **matrices: PETSc.Mat | None) -> None:
    size = 2 * space.dofmap.index_map.size_global
    for name, matrix in matrices.items():
        if matrix is not None and matrix.getSize() != (size, size):
            raise InputError(
                f"PetscBulk: the {name} matrix has size {matrix.getSize()}; it must be "
                f"({size}, {size}), assembled over the given space"
            )


def _contact_nodes(
    space: fem.FunctionSpace, edges: Mapping[str, Index], prescribed: Mask
) -> tuple[ContactNodes, SharedDofs, Mask]:
    """Return the nodes of all edges, their free dofs shared by the ranks, and a
    mask of owned nodes.

    prescribed: mask (n, 2) of prescribed dofs of the nodes that this rank owns.
    """
    comm, index_map = space.mesh.comm, space.dofmap.index_map
    nodes = np.unique(np.concatenate([e.ravel() for e in edges.values()]))
    first, last = index_map.local_range
    here = (nodes >= first) & (nodes < last)
    own = nodes[here] - first
    known = np.zeros((len(nodes), 4))  # position and prescribed flag, from the owner of each node
    known[here] = np.hstack([space.tabulate_dof_coordinates()[own, :2], prescribed[own]])
    comm.Allreduce(MPI.IN_PLACE, known)
    free = known[:, 2:4] == 0.0
    dof, size = numbered(free), int(np.count_nonzero(free))
    local = numbered(~prescribed)[own]
    mine = dof[here]
    shared = SharedDofs(comm, mine[mine >= 0], local[local >= 0], size)
    return NodeTable(nodes, known[:, :2].copy(), dof, size), shared, here
