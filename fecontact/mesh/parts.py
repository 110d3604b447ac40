"""Which parts of a mesh hang together."""

from __future__ import annotations

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from fecontact.arrays import Index
from fecontact.record import ModelMesh


def connected_parts(mesh: ModelMesh) -> Index:
    """Number of the connected part that each node belongs to (isolated nodes: one each)."""
    count, cells = len(mesh.points), mesh.cells
    pairs = (np.repeat(cells[:, 0], cells.shape[1]), cells.ravel())
    graph = scipy.sparse.coo_array((np.ones(len(pairs[0])), pairs), shape=(count, count))
    return np.asarray(scipy.sparse.csgraph.connected_components(graph, directed=False)[1])
