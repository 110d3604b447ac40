"""Contact and time loop for user-defined PETSc matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI

import fecontact

HEIGHT, GAP = 1.0, 0.5
YOUNG, DENSITY = 1e6, 1000.0
STATIC = {"scheme": "static", "step": 1.0, "end": 1.0}
PAIR = {"pair": {"slave": "upper", "master": "lower"}}

Matrices = dict[str, Any]


@pytest.fixture(params=[("triangle", 1), ("triangle", 2), ("quadrilateral", 1)], ids=str)
def columns(request: pytest.FixtureRequest) -> Matrices:
    """Two columns of 1 m by 1 m, one above the other, GAP apart; Poisson's ratio is 0."""
    cell, degree = request.param
    kind = mesh.CellType[cell]
    grid = mesh.create_rectangle(MPI.COMM_SELF, [(0, -HEIGHT), (1, HEIGHT + GAP)], [2, 5], kind)
    cells = np.arange(grid.topology.index_map(2).size_local, dtype=np.int32)
    y = mesh.compute_midpoints(grid, 2, cells)[:, 1]
    domain = mesh.create_submesh(grid, 2, cells[(y < 0) | (y > GAP)])[0]

    def at(height: float) -> Callable[[Any], Any]:
        return lambda x: np.isclose(x[1], height)

    facets = {
        "upper": mesh.locate_entities_boundary(domain, 1, at(GAP)),
        "lower": mesh.locate_entities_boundary(domain, 1, at(0.0)),
    }
    space = fem.functionspace(domain, ("Lagrange", degree, (2,)))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    strain = [ufl.sym(ufl.grad(w)) for w in (u, v)]
    mass = petsc.assemble_matrix(fem.form(DENSITY * ufl.inner(u, v) * ufl.dx))
    stiffness = petsc.assemble_matrix(fem.form(YOUNG * ufl.inner(*strain) * ufl.dx))
    mass.assemble()
    stiffness.assemble()
    base = fem.dirichletbc(np.zeros(2), fem.locate_dofs_geometrical(space, at(-HEIGHT)), space)
    top = fem.locate_dofs_geometrical(space, at(HEIGHT + GAP))
    return {"space": space, "mass": mass, "stiffness": stiffness, "facets": facets,
            "base": base, "top": top}  # fmt: skip


def bulk_of(columns: Matrices, *, down: float = 0.0, **changes: Any) -> fecontact.PetscBulk:
    space = columns["space"]
    lid = fem.dirichletbc(np.array([0.0, -down]), columns["top"], space)
    none = np.zeros(2 * space.dofmap.index_map.size_local)
    given = {
        "space": space, "mass": columns["mass"], "stiffness": columns["stiffness"],
        "load": lambda t: none, "facets": columns["facets"], "bcs": [columns["base"], lid],
    }  # fmt: skip
    return fecontact.PetscBulk(**(given | changes))


def test_columns_pressed_together_share_the_shortening(columns: Matrices) -> None:
    """The lid goes down by d: each column shortens by (d − gap)/2 under the pressure E ε."""
    down = GAP + 0.01
    bulk = bulk_of(columns, down=down)
    loop = fecontact.contact_loop(bulk, PAIR, STATIC)
    loop.advance()
    surface = loop.contact.surface("pair")
    assert surface["pressure"] == pytest.approx(YOUNG * 0.005 / HEIGHT, rel=1e-9)
    assert np.abs(surface["gap"]).max() < 1e-12
    assert loop.ledger.strain == pytest.approx(2 * 0.5 * YOUNG * (0.005 / HEIGHT) ** 2, rel=1e-9)
    u = bulk.displacement(loop.now.u)
    assert u.x.array.reshape(-1, 2)[:, 1].min() == pytest.approx(-down)


def test_columns_that_do_not_reach_each_other_carry_nothing(columns: Matrices) -> None:
    loop = fecontact.contact_loop(bulk_of(columns, down=0.4), PAIR, STATIC)
    loop.advance()
    surface = loop.contact.surface("pair")
    assert not surface["pressure"].any()
    assert surface["gap"] == pytest.approx(0.1)


