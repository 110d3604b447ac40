"""Synthetic results with known values: a sliding shoe and a friction oscillator."""

from __future__ import annotations

import numpy as np

from fecontact.record import (
    OPEN,
    SLIP,
    STICK,
    FieldSeries,
    History,
    Interval,
    KeyFigure,
    ModelMesh,
    RunRecord,
    Scalar,
    SurfaceSeries,
)
from fecontact.reference import CoulombOscillator
from fecontact.study import study_from_dict
from fecontact.study.lumped import LumpedStudy

SHOE = CoulombOscillator(mass=7e3, stiffness=24e3, friction=21e3, force=2e5, ramp=0.07)
HOSTILE = '<script>alert("1")</script></script><img src=x onerror=alert(2)>'


def shoe_mesh(cells: int = 5) -> ModelMesh:
    """The quad8 mesh of SDNV104 D: shoe of cells × cells, support of one cell, two ground nodes."""
    shoe_points, shoe_cells = _block((0.0, 0.0), (1.0, 1.0), cells, cells)
    base_points, base_cells = _block((-0.1, -0.1), (20.1, 0.1), 1, 1)
    count = len(shoe_points)
    points = np.vstack([shoe_points, base_points, [[1.1, 0.0], [1.1, 1.0]]])
    all_cells = np.vstack([shoe_cells, base_cells + count])

    def edge(cell_rows, corners):
        a, b, middle = corners
        return all_cells[cell_rows][:, [a, b, middle]]

    grid = np.arange(cells * cells).reshape(cells, cells)
    base = np.array([cells * cells])

    def node(x, y):
        return int(np.argmin(np.hypot(*(points[:count] - (x, y)).T)))

    return ModelMesh(
        points=points,
        cells=all_cells,
        cell_groups={"shoe": grid.ravel(), "support": base},
        edge_groups={
            "shoe.bottom": edge(grid[0], (0, 1, 4)),
            "shoe.top": edge(grid[-1], (2, 3, 6)),
            "shoe.left": edge(grid[:, 0], (3, 0, 7)),
            "shoe.right": edge(grid[:, -1], (1, 2, 5)),
            "support.top": edge(base, (2, 3, 6)),
            "support.bottom": edge(base, (0, 1, 4)),
        },
        point_groups={
            "A": node(0, 0),
            "C1": node(1, 0),
            "C2": node(1, 1),
            "R1": len(points) - 2,
            "R2": len(points) - 1,
        },
    )


def _block(corner, size, nx, ny):
    """Nodes and quad8 cells of a rectangle (VTK order: corners, then mid-sides)."""
    x, y = np.meshgrid(np.arange(2 * nx + 1), np.arange(2 * ny + 1))
    used = ~((x % 2 == 1) & (y % 2 == 1))
    number = np.full(x.shape, -1)
    number[used] = np.arange(used.sum())
    points = np.column_stack([x[used] * size[0] / (2 * nx), y[used] * size[1] / (2 * ny)]) + corner
    cells = [
        [
            number[j, i], number[j, i + 2], number[j + 2, i + 2], number[j + 2, i],
            number[j, i + 1], number[j + 1, i + 2], number[j + 2, i + 1], number[j + 1, i],
        ]
        for j in range(0, 2 * ny, 2)
        for i in range(0, 2 * nx, 2)
    ]  # fmt: skip
    return points, np.array(cells, dtype=np.int64)


