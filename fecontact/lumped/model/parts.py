"""Masses, springs, forces and Maxwell branches of a lumped study in physical displacements.

u has one entry for every direction of a mass and for every generalised coordinate. Springs connect
masses, points, the ground, or moving anchors (:mod:`fecontact.lumped.model.anchors`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.lumped.model.anchors import Component, along, components, rate_of
from fecontact.lumped.model.massless import Branches
from fecontact.lumped.spring_laws import Link
from fecontact.study.common import GROUND
from fecontact.study.errors import InputError
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.functions import TimeFunction


@dataclass(frozen=True)
class Physical:
    """M, C, K over the displacements of masses and coordinates, and their index by name.

    patterns: function → force vector (s,) that it multiplies.
    branches: Maxwell branches, with the contribution of moving anchors to their stretches.
    links: springs with a nonlinear law.
    maxwell: spring → index of its branch.
    """

    index: dict[str, int]
    mass: Array
    damping: Array
    stiffness: Array
    places: Mapping[str, Array]
    patterns: dict[str | None, Array]
    branches: Branches
    pulled: list[dict[str | None, float]]
    links: dict[str, tuple[Component, Link]]
    maxwell: dict[str, int]


def lower_parts(study: LumpedStudy, timed: dict[str, TimeFunction]) -> Physical:
    """Return the parts of a study; derivatives needed by moving anchors are added to `timed`."""
    index: dict[str, int] = {}
    for name, mass in study.masses.items():
        index |= {f"{name}.{d}": len(index) + i for i, d in enumerate(mass.directions)}
    for name in study.coordinates:
        index[name] = len(index)
    if not index:
        raise InputError("masses: all masses are fixed. Set `directions`.")
    size = len(index)
    m, c, k = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
    places = _places(study, index)
    for name, mass in study.masses.items():
        for direction in mass.directions:
            m[index[f"{name}.{direction}"], index[f"{name}.{direction}"]] = mass.mass
    for name, coordinate in study.coordinates.items():
        i = index[name]
        m[i, i], c[i, i], k[i, i] = coordinate.mass, coordinate.damping, coordinate.stiffness
    if not m.any():
        raise InputError("masses: all masses are 0 kg. Set at least one of them.")
    patterns = _force_patterns(study, places, m)
    massless = m.diagonal() == 0.0
    dragged: list[tuple[Component, float]] = []  # with 1/k
    links: dict[str, tuple[Component, Link]] = {}
    maxwell: dict[str, int] = {}  # index of the branch of each spring
    for name, spring in study.springs.items():
        for part in components(study, spring, places):
            k += part.stiffness * np.outer(part.row, part.row)
            for function, offset in part.moved.items():
                add(patterns, function, -part.stiffness * offset * part.row)
            if part.damping > 0.0 and part.row[massless].any():
                dragged.append((part, 0.0))
            elif part.damping > 0.0:
                c += part.damping * np.outer(part.row, part.row)
                _drag(patterns, timed, part)
        if spring.law is not None:
            element = spring.law.element()
            if isinstance(element, Link):
                links[name] = along(study, spring, places), element
            else:
                part = along(study, spring, places, damping=element.damping)
                maxwell[name] = len(dragged)
                dragged.append((part, 1.0 / element.stiffness))
    del places[GROUND]
    branches = Branches(
        np.array([part.row for part, _ in dragged]).reshape(-1, size),
        np.array([part.damping for part, _ in dragged]),
        np.array([compliance for _, compliance in dragged]),
    )
    pulled = [part.moved for part, _ in dragged]
    return Physical(index, m, c, k, places, patterns, branches, pulled, links, maxwell)


def _drag(
    patterns: dict[str | None, Array], timed: dict[str, TimeFunction], part: Component
) -> None:
    """Add the force of a dashpot connected to a moving anchor."""
    for function, offset in part.moved.items():
        rate = rate_of(timed, function)
        if rate is not None:
            add(patterns, rate, -part.damping * offset * part.row)


def _places(study: LumpedStudy, index: dict[str, int]) -> dict[str, Array]:
    """Return the matrices (3, s) that map displacements to the motion of masses and points."""
    places: dict[str, Array] = {GROUND: np.zeros((3, len(index)))}
    for name, mass in study.masses.items():
        places[name] = np.zeros((3, len(index)))
        for direction in mass.directions:
            places[name]["xyz".index(direction), index[f"{name}.{direction}"]] = 1.0
    for name, point in study.points.items():
        places[name] = np.zeros((3, len(index)))
        for coordinate_name, shape in point.shape.items():
            places[name][:, index[coordinate_name]] = shape
    return places


def add(patterns: dict[str | None, Array], function: str | None, pattern: Array) -> None:
    """Add a force vector multiplied by a function of time."""
    patterns[function] = patterns.get(function, 0.0) + pattern


def _force_patterns(
    study: LumpedStudy, places: Mapping[str, Array], mass: Array
) -> dict[str | None, Array]:
    """Return forces and base excitation as function → force vector over the displacements, N."""
    patterns: dict[str | None, Array] = {}
    for force in study.forces.values():
        add(patterns, force.function, places[force.on].T @ np.array(force.value))
    if study.base is not None:
        shaken = np.zeros(len(mass))
        for name in study.masses:
            shaken += places[name].T @ np.array(study.base.acceleration)
        add(patterns, study.base.function, -mass @ shaken)
    return patterns
