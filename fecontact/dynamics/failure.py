"""Messages for failed steps: reason, time, nodes and remedy.

A failed step is cut back. The message is issued only if it fails at the smallest step.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.failure import (
    AMBIGUOUS,
    NOT_FINITE,
    PASSED,
    UNCONSTRAINED,
    UNCONSTRAINED_TOOL,
    UNFINISHED,
    UNFITTED,
    UNSETTLED,
    WEAR_BEYOND_EDGE,
    WEAR_UNSOLVED,
    ContactFailure,
    UnconstrainedBody,
    UnconstrainedTool,
)
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.control.grid import StepGrid
from fecontact.record import OPEN

LOADS_NOT_FINITE = "the loads are not finite"
SINGULAR_MATRIX = "the effective matrix is singular"
NO_EQUILIBRIUM = "the equilibrium iteration (Newton) did not converge"
INSIDE_OUT = "an element is inverted"
JUMPED = "the body jumps to another equilibrium"
UNSOLVED = "the effective matrix is singular to working precision"

_SHORTER = "Reduce time.step or time.min_step"
_JUMPS = 'If a static equilibrium is lost, use time.stabilization = "auto".'
_REMEDY = {
    NOT_FINITE: "Reduce loads, velocities and stiffnesses: their products exceed 1e308.",
    LOADS_NOT_FINITE: "Reduce the loads or [functions]: their products exceed 1e308.",
    SINGULAR_MATRIX: (
        "The model has an unconstrained motion. Add supports, springs or friction; in a dynamic "
        "analysis, a density."
    ),
    NO_EQUILIBRIUM: f"{_SHORTER}, or apply the load more slowly. {_JUMPS}",
    JUMPED: f"{_SHORTER}.",
    INSIDE_OUT: f"{_SHORTER}, improve the mesh there, or reduce the load.",
    PASSED: f"{_SHORTER}: a body moves by more than its own thickness in one step.",
    UNFINISHED: "Increase max_augmentations, or normal_penalty and tangential_penalty.",
    UNFITTED: f"{_SHORTER}, or use a friction law that decreases less steeply.",
    AMBIGUOUS: (
        f"{_SHORTER}, use a friction law that decreases less steeply, or use a dynamic time.scheme."
    ),
    UNSETTLED: (
        "Round the corner of the master (`fillets`, `radius` of a tool), exclude a node at an "
        "inner corner from the pair (`exclude`), make the master longer than the sliding distance, "
        'or reduce time.step. With quadratic elements use method = "continuous" or swap slave and '
        "master."
    ),
    WEAR_BEYOND_EDGE: f"{_SHORTER}, or reduce the wear coefficient.",
    UNCONSTRAINED_TOOL: (
        "Start the tool in contact (`x`, `y`, or gap_closure_tolerance), or add a spring or "
        "friction, so that the load on the tool is carried."
    ),
    UNCONSTRAINED: (
        "Add [supports] or [springs] in that direction, add friction to a contact pair, or add the "
        "edge that the body touches as master."
    ),
}
_REMEDY[UNSOLVED] = _REMEDY[SINGULAR_MATRIX]
_REMEDY[WEAR_UNSOLVED] = _REMEDY[WEAR_BEYOND_EDGE]
_REMEDY_CONTACT = (
    "Reduce time.step, refine the slave edge, check the friction coefficient, or use method = "
    f'"penalty". {_JUMPS}'
)


class StepFailure(Exception):
    """Failure of a step for one of the reasons above; where: description of the location."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(reason)
        self.where = where


Failure = StepFailure | ContactFailure | np.linalg.LinAlgError


def explain(
    failure: Failure, grid: StepGrid, contact: ContactProblem, unstable: tuple[float, str]
) -> str:
    """Return the message of a failed run: time, reason, iterations, nodes and remedy.

    unstable: time, s, since when the equilibrium is unstable, and where; "" if it is stable.
    """
    target, size = grid.next()
    reason, where = str(failure), ""
    if isinstance(failure, (StepFailure, UnconstrainedTool)) and failure.where:
        where = f" ({failure.where})"
    elif isinstance(failure, UnconstrainedBody):
        where = f" (node {failure.node}, in {failure.axes})"
    elif isinstance(failure, np.linalg.LinAlgError):
        reason = SINGULAR_MATRIX
    text = (
        f"the run stopped at t = {grid.time:.9g} s: {reason}{where} in the step to {target:.9g} s "
        f"(Δt = {size:.3g} s, min_step = {grid.minimum:.3g} s)"
    )
    if isinstance(failure, ContactFailure) and failure.offending.any():
        text += f" after {failure.iterations} iterations, at {_nodes(failure, contact)}"
    else:
        closed = contact.status != OPEN
        if closed.any():
            before = ContactFailure(reason, 0, closed, contact.gap, contact.force)
            text += f"; nodes in contact: {_nodes(before, contact)}"
    if unstable[1]:
        return f"{text}. {instability_message(unstable)}"
    return f"{text}. {_REMEDY.get(reason, _REMEDY_CONTACT)}"


def instability_message(unstable: tuple[float, str]) -> str:
    """Return the warning about equilibria that are unstable since a time, s, at a location."""
    since, where = unstable
    return (
        f"time.scheme: the equilibrium is unstable since t = {since:.6g} s ({where}): a body "
        "buckles, wrinkles or snaps through, which a static analysis does not follow. Use a "
        "dynamic time.scheme with damping, add a small imperfection of shape or load, or reduce "
        "the load."
    )


def _nodes(failure: ContactFailure, contact: ContactProblem) -> str:
    """Return number, position, gap and force of the nodes of a failure."""
    texts = []
    for j in np.flatnonzero(failure.offending):
        node, pair = contact.layout.node[j], contact.pairs[contact.layout.pair[j]]
        x, y = contact.position[node]
        texts.append(
            f"node {contact.nodes.node[node]} of {pair.name!r} ({x:.6g}, {y:.6g}) m, gap "
            f"{failure.gap[j]:.3g} m, force {failure.force[j]:.6g} N normal and "
            f"{failure.force[contact.size + j]:.6g} N tangential"
        )
    more = f"; {len(texts) - 5} more" if len(texts) > 5 else ""
    return "; ".join(texts[:5]) + more


def cannot_start(reason: str) -> str:
    """Return the message of a run that has no solution at t = 0."""
    return f"the run cannot start: {reason}. {_REMEDY.get(reason, _REMEDY_CONTACT)}"
