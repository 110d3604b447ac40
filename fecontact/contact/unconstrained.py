"""Bodies and tools that nothing but their stabilising springs holds.

In statics a body that only contact holds has a singular stiffness; weak springs make it regular,
and the small problem takes their forces away again. Where it cannot, nothing else holds the body.
"""

from __future__ import annotations

import numpy as np

from fecontact.bulk import Array, Integers
from fecontact.contact.failure import UnheldBody, UnheldTool
from fecontact.contact.local.active_set import Mask
from fecontact.contact.state import ContactState
from fecontact.contact.tools.driving import WAYS

UNHELD = 1e-6  # share of the motion of stabilised dofs that, if left, says: nothing holds a body
SPRING_ROUNDING = 1e-9  # of the largest motion: below it what is left of springs is rounding


def unconstrained_rigid_modes(
    left: Array, stabilised: Array, correction: Array, gaps: Array
) -> Mask:
    """(q,) the stabilising springs that cannot be taken away.

    left: (q,) what is left of their motion, stabilised: without contact, m. What loads (correction)
    and overlaps with the master (gaps without contact) move is moved but for rounding.
    """
    if not len(left):
        return np.zeros(0, bool)
    moved = max(np.abs(correction).max(initial=0.0), -gaps.min(initial=0.0))
    prescribed: Mask = np.abs(left) <= UNHELD * np.abs(stabilised).max() + SPRING_ROUNDING * moved
    return ~prescribed


def check_constrained_tools(contact: ContactState, dofs: Integers) -> None:
    """Raise an UnheldTool if some of the contact dofs are those of a driven tool."""
    of_tools: Integers = contact.layout.tools.node
    for p, pair in enumerate(contact.pairs):
        if pair.tool is not None and of_tools[p, 0] >= 0:
            own = contact.nodes.dof[of_tools[p]].ravel()[: len(WAYS)]
            for way in np.flatnonzero((own >= 0) & np.isin(own, dofs)):
                raise UnheldTool(f"{WAYS[way]} of tools.{pair.tool.name}")


def check_constrained_bodies(contact: ContactState, dofs: Integers) -> None:
    """Raise an UnheldBody for the body to which the first of these contact dofs belongs."""
    node, axis = np.nonzero(np.isin(contact.nodes.dof, dofs))
    axes = " and ".join("xy"[k] for k in np.unique(axis))
    raise UnheldBody(int(contact.nodes.node[node[0]]), axes)
