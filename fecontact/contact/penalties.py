"""Nodal stiffness of the pairs whose method has one, from the compliance of the structure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fecontact.bulk import Array, Integers
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.methods import Stiffness
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.contact.state import ContactState


def nodal_stiffness(
    contact: ContactState, operator: DelassusOperator
) -> Iterator[tuple[str, Integers, Stiffness]]:
    """Yield the name of each pair with a nodal stiffness, its multipliers and their stiffness.

    operator: of the current rows.
    """
    layout = contact.layout
    for number, pair in enumerate(contact.pairs):
        if isinstance(pair.settings, WithStiffness):
            own = np.flatnonzero(layout.pair == number)
            normal, tangential = operator.diagonal[np.array([own, contact.size + own])]
            of_nodes = _node_compliance(contact.nodes.dof[layout.node[own]], operator)
            yield pair.name, own, pair.settings.stiffness(normal, tangential, of_nodes)


def _node_compliance(dof: Integers, operator: DelassusOperator) -> Array:
    """Return the mean compliance of the free dofs (n, 2) of nodes, m/N; 0 without."""
    free, values = dof >= 0, np.zeros(dof.shape)
    values[free] = operator.dof_compliance(dof[free])
    return values.sum(axis=1) / np.maximum(free.sum(axis=1), 1)