def falling(columns: Matrices, step: float) -> fecontact.external.CheckedLoop:
    """The upper column falls on the lower one with 1 m/s."""
    space, bulk = columns["space"], bulk_of(columns, bcs=[columns["base"]])
    thrown = fem.Function(space)
    cells = np.arange(len(space.dofmap.list), dtype=np.int32)
    middles = mesh.compute_midpoints(space.mesh, 2, cells)
    above = np.flatnonzero(middles[:, 1] > 0).astype(np.int32)
    thrown.interpolate(lambda x: np.outer([0.0, -1.0], np.ones_like(x[0])), above)
    time = {"scheme": "average-acceleration", "step": step, "end": 0.6}
    return fecontact.contact_loop(bulk, PAIR, time, v=thrown)


@pytest.mark.filterwarnings("ignore:contact_loop")
def test_a_falling_column_lands_and_its_energy_is_accounted_for(columns: Matrices) -> None:
    loop, closed = falling(columns, 0.005), 0
    while not loop.finished:
        closed += loop.advance().open == 0
    assert closed > 0
    assert abs(loop.ledger.balance_error) < 1e-9 * 0.5 * DENSITY


def test_a_loop_warns_of_energy_that_it_creates(columns: Matrices) -> None:
    loop = falling(columns, 0.0005)
    with pytest.warns(RuntimeWarning, match=r"energy.gain .* generates energy at impacts"):
        while not loop.finished:
            loop.advance()
    assert loop.quality["energy.gain"] > 0.1
    assert loop.quality["energy.balance_error"] < 1e-9


@pytest.mark.parametrize(
    ("contact", "time", "message"),
    [
        ({"pair": {"slave": "uper", "master": "lower"}}, STATIC, 'did you mean "upper"'),
        (PAIR, STATIC | {"step": -1.0}, "key `time.step` is -1.0"),
        (PAIR, {"step": 1.0}, "key `time.end` is missing"),
        (PAIR, {"step": 0.1, "end": 1.0, "impact": "redistributed-mass"}, "on the facets"),
    ],
)
def test_tables_are_checked_as_in_a_study(
    columns: Matrices, contact: dict[str, Any], time: dict[str, Any], message: str
) -> None:
    with pytest.raises(fecontact.InputError, match=message):
        fecontact.contact_loop(bulk_of(columns), contact, time)


def test_invalid_contact_facets_are_rejected(columns: Matrices) -> None:
    domain = columns["space"].mesh
    domain.topology.create_connectivity(1, 2)
    cells = domain.topology.connectivity(1, 2)
    inside = np.flatnonzero(np.diff(cells.offsets) == 2)[:1].astype(np.int32)
    with pytest.raises(fecontact.InputError, match=r"facets 'upper': .* on the boundary"):
        bulk_of(columns, facets=columns["facets"] | {"upper": inside})
    with pytest.raises(fecontact.InputError, match="facets 'lower': no facet is marked"):
        bulk_of(columns, facets=columns["facets"] | {"lower": inside[:0]})


def test_a_space_of_another_kind_is_rejected(columns: Matrices) -> None:
    scalar = fem.functionspace(columns["space"].mesh, ("Lagrange", 1))
    with pytest.raises(fecontact.InputError, match="Lagrange space"):
        bulk_of(columns, space=scalar)


def test_a_matrix_of_another_size_is_rejected(columns: Matrices) -> None:
    from petsc4py import PETSc

    with pytest.raises(fecontact.InputError, match=r"mass matrix has size \(2, 2\)"):
        bulk_of(columns, mass=PETSc.Mat().createAIJ((2, 2), comm=MPI.COMM_SELF))


def test_a_solver_that_does_not_exist_is_rejected_and_the_older_word_is_read(
    columns: Matrices,
) -> None:
    with pytest.raises(fecontact.InputError, match=r'PetscBulk: solver is "pardiso"'):
        bulk_of(columns, solver="pardiso")
    for solver in ("cholesky", "lu"):
        assert bulk_of(columns, solver=solver).factor(1.0, 0.0, 1.0).compliance(np.arange(2)).size


