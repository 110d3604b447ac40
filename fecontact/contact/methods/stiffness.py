"""Nodal contact stiffness: given, or chosen from the compliance of the structure.

A node under a contact force λ moves by W λ within a step (W: diagonal of B A⁻¹ Bᵀ, m/N). A
stiffness E = κ/W gives the penetration λ/E = W λ/κ, the κ-th part of that motion, for any units,
mesh and material. The condition number increases by κ, which is harmless in the local contact
problem. The choice is made once, for the step of the study. A node that is not over its master has
no W then; the compliance of its dofs is used instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from fecontact.contact.methods.base import ContactMethod, Stiffness
from fecontact.study.base import PER_DEPTH, Number, Problem, si

if TYPE_CHECKING:
    from fecontact.record import Array

KAPPA = 1e4


class WithStiffness(ContactMethod):
    """A stiffness at each slave node, normal and tangential."""

    normal_penalty: Number | Literal["auto"] = si(
        "N/m",
        f"normal penalty E_N of a node; `auto`: derived from its compliance{PER_DEPTH}",
        "auto",
    )
    tangential_penalty: Number | Literal["auto"] = si(
        "N/m",
        f"tangential penalty E_T of a node; `auto`: derived from its compliance{PER_DEPTH}",
        "auto",
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        for name in ("normal_penalty", "tangential_penalty"):
            value = getattr(self, name)
            if value != "auto" and value <= 0:
                yield (name,), f'is {value:g}; it must be "auto" or a number > 0, in N/m'

    def stiffness(self, normal: Array, tangential: Array, own: Array) -> Stiffness:
        """Return the contact stiffness of multipliers.

        normal, tangential: compliances W_nn and W_tt, m/N, 0 where they are not over the other
        side;
        own: compliances of their nodes, 0 where prescribed, m/N.
        """
        e_n, of_normal = _stiffness("E_N", self.normal_penalty, normal, own)
        e_t, of_tangential = _stiffness("E_T", self.tangential_penalty, tangential, own)
        return Stiffness(e_n, e_t, f"{of_normal}; {of_tangential}")


def _stiffness(
    symbol: str, given: float | Literal["auto"], compliance: Array, own: Array
) -> tuple[Array, str]:
    """Return E of each multiplier, N/m, and a description of its origin."""
    import numpy as np  # a study is read without it

    if given != "auto":
        return np.full(len(compliance), float(given)), f"{symbol} = {float(given):.4g} N/m (given)"
    known = np.where(compliance > 0, compliance, own)
    usual = float(np.median(known[known > 0])) if known.any() else 1.0
    value = KAPPA / np.where(known > 0, known, usual)
    return value, (
        f"{symbol} = κ/W = {value.min():.4g} … {value.max():.4g} N/m with κ = {KAPPA:g} and "
        f"W = {KAPPA / value.max():.4g} … {KAPPA / value.min():.4g} m/N"
    )
