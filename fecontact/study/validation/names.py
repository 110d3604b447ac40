"""Checks that all names used in a finite-element study are defined: parts, positions, results."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from fecontact.contact.tools.base import FUNCTIONS
from fecontact.study.base import Path, Problem, closest, in_toml, missing, there_are, unknown
from fecontact.study.common import GROUND
from fecontact.study.models.charts import chart_problems
from fecontact.study.models.loads import PLACE_OF_LOAD
from fecontact.study.output_names import (
    ERROR_OF_FLOW,
    LOAD_FACTOR,
    MARGIN,
    OF_A_DRIVEN_TOOL,
    OF_A_MOVED_TOOL,
    OF_A_PAIR,
    OF_A_SURFACE,
    OF_A_TOOL,
    OF_CONTACT,
    OF_FLOW,
    OF_MOTION,
    OF_REDUCTION,
    OF_SEVERAL,
    PEAK_OF_A_TOOL,
    PEAKS_OF_A_BODY,
    PEAKS_OF_A_SUPPORT,
    PEAKS_OF_A_SURFACE,
    SCALARS,
    SHARE_OF_JUMPS,
)

if TYPE_CHECKING:
    from fecontact.study.finite_element import FiniteElementStudy


def unknown_names(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for undefined materials, functions, contact pairs and supports."""
    for name, body in study.bodies.items():
        path = ("bodies", name, "material")
        yield from missing(path, "material", body.material, study.materials)
    for group in ("supports", "loads"):
        for name, item in getattr(study, group).items():
            if item.function is not None:
                path = (group, name, "function")
                yield from missing(path, "function", item.function, study.functions)
    for name, pair in study.contact.items():
        if pair.offset_function is not None:
            path = ("contact", name, "offset_function")
            yield from missing(path, "function", pair.offset_function, study.functions)
    yield from _wrong_tools(study)
    for name, watch in study.watch.items():
        if watch.of_pair:
            yield from missing(("watch", name, "at"), "contact pair", watch.at, study.contact)
        elif watch.of_body:
            yield from missing(("watch", name, "at"), "body", watch.at, study.bodies)
            if watch.of_turn and not study.turns(watch.at):
                yield (
                    ("watch", name, "type"),
                    f'is "{watch.type}", but bodies.{watch.at} is not corotational. Set motion = '
                    '"corotational".',
                )
        elif watch.type == "plastic-strain" and not study.yielding:
            yield (
                ("watch", name, "type"),
                'is "plastic-strain", but no body has an elastoplastic law. Remove it or set '
                'law = "elastoplastic".',
            )
        elif watch.type == "reaction":
            yield from missing(("watch", name, "at"), "support", watch.at, study.supports)
        elif watch.type == "wetted-length":
            fluids = [n for n, load in study.loads.items() if load.type == "pressure-penetration"]
            yield from missing(("watch", name, "at"), "fluid pressure", watch.at, fluids)
        elif watch.of_pretension:
            sections = [n for n, load in study.loads.items() if load.type == "pretension"]
            yield from missing(("watch", name, "at"), "pretension section", watch.at, sections)


