"""Kinds of studies, by the value of `kind`."""

from __future__ import annotations

from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.lumped import LumpedStudy

AnyStudy = FiniteElementStudy | LumpedStudy
KINDS: dict[str, type[AnyStudy]] = {
    "finite-element": FiniteElementStudy,
    "lumped": LumpedStudy,
}
