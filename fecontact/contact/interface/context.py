"""Data of the contact surfaces for the compiled kernels, collected in one object per run.

A call from Python costs the time that numba needs to identify the arguments: little for an array,
over 1 µs for a tuple of arrays, and 1 µs for a whole structure. Data that stay the same in all
steps (nodes, edges, pairs and their settings) are therefore passed as one structure. Inside a
kernel, reading a field counts a reference, which costs ten times the arithmetic around it: read
fields before loops, not in them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.core import types
from numba.experimental import structref

from fecontact.bulk import Array, ContactNodes
from fecontact.contact.interface.layout import ContactLayout
from fecontact.contact.interface.master import locate
from fecontact.kernels import njit

FIELDS = (
    "rest",  # (k, 2) contact nodes in the reference configuration, m
    "dof",  # (k, 2) their contact dofs, −1 where prescribed
    "master",  # segments of the masters …
    "geometry",  # … their geometry at the start …
    "standing",  # … and whether they are fixed
    "tools",  # rigid masters without nodes, None if there are none: kernels leave them out
    "points",  # slave nodes of the nodal methods
    "integrated",  # slave edges of `continuous`, None if there are none: kernels leave them out …
    "gauss",  # (P, n) … with the Gauss points of each pair
    "gauss_weight",  # (P, n) … and their weights, 0 for none
    "vertices",  # master vertices that can penetrate slave edges
    "edges",  # the slave edges, as segments for the projection of vertices
    "slaves",  # number of multipliers of slave nodes; those of vertices follow
    "node",  # (m,) contact node of each multiplier
    "pair",  # (m,) its pair
    "friction",  # (2, m) coefficients of slip, for forces against and along the tangent
    "static_friction",  # (2, m) and for stick
    "tributary",  # (m,) area of a slave node, m²; 1 for a vertex
    "shortest",  # (m,) edge of the pair, m
    "finest",  # the shortest edge of all pairs, m
    "settled",  # (m,) negligible change of a gap, m
    "compliance",  # (2m,) of penalties, m/N
    "bond_force",  # (m,) tension of the bonds in the current step, N
    "wearing",  # (m,) wear depth of the current step per normal force, m/N
    "thickness",  # (2, m) surface offset of the slaves, m: at the end of a step, at its start
    "kept_depth",  # (m,) penetration that a master vertex may keep in the current step, m
    "master_wear",  # (2, k) wear depth of the masters at their nodes, m, likewise, or (2, 0)
)


@structref.register
class ContextType(types.StructRef):  # type: ignore[misc]
    """numba's type of a :class:`Context`."""


class Context(structref.StructRefProxy):  # type: ignore[misc]
    """The contact surfaces of a run, with the fields above."""


structref.define_proxy(Context, ContextType, list(FIELDS))


@njit
def _context(*fields):  # type: ignore[no-untyped-def]
    """Construct a context. This constructor is cached; numba's own is recompiled in every
    process.
    """
    return Context(*fields)


class Changing(NamedTuple):
    """Fields of a context that a run changes in place."""

    compliance: Array
    bond_force: Array
    wearing: Array
    thickness: Array
    kept_depth: Array
    master_wear: Array


def context_of(
    nodes: ContactNodes,
    layout: ContactLayout,
    position: Array,
    standing: bool,
    settled: float,
    tributary: Array,
    changing: Changing,
) -> Context:
    """Return the context of a run.

    position: (k, 2) of the contact nodes at the start, m;
    standing: True if all masters are fixed;
    settled: negligible change of a gap, in shortest edges.
    """
    a = layout
    fields = changing._asdict() | {
        "rest": np.ascontiguousarray(nodes.coordinates),
        "dof": np.ascontiguousarray(nodes.dof),
        "geometry": locate(a.master, position),
        "standing": standing,
        "integrated": a.integrated if len(a.integrated.pair) else None,
        "tools": a.tools if len(a.tools.piece) else None,
        "edges": a.edges_as_master,
        "tributary": tributary,
        "finest": float(a.shortest.min(initial=np.inf)),
        "settled": settled * a.shortest,
    }
    return _context(*(fields[f] if f in fields else getattr(a, f) for f in FIELDS))
