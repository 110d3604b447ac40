"""Time of the largest load in a run."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array


def most_loaded(stress: Array) -> int:
    """Return the index of the time of (T, N, 4) with the largest mean square stress; the last
    within 1 %.
    """
    load = np.mean(np.square(stress), axis=(1, 2))
    return int(np.flatnonzero(load >= 0.99 * load.max(initial=0.0))[-1])
