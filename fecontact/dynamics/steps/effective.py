"""The factored effective matrices of a run by step size, each with how contact answers forces."""

from __future__ import annotations

from collections import OrderedDict

from fecontact.bulk import Bulk, Factor
from fecontact.contact.local.matrix_free import operator_for
from fecontact.dynamics.schemes import Coefficients
from fecontact.dynamics.steps.equilibrium import Effective

KEPT = 12  # the sizes of whole steps, and of cut or halved ones


class EffectiveMatrices:
    """Matrices A = m M + c C + k K of a bulk, factored when a step size is first used; touching:
    contact dofs where forces act; given: the factor of an explicit scheme, whatever the step.
    factorisations: how many were made."""

    def __init__(
        self, bulk: Bulk, scheme: Coefficients, touching: int, given: Factor | None
    ) -> None:
        self._bulk, self._scheme, self._touching, self._given = bulk, scheme, touching, given
        self._kept: OrderedDict[float, Effective] = OrderedDict()
        self.factorisations = 0

    def __call__(self, size: float) -> Effective:
        """That of a step size, s, kept from earlier steps or made now."""
        key = 0.0 if self._scheme.one_matrix else size
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            factor = self._given
            if factor is None:
                factor = self._bulk.factor(*self._scheme.matrix(size))
            operator = operator_for(self._bulk, factor, self._touching)
            self._kept[key] = Effective(factor, operator)
            self.factorisations += 1
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]
