"""Checks of force-controlled rigid tools in a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fecontact.contact.methods import ContactPair
from fecontact.contact.tools import Tool
from fecontact.contact.tools.driving import MOTIONS_OF_TOOL
from fecontact.dynamics.schemes import Scheme
from fecontact.study.base import Path, Problem, in_toml


def impossible_drives(
    tools: Mapping[str, Tool],
    contact: Mapping[str, ContactPair],
    time: Scheme,
    axisymmetric: bool,
) -> Iterator[Problem]:
    """Yield errors for force-controlled tools that are not supported or not constrained."""
    for name, tool in tools.items():
        if not tool.free or any(tool.wrong_parts(tools)):
            continue
        pairs = [pair for pair in contact.values() if pair.master == name]
        where: Path = ("tools", name, "free")
        shown = f"is {in_toml(tool.free)}"
        if not pairs:
            yield (
                where,
                f"{shown}, but {in_toml(name)} is the master of no contact pair. Name it in a "
                "pair or remove `free`.",
            )
        elif time.coefficients().explicit:
            yield (
                where,
                f"{shown}; a force-controlled tool is not supported with an explicit "
                "time.scheme. Use an implicit scheme.",
            )
        elif axisymmetric and set(tool.free) != {"y"}:
            yield where, f'{shown}; with plane = "axisymmetric" it must be ["y"]'
        elif time.inertia:
            yield from _without_inertia(("tools", name), tool)
        else:
            rubs = any(pair.coefficients[1] > 0.0 for pair in pairs)
            for motion in tool.unconstrained_motions(tools, rubs):
                yield (
                    where,
                    f"{shown}, but {in_toml(motion)} is unconstrained: the tool has no spring, and "
                    "contact without friction does not act along it. Add a spring or friction, "
                    "or remove it from `free`.",
                )


def _without_inertia(path: Path, tool: Tool) -> Iterator[Problem]:
    """Yield errors for free tool dofs with neither mass nor spring in a dynamic analysis."""
    for motion, mass, spring in zip(MOTIONS_OF_TOOL, tool.inertias, tool.springs, strict=True):
        if motion in tool.free and mass == 0.0 and spring == 0.0:
            key = "inertia" if motion == "angle" else "mass"
            yield (
                (*path, key),
                f"is 0, but {in_toml(motion)} is free; it must be > 0 unless time.scheme = "
                '"static"',
            )
            return
