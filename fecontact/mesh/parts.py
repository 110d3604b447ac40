"""Connected parts of a mesh."""

from __future__ import annotations

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from fecontact.arrays import Index
from fecontact.record import ModelMesh


def connected_parts(mesh: ModelMesh) -> Index:
    """Return the index of the connected part of each node (one part per isolated node)."""
    count, cells = len(mesh.points), mesh.cells
    pairs = (np.repeat(cells[:, 0], cells.shape[1]), cells.ravel())
    graph = scipy.sparse.coo_array((np.ones(len(pairs[0])), pairs), shape=(count, count))
    return np.asarray(scipy.sparse.csgraph.connected_components(graph, directed=False)[1])
