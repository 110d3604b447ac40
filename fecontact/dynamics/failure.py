"""A step that cannot be made: why, where, at which nodes, and what to try.

The step is cut whatever the reason. Only at the smallest step is the user told, in one message.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.failure import (
    AMBIGUOUS,
    NOT_FINITE,
    PASSED,
    UNCONSTRAINED,
    UNFINISHED,
    UNFITTED,
    UNHELD,
    UNSETTLED,
    WEAR_UNSOLVED,
    WORN,
    ContactFailure,
    UnheldBody,
    UnheldTool,
)
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.control.grid import StepGrid
from fecontact.record import OPEN

LOADS_NOT_FINITE = "the loads are not finite"
SINGULAR = "the effective matrix is singular"
NO_EQUILIBRIUM = "Newton's method does not find the equilibrium of the step"
INSIDE_OUT = "an element is turned inside out"
UNSOLVED = "the effective matrix is singular to working precision"

_TRY = {
    NOT_FINITE: "smaller loads, velocities and stiffnesses: their products exceed 1e308",
    LOADS_NOT_FINITE: "loads and functions of time whose products stay below 1e308",
    SINGULAR: "supports, springs, friction or, unless static, density: nothing resists a motion",
}
_TRY[UNSOLVED] = _TRY[SINGULAR]
_TRY[NO_EQUILIBRIUM] = "a smaller time.step (or time.min_step), or loads that grow more slowly"
_TRY[INSIDE_OUT] = (
    "a smaller time.step (or time.min_step), a mesh without slender or sharp elements there, "
    "or a smaller load"
)
_TRY[PASSED] = "a smaller time.step (or time.min_step): bodies move farther in one than they reach"
_TRY[UNFINISHED] = (
    "more max_augmentations, or a larger normal_penalty and tangential_penalty: each augmentation "
    "reduces the error the more, the larger they are"
)
_TRY[AMBIGUOUS] = _TRY[UNFITTED] = (
    "a smaller time.step (or time.min_step), or a friction law that falls less steeply; in a "
    "static analysis, which jumps there, a dynamic time.scheme"
)
_TRY[UNSETTLED] = (
    "a corner of the master that is rounded (`fillets`, `radius` of a tool), to leave a node in an "
    "inner corner out of the pair (`exclude`), a master that is longer than the way, a smaller "
    'step, or, of soft bodies with quadratic cells, method = "continuous" or slave and master '
    "exchanged"
)
_TRY[WORN] = "a smaller time.step or time.min_step, or less wear"
_TRY[WEAR_UNSOLVED] = _TRY[WORN]
_TRY[UNHELD] = (
    "a start in touch (`x`, `y` of the tool, or gap_closure_tolerance), a spring, or friction: in "
    "statics a force needs something that bears it"
)
_TRY[UNCONSTRAINED] = (
    "[supports] or [springs] in that direction, friction of a contact pair, or the edge that the "
    "body does touch as its master: in a static analysis only closed contact carries a load"
)
_TRY_CONTACT = "a smaller step, a finer slave edge, less friction or the penalty method"


class StepFailure(Exception):
    """A step that cannot be made as it is, for one of the reasons above; where: in words."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(reason)
        self.where = where


Failure = StepFailure | ContactFailure | np.linalg.LinAlgError


def explain(
    failure: Failure, grid: StepGrid, contact: ContactProblem, unstable: tuple[float, str]
) -> str:
    """What a run that cannot go on says: time, reason, iterations, nodes, what to try; unstable:
    since when its equilibria are, s, and where, "" if they are not."""
    target, size = grid.next()
    reason, where = str(failure), ""
    if isinstance(failure, (StepFailure, UnheldTool)) and failure.where:
        where = f" ({failure.where})"
    elif isinstance(failure, UnheldBody):
        where = f" (node {failure.node}, in {failure.axes})"
    elif isinstance(failure, np.linalg.LinAlgError):
        reason = SINGULAR
    text = (
        f"The run stops at t = {grid.time:.9g} s: {reason}{where} in the step to {target:.9g} s "
        f"(Δt = {size:.3g} s; min_step = {grid.minimum:.3g} s)"
    )
    if isinstance(failure, ContactFailure) and failure.offending.any():
        text += f" after {failure.iterations} iterations, at {_nodes(failure, contact)}"
    else:
        closed = contact.status != OPEN
        if closed.any():
            before = ContactFailure(reason, 0, closed, contact.gap, contact.force)
            text += f"; in contact until then: {_nodes(before, contact)}"
    if unstable[1]:
        return f"{text}; {instability_message(unstable)}"
    return f"{text}. Try {_TRY.get(reason, _TRY_CONTACT)}"


def instability_message(unstable: tuple[float, str]) -> str:
    """A sentence on equilibria that are unstable since a time, s, at a place."""
    since, where = unstable
    return (
        f"equilibria since t = {since:.6g} s are unstable ({where}): past a bifurcation or a limit "
        "point bodies buckle, wrinkle or snap, which statics does not follow. Try a dynamic "
        "time.scheme with damping, a small imperfection of shape or load, or a smaller load"
    )


def _nodes(failure: ContactFailure, contact: ContactProblem) -> str:
    """The offending nodes of a failure: number, place, gap and force."""
    texts = []
    for j in np.flatnonzero(failure.offending):
        node, pair = contact.layout.node[j], contact.pairs[contact.layout.pair[j]]
        x, y = contact.position[node]
        texts.append(
            f"node {contact.nodes.node[node]} of {pair.name!r} ({x:.6g}, {y:.6g}) m, gap "
            f"{failure.gap[j]:.3g} m, force {failure.force[j]:.6g} N normal and "
            f"{failure.force[contact.size + j]:.6g} N tangential"
        )
    more = f"; and {len(texts) - 5} more" if len(texts) > 5 else ""
    return "; ".join(texts[:5]) + more


def cannot_start(reason: str) -> str:
    """What a run says that has no solution at t = 0."""
    return f"The run cannot start: {reason}. Try {_TRY.get(reason, _TRY_CONTACT)}"