def _wrong_tools(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for undefined functions and parts of tools."""
    for name, tool in study.tools.items():
        for key_ in FUNCTIONS:
            function = getattr(tool, key_)
            if function is not None:
                yield from missing(("tools", name, key_), "function", function, study.functions)
        for words in tool.wrong_parts(study.tools):
            yield ("tools", name, "of"), words
        if tool.drawn_in is not None and study.mesh.file is None:
            yield ("tools", name, "group"), "needs a mesh.file with its segments"


class PlaceNames(NamedTuple):
    """Names of the groups of a mesh; what: the word for a group of elements in a message."""

    cells: Collection[str]
    edges: Collection[str]
    points: Collection[str]
    node_sets: Collection[str]
    what: str = "shape"


def unknown_places(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for element, edge and point groups that the shapes of the mesh do not have."""
    mesh = study.mesh
    edges = [group for name, shape in mesh.shapes.items() for group in shape.edge_groups(name)]
    points = [point for name, shape in mesh.shapes.items() for point in shape.named_points(name)]
    selected = {
        kind: [name for name, group in mesh.groups.items() if group.select == kind]
        for kind in ("edges", "cells", "nodes")
    }
    edges += selected["edges"]
    points += [*mesh.points, *selected["nodes"]]
    cells = [*mesh.shapes, *selected["cells"]]
    yield from missing_places(study, PlaceNames(cells, edges, points, selected["nodes"]))
    shapes = mesh.shapes
    owners = [body.cells or name for name, body in study.bodies.items()]
    for name in shapes if all(owner in shapes for owner in owners) else ():
        if name not in owners:
            yield ("mesh", "shapes", name), "belongs to no body. Add it to [bodies]."
        elif owners.count(name) > 1:
            yield ("mesh", "shapes", name), "belongs to several bodies; it must belong to one"


def missing_places(study: FiniteElementStudy, places: PlaceNames) -> Iterator[Problem]:
    """Yield errors for element, edge and point groups that are not among the given ones."""
    cells, edges, points = places.cells, places.edges, places.points
    for name, body in study.bodies.items():
        if body.cells is not None:
            yield from missing(("bodies", name, "cells"), places.what, body.cells, cells)
        elif name not in cells:
            near = closest(name, cells) or there_are(cells)
            yield ("bodies", name), f"has no `cells`, and no {places.what} has its name{near}"
    for name, support in study.supports.items():
        if support.directed:
            yield from missing(("supports", name, "on"), "edge", support.on, edges)
            continue
        known = [*study.bodies, *edges, *points, *places.node_sets]
        yield from missing(("supports", name, "on"), "body, edge or point", support.on, known)
    for name, load in study.loads.items():
        what = PLACE_OF_LOAD[load.type]
        there: Collection[str] = {
            "body": list(study.bodies),
            "edge": edges,
            "point": points,
            "contact pair": list(study.contact),
        }[what]
        yield from missing(("loads", name, "on"), what, load.on, there)
        for i, point in enumerate(getattr(load, "exposed", ())):
            yield from missing(("loads", name, "exposed", i), "point", point, points)
    for name, foundation in study.foundations.items():
        yield from missing(("foundations", name, "on"), "edge", foundation.on, edges)
    for name, spring in study.springs.items():
        for i, end in enumerate(spring.between):
            where: Path = ("springs", name, "between", i)
            known = [*points, *edges, *study.bodies, GROUND]
            yield from missing(where, "point, edge or body", end, known)
    for name, mass in study.point_masses.items():
        yield from missing(("point_masses", name, "on"), "point", mass.on, points)
    yield from _missing_surfaces(study, places)
    for name, watch in study.watch.items():
        elsewhere = watch.of_pair or watch.of_body or watch.of_pretension
        if not (elsewhere or watch.type in ("reaction", "wetted-length")):
            yield from missing(("watch", name, "at"), "point", watch.at, points)


def _missing_surfaces(study: FiniteElementStudy, places: PlaceNames) -> Iterator[Problem]:
    """Yield errors for undefined surfaces of contact pairs."""
    edges, points = places.edges, places.points
    for name, pair in study.contact.items():
        yield from missing(("contact", name, "slave"), "edge", pair.slave, edges)
        for i, place in enumerate(pair.exclude):
            where = ("contact", name, "exclude", i)
            known = [*points, *edges, *places.node_sets]
            yield from missing(where, "point or edge", place, known)
        masters = [*edges, *study.tools]
        if pair.master in study.tools and pair.master in edges:
            words = f"is {in_toml(pair.master)}, which is both an edge and a tool. Rename the tool."
            yield ("contact", name, "master"), words
        yield from missing(("contact", name, "master"), "edge or tool", pair.master, masters)


def unknown_quantities(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for checks and sweeps of histories and scalars that the run does not have."""
    kept = [f"energy.{name}" for name in study.energies]
    kept += [f"contact.{pair}.{name}" for pair in study.contact for name in OF_A_PAIR]
    kept += [f"tool.{tool}.{name}" for tool in study.tools_used for name in OF_A_TOOL]
    kept += [f"tool.{t}.{name}" for t in study.tools_driven for name in OF_A_DRIVEN_TOOL]
    kept += [f"tool.{t}.{OF_A_MOVED_TOOL[way]}" for t, way in study.tool_motions]
    kept += [LOAD_FACTOR] if study.time.follows_path else []
    yield from study.taken_names(study.watch, [*kept, "solver.step", "solver.iterations"])
    histories = [*study.watch, *kept, "solver.step", "solver.iterations"]
    yield from chart_problems(study.charts, histories, study.contact, study.time.end)
    scalars = [*SCALARS, *(OF_CONTACT if study.contact else ()), *_profile_errors(study)]
    scalars += ["wear.cycles"] if study.cycle_jump is not None else []
    scalars += OF_MOTION if study.time.inertia else ()
    scalars += OF_REDUCTION if study.reduced else ()
    scalars += OF_FLOW if study.yielding else ()
    scalars += (ERROR_OF_FLOW,) if study.yielding and study.initial_state is None else ()
    scalars += (SHARE_OF_JUMPS,) if study.stabilised else ()
    scalars += OF_SEVERAL if len(study.bodies) > 1 else ()
    scalars += study.modes.scalars(study.modes.sliding) if study.modes is not None else ()
    scalars += [
        f"contact.{name}.{scalar}"
        for name, pair in study.contact.items()
        for scalar in OF_A_SURFACE
        if scalar != "wear_volume" or pair.wear_law is not None
        if scalar != "master_wear_volume" or pair.master_wear_fraction > 0
    ]
    scalars += [f"contact.{n}.{peak}" for n in study.contact for peak in PEAKS_OF_A_SURFACE]
    scalars += [f"bodies.{name}.{peak}" for name in study.bodies for peak in PEAKS_OF_A_BODY]
    scalars += [f"supports.{n}.{peak}" for n in study.supports for peak in PEAKS_OF_A_SUPPORT]
    scalars += [f"bodies.{name}.{MARGIN}" for name in study.with_yield_stress]
    scalars += [f"tool.{name}.{PEAK_OF_A_TOOL}" for name in study.tools_with_moment]
    for path, measured in study.measured():
        name = measured.quantity
        if measured.measure == "scalar":
            yield from missing((*path, "quantity"), "scalar result", name, scalars)
        elif name not in study.watch and name not in kept:
            if name.startswith(("energy.", "contact.", "tool.")):
                yield (*path, "quantity"), unknown("history", name, kept)
            else:
                yield (*path, "quantity"), unknown("history output", name, study.watch)


def _profile_errors(study: FiniteElementStudy) -> Iterator[str]:
    """Yield the scalars PAIR.pressure.error and PAIR.traction.error of references
    with profiles.
    """
    profiles = {f"{pair}.{name}" for pair in study.contact for name in ("pressure", "traction")}
    for reference in study.references.values():
        yield from (f"{curve}.error" for curve in reference.curves if curve in profiles)
