"""Array types used by all parts of the package.

This module imports NumPy and no other module of the package.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Statuses = NDArray[np.int8]
"""Statuses of contact points: OPEN, STICK or SLIP of :mod:`fecontact.record`."""

Index = Integers
"""Integers that number nodes, cells, edges or degrees of freedom."""
