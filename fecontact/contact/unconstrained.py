"""Detection of bodies and tools without constraints in a static analysis.

The stiffness of a body constrained only by contact is singular. Weak stabilising springs make it
regular, and the local problem removes their forces again. If it cannot, the body is unconstrained.
"""

from __future__ import annotations

import numpy as np

from fecontact.bulk import Array, Integers
from fecontact.contact.failure import UnconstrainedBody, UnconstrainedTool
from fecontact.contact.local.active_set import Mask
from fecontact.contact.state import ContactState
from fecontact.contact.tools.driving import MOTIONS_OF_TOOL

FREE_MOTION = 1e-6  # remaining fraction of the motion of stabilised dofs that indicates a free body
SPRING_ROUNDING = 1e-9  # of the largest motion: a smaller remainder is round-off


def unconstrained_rigid_modes(
    left: Array, stabilised: Array, correction: Array, gaps: Array
) -> Mask:
    """Return the stabilising springs (q,) that cannot be removed.

    left: (q,) remaining motion, m;
    stabilised: (q,) motion without contact, m;
    correction, gaps: motion due to loads, and gaps without contact, m. They set the scale of
    round-off.
    """
    if not len(left):
        return np.zeros(0, bool)
    moved = max(np.abs(correction).max(initial=0.0), -gaps.min(initial=0.0))
    carried: Mask = np.abs(left) <= FREE_MOTION * np.abs(stabilised).max() + SPRING_ROUNDING * moved
    return ~carried


def check_constrained_tools(contact: ContactState, dofs: Integers) -> None:
    """Raise UnconstrainedTool if any of the contact dofs belongs to a force-controlled tool."""
    of_tools: Integers = contact.layout.tools.node
    for p, pair in enumerate(contact.pairs):
        if pair.tool is not None and of_tools[p, 0] >= 0:
            own = contact.nodes.dof[of_tools[p]].ravel()[: len(MOTIONS_OF_TOOL)]
            for motion in np.flatnonzero((own >= 0) & np.isin(own, dofs)):
                raise UnconstrainedTool(f"{MOTIONS_OF_TOOL[motion]} of tools.{pair.tool.name}")


def check_constrained_bodies(contact: ContactState, dofs: Integers) -> None:
    """Raise UnconstrainedBody for the body of the first of these contact dofs."""
    node, axis = np.nonzero(np.isin(contact.nodes.dof, dofs))
    axes = " and ".join("xy"[k] for k in np.unique(axis))
    raise UnconstrainedBody(int(contact.nodes.node[node[0]]), axes)
