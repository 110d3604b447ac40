"""Bodies in contact remain in contact in a magnified figure."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import OPEN, SLIP, FieldSeries, History, ModelMesh, RunRecord, SurfaceSeries
from fecontact.results.drawing.geometry import bodies, nearest_steps, outline
from fecontact.results.drawing.motion import motion_of
from fecontact.study import load


def stack(heights, displacement, status=SLIP, bend=0.0):
    """Blocks of 1 m × 1 m, of 4 × 4 quad4, one on the other, after u(x, block) at one time.

    bend: height, m, by which the lower side of each block but the first is a parabola.
    """
    x, y = (a.ravel() for a in np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5)))
    corner = (np.arange(4)[:, None] * 5 + np.arange(4)).ravel()
    cells = np.column_stack([corner, corner + 1, corner + 6, corner + 5])
    count, points = len(heights), []
    for block, height in enumerate(heights):
        rise = bend * (2 * x - 1) ** 2 * (1 - y) if block else 0.0
        points.append(np.column_stack([x, y + height + rise]))
    bottom, top = np.arange(5), np.arange(20, 25)
    edges = {}
    for block in range(count):
        for name, line in (("bottom", bottom), ("top", top)):
            edges[f"b{block}.{name}"] = 25 * block + np.column_stack([line[:-1], line[1:]])
    mesh = ModelMesh(
        points=np.vstack(points),
        cells=np.vstack([cells + 25 * block for block in range(count)]),
        cell_groups={f"b{b}": np.arange(16 * b, 16 * b + 16) for b in range(count)},
        edge_groups=edges,
        point_groups={},
    )
    moved = np.stack([displacement(mesh.points[n], n // 25) for n in range(len(mesh.points))])
    surfaces = {}
    for block in range(1, count):
        nodes = 25 * block + bottom
        zero = np.zeros((1, 5))
        surfaces[f"p{block}"] = SurfaceSeries(
            np.zeros(1), nodes, x[:5], zero, zero, zero, zero, np.full((1, 5), status, np.int8)
        )
    fields = FieldSeries(
        np.zeros(1), moved[None], np.zeros((1, *moved.shape)), np.zeros((1, len(moved), 4))
    )
    return RunRecord(History(np.zeros(1)), mesh=mesh, fields=fields, surfaces=surfaces)


class Pairs:
    """What motion_of needs of a study: which edges each pair joins."""

    def __init__(self, count):
        pair = type("Pair", (), {})
        self.contact = {}
        for block in range(1, count):
            self.contact[f"p{block}"] = pair()
            self.contact[f"p{block}"].slave = f"b{block}.bottom"
            self.contact[f"p{block}"].master = f"b{block - 1}.top"


def drawn_gaps(record, motion):
    """Vertical distance, as drawn, from each slave node to the straight top under it."""
    places = motion.places(record.mesh, 0)
    gaps = []
    for block in range(1, len(bodies(record.mesh))):
        top = places[25 * (block - 1) + np.arange(20, 25)]
        for node in 25 * block + np.arange(5):
            x, y = places[node]
            if top[0, 0] <= x <= top[-1, 0]:
                gaps.append(y - np.interp(x, top[:, 0], top[:, 1]))
    return np.array(gaps)


def compressed(point, block):
    """A pile under its weight: u_y = −ε (y + y²/6), each block slid by 0.3 m on the one below."""
    y = point[1]
    return 0.3 * block, -1e-6 * (y + y**2 / 6)


def test_a_magnified_pile_stays_a_pile():
    record = stack([0.0, 1.0, 2.0], compressed)
    motion = motion_of(Pairs(3), record, np.array([0]))
    assert motion.magnification >= 1e4
    assert np.abs(drawn_gaps(record, motion)).max() < 1e-6


def test_what_is_drawn_unmagnified_is_the_displacement_itself():
    record = stack([0.0, 1.0], compressed)
    motion = motion_of(Pairs(2), record, np.array([0]))
    split = motion.translations[motion.body_of, 0] + motion.deformation[0]
    assert split == pytest.approx(record.fields.displacement[0], abs=1e-15)


def test_bodies_apart_are_drawn_apart():
    record = stack([0.0, 1.5], lambda point, block: (0.0, -1e-6 * point[1]), status=OPEN)
    motion = motion_of(Pairs(2), record, np.array([0]))
    assert drawn_gaps(record, motion) == pytest.approx(0.5, abs=1e-4)


def test_a_surface_that_contact_has_flattened_limits_the_magnification():
    """Nodes of a parabola of 1 mm, pressed flat: × 50 would draw 50 mm of false overlap."""

    def flattened(point, block):
        return 0.0, -(point[1] - 1.0) if block and point[1] < 1.01 else 0.0

    record = stack([0.0, 1.0], flattened, bend=1e-3)
    motion = motion_of(Pairs(2), record, np.array([0]))
    assert motion.magnification < 10.0
    assert np.abs(drawn_gaps(record, motion)).max() < 0.003


def test_two_materials_of_one_body_are_not_torn_apart():
    record = stack([0.0], lambda point, block: (0.0, -1e-6 * point[1]))
    groups = record.mesh.cell_groups
    groups.clear()
    groups.update(soft=np.arange(8), hard=np.arange(8, 16))
    assert len(bodies(record.mesh)) == 1


def test_the_nearest_saved_step_of_one_or_many():
    assert nearest_steps(np.array([0.5]), np.array([0.0, 9.0])).tolist() == [0, 0]
    assert nearest_steps(np.arange(4.0), np.array([-1.0, 0.4, 1.6, 9.0])).tolist() == [0, 0, 2, 3]


def test_a_run_of_the_program_is_drawn_touching():
    """SDNV104 A on a coarse grid: at no time does the magnified shoe leave its support."""
    from fecontact import run

    study = load("studies/sdnv104/sdnv104a.toml", ["time.end=0.3", "output.fields_every=10"])
    record = run(study).record
    chosen = np.arange(len(record.fields.time))
    motion = motion_of(study, record, chosen)
    surface = record.surfaces["sole"]
    assert len(chosen) > 2
    for k in chosen[1:]:
        step = nearest_steps(surface.time, record.fields.time[k : k + 1])[0]
        touching = surface.nodes[surface.status[step] != OPEN]
        assert np.abs(motion.places(record.mesh, k)[touching, 1]).max() < 2e-3


@pytest.mark.parametrize("nodes", [3, 4, 6, 8])
def test_no_cells_have_no_outline(nodes):
    assert outline(np.zeros((0, nodes), dtype=np.int64)).shape == (0, nodes)