def sliding_shoe(steps: int = 350, every: int = 5, cells: int = 5) -> RunRecord:
    """SDNV104 as a rigid shoe with the exact motion, under the stress of its loads.

    σyy = −p everywhere; the contact pressure is trapezoidal, its resultant shifted by friction.
    """
    mesh = shoe_mesh(cells)
    t = np.linspace(0.0, 3.5, steps + 1)
    exact = SHOE.history(t)
    load = np.minimum(t / 0.07, 1.0)
    x, v, friction = exact["displacement"], exact["velocity"], exact["friction"]
    energies = {
        "energy.kinetic": 0.5 * 7e3 * v**2,
        "energy.springs": 0.5 * 24e3 * x**2,
    }
    work = np.concatenate([[0], np.cumsum(np.diff(x) * 2e5 * 0.5 * (load[1:] + load[:-1]))])
    rubbed = np.concatenate([[0], np.cumsum(-np.diff(x) * 0.5 * (friction[1:] + friction[:-1]))])
    energies |= {
        "energy.external": work,
        "energy.friction": rubbed,
        "energy.balance_error": work - rubbed - sum(energies.values()),
    }
    columns = {"x_A": x, "v_A": v, "normal": 7e4 * load, "friction": friction, **energies}
    units = {
        "x_A": "m",
        "v_A": "m/s",
        "normal": "N",
        "friction": "N",
        **dict.fromkeys(energies, "J"),
    }

    kept = np.arange(0, steps + 1, every)
    moved = np.zeros(len(mesh.points), dtype=bool)
    moved[np.unique(mesh.cells[mesh.cell_groups["shoe"]])] = True
    displacement = np.zeros((len(kept), len(mesh.points), 2))
    velocity = np.zeros_like(displacement)
    stress = np.zeros((len(kept), len(mesh.points), 4))
    displacement[:, moved, 0] = x[kept, None]
    displacement[:, moved, 1] = -3e-7 * mesh.points[moved, 1] * load[kept, None]
    velocity[:, moved, 0] = v[kept, None]
    stress[:, moved, 1] = -7e4 * load[kept, None]
    stress[:, moved, 0] = -2e5 * load[kept, None] * (1 - mesh.points[moved, 0])
    fields = FieldSeries(t[kept], displacement, velocity, stress)

    nodes = np.unique(mesh.edge_groups["shoe.bottom"])
    nodes = nodes[np.argsort(mesh.points[nodes, 0])]
    arc = mesh.points[nodes, 0]
    tilt = 1.8 * (arc - 0.5) * np.sign(friction)[:, None]
    pressure = 7e4 * load[:, None] * (1.0 - tilt)
    status = np.where(np.abs(v) > 1e-9, SLIP, STICK)[:, None] * np.ones(len(arc), dtype=int)
    status[:3] = OPEN
    surface = SurfaceSeries(
        time=t,
        nodes=nodes,
        arc=arc,
        pressure=pressure,
        traction=0.3 * pressure * np.sign(friction)[:, None],
        gap=np.zeros_like(pressure),
        slip=np.abs(x)[:, None] * np.ones(len(arc)),
        status=status.astype(np.int8),
    )
    return RunRecord(
        history=History(t, columns, units),
        scalars={
            "penetration": Scalar(1e-15, "m", "largest penetration", limit=1e-9),
            "contact residual": Scalar(2e-13, "1", "largest residual, relative", limit=1e-8),
        },
        intervals=[Interval("sole", "slip", 0.0, 1.73), Interval("sole", "slip", 1.73, 3.43)],
        key_figures=[
            KeyFigure(
                "bodies.shoe.max_von_mises",
                "bodies.shoe",
                "largest von Mises stress",
                2.4e5,
                "Pa",
                1.0,
                node=mesh.point_groups["A"],
                position=(0.0, 0.0),
            ),
            KeyFigure(
                "contact.sole.max_normal_force",
                "contact.sole",
                "largest normal force",
                7e4,
                "N/m",
                2.0,
            ),
        ],
        mesh=mesh,
        fields=fields,
        surfaces={"sole": surface},
        statistics={"steps": steps, "iterations": 3 * steps, "cuts": 0},
        timings={"assembly": 0.1, "steps": 0.2},
    )


def released_mass() -> tuple[LumpedStudy, RunRecord]:
    """SDND100 as one mass on a spring with friction, released: the exact motion along x."""
    study = study_from_dict(
        {
            "kind": "lumped",
            "title": "A released mass with friction",
            "description": "It stops after four swings.",
            "case": "SDND100",
            "masses": {"shoe": {"mass": 1.0, "displacement": [0.85e-3, 0.0, 0.0]}},
            "springs": {"k": {"between": ["shoe", "ground"], "stiffness": [1e4, 0.0, 0.0]}},
            "obstacles": {
                "stop": {
                    "type": "plane", "on": "shoe", "normal": [1.0, 0.0, 0.0], "gap": 1e-3,
                    "normal_stiffness": 1e6,
                }
            },
            "forces": {"none": {"on": "shoe", "value": [1.0, 0.0, 0.0]}},
            "time": {"step": 1e-4, "end": 0.15},
            "watch": {
                "x": {"type": "displacement", "at": "shoe", "component": "x"},
                "v": {"type": "velocity", "at": "shoe", "component": "x"},
                "T": {"type": "contact-force", "at": "stop", "component": "tangential"},
            },
            "references": {
                "exact": {
                    "solution": "coulomb-oscillator",
                    "parameters": {
                        "mass": 1.0, "stiffness": 1e4, "friction": 1.0, "offset": 0.85e-3
                    },
                    "curves": {"x": "displacement", "v": "velocity"},
                }
            },
            "checks": {
                "first": {
                    "quantity": "x", "measure": "extremum", "index": 1, "reference": -6.5e-4,
                    "source": "exact", "tolerance": 1e-8,
                }
            },
        }
    )  # fmt: skip
    assert isinstance(study, LumpedStudy)
    mass = CoulombOscillator(mass=1.0, stiffness=1e4, friction=1.0, offset=0.85e-3)
    t = np.linspace(0.0, 0.15, 1501)
    exact = mass.history(t)
    ends = [start for start, _ in mass.events()] + [0.15]
    record = RunRecord(
        History(
            t,
            {"x": exact["displacement"], "v": exact["velocity"], "T": exact["friction"]},
            {"x": "m", "v": "m/s", "T": "N"},
        ),
        scalars={"slipped": Scalar(2.6e-3, "m", "distance slipped")},
        intervals=[
            Interval("stop", "stick" if state == "stick" else "slip", start, end)
            for (start, state), end in zip(mass.events(), ends[1:], strict=True)
        ],
    )
    return study, record
