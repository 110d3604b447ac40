"""Why the contact problem of a step has no accepted solution."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Mask

NOT_FINITE = "the motion is not finite"
PASSED = "bodies pass through each other within a step"
NO_STATUSES = "no open, stick and slip statuses of the contact nodes fit the friction law"
UNFINISHED = "the augmentations of the contact forces do not converge"
UNFITTED = "the coefficients of a friction law do not converge"
AMBIGUOUS = "friction falls so fast with slip that the step has more than one solution"
WORN = "a step has worn off more than the length of an edge"
WEAR_UNSOLVED = "the wear of the step does not converge"
UNSETTLED = "the pairing of slave nodes does not settle"
UNSOLVED = "the forces of the contact problem are not found to enough digits"
UNHELD = "nothing holds a tool"
UNCONSTRAINED = "a body is unconstrained"


class UnheldTool(np.linalg.LinAlgError):
    """A degree of freedom of a driven tool that, in statics, no contact holds: where is its name,
    like "y of tools.roller"."""

    def __init__(self, where: str) -> None:
        super().__init__(UNHELD)
        self.where = where


class UnheldBody(np.linalg.LinAlgError):
    """A body that nothing constrains in a static step; node: number of one of its nodes, axes: the
    directions in which it is free, like "x and y"."""

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
