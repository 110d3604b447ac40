"""What the kernels of a contact step know of the surfaces, in one object made once a run.

A call from Python costs what numba needs to recognise the arguments: little for an array, over 1 µs
for a tuple of arrays, and 1 µs for a whole structure. So what stays the same in all steps, nodes,
edges, pairs and their settings, is handed to the kernels as one structure. In a kernel, reading a
field counts a reference, ten times the price of the arithmetic around it: fields are read before
loops, not in them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.core import types
from numba.experimental import structref

from fecontact.bulk import Array, ContactNodes
from fecontact.contact.interface.layout import ContactLayout
from fecontact.contact.interface.projection import locate
from fecontact.kernels import njit

FIELDS = (
    "rest",  # (k, 2) contact nodes at rest, m
    "dof",  # (k, 2) their contact dofs, −1 where held
    "master",  # segments of the masters …
    "geometry",  # … where they are at the start …
    "standing",  # … and whether they stay there
    "tools",  # rigid masters without nodes
    "points",  # slave nodes of the nodal methods
    "integrated",  # slave edges of `continuous`, None if there are none: kernels leave them out …
    "gauss",  # (P, n) … with the Gauss points of each pair
    "gauss_weight",  # (P, n) … and their weights, 0 for none
    "vertices",  # of the masters, that may poke into slave edges
    "edges",  # the slave edges, as segments that vertices are projected on
    "slaves",  # number of multipliers of slave nodes; those of vertices come after them
    "node",  # (m,) contact node of each multiplier
    "pair",  # (m,) its pair
    "friction",  # (2, m) coefficients of slip, for forces against and along the tangent
    "static_friction",  # (2, m) and of stick
    "tributary",  # (m,) area of a slave node, m²; 1 of a vertex
    "shortest",  # (m,) edge of the pair, m
    "finest",  # the shortest edge of all pairs, m
    "settled",  # (m,) change of a gap that does not count, m
    "compliance",  # (2m,) of penalties, m/N
    "bond_force",  # (m,) tension that bonds carry in the present step, N
    "wearing",  # (m,) depth that the present step wears off by the normal force, m/N
    "thickness",  # (2, m) of slave sides beyond their mesh, m: at the end of a step, at its begin
    "worn",  # (2, k) off the masters at their nodes, m, likewise; (2, 0) if they do not wear
)


@structref.register
class ContextType(types.StructRef):  # type: ignore[misc]
    """numba's type of a :class:`Context`."""


class Context(structref.StructRefProxy):  # type: ignore[misc]
    """The contact surfaces of a run, with the fields above."""


structref.define_proxy(Context, ContextType, list(FIELDS))


@njit
def _context(*fields):  # type: ignore[no-untyped-def]
    """A cached constructor; numba's own is compiled anew in every process."""
    return Context(*fields)


class Changing(NamedTuple):
    """The fields of a context that a run changes in place, as above."""

    compliance: Array
    bond_force: Array
    wearing: Array
    thickness: Array
    worn: Array


def context_of(
    nodes: ContactNodes,
    layout: ContactLayout,
    position: Array,
    standing: bool,
    settled: float,
    tributary: Array,
    changing: Changing,
) -> Context:
    """The context of a run; position: (k, 2) of the contact nodes at its start; standing: whether
    no master ever moves; settled: change of a gap that does not count, in shortest edges."""
    a = layout
    fields = changing._asdict() | {
        "rest": np.ascontiguousarray(nodes.coordinates),
        "dof": np.ascontiguousarray(nodes.dof),
        "geometry": locate(a.master, position),
        "standing": standing,
        "integrated": a.integrated if len(a.integrated.pair) else None,
        "edges": a.edges_as_master,
        "tributary": tributary,
        "finest": float(a.shortest.min(initial=np.inf)),
        "settled": settled * a.shortest,
    }
    return _context(*(fields[f] if f in fields else getattr(a, f) for f in FIELDS))
