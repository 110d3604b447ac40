"""Reasons for which the contact problem of a step has no accepted solution."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Mask

NOT_FINITE = "the solution is not finite"
PASSED = "a node passes through a body within one step"
NO_STATUSES = "no contact status (open, stick, slip) satisfies the contact and friction laws"
UNFINISHED = "the augmented Lagrangian iteration did not converge"
UNFITTED = "the friction coefficient did not converge"
AMBIGUOUS = "friction decreases so fast with slip that the step has several solutions"
WEAR_BEYOND_EDGE = "the wear depth of one step exceeds the length of an edge"
WEAR_UNSOLVED = "the wear of the step did not converge"
UNSETTLED = "the contact search did not converge"
UNSOLVED = "the contact forces could not be computed accurately"
UNCONSTRAINED_TOOL = "a rigid tool is unconstrained"
UNCONSTRAINED = "a body is unconstrained"


class UnconstrainedTool(np.linalg.LinAlgError):
    """A free degree of freedom of a tool that is unconstrained in a static analysis; where: its
    name, for example "y of tools.roller"."""

    def __init__(self, where: str) -> None:
        super().__init__(UNCONSTRAINED_TOOL)
        self.where = where


class UnconstrainedBody(np.linalg.LinAlgError):
    """A body that is unconstrained in a static step; node: number of one of its nodes, axes: the
    unconstrained directions, for example "x and y"."""

    def __init__(self, node: int, axes: str) -> None:
        super().__init__(UNCONSTRAINED)
        self.node, self.axes = node, axes


class ContactFailure(Exception):
    """The contact problem of a step has no accepted solution.

    offending: the multipliers, as a mask; gap (m,) and force (2m,): the last values.
    """

    def __init__(
        self, reason: str, iterations: int, offending: Mask, gap: Array, force: Array
    ) -> None:
        super().__init__(reason)
        self.reason, self.iterations = reason, iterations
        self.offending, self.gap, self.force = offending, gap, force
