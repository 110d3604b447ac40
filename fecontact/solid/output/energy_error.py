"""Estimate of the discretisation error in strain energy (O. C. Zienkiewicz & J. Z. Zhu 1987,
doi:10.1002/nme.1620240206).

The stress σ of a cell is compared with the average σ̄ over the cells at its nodes:

    e = ½ ∫ (σ − σ̄)·S (σ − σ̄) dV

is approximately the strain energy added by the excessive stiffness of the mesh. Nodes shared by
several bodies, where stress may be discontinuous, are excluded. Nodes of a single cell have no
difference; there the error is taken as large as at the other nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mpi4py import MPI

from fecontact.kernels import kernel
from fecontact.mesh.cells import Index, areas
from fecontact.record import Array, ModelMesh
from fecontact.solid.fem.forms import PieceForms
from fecontact.solid.fem.materials import CellMaterials


class EnergyError:
    """Weights and compliances of the estimate.

    cell_count: (N,) number of cells at each node.
    """

    def __init__(
        self,
        mesh: ModelMesh,
        pieces: Sequence[PieceForms],
        materials: CellMaterials,
        cell_count: Array,
    ) -> None:
        body = materials.body
        self._count, self._bodies = cell_count, int(body.max()) + 1
        _, first = np.unique(body, return_index=True)
        self._compliance = np.linalg.pinv(materials.stiffness[first], hermitian=True)
        of_node = np.full(len(mesh.points), -1)
        of_node[mesh.cells] = body[:, None]
        one_body = np.ones(len(mesh.points), bool)
        one_body[mesh.cells[of_node[mesh.cells] != body[:, None]]] = False
        area = areas(mesh.points, mesh.cells)
        self._weights: list[tuple[Array, Index]] = []
        volumes = np.zeros((self._bodies, 2))  # of all nodes, and of those of several cells
        for forms in pieces:
            piece, cell = forms.piece, forms.piece.cell
            nodes = piece.node[piece.space.dofmap.list]
            depth = forms.depth(mesh.points[mesh.cells[cell]].mean(axis=1, keepdims=True))
            weight = (area[cell, None] * depth) * one_body[nodes] / nodes.shape[1]
            self._weights.append((weight, body[cell]))
            for column, part in enumerate((weight, weight * (cell_count[nodes] > 1.0))):
                np.add.at(volumes[:, column], body[cell], part.sum(axis=1))
        pieces[0].piece.comm.Allreduce(MPI.IN_PLACE, volumes)
        whole, compared = volumes.T
        self._scale = np.divide(whole, compared, out=np.ones_like(whole), where=compared > 0.0)

    def __call__(self, found: Sequence[tuple[Index, Array]], sums: Array, comm: MPI.Comm) -> Array:
        """Return for each body (bodies, 2) e and the strain energy of σ̄, J, on every rank.

        found: nodes (c, k) and stresses (c, k, 4), Pa, of the cells of each kind on this rank;
        sums: (N, 4) sum of the stresses of all cells at each node.
        """
        average = sums / np.maximum(self._count, 1.0)[:, None]
        energies = np.zeros((self._bodies, 2))
        for (weight, body), (nodes, stress) in zip(self._weights, found, strict=True):
            add_energies(stress, nodes, average, weight, body, self._compliance, energies)
        comm.Allreduce(MPI.IN_PLACE, energies)
        energies[:, 0] *= self._scale
        return energies


@kernel
def add_energies(stress, nodes, average, weight, body, *arrays):  # type: ignore[no-untyped-def]
    """Add ½ w (σ − σ̄)·S (σ − σ̄) and ½ w σ̄·S σ̄ of the nodes of all cells to energies (bodies, 2).

    stress: (c, k, 4) σ; nodes, weight: (c, k) nodes and volumes w; average: (N, 4) σ̄; body: (c,);
    compliance: (bodies, 4, 4) S.
    """
    compliance, energies = arrays
    for c in range(nodes.shape[0]):
        b = body[c]
        for a in range(nodes.shape[1]):
            node, half = nodes[c, a], 0.5 * weight[c, a]
            error = energy = 0.0
            for i in range(4):
                mean_i = average[node, i]
                for j in range(4):
                    s, mean_j = compliance[b, i, j], average[node, j]
                    error += (stress[c, a, i] - mean_i) * s * (stress[c, a, j] - mean_j)
                    energy += mean_i * s * mean_j
            energies[b, 0] += half * error
            energies[b, 1] += half * energy
