"""Key figures of a run: largest stresses of bodies, largest forces of contact pairs.

    bodies.NAME.max_von_mises           largest von Mises stress at a node, Pa
    bodies.NAME.max_principal_stress    largest principal stress σ₁ (tension) at a node, Pa
    bodies.NAME.yield_margin            yield_stress / max_von_mises − 1, if the material has one
    contact.PAIR.max_pressure           largest pressure at a slave node, Pa
    contact.PAIR.max_contact_width      largest closed length of the slave edge, m
    contact.PAIR.max_normal_force       largest normal force, N
    contact.PAIR.max_tangential_force   largest |tangential force|, N

Forces are sampled at every step, pressures and widths at every saved step. Stresses are sampled
when fields are saved, at the end, and at the steps at which a history output asks for them.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.kernels import kernel
from fecontact.record import OPEN, KeyFigure, ModelMesh, Scalar, SurfaceSeries
from fecontact.simulation.monitors.contact_limits import EDGES
from fecontact.solid.solid import Solid
from fecontact.stress import largest_principal, von_mises
from fecontact.study.finite_element import FiniteElementStudy

_STRESSES = (von_mises, largest_principal)
_OF_BODY = (
    ("max_von_mises", "largest von Mises stress"),
    ("max_principal_stress", "largest principal stress"),
)
_OF_PAIR = (
    ("max_normal_force", "largest normal force"),
    ("max_tangential_force", "largest tangential force"),
)


class Peaks:
    """Largest values of a run so far, identical on every rank.

    bodies: (B, 2, 3) for von Mises and largest principal stress: value (Pa), time (s), node.
    pairs: (P, 2, 2) for normal and tangential force: value (N), time (s).
    samples: number of stress samples.
    """

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._mesh = study, mesh
        groups = (mesh.cell_groups[body.cells or name] for name, body in study.bodies.items())
        self._nodes = [np.unique(mesh.cells[group]) for group in groups]
        self.bodies: Array = np.zeros((len(study.bodies), 2, 3))
        self.pairs: Array = np.zeros((len(study.contact), 2, 2))
        self.samples: Array = np.zeros(())
        self._time = -1.0

    def follow(self, loop: TimeLoop) -> None:
        """Include the contact forces of the last step."""
        _follow(loop.contact.sums(), loop.time, self.pairs)

    def take(self, stress: Array, solid: Solid, time: float) -> Array:
        """Include the stress (N, 4), Pa, on rank 0, at a time, s. Collective.

        Return the current largest values (B, 2) of each body.
        """
        found = np.zeros((len(self._nodes), 2, 3))
        if solid.comm.rank == 0:
            for kind, invariant in enumerate(_STRESSES):
                values = invariant(stress)
                for body, nodes in enumerate(self._nodes):
                    at = nodes[values[nodes].argmax()]
                    found[body, kind] = values[at], time, at
        if solid.comm.size > 1:
            found = solid.comm.bcast(found)
        larger = found[:, :, 0] > self.bodies[:, :, 0]
        self.bodies[larger] = found[larger]
        self.samples = np.asarray(self.samples + (time != self._time))
        self._time = time
        return found[:, :, 0]

    def figures(self, surfaces: dict[str, SurfaceSeries]) -> list[KeyFigure]:
        """Return the key figures of all bodies and pairs."""
        study, found = self._study, []
        for body, name in enumerate(study.bodies):
            for kind, (key, label) in enumerate(_OF_BODY):
                value, time, node = self.bodies[body, kind].tolist()
                of, place = f"bodies.{name}", self._place(int(node))
                figure = KeyFigure(f"{of}.{key}", of, label, value, "Pa", time, int(node), place)
                found.append(figure)
        for pair, name in enumerate(study.contact):
            of, unit = f"contact.{name}", f"N{study.per_depth}"
            found += self._of_surface(of, surfaces[name])
            for kind, (key, label) in enumerate(_OF_PAIR):
                value, time = self.pairs[pair, kind].tolist()
                found.append(KeyFigure(f"{of}.{key}", of, label, value, unit, time))
        return found

    def _place(self, node: int) -> tuple[float, float]:
        x, y = self._mesh.points[node].tolist()
        return x, y

    def _of_surface(self, of: str, surface: SurfaceSeries) -> list[KeyFigure]:
        """Return the largest pressure and contact width of a pair over the saved steps."""
        if not surface.pressure.size:
            return []
        step, slave = np.unravel_index(surface.pressure.argmax(), surface.pressure.shape)
        node, value = int(surface.nodes[slave]), float(surface.pressure[step, slave])
        time, place = float(surface.time[step]), self._place(node)
        label = "largest contact pressure"
        closed = int(np.count_nonzero(surface.status[step] != OPEN))
        coarse = 0 < closed <= EDGES and closed < len(surface.nodes)
        nodes = "one slave node is" if closed == 1 else f"{closed} slave nodes are"
        note = f"only {nodes} closed: too coarse for the pressure" if coarse else ""
        peak = KeyFigure(f"{of}.max_pressure", of, label, value, "Pa", time, node, place, note)
        assert surface.length is not None
        widths = (surface.status != OPEN) @ surface.length
        widest = int(widths.argmax())
        label, time = "largest contact width", float(surface.time[widest])
        name = f"{of}.max_contact_width"
        return [peak, KeyFigure(name, of, label, float(widths[widest]), "m", time)]

    def scalars(self, figures: list[KeyFigure]) -> dict[str, Scalar]:
        """Return the figures as scalar results, and the margins to yield stresses."""
        scalars = {f.name: Scalar(f.value, f.unit, f"{f.label} of the run") for f in figures}
        study = self._study
        for name, body in study.bodies.items():
            limit = study.materials[body.material].yields_at
            stress = scalars[f"bodies.{name}.max_von_mises"].value
            if limit is not None:
                margin = limit / stress - 1.0 if stress > 0.0 else np.inf
                meaning = "yield_stress / largest von Mises stress − 1"
                scalars[f"bodies.{name}.yield_margin"] = Scalar(margin, "1", meaning)
        return scalars

    def state(self) -> dict[str, Array]:
        """Return the state needed to resume a run."""
        return {"bodies": self.bodies, "pairs": self.pairs, "samples": self.samples}

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state."""
        self.bodies, self.pairs = state["bodies"].copy(), state["pairs"].copy()
        self.samples = state["samples"].copy()


@kernel
def _follow(sums, time, pairs):  # type: ignore[no-untyped-def]
    """Include the forces of the pairs, (P, 7) as :meth:`ContactState.sums`, at a time, s."""
    for p in range(len(pairs)):
        for k in range(2):
            force = abs(sums[p, 2 + k])
            if force > pairs[p, k, 0]:
                pairs[p, k, 0], pairs[p, k, 1] = force, time
