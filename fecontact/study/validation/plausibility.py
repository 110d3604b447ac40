"""Notes on numbers that are probably in other units than assumed.

A study with checks or references is compared with known results and needs no such note.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fecontact.study.finite_element import FiniteElementStudy

SOFTEST = 3e5  # Pa; rubber has 1e6 or more
LEAST = 500.0  # smallest modulus of a polymer or a metal as a number in MPa
LIGHT = (1e-10, 5e-8)  # densities of solids as numbers in t/mm³
STIFF = (1e10, 1e12)  # Pa; glass, metals, ceramics
LARGE, COARSE = 5.0, 0.5  # m, of a model and of its elements
THICK = 10.0  # times the size of the model: thicker bodies are not in plane stress


def doubtful_units(
    study: FiniteElementStudy, extent: float = 0.0, edge: float = 0.0
) -> Iterator[str]:
    """Yield a note for each doubtful unit.

    extent, edge: largest side of the model and usual length of an element edge, m; 0 if unknown.
    """
    if study.checks or study.references:
        return
    moduli = {
        name: float(material.young)
        for name, material in study.materials.items()
        if hasattr(material, "young")
    }
    for name, young in moduli.items():
        if LEAST <= young <= SOFTEST:
            yield (
                f"materials.{name}.young is {young:g} Pa, softer than rubber. If the number is in "
                f'MPa, write young = "{young:g} MPa".'
            )
    for name, material in study.materials.items():
        if LIGHT[0] <= material.density <= LIGHT[1]:
            yield (
                f"materials.{name}.density is {material.density:g} kg/m³, lighter than any gas. If "
                f'the number is in t/mm³, write density = "{material.density:g} t/mm^3".'
            )
    yield from _thick_sheets(study, extent)
    stiff = any(STIFF[0] <= young <= STIFF[1] for young in moduli.values())
    stated = study.mesh.unit is not None or "scale" in study.mesh.model_fields_set
    if stiff and not stated and extent >= LARGE and edge >= COARSE:
        yield (
            f"mesh: the model is {extent:.3g} m large, its elements {edge:.3g} m. If the lengths "
            'are in millimetres, set mesh.unit = "mm"; if they are in metres, mesh.unit = "m".'
        )


def _thick_sheets(study: FiniteElementStudy, extent: float) -> Iterator[str]:
    """Yield a note for each body in plane stress that is far thicker than the model is large."""
    for name, body in study.bodies.items():
        if study.plane == "stress" and 0.0 < THICK * extent < (body.thickness or 0.0):
            yield (
                f"bodies.{name}.thickness is {body.thickness:g} m, but the model is {extent:.3g} m "
                "large. Plane stress applies to thin sheets. Check the unit, or set plane = "
                '"strain".'
            )
