"""Fundamental frequency of the loads of a lumped study, and the same loads at another frequency."""

from __future__ import annotations

import numpy as np

from fecontact.study.errors import InputError
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.functions import Constant, Product, Sine, Sum

MAX_MULTIPLE = 24  # largest multiple of the period of the slowest load that is tried
EQUAL_FREQUENCIES = 1e-6  # relative difference of two equal frequencies


def fundamental(study: LumpedStudy) -> float | None:
    """Return the frequency of which all loads are multiples, Hz; None without a harmonic load.

    Raise InputError if a load is not periodic or if no common period exists.
    """
    frequencies: dict[str, float] = {}
    for where, name in _used(study):
        _collect(study, where, name, frequencies)
    if not frequencies:
        return None
    lowest = min(frequencies.values())
    ratios = np.array(list(frequencies.values())) / lowest
    for k in range(1, MAX_MULTIPLE + 1):
        if np.all(np.abs(k * ratios - np.round(k * ratios)) <= EQUAL_FREQUENCIES * k * ratios):
            return lowest / k
    listed = ", ".join(f"functions.{name} {f:g} Hz" for name, f in frequencies.items())
    raise InputError(
        f"response: the loads have no common period ({listed}). Use frequencies that are multiples "
        "of one frequency."
    )


def at_frequency(study: LumpedStudy, factor: float) -> LumpedStudy:
    """Return the study with the frequencies of all sines multiplied by a factor."""
    functions = {
        name: f.model_copy(update={"frequency": factor * f.frequency}) if isinstance(f, Sine) else f
        for name, f in study.functions.items()
    }
    return study.model_copy(update={"functions": functions})


def _used(study: LumpedStudy) -> list[tuple[str, str]]:
    """Return the keys that use a function of time, and the function."""
    used = [(f"forces.{name}", force.function) for name, force in study.forces.items()]
    used += [(f"anchors.{name}", anchor.function) for name, anchor in study.anchors.items()]
    used += [("base", study.base.function)] if study.base is not None else []
    return [(where, name) for where, name in used if name is not None]


def _collect(study: LumpedStudy, where: str, name: str, found: dict[str, float]) -> None:
    """Add the frequencies of the sines in a function, Hz."""
    match study.functions[name]:
        case Sine(frequency=frequency, amplitude=amplitude):
            found |= {name: frequency} if amplitude != 0.0 else {}
        case Sum(of=parts) | Product(of=parts):
            for part in parts:
                _collect(study, where, part, found)
        case Constant():
            pass
        case other:
            raise InputError(
                f'{where}: functions.{name} has type = "{other.type}", which is not periodic. Use '
                '"sine" and "constant" for a periodic response.'
            )