def test_a_rigid_plate_presses_one_column_by_a_force(columns: Matrices) -> None:
    """F = E A ε, frictionless; the other column has no contact."""
    tools = {"plate": {"type": "half-plane", "normal": [0.0, -1.0], "free": ["y"],
                       "force": [0.0, -0.01 * YOUNG]}}  # fmt: skip
    pairs = {"pair": {"slave": "lower", "master": "plate"}}
    bulk = bulk_of(columns)
    loop = fecontact.contact_loop(bulk, pairs, STATIC, tools=tools)
    loop.advance()
    assert loop.contact.tool_forces()["plate"][1] == pytest.approx(0.01 * YOUNG, rel=1e-9)
    assert loop.now.u[-1] == pytest.approx(-0.01 * HEIGHT, rel=1e-9)
    assert bulk.displacement(loop.now.u).x.array.min() == pytest.approx(-0.01 * HEIGHT, rel=1e-9)


def test_a_value_changed_between_static_steps_holds_in_the_next_one(columns: Matrices) -> None:
    space = columns["space"]
    down = fem.Constant(space.mesh, (0.0, -GAP))
    lid = fem.dirichletbc(down, columns["top"], space)
    bulk = bulk_of(columns, bcs=[columns["base"], lid])
    loop = fecontact.contact_loop(bulk, PAIR, STATIC | {"end": 3.0})
    found = []
    while not loop.finished:
        down.value[1] -= 1e-3
        loop.advance()
        found.append(float(loop.contact.surface("pair")["pressure"].mean()))
        assert bulk.displacement(loop.now.u).x.array.min() == pytest.approx(down.value[1])
    assert found == pytest.approx([YOUNG * 1e-3 * n / (2 * HEIGHT) for n in (1, 2, 3)], rel=1e-9)


def shaken(columns: Matrices, gap: float, **more: Any) -> tuple[Any, Any]:
    """The columns with the lid of the upper one shaken."""
    space = columns["space"]
    down = fem.Constant(space.mesh, (0.0, 0.0))
    lid = fem.dirichletbc(down, columns["top"], space)

    def move(t: float) -> None:
        down.value[1] = -gap * (1 - np.cos(20.0 * t))

    bulk = bulk_of(columns, bcs=[columns["base"], lid], **more | {"update_bcs": move})
    time = {"scheme": "newmark", "step": 1e-3, "end": 0.2}
    return bulk, fecontact.contact_loop(bulk, PAIR, time)


def test_moving_boundary_conditions_in_dynamics(columns: Matrices) -> None:
    """A shaken column hangs on its lid: energy is balanced, and its free end follows the wave
    equation, u(L) = g(t) convolved: here compared with inertia forces in the frame of the lid."""
    bulk, loop = shaken(columns, 0.01)
    space, stiffness, mass = (columns[k] for k in ("space", "stiffness", "mass"))
    prescribed = fem.dirichletbc(np.zeros(2), columns["top"], space)
    unit = fem.Function(space)
    unit.interpolate(lambda x: np.stack([0 * x[0], (x[1] > 0.1) * 1.0]))
    push = mass.createVecLeft()
    mass.mult(unit.x.petsc_vec, push)

    def inertia(t: float) -> Any:
        return push.getArray() * 0.01 * 400.0 * np.cos(20.0 * t)

    frame = bulk_of(columns, bcs=[columns["base"], prescribed], load=inertia)
    relative = fecontact.contact_loop(frame, PAIR, {"scheme": "newmark", "step": 1e-3, "end": 0.2})
    upper = space.tabulate_dof_coordinates()[:, 1] > 0.1
    while not loop.finished:
        loop.advance()
        relative.advance()
    moved = bulk.displacement(loop.now.u).x.array.reshape(-1, 2)[upper, 1]
    own = frame.displacement(relative.now.u).x.array.reshape(-1, 2)[upper, 1]
    lid = -0.01 * (1 - np.cos(20.0 * loop.time))
    assert moved == pytest.approx(own + lid, abs=2e-7)
    assert stiffness is not None


def test_a_changed_value_without_its_function_of_time_is_an_error_in_dynamics(
    columns: Matrices,
) -> None:
    bulk, loop = shaken(columns, 0.0)
    bulk._prescribed._update = None
    bulk._prescribed._bcs[1].g.value[1] = -1e-3
    with pytest.raises(fecontact.InputError, match="Pass update_bcs"):
        loop.advance()
