"""The stiffness of a penalty: given, or chosen from the compliance of the structure itself.

A node under a contact force λ moves by W λ within a step (W: diagonal of B A⁻¹ Bᵀ, m/N). A
penalty E = κ/W lets it penetrate by λ/E = W λ/κ, the κ-th part of that motion, whatever the units,
the mesh or the material; it costs κ in conditioning, which the small contact problem does not
mind. The choice is made once, for the study's own step. A node that is not over its master then has
no W yet; its own compliance, that of its dofs, stands in for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.contact.bulk import Array, Integers
from fecontact.contact.setup import Pair

KAPPA = 1e4


@dataclass(frozen=True)
class PenaltyChoice:
    """E_N and E_T of a pair's multipliers, N/m per m of depth, and how they were found."""

    pair: str
    normal: Array
    tangential: Array
    derivation: str


def node_compliance(dof_compliance: Array, dof: Integers) -> Array:
    """(k,) mean compliance of the free dofs of each contact node, 0 where held, m/N."""
    free = dof >= 0
    values = np.zeros(dof.shape)
    values[free] = dof_compliance[dof[free]]
    return values.sum(axis=1) / np.maximum(free.sum(axis=1), 1)


def choose(
    pair: Pair, normal_compliance: Array, tangential_compliance: Array, own: Array
) -> PenaltyChoice:
    """E_N and E_T of a pair whose multipliers have the compliances W_nn and W_tt, m/N, 0 where not
    over the other side; own: the compliances of their nodes, 0 where held."""
    texts, values = [], []
    for symbol, given, compliance in (
        ("E_N", pair.settings.normal_penalty, normal_compliance),
        ("E_T", pair.settings.tangential_penalty, tangential_compliance),
    ):
        if given == "auto":
            known = np.where(compliance > 0, compliance, own)
            usual = float(np.median(known[known > 0])) if known.any() else 1.0
            value = KAPPA / np.where(known > 0, known, usual)
            texts.append(
                f"{symbol} = κ/W = {value.min():.4g} … {value.max():.4g} N/m with κ = {KAPPA:g} "
                f"and W = {KAPPA / value.max():.4g} … {KAPPA / value.min():.4g} m/N"
            )
        else:
            value = np.full(len(compliance), float(given))
            texts.append(f"{symbol} = {float(given):.4g} N/m (given)")
        values.append(value)
    return PenaltyChoice(pair.name, values[0], values[1], "; ".join(texts))
