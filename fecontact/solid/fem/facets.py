"""Contact edges from facets of an external dolfinx mesh: rows of nodes with the body on the
left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fecontact.mesh.cells import Index
from fecontact.study.errors import InputError


def facet_edges(space: Any, facets: NDArray[np.int32], name: str) -> Index:
    """Return edges (E, 2 or 3) of boundary facets of this rank, identical on every rank.

    space: a plane vector-valued Lagrange space of degree 1 or 2.

    An edge contains the global numbers of its nodes (blocks of the space), corners first, then the
    mid-side node. Collective.
    """
    rows = _rows_of_this_rank(space, np.asarray(facets, dtype=np.int32))
    gathered = space.mesh.comm.allgather(rows)
    wrong = next((text for text in gathered if isinstance(text, str)), None)
    if wrong is not None:
        raise InputError(f"facets {name!r}: {wrong}")
    if not sum(map(len, gathered)):
        raise InputError(f"facets {name!r}: no facet is marked. Mark at least one.")
    return np.unique(np.concatenate(gathered), axis=0)  # Ghost facets are on two ranks.


def _rows_of_this_rank(space: Any, facets: NDArray[np.int32]) -> Index | str:
    """Return the edges of the facets on this rank, or an error message."""
    topology, dofmap = space.mesh.topology, space.dofmap
    topology.create_connectivity(1, 2)
    topology.create_connectivity(2, 1)
    cells_of_facet, facets_of_cell = topology.connectivity(1, 2), topology.connectivity(2, 1)
    first, last = cells_of_facet.offsets[facets], cells_of_facet.offsets[facets + 1]
    if np.any(last - first != 1):
        return "a contact facet is not on the boundary. Use facets with a cell on one side only."
    sides = facets_of_cell.offsets[1] - facets_of_cell.offsets[0]
    closure = np.sort([dofmap.dof_layout.entity_closure_dofs(1, i) for i in range(sides)], axis=1)
    cells = cells_of_facet.array[first]
    side = np.argmax(facets_of_cell.array.reshape(-1, sides)[cells] == facets[:, None], axis=1)
    nodes = dofmap.list[cells[:, None], closure[side]]
    places = space.tabulate_dof_coordinates()[:, :2]
    start, end = places[nodes[:, 0]], places[nodes[:, 1]]
    along, inwards = end - start, places[dofmap.list[cells]].mean(axis=1) - start
    turned = along[:, 0] * inwards[:, 1] - along[:, 1] * inwards[:, 0] < 0.0
    nodes[turned, :2] = nodes[turned, 1::-1]
    numbers = dofmap.index_map.local_to_global(nodes.ravel().astype(np.int32))
    return np.asarray(numbers, dtype=np.int64).reshape(nodes.shape)
