"""Wavelength of a mode shape in elements."""

from __future__ import annotations

import numpy as np

from fecontact.mesh.cells import by_kind
from fecontact.record import ModelMesh


def wavelength_in_elements(mesh: ModelMesh, shape: np.ndarray) -> float:
    """Return 2π |φ|/|∂φ/∂s| in elements; shape: (N, 2), real or complex.

    Differences between neighbouring nodes approximate the gradient: a wave of n elements changes by
    2π/n of its rms from one end of an element to the other. Half of the edges lie across it.
    """
    change = size = 0.0
    for _, cells in by_kind(mesh.cells):
        nodes = cells.shape[1]
        corners, quadratic = (3 if nodes in (3, 6) else 4), nodes > 4
        around = cells
        if quadratic:
            around = np.stack([cells[:, :corners], cells[:, corners:]], axis=2).reshape(-1, nodes)
        own = shape[around]
        steps = np.abs(np.roll(own, -1, axis=1) - own) ** 2 * (4.0 if quadratic else 1.0)
        change += 2.0 * float(steps.sum()) / nodes
        size += float((np.abs(own) ** 2).sum()) / nodes
    return 2.0 * np.pi * float(np.sqrt(size / change)) if change > 0.0 else np.inf
