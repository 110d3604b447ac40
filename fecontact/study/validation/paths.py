"""Settings that cannot be combined with an unknown load factor (`load_control = "arc-length"`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fecontact.study.base import Problem, in_toml

if TYPE_CHECKING:
    from fecontact.study.finite_element import FiniteElementStudy

FOLLOWING = ("pressure", "pretension", "pressure-penetration")
"""Loads that depend on the motion of the bodies: they are not proportional to the load factor."""


def impossible_paths(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for loads and motions that do not follow the load factor."""
    if any(_of_arc_length(stage) for stage in study.stages.values()) or (
        study.stages and study.time.follows_path
    ):
        yield (
            ("time", "load_control"),
            'is "arc-length" in a study with [stages]; it must be "load". Run the stages before '
            "and start the path from their result with `initial_state`.",
        )
    if not study.time.follows_path:
        return
    for name, load in study.loads.items():
        if load.active and load.type in FOLLOWING:
            yield (
                ("loads", name, "type"),
                f"is {in_toml(load.type)}, which depends on the motion; with time.load_control = "
                '"arc-length" a load must be proportional to the load factor. Use a traction.',
            )
    moving = [
        ("supports", name)
        for name, support in study.supports.items()
        if support.active and support.moves and support.function is not None
    ]
    moving += [("tools", name) for name, _ in study.tool_motions]
    for table, name in moving:
        yield (
            (table, name),
            'moves by a function of time; with time.load_control = "arc-length" time only counts '
            "the steps. Remove the function, or remove load_control: prescribed motions pass "
            "limit points of the load.",
        )
    for name in study.viscoelastic:
        yield (
            ("bodies", name, "material"),
            'is viscoelastic; with time.load_control = "arc-length" time only counts the steps. '
            "Use a law without relaxation.",
        )
    for name, pair in study.contact.items():
        if pair.active and pair.wear_law:
            yield (
                ("contact", name, "wear"),
                'is not supported with time.load_control = "arc-length": time only counts the '
                "steps. Remove one of them.",
            )


def _of_arc_length(stage: dict[str, object]) -> bool:
    time = stage.get("time", {})
    return isinstance(time, dict) and time.get("load_control", "load") != "load"
