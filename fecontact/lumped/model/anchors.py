"""Springs as rows over the displacements, with the motion of their anchors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.functions import Constant, Product, Ramp, Sine, Sum, Table, TimeFunction
from fecontact.study.models.masses import Spring


class Component(NamedTuple):
    """Spring along one direction, with the stretch row·u + Σ offset·f(t).

    row: (s,).
    stiffness: N/m.
    damping: N·s/m.
    moved: function → offset, m.
    """

    row: Array
    stiffness: float
    damping: float
    moved: dict[str | None, float]


def components(
    study: LumpedStudy, spring: Spring, places: Mapping[str, Array]
) -> Iterator[Component]:
    """Return the components of a spring along x, y, z and along its direction."""
    for axis, (stiffness, damping) in enumerate(zip(spring.stiffness, spring.damping, strict=True)):
        yield _component(study, spring, places, np.eye(3)[axis], stiffness, damping)
    if spring.direction is not None:
        yield along(study, spring, places, spring.axial_stiffness, spring.axial_damping)


def along(
    study: LumpedStudy,
    spring: Spring,
    places: Mapping[str, Array],
    stiffness: float = 0.0,
    damping: float = 0.0,
) -> Component:
    """Return the component along the direction of the spring."""
    direction = np.array(spring.direction, dtype=float)
    direction = direction / np.linalg.norm(direction)
    return _component(study, spring, places, direction, stiffness, damping)


def _component(
    study: LumpedStudy,
    spring: Spring,
    places: Mapping[str, Array],
    direction: Array,
    stiffness: float,
    damping: float,
) -> Component:
    row: Array = np.zeros(next(iter(places.values())).shape[1])
    moved: dict[str | None, float] = {}
    for end, sign in zip(spring.between, (1.0, -1.0), strict=True):
        if end in study.anchors:
            anchor = study.anchors[end]
            offset = sign * float(direction @ np.array(anchor.displacement))
            moved[anchor.function] = moved.get(anchor.function, 0.0) + offset
        else:
            row = row + sign * direction @ places[end]
    moved = {name: offset for name, offset in moved.items() if offset != 0.0}
    return Component(row, stiffness, damping, moved)


def rate_of(functions: dict[str, TimeFunction], name: str | None) -> str | None:
    """Return the name of the derivative of a function, in 1/s, added to the functions; None
    if it is 0.

    Impulses at jumps are omitted; only functions without effect on a dashpot can have jumps.
    """
    if name is None:
        return None
    known = f"d/dt {name}"
    if known not in functions:
        made = _derivative(functions, functions[name])
        if made is None:
            return None
        functions[known] = made
    return known


def _derivative(functions: dict[str, TimeFunction], function: TimeFunction) -> TimeFunction | None:
    match function:
        case Sine(frequency=frequency, amplitude=amplitude, phase=phase):
            omega = 2.0 * np.pi * frequency
            return Sine.model_construct(
                type="sine",
                frequency=frequency,
                amplitude=omega * amplitude,
                phase=phase + 0.5 * np.pi,
                offset=0.0,
            )
        case Ramp(start=start, end=end, initial=initial, final=final):
            return _slopes((start, end), (initial, final))
        case Table(times=times, values=values):
            return _slopes(times, values)
        case Sum(of=parts):
            rates = [rate for part in parts if (rate := rate_of(functions, part)) is not None]
            return Sum.model_construct(type="sum", of=tuple(rates)) if rates else None
        case Product(of=parts):
            return _leibniz(functions, parts)
        case Constant():
            return None
    raise TypeError(type(function))


def _slopes(times: tuple[float, ...], values: tuple[float, ...]) -> TimeFunction:
    """Return the derivative of a piecewise linear function: steps."""
    t, f = [times[0]], [0.0]
    for i in range(len(times) - 1):
        if times[i + 1] > times[i]:
            slope = (values[i + 1] - values[i]) / (times[i + 1] - times[i])
            t += [times[i], times[i + 1]]
            f += [slope, slope]
    t.append(times[-1])
    f.append(0.0)
    return Table.model_construct(type="table", times=tuple(t), values=tuple(f))


def _leibniz(functions: dict[str, TimeFunction], parts: tuple[str, ...]) -> TimeFunction | None:
    """Return (f g …)' = f' g … + f g' … + …"""
    terms = []
    for i, part in enumerate(parts):
        rate = rate_of(functions, part)
        if rate is not None:
            factors = (*parts[:i], rate, *parts[i + 1 :])
            term = " · ".join(factors)
            functions[term] = Product.model_construct(type="product", of=factors)
            terms.append(term)
    return Sum.model_construct(type="sum", of=tuple(terms)) if terms else None
