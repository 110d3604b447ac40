"""Eigenvalue iterations on rank 0 with products and solves on all ranks.

ARPACK works on whole vectors. Rank 0 runs it and stores its basis; the other ranks wait for the
products and back-substitutions that it needs, which are distributed as in a time step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mpi4py import MPI

from fecontact.arrays import Array

T = TypeVar("T")
AnyArray = TypeVar("AnyArray", Array, NDArray[np.complex128])
Operation = Callable[[Array], Array]
"""(blocks, local size) → (blocks, local size), collective."""

_FINISHED = ""


class Served:
    """Named operations on distributed vectors, applied by rank 0 to whole vectors.

    size: local entries of a vector.
    """

    def __init__(self, comm: MPI.Comm, size: int, operations: Mapping[str, Operation]) -> None:
        self._comm, self._operations = comm, operations
        sizes = [size] if self._alone else comm.allgather(size)
        self._first = np.concatenate([[0], np.cumsum(sizes)])
        self.size = int(self._first[-1])

    @property
    def _alone(self) -> bool:
        return self._comm.size == 1

    def run(self, iterate: Callable[[Served], T]) -> T:
        """Return the result of an iteration run by rank 0, on every rank. Collective."""
        if self._alone:
            return iterate(self)
        comm = self._comm
        outcome: T | Exception
        if comm.rank == 0:
            try:
                outcome = iterate(self)
            # the other ranks are waiting: all ranks raise the same exception
            except Exception as error:
                outcome = error
            comm.bcast((_FINISHED, outcome))
        else:
            outcome = self._serve()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _serve(self) -> Any:
        while True:
            name, given = self._comm.bcast(None)
            if name == _FINISHED:
                return given
            self._apply(name, given)

    def __call__(self, name: str, x: Array) -> Array:
        """Return an operation on whole vectors (blocks, size); called by rank 0 alone."""
        if self._alone:
            return self._operations[name](x)
        self._comm.bcast((name, x))
        return self._apply(name, x)

    def _apply(self, name: str, x: Array) -> Array:
        rank = self._comm.rank
        own = np.ascontiguousarray(x[:, self._first[rank] : self._first[rank + 1]])
        parts = self._comm.gather(self._operations[name](own))
        return np.zeros((0, 0)) if parts is None else np.concatenate(parts, axis=1)

    def own(self, x: AnyArray) -> AnyArray:
        """Return the entries (…, local size) of whole vectors that this rank owns."""
        rank = 0 if self._alone else self._comm.rank
        return np.ascontiguousarray(x[..., self._first[rank] : self._first[rank + 1]])
