"""Estimate of the memory of a run on a mesh, made before assembly.

The contributions were measured on square bodies of 10³ to 2·10⁵ dofs (docs/performance.md) with
both solvers, and agree there within 25 %:

- the process with its loaded libraries;
- model and matrices, in proportion to the dofs and to the entries of K;
- the factors, one for each step size. Nested dissection of a plane mesh of n dofs leaves O(n log n)
  entries (George, 1973, doi:10.1137/0710032), and more with more entries in a row of K;
- the compliance of the contact dofs, which grows only if memory is free;
- the saved fields, on the first rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.machine import available
from fecontact.mesh.cells import by_kind
from fecontact.record import ModelMesh

__all__ = ["Memory", "available", "forecast", "format_bytes"]

PROCESS = 300e6  # bytes of a process
COMPLIANCE = 72e6  # bytes; a long contact takes more, up to a tenth of the free memory
PER_DOF, PER_ENTRY = 1200.0, 100.0  # bytes of model and matrices
FACTOR_ENTRIES, PER_FACTOR_ENTRY = 1.3, 12.0  # factor of √(entries/dofs) n log₂ n; bytes
COMPONENTS = 8  # of displacement, velocity and stress at a node

NEIGHBOURS = {3: 7.0, 4: 9.0, 6: 11.5, 8: 15.7}
"""Coupled nodes of a node (itself included) in a regular mesh of cells with this number of
nodes.
"""


@dataclass(frozen=True)
class Memory:
    """Memory of a run, bytes: per process, shared among all ranks, and on the first rank."""

    process: float
    matrices: float
    factor: float
    fields: float

    def on(self, here: int, ranks: int = 1) -> float:
        """Return the bytes on a machine with `here` ranks, including the first one."""
        return self.process * here + (self.matrices + self.factor) * here / ranks + self.fields

    def machines(self, free: float) -> int | None:
        """Return the number of machines with this free memory, one rank each; None if it
        never fits.
        """
        left = free - self.process - self.fields
        return int(np.ceil((self.matrices + self.factor) / left)) if left > 0 else None


def forecast(mesh: ModelMesh, snapshots: int = 0, factors: int = 1) -> Memory:
    """Return the memory of a run on this mesh with this number of stored fields and factors."""
    dofs = 2.0 * len(mesh.points)
    kinds = [(len(rows), NEIGHBOURS[own.shape[1]]) for rows, own in by_kind(mesh.cells)]
    cells, neighbours = np.array(kinds).T
    per_dof = 2.0 * float(cells @ neighbours / cells.sum())
    entries = FACTOR_ENTRIES * np.sqrt(per_dof) * dofs * np.log2(dofs)
    return Memory(
        process=PROCESS + COMPLIANCE,
        matrices=dofs * (PER_DOF + PER_ENTRY * per_dof),
        factor=factors * PER_FACTOR_ENTRY * float(entries),
        fields=8.0 * COMPONENTS * snapshots * len(mesh.points),
    )


def format_bytes(size: float) -> str:
    """Return a size as text: 12 MB, 1.4 GB."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
