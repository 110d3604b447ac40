"""Results of a run as input of the judge: forces, momenta and outlines of the bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from bodies import Body, bodies_of, edge_weights, shortest
from polygons import Array

from fecontact.record import RunRecord
from fecontact.study.finite_element import ContactPair, FiniteElementStudy

Sentences = Iterator[str]


@dataclass(frozen=True)
class Evidence:
    """A study and the record of its run, with all fields kept."""

    study: FiniteElementStudy
    record: RunRecord

    @cached_property
    def bodies(self) -> dict[str, Body]:
        return bodies_of(self.study, self.record.mesh)

    @property
    def time(self) -> Array:
        return self.record.history.time

    @property
    def static(self) -> bool:
        return self.study.time.scheme == "static"

    @property
    def staged(self) -> bool:
        return bool(self.study.stages)

    @property
    def plain(self) -> bool:
        """Whether all bodies are linear and 1 m deep, in plane strain, without tools and bonds."""
        bonds = any(pair.adhesion for pair in self.study.contact.values())
        linear = all(body.linear and body.depth == 1.0 for body in self.bodies.values())
        return linear and self.study.plane == "strain" and not self.study.tools and not bonds

    def column(self, name: str) -> Array:
        return self.record.history.columns[name]

    def vector(self, name: str) -> Array:
        """Columns NAME-x and NAME-y, (T, 2)."""
        return np.stack([self.column(f"{name}-{way}") for way in "xy"], axis=1)

    def edges(self, group: str) -> np.ndarray:
        return self.record.mesh.edge_groups[group]

    def owner(self, place: str) -> str:
        """The body that an edge, a point or a body's own name belongs to."""
        return place.split(".")[0]

    @property
    def axes(self) -> list[int]:
        """The directions in which forces on a body sum up: not the radius."""
        return [1] if self.study.plane == "axisymmetric" else [0, 1]

    @cached_property
    def pairs(self) -> dict[str, ContactPair]:
        """The pairs of two bodies, without those with a tool."""
        tools = self.study.tools
        return {n: p for n, p in self.study.contact.items() if p.master not in tools}

    def sides(self, pair: ContactPair) -> tuple[str, str]:
        return self.owner(pair.slave), self.owner(pair.master)

    def supports(self, body: str) -> list[str]:
        found = self.study.supports.items()
        return [name for name, support in found if self.owner(support.on) == body]

    def edge(self, pair: ContactPair) -> float:
        """The shortest edge of a pair, m."""
        points = self.record.mesh.points
        return min(shortest(self.edges(group), points) for group in (pair.slave, pair.master))

    # Forces on a body, N per m, at all kept times (T, 2) ------------------------------------------

    def contact_force(self, body: str) -> Array:
        total = np.zeros((len(self.time), 2))
        for name, pair in self.study.contact.items():
            slave, master = self.sides(pair)
            total += (float(slave == body) - float(master == body)) * self.vector(f"force-{name}")
        return total

    def load(self, body: str) -> Array:
        return sum((force for force, _ in self.loads(body)), np.zeros((len(self.time), 2)))

    def loads(self, body: str) -> Iterator[tuple[Array, Array]]:
        """Each load as its force (T, 2) and the place (2,) where its resultant acts."""
        mesh, own = self.record.mesh, self.bodies[body]
        for load in self.study.loads.values():
            if self.owner(load.on) != body:
                continue
            if load.type == "gravity":
                value, place = own.mass * np.array(load.value), own.centre
            elif load.type == "point-force":
                place = mesh.points[mesh.point_groups[load.on]]
                value = np.array(load.value)
            else:
                edges = self.edges(load.on)
                weight = own.depth * edge_weights(edges, mesh.points, own.plane == "axisymmetric")
                place = weight @ mesh.points / weight.sum()
                ends = mesh.points[edges[:, :2]]
                along = (ends[:, 1] - ends[:, 0]).sum(axis=0)
                value = weight.sum() * np.array(load.value)
                if load.type == "pressure":
                    normal = np.array([along[1], -along[0]])
                    inward = np.sign(normal @ (own.centre - place)) * normal
                    value = load.value * inward
            yield self.factor(load.function)[:, None] * value, place

    def factor(self, function: str | None) -> Array:
        """The function of a load at the kept times: a ramp from 0 to 1, a table, or 1."""
        if function is None:
            return np.ones_like(self.time)
        given = self.study.functions[function]
        if given.type == "table":
            return np.interp(self.time, given.times, given.values)
        return np.interp(self.time, [given.start, given.end], [0.0, 1.0])

    def reaction(self, body: str) -> Array:
        zero = np.zeros((len(self.time), 2))
        return sum((self.vector(f"reaction-{name}") for name in self.supports(body)), zero)

    def rounding(self, body: str) -> float:
        """What the forces K u of a body may be wrong by, N per m: E |u| in its last digits."""
        moved = np.abs(self.record.fields.displacement[:, self.bodies[body].nodes]).max()
        own = self.bodies[body]
        stiff = float(own.material.stiffness()[0, 0])
        return 1e-13 * stiff * own.depth * float(moved)

    def momentum(self, body: str) -> Array:
        own = self.bodies[body]
        return own.mass * own.mean(self.record.fields.velocity)

    def outline(self, body: str, k: int) -> Array:
        return self.bodies[body].outline(self.record.fields.displacement[k])
