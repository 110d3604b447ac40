"""Wear depth of the surfaces and its effect on the gap (`wear_updates_gap`).

In a step the pair wears by the depth h = K(p, τ) |s| (:mod:`fecontact.contact.wear_laws`), of which
a fraction belongs to the master. The wear of the slave stays with its nodes. The wear of the master
is distributed to the nodes of the segment under each slave node, in proportion to its shape
functions and over their tributary areas. The wear volume is conserved, and the slave slides over
the worn surface.

Wear with the pressures at the start of a step would be unstable: in a static analysis if the wear
of a step exceeds the elastic compression of an edge, and in a dynamic analysis for *short* steps. A
mass m on an area A, worn at the rate k v, has λ_{n+1} = F − m k v/(A Δt) (λ_n − λ_{n−1}). A step
therefore wears with the pressures at its end. In the local problem this is a compliance

c_j = K |s_j| / A_j,   g_j = g*_j + (W λ)_j + c_j λ_j

on the diagonal, like that of a penalty, with slips and friction of the last solution, iterated to
convergence. The final wear depth is computed with the values of the step itself.

For a periodic motion, one computed cycle can represent several (`[cycle_jump]`): at its end its
wear is added N − 1 more times. N is at most the requested number and limited so that the added wear
nowhere exceeds the allowed depth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.arrays import Array, Integers, Mask, Statuses
from fecontact.bulk import ContactNodes
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.interface.layout import ContactLayout, Jump, Pair, dividing
from fecontact.contact.interface.surface import arc_length, chain, nodes_along, tributary
from fecontact.contact.interface.vertices.rows import shares
from fecontact.contact.local.active_set import Solution
from fecontact.kernels import njit
from fecontact.record import SLIP

NEAR = 1e-2  # of the largest compliance: a smaller change is negligible
FAR = 0.2  # of it: with a larger difference the wear of the step has not converged
REVISIONS = 4  # limit of updates of the compliances in one step
ON_TIME = 1e-6  # of a cycle: tolerance for step times at its end


class Wear:
    """Wear of the surfaces of all pairs.

    any: True if a pair has a wear law;
    opens: True if wear updates a gap;
    depth: (m,) wear depth of slave nodes, m;
    of_master: (k,) wear depth of master nodes, m, or (0,) if masters do not wear;
    compliance: (m,) c of the current step, m/N;
    tributary: (m,) areas of the slave nodes, 1 for vertices, m²;
    master_area: (k,) areas of master nodes, m²;
    begun, master_begun: wear depths at the start of the current cycle, m;
    cycles: (2,) computed cycles, and the cycles that these represent;
    last: (m,) wear of the last computed cycle, m;
    change: (1,) largest change of the wear of a cycle between computed cycles, relative to it;
    masters: contact nodes and arc length, m, of the masters that wear, by pair.
    """

    def __init__(self, pairs: list[Pair], a: ContactLayout, nodes: ContactNodes) -> None:
        m = len(a.pair)
        self._a, self._nodes = a, nodes.node
        laws = [pair.settings.wear_law for pair in pairs]
        self._laws = [(np.flatnonzero(a.pair == p), law) for p, law in enumerate(laws) if law]
        share = np.array([pair.settings.master_wear_fraction for pair in pairs])
        opening = np.array([pair.settings.wear_updates_gap for pair in pairs], bool)
        self.any = bool(self._laws)
        self.opens = bool(opening.any())
        self._share, self._opening = share[a.pair], opening[a.pair]
        own = [dividing(edge.area) for edge in a.edges.values()]
        self.tributary = np.concatenate([np.zeros(0), *own, np.ones(m - a.slaves)])
        mean = np.array([edge.area.mean() for edge in a.edges.values()])
        self._area = a.area.copy()
        self._area[a.slaves :] = mean[a.pair[a.slaves :]]
        self._masters = bool(share.any())
        size = len(nodes.node) if self._masters else 0
        self.master_area = _master_areas(pairs, nodes)[:size]
        self.masters = _wearing_masters(pairs, nodes)
        self.depth: Array = np.zeros(m)
        self.of_master: Array = np.zeros(size)
        self.compliance: Array = np.zeros(m)
        self.jump = pairs[0].jump if pairs else None
        self.begun, self.master_begun = self.depth.copy(), self.of_master.copy()
        self.cycles: Array = np.zeros(2)
        self.last: Array = np.zeros(m)
        self.change: Array = np.zeros(1)

    def beside(self, compliance: Array) -> Array:
        """Return the compliances of all multipliers (2m,), given those without wear, m/N."""
        total = compliance.copy()
        total[: len(self.compliance)] += self.compliance
        return total

    @property
    def opening_at(self) -> Mask:
        """Return the multipliers (m,) whose gap wear updates."""
        return self._opening

    @property
    def opening(self) -> Array:
        """Return the increase of the gaps by the wear of slaves (m,), m."""
        return np.where(self._opening, self.depth, 0.0)

    def volume(self, pair: str) -> float:
        """Return the wear volume of a slave, m³."""
        edge = self._a.edges[pair]
        return float(edge.area @ self.depth[edge.multipliers])

    def volume_of_master(self, edges: Integers) -> float:
        """Return the wear volume of a master with these edges, by all pairs, m³; edges: mesh node
        numbers.
        """
        own = np.isin(self._nodes, edges)
        return float(self.master_area[own] @ self.of_master[own])

    def _depths(self, pressed: Array, rubbed: Array) -> Array:
        """Return the wear depths (m,) by the laws, m; 0 without a law."""
        out = np.zeros(len(pressed))
        for own, law in self._laws:
            out[own] = law.depth(pressed[own], rubbed[own])
        return out

    def revise(self, solution: Solution, status: Statuses) -> bool:
        """Update the compliances to those of a solution; return False if they are unchanged."""
        found = self._found(solution, status)
        if np.abs(found - self.compliance).max() <= NEAR * found.max():
            return False
        self.compliance[:] = found
        return True

    def unconverged(self, solution: Solution, status: Statuses) -> Mask:
        """Return the multipliers (m,) whose compliance differs too much from that of a solution."""
        found = self._found(solution, status)
        far: Mask = np.abs(found - self.compliance) > FAR * found.max(initial=0.0)
        return far

    def _found(self, solution: Solution, status: Statuses) -> Array:
        """Return the compliances of a solution (m,), m/N."""
        m = len(status)
        slip = np.where(status == SLIP, np.abs(solution.value[m : 2 * m]), 0.0)
        normal, tangential = solution.force[:m], np.abs(solution.force[m : 2 * m])
        ratio = np.divide(tangential, normal, out=np.zeros(m), where=normal > 0.0)
        return np.where(self._opening, self._depths(slip, ratio * slip) / self._area, 0.0)

    def foreseen(self, rows: ConstraintMatrix, force: Array) -> Array:
        """Return the wear depth (m,) of forces λ in a step with the current compliances, m."""
        weight = np.where(rows.weight > 0.0, rows.weight, np.inf)
        return self.compliance * force[: len(weight)] / weight

    def divided(self, rows: ConstraintMatrix, depth: Array) -> tuple[Array, Array]:
        """Split wear depths (m,) into those of slave nodes (m,) and of master nodes (k,), m."""
        volume = depth * np.where(np.isinf(self.tributary), 0.0, self.tributary)
        slaves = self._a.slaves
        own = (1.0 - self._share) * volume
        if own[slaves:].any():  # wear at master vertices belongs to the slave edges
            shares(rows.rows, self._a.vertices, own, own)
        off_slaves = own / self.tributary
        off_slaves[slaves:] = 0.0
        off_masters = np.zeros(len(self.of_master))
        if self._masters:
            a = self._a
            distribute_to_masters(
                rows.rows, self._share * volume, a.pair, a.vertices.slave_of, slaves, off_masters
            )
            off_masters /= self.master_area
        return off_slaves, off_masters

    def wear_off(self, rows: ConstraintMatrix, pressed: Array, rubbed: Array) -> None:
        """Add the wear of a step; pressed, rubbed: (m,) its work of pressure and friction, J/m²."""
        off_slaves, off_masters = self.divided(rows, self._depths(pressed, rubbed))
        self.depth += off_slaves
        self.of_master += off_masters

    def skip_cycles(self, jump: Jump, t: float) -> None:
        """Add the wear of skipped cycles if a cycle ends at the time t, s."""
        early = ON_TIME * jump.period
        if t <= jump.start + early:
            self.begun[:], self.master_begun[:] = self.depth, self.of_master
            return
        if t < jump.start + jump.period * (self.cycles[0] + 1.0) - early:
            return
        off_slaves, off_masters = self.depth - self.begun, self.of_master - self.master_begun
        deepest = max(off_slaves.max(initial=0.0), off_masters.max(initial=0.0))
        if self.cycles[0] > 0.0 and deepest > 0.0:
            change = np.abs(off_slaves - self.last).max() / max(deepest, self.last.max())
            self.change[0] = max(self.change[0], change)
        self.last[:] = off_slaves
        allowed = jump.depth // deepest if deepest > 0.0 else jump.cycles
        skipped = min(jump.cycles - 1, allowed)
        self.depth += skipped * off_slaves
        self.of_master += skipped * off_masters
        self.begun[:], self.master_begun[:] = self.depth, self.of_master
        self.cycles += 1.0, 1.0 + skipped


def _wearing_masters(pairs: list[Pair], nodes: ContactNodes) -> dict[str, tuple[Integers, Array]]:
    """Return for each pair whose master wears the contact nodes along the master and arc
    length, m.
    """
    out: dict[str, tuple[Integers, Array]] = {}
    for pair in pairs:
        if pair.settings.master_wear_fraction > 0.0:
            index = np.full(nodes.node.max() + 1, -1)
            index[nodes.node] = np.arange(len(nodes.node))
            along = nodes_along(index[pair.master[chain(pair.master)]])
            out[pair.name] = along, arc_length(along, nodes.coordinates)
    return out


def _master_areas(pairs: list[Pair], nodes: ContactNodes) -> Array:
    """Return the tributary area (k,) of each contact node as a master node, m²; infinite for
    others.
    """
    index = np.full(nodes.node.max(initial=-1) + 1, -1)
    index[nodes.node] = np.arange(len(nodes.node))
    out = np.zeros(len(nodes.node))
    seen: set[tuple[Any, ...]] = set()  # two pairs may have one master
    for pair in pairs:
        if pair.tool is not None:
            continue
        own = [tuple(edge) for edge in pair.master]
        new = [n for n, edge in enumerate(own) if edge not in seen]
        seen |= set(own)
        edges: Integers = index[pair.master[new]]
        if len(edges):
            depth = np.ones(edges.shape) if pair.master_depth is None else pair.master_depth[new]
            along = nodes_along(edges)
            out[along] += tributary(edges, along, nodes.coordinates, depth)
    return dividing(out)


@njit
def distribute_to_masters(rows, volume, pair, slave_of, slaves, out):  # type: ignore[no-untyped-def]
    """Distribute wear volumes (m,) under the multipliers to the nodes of the masters: out (k,) +=
    ….

    The entries of a row at the master are −w N_i n. The fractions are N_i, limited to N_i ≥ 0:
    shape functions of a quadratic segment can be negative, and negative wear would grow.
    """
    for j in range(len(volume)):
        if volume[j] == 0.0 or rows.used[j] == 0:
            continue
        begin, end = rows.start[j], rows.start[j] + rows.used[j]
        if j >= slaves:
            out[rows.node[begin]] += volume[j]
            continue
        bx, by, total = 0.0, 0.0, 0.0
        for i in range(begin, end):
            if slave_of[pair[j], rows.node[i]] < 0:
                bx += rows.normal[i, 0]
                by += rows.normal[i, 1]
        for pass_ in range(2):
            for i in range(begin, end):
                if slave_of[pair[j], rows.node[i]] < 0:
                    share = max(bx * rows.normal[i, 0] + by * rows.normal[i, 1], 0.0)
                    if pass_ == 0:
                        total += share
                    elif total > 0.0:
                        out[rows.node[i]] += volume[j] * share / total
