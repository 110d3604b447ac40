"""Claims about elastic bodies: patch tests, rigid motion, mass, beams, loads, springs, supports."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from solid_models import ELEMENTS, distorted, mesh_of, rectangle, solid, study

from fecontact.record import Array
from fecontact.solid.solid import Solid


def dense(bulk: Solid, which: str) -> Array:
    """A matrix of the bulk, column by column."""
    multiply = getattr(bulk, which)
    identity = np.eye(bulk.size)
    return np.column_stack([multiply(column, np.empty(bulk.size)) for column in identity])


def solve_static(bulk: Solid, t: float = 1.0) -> Array:
    load = bulk.load(t, np.empty(bulk.size))
    return bulk.factor(0.0, 0.0, 1.0).solve(load, np.empty(bulk.size))


@pytest.mark.parametrize("plane", ["strain", "stress"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_patch_of_distorted_cells_carries_constant_stress_exactly(element: str, plane: str) -> None:
    """Uniform tension s in x: ε_xx = s/E', ε_yy = −ν'ε_xx, with E' and ν' of the plane."""
    young, poisson, tension = 10.0, 0.3, 0.5
    if plane == "strain":
        young, poisson = young / (1 - poisson**2), poisson / (1 - poisson)
    model = study(
        element,
        plane=plane,
        supports={
            "pin": {"on": "block.bottom-left", "x": 0.0, "y": 0.0},
            "roller": {"on": "block.bottom-right", "y": 0.0},
        },
        loads={
            "right": {"type": "traction", "on": "block.right", "value": [tension, 0.0]},
            "left": {"type": "pressure", "on": "block.left", "value": -tension},
        },
    )
    mesh = mesh_of(model)
    inner = np.ones(len(mesh.points), dtype=bool)
    inner[np.unique(np.concatenate([e.ravel() for e in mesh.edge_groups.values()]))] = False
    corners = np.unique(mesh.cells[:, : 4 if "quad" in element else 3])
    for node in np.intersect1d(np.flatnonzero(inner), corners):
        mesh.points[node] += (0.15, -0.1)
    _straighten(mesh)
    bulk = solid(model, mesh)
    u = solve_static(bulk)
    expected = mesh.points * [tension / young, -poisson * tension / young]
    assert np.abs(bulk.nodal(u, 1.0) - expected).max() < 1e-12
    stress = bulk.stress(u, 1.0)
    sigma_zz = 0.3 * tension if plane == "strain" else 0.0
    assert np.abs(stress - [tension, 0.0, sigma_zz, 0.0]).max() < 1e-11
    shared = int(np.bincount(mesh.cells.ravel()).argmax())  # by several elements
    for node in (int(corners[3]), shared):
        assert bulk.stress_at(node, u, 1.0) == pytest.approx(stress[node], abs=1e-11)


def _straighten(mesh) -> None:  # type: ignore[no-untyped-def]
    count = mesh.cells.shape[1]
    if count in (6, 8):
        corners = count // 2
        for i in range(corners):
            ends = mesh.points[mesh.cells[:, [i, (i + 1) % corners]]]
            mesh.points[mesh.cells[:, corners + i]] = ends.mean(axis=1)


@pytest.mark.parametrize("element", ELEMENTS)
def test_free_body_has_exactly_three_motions_without_strain(element: str) -> None:
    model = study(element)
    stiffness = dense(solid(model, distorted(mesh_of(model))), "stiffness")
    eigenvalues = np.linalg.eigvalsh(stiffness)
    assert np.abs(eigenvalues[:3]).max() < 1e-13 * eigenvalues[-1]
    assert eigenvalues[3] > 1e-5 * eigenvalues[-1]


@pytest.mark.parametrize("matrix", ["consistent", "lumped"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_mass_is_density_times_area_and_positive(element: str, matrix: str) -> None:
    model = study(element, mass_matrix=matrix)
    bulk = solid(model)
    mass = dense(bulk, "mass")
    assert mass[::2, ::2].sum() == pytest.approx(2.0 * 6.0, rel=1e-13)
    assert mass[1::2, 1::2].sum() == pytest.approx(2.0 * 6.0, rel=1e-13)
    assert np.linalg.eigvalsh(mass)[0] > 0
    assert not bulk.massless.any()
    if matrix == "lumped":
        assert np.count_nonzero(mass - np.diag(np.diag(mass))) == 0


def test_lumping_shares_the_mass_of_a_quad8_square_by_the_diagonal() -> None:
    """Known shares of the eight-node square: corners 3/76, mid-sides 16/76."""
    model = study("quad8", mass_matrix="lumped", shapes={"block": rectangle((1, 1), (1.0, 1.0))})
    bulk = solid(model)
    masses = bulk.nodal(np.diag(dense(bulk, "mass")), 0.0)[:, 0]
    corners, sides = bulk.mesh.cells[0, :4], bulk.mesh.cells[0, 4:]
    assert masses[corners] == pytest.approx(2.0 * 3 / 76, rel=1e-12)
    assert masses[sides] == pytest.approx(2.0 * 16 / 76, rel=1e-12)


def test_cantilever_vibrates_at_the_frequency_of_beam_theory() -> None:
    """First bending frequency ω = 1.875104² √(EI/ρA)/L² of a slender beam in plane stress."""
    length, height = 20.0, 0.5
    model = study(
        "quad8",
        plane="stress",
        materials={"m": {"young": 10.0, "density": 2.0}},
        shapes={"block": rectangle((20, 1), (length, height))},
        supports={"wall": {"on": "block.left", "x": 0.0, "y": 0.0}},
    )
    bulk = solid(model)
    square, _ = scipy.linalg.eigh(
        dense(bulk, "stiffness"), dense(bulk, "mass"), subset_by_index=[0, 0]
    )
    beam = 1.8751040687**2 * np.sqrt(10.0 * height**2 / 12 / 2.0) / length**2
    assert np.sqrt(square[0]) == pytest.approx(beam, rel=2e-3)


@pytest.mark.parametrize("element", ELEMENTS)
def test_cantilever_under_end_shear_bends_as_in_beam_theory(element: str) -> None:
    """Deflection PL³/3EI + 6PL/5GA of the tip, plane stress, ν = 0."""
    length, height, force = 10.0, 1.0, 1e-3
    cells = {"tri3": (160, 16), "quad4": (80, 8)}.get(element, (20, 2))
    model = study(
        element,
        plane="stress",
        materials={"m": {"young": 10.0, "density": 1.0}},
        shapes={"block": rectangle(cells, (length, height))},
        supports={"wall": {"on": "block.left", "x": 0.0, "y": 0.0}},
        loads={"end": {"type": "traction", "on": "block.right", "value": [0.0, force / height]}},
    )
    bulk = solid(model)
    u = solve_static(bulk)
    tip = bulk.nodal(u, 1.0)[bulk.mesh.point_groups["block.top-right"], 1]
    inertia = height**3 / 12
    beam = force * length**3 / (3 * 10.0 * inertia) + 1.2 * force * length / (5.0 * height)
    assert tip == pytest.approx(beam, rel={"tri3": 0.015, "quad4": 0.01}.get(element, 2e-3))
    reaction = bulk.reaction("wall", u, 0 * u, 0 * u, 1.0)
    assert reaction == pytest.approx([0.0, -force], abs=1e-10)


@pytest.mark.parametrize("element", ELEMENTS)
def test_pressure_on_a_wavy_edge_has_the_resultant_of_its_projection(element: str) -> None:
    """p over a curve from (0, y0) to (3, y1) pushes with p·(y1 − y0) in x, −p·3 in y."""
    wavy = rectangle((6, 2), wave_amplitude=0.2, wave_length=4.0)
    model = study(
        element,
        shapes={"block": wavy},
        functions={"half": {"type": "constant", "value": 0.5}},
        loads={"p": {"type": "pressure", "on": "block.top", "value": 4.0, "function": "half"}},
    )
    bulk = solid(model)
    force = bulk.nodal(bulk.load(0.0, np.empty(bulk.size)), 0.0).sum(axis=0)
    rise = 0.2 * np.sin(2 * np.pi * 3.0 / 4.0)
    assert force == pytest.approx([2.0 * rise, -2.0 * 3.0], rel=1e-12)


def test_loads_of_all_kinds_add_up_with_their_functions() -> None:
    model = study(
        functions={"ramp": {"type": "ramp", "end": 2.0}},
        loads={
            "weight": {"type": "gravity", "on": "block", "value": [0.0, -10.0]},
            "field": {"type": "body-force", "on": "block", "value": [3.0, 0.0], "function": "ramp"},
            "point": {"type": "point-force", "on": "block.top-left", "value": [7.0, 1.0]},
            "drag": {"type": "traction", "on": "block.top", "value": [1.0, 0.0]},
        },
    )
    bulk = solid(model)
    force = bulk.nodal(bulk.load(1.0, np.empty(bulk.size)), 0.0)
    assert force.sum(axis=0) == pytest.approx([3.0 * 6.0 / 2 + 7.0 + 3.0, -2.0 * 6.0 * 10.0 + 1.0])


def test_quad8_pressure_is_shared_one_four_one() -> None:
    model = study(
        "quad8",
        shapes={"block": rectangle((1, 1), (6.0, 2.0))},
        loads={"p": {"type": "pressure", "on": "block.top", "value": 1.0}},
    )
    bulk = solid(model)
    force = bulk.nodal(bulk.load(0.0, np.empty(bulk.size)), 0.0)
    (edge,) = bulk.mesh.edge_groups["block.top"]
    assert force[edge, 1] == pytest.approx([-1.0, -1.0, -4.0])


def test_springs_and_masses_move_a_stiff_block_as_one_oscillator() -> None:
    """A block on a spring to ground: ω² = k/(m + m_point)."""
    model = study(
        materials={"m": {"young": 1e6, "poisson": 0.3, "density": 2.0}},
        points={"wall": [4.0, 0.0]},
        springs={
            "a": {"between": ["block.bottom-right", "wall"], "stiffness": [3.0, 0.0]},
            "b": {"between": ["block.top-right", "ground"], "stiffness": [3.0, 0.0]},
        },
        supports={"rail": {"on": "block", "y": 0.0}},
        point_masses={"extra": {"on": "block.top-left", "mass": 4.0}},
    )
    bulk = solid(model)
    square, _ = scipy.linalg.eigh(
        dense(bulk, "stiffness"), dense(bulk, "mass"), subset_by_index=[0, 0]
    )
    assert square[0] == pytest.approx(6.0 / (12.0 + 4.0), rel=1e-5)
    assert bulk.spring_energy(np.full(bulk.size, 0.5), 0.0) == pytest.approx(0.5 * 6.0 * 0.25)


def test_a_spring_between_two_bodies_pulls_them_equally() -> None:
    model = study(
        shapes={"a": rectangle(), "b": rectangle(corner=(5.0, 0.0))},
        springs={
            "s": {
                "between": ["a.bottom-right", "b.bottom-left"],
                "stiffness": [2.0, 1.0],
                "damping": [0.5, 0.0],
            }
        },
    )
    bulk = solid(model)
    field = np.zeros_like(bulk.mesh.points)
    field[bulk.mesh.cells[bulk.mesh.cell_groups["b"]]] = [0.1, 0.3]
    x = field_to_free(bulk, field)
    force = bulk.nodal(bulk.stiffness(x, np.empty(bulk.size)), 0.0)
    near, far = (bulk.mesh.point_groups[p] for p in ("a.bottom-right", "b.bottom-left"))
    assert force[near] == pytest.approx([-0.2, -0.3])
    assert force[far] == pytest.approx([0.2, 0.3])
    drag = bulk.nodal(bulk.damping(x, np.empty(bulk.size)), 0.0)
    assert drag[far] == pytest.approx([0.05, 0.0])


def test_a_spring_between_two_bodies_carries_the_load_of_one() -> None:
    """The factor of K and the product with K are assembled in different ways."""
    model = study(
        shapes={"a": rectangle(), "b": rectangle(corner=(5.0, 0.0))},
        springs={
            "s": {"between": ["a.bottom-right", "b.bottom-left"], "stiffness": [2.0, 1.0]},
        },
        supports={
            "wall": {"on": "a.left", "x": 0.0, "y": 0.0},
            "rail": {"on": "b.bottom", "y": 0.0},
        },
        loads={"pull": {"type": "traction", "on": "b.right", "value": [0.1, 0.0]}},
    )
    bulk = solid(model)
    u = solve_static(bulk)
    left = bulk.stiffness(u, np.empty(bulk.size)) - bulk.load(1.0, np.empty(bulk.size))
    assert np.abs(left).max() < 1e-12
    at = bulk.nodal(u, 1.0)
    near, far = (bulk.mesh.point_groups[p] for p in ("a.bottom-right", "b.bottom-left"))
    assert at[far, 0] - at[near, 0] == pytest.approx(0.1 * 2.0 / 2.0)  # load over stiffness


def field_to_free(bulk: Solid, field: Array) -> Array:
    """The free dofs of a nodal field, through the public gather of all nodes."""
    nodes = bulk.shared(np.arange(len(field)))
    x = np.zeros(bulk.size)
    return nodes.scatter(field[nodes.dof >= 0], x)


def test_rayleigh_damping_is_the_sum_over_bodies() -> None:
    model = study(
        materials={
            "m": {
                "young": 10.0,
                "poisson": 0.3,
                "density": 2.0,
                "rayleigh_mass": 0.2,
                "rayleigh_stiffness": 0.03,
            }
        },
    )
    bulk = solid(model)
    assert bulk.has_damping
    expected = 0.2 * dense(bulk, "mass") + 0.03 * dense(bulk, "stiffness")
    assert dense(bulk, "damping") == pytest.approx(expected, abs=1e-13)


def test_a_moving_support_carries_a_body_along_and_feels_its_inertia() -> None:
    """Both ends follow s(t) = sin 3t: in the frame of the body at rest F = −M·1·s̈, and the body's
    rigid following solves the equations with the reaction m s̈."""
    frequency = 3.0 / (2 * np.pi)
    model = study(
        functions={"shake": {"type": "sine", "frequency": frequency}},
        supports={"hand": {"on": "block.left", "x": 1.0, "y": 0.0, "function": "shake"}},
    )
    bulk = solid(model)
    t = 0.4
    field = np.zeros_like(bulk.mesh.points)
    field[:, 0] = 1.0
    one = field_to_free(bulk, field)
    u, v, a = (one * s for s in (np.sin(3 * t), 3 * np.cos(3 * t), -9 * np.sin(3 * t)))
    prescribed = bulk.nodal(u, t)[bulk.mesh.point_groups["block.top-left"]]
    assert prescribed == pytest.approx([np.sin(3 * t), 0.0])
    out = np.empty(bulk.size)
    residual = bulk.mass(a, out).copy() + bulk.stiffness(u, out) - bulk.load(t, np.empty(bulk.size))
    # Only the distant inertia is unbalanced: the body would have to be pushed to move rigidly.
    reaction = bulk.reaction("hand", u, v, a, t)
    total = bulk.nodal(residual, t)[:, 0]
    total[np.unique(bulk.mesh.edge_groups["block.left"])] = 0.0
    assert total.sum() + reaction[0] == pytest.approx(12.0 * -9 * np.sin(3 * t), rel=1e-12)
    kinetic, strain = bulk.support_energy(u, v, t)
    whole = 0.5 * v @ bulk.mass(v, out) + kinetic
    assert whole == pytest.approx(0.5 * 12.0 * (3 * np.cos(3 * t)) ** 2, rel=1e-12)
    assert 0.5 * u @ bulk.stiffness(u, out) + strain == pytest.approx(0.0, abs=1e-12)


def test_the_moving_end_of_a_spring_pulls() -> None:
    model = study(
        points={"hook": [5.0, 0.0]},
        functions={"ramp": {"type": "ramp", "end": 2.0}},
        springs={
            "s": {
                "between": ["hook", "block.bottom-right"],
                "stiffness": [4.0, 0.0],
                "damping": [0.5, 0.0],
            }
        },
        supports={"pull": {"on": "hook", "x": 0.3, "function": "ramp"}},
    )
    bulk = solid(model)
    rest = np.zeros(bulk.size)
    load = bulk.nodal(bulk.load(1.0, np.empty(bulk.size)), 1.0)
    pulled = bulk.mesh.point_groups["block.bottom-right"]
    force = 4.0 * 0.15 + 0.5 * 0.15
    assert load[pulled] == pytest.approx([force, 0.0])
    assert bulk.spring_energy(rest, 1.0) == pytest.approx(0.5 * 4.0 * 0.15**2)
    assert bulk.support_energy(rest, rest, 1.0) == pytest.approx((0.0, 0.5 * 4.0 * 0.15**2))
    assert bulk.reaction("pull", rest, rest, rest, 1.0) == pytest.approx([force, 0.0])


@pytest.mark.parametrize("solver", ["mumps", "lu"])
def test_the_mass_matrix_can_be_inverted_beside_dofs_without_mass(solver: str) -> None:
    bodies = {"light": rectangle(), "heavy": rectangle(corner=(0.0, 5.0))}
    steel = {"young": 10.0, "poisson": 0.3}
    bulk = solid(
        study(
            "quad4",
            solver=solver,
            shapes=bodies,
            materials={"light": steel | {"density": 0.0}, "heavy": steel | {"density": 2.0}},
            bodies={name: {"material": name} for name in bodies},
            supports={"base": {"on": "light.bottom", "x": 0.0, "y": 0.0}},
        )
    )
    b = np.linspace(1.0, 2.0, bulk.size)
    x = bulk.factor(3.0, 0.0, 0.0).solve(b, np.zeros(bulk.size))
    assert 0 < np.count_nonzero(bulk.massless) < bulk.size
    assert x[bulk.massless] == pytest.approx(b[bulk.massless])
    product = 3.0 * bulk.mass(x, np.zeros(bulk.size))
    assert product[~bulk.massless] == pytest.approx(b[~bulk.massless])


def test_the_faster_solver_is_chosen_by_itself() -> None:
    chosen = [
        type(solid(study("quad4", solver=word)).factor(1.0, 0.0, 1.0)).__name__
        for word in ("auto", "mumps")
    ]
    assert chosen == ["SchurFactor", "MatrixFactor"]


@pytest.mark.parametrize("solver", ["mumps", "lu"])
def test_both_solvers_solve_and_give_the_compliance_of_contact_dofs(solver: str) -> None:
    model = study(
        "quad8",
        solver=solver,
        shapes={"block": rectangle(), "base": rectangle((3, 1), (4.0, 1.0), (-0.5, -1.0))},
        supports={"floor": {"on": "base.bottom", "x": 0.0, "y": 0.0}},
        contact={"sole": {"slave": "block.bottom", "master": "base.top"}},
    )
    bulk = solid(model)
    matrix = 3.0 * dense(bulk, "mass") + 2.0 * dense(bulk, "stiffness")
    factor = bulk.factor(3.0, 0.0, 2.0)
    b = np.cos(np.arange(bulk.size))
    x = factor.solve(b, np.empty(bulk.size))
    assert matrix @ x == pytest.approx(b, abs=1e-11)
    pick = np.column_stack(
        [bulk.gather(column, np.empty(bulk.surface.size)) for column in np.eye(bulk.size)]
    )
    expected = pick @ np.linalg.solve(matrix, pick.T)
    force = np.sin(np.arange(bulk.surface.size))
    for _ in range(2):  # before and after the compliance is known
        assert factor.interface_solution(b) == pytest.approx(pick @ x, abs=1e-13)
        factor.solve(pick.T @ force, np.empty(bulk.size))  # between them: changes nothing
        moved = factor.solution_with_contact(force, np.empty(bulk.size))
        assert matrix @ moved == pytest.approx(b + pick.T @ force, abs=1e-11)
        assert factor.compliance(np.arange(bulk.surface.size)) == pytest.approx(
            expected, rel=1e-10, abs=1e-13
        )


@pytest.mark.parametrize("solver", ["mumps", "lu"])
def test_a_solve_keeps_the_balance_of_forces_on_a_gliding_body(solver: str) -> None:
    """Of the stiffness of a body nothing is left in the sum of all forces: only its inertia."""
    bulk = solid(study("quad4", solver=solver))
    heavy, stiff = 1e-3, 1e9  # m and k of A = m M + k K
    rng = np.random.default_rng(1)
    b, along = rng.random(bulk.size), np.tile([1.0, 0.0], bulk.size // 2)
    x = bulk.factor(heavy, 0.0, stiff).solve(b, np.empty(bulk.size))
    inertia = heavy * along @ bulk.mass(x, np.empty(bulk.size))
    assert inertia == pytest.approx(along @ b, rel=1e-12)


def test_initial_motion_is_that_of_the_bodies() -> None:
    model = study(
        bodies={"block": {"material": "m", "displacement": [0.1, 0.0], "velocity": [0.0, -2.0]}},
        supports={"rail": {"on": "block.left", "x": 0.0}},
    )
    bulk = solid(model)
    u, v = bulk.initial()
    left = np.unique(bulk.mesh.edge_groups["block.left"])
    displacement, velocity = bulk.nodal(u, 0.0), bulk.nodal(v, 0.0, 1)
    assert displacement[left, 0] == pytest.approx(0.0)
    assert np.delete(displacement[:, 0], left) == pytest.approx(0.1)
    assert velocity[:, 1] == pytest.approx(-2.0)


@pytest.mark.parametrize("element", ELEMENTS)
def test_mass_taken_from_slave_nodes_leaves_the_inertia_of_each_body(element: str) -> None:
    tables = {
        "shapes": {"block": rectangle((4, 3)), "base": rectangle((3, 2), (4.0, 1.0), (-0.5, -1.0))},
        "contact": {"sole": {"slave": "block.bottom", "master": "base.top"}},
    }
    time = {"step": 1.0, "end": 1.0}
    usual = solid(study(element, time=time, **tables))
    moved = solid(study(element, time=time | {"impact": "redistributed-mass"}, **tables))
    slaves = np.unique(moved.mesh.edge_groups["block.bottom"])
    massless = moved.nodal(moved.massless.astype(float), 0.0)
    assert np.flatnonzero(massless[:, 0]).tolist() == slaves.tolist()
    x, y = moved.mesh.points.T
    motions = [np.stack(m, axis=1) for m in ((x * 0 + 1, y * 0), (x * 0, y * 0 + 1), (-y, x))]
    for body in ("block", "base"):
        inside = np.zeros_like(x, dtype=bool)
        inside[moved.mesh.cells[moved.mesh.cell_groups[body]]] = True
        inertia = []
        for bulk in (usual, moved):
            modes = [field_to_free(bulk, m * inside[:, None]) for m in motions]
            products = [bulk.mass(m, np.empty(bulk.size)) for m in modes]
            inertia.append([[m @ p for p in products] for m in modes])
        assert inertia[1] == pytest.approx(np.array(inertia[0]), rel=1e-12, abs=1e-12)
    mass = dense(moved, "mass")
    assert np.linalg.eigvalsh(mass)[0] > -1e-13
    assert np.linalg.matrix_rank(mass) == moved.size - 2 * len(slaves)
