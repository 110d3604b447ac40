"""Factored effective matrices of a run, each with its Delassus operator."""

from __future__ import annotations

from collections import OrderedDict

from fecontact.bulk import Bulk, Factor
from fecontact.contact.local.matrix_free import operator_for
from fecontact.dynamics.steps.equilibrium import Effective, Weights

MAX_CACHED_FACTORS = 12  # sizes of whole steps and of cut or halved steps


class EffectiveMatrices:
    """Matrices A = m M + c C + k K of a structural model, factored when their weights are first
    used.

    touching: contact dofs where forces act;
    given: the factor of an explicit scheme, for any step size;
    factorisations: their number.
    """

    def __init__(self, bulk: Bulk, touching: int, given: Factor | None) -> None:
        self._bulk, self._touching, self._given = bulk, touching, given
        self._cached: OrderedDict[tuple[float, ...], Effective] = OrderedDict()
        self.factorisations = 0

    def __call__(self, weights: Weights) -> Effective:
        """Return the factored matrix with the weights (m, c, k), stored or computed now."""
        key = (*weights, self._bulk.tangent_key)
        if key in self._cached:
            self._cached.move_to_end(key)
        else:
            factor = self._given
            if factor is None:
                factor = self._bulk.factor(*weights)
            operator = operator_for(self._bulk, factor, self._touching)
            self._cached[key] = Effective(factor, operator)
            self.factorisations += 1
            if len(self._cached) > MAX_CACHED_FACTORS:
                self._cached.popitem(last=False)
        return self._cached[key]
