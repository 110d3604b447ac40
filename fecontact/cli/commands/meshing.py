"""`fecontact mesh`: description and plot of a mesh."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from fecontact.cli.output import print_line
from fecontact.isolation import named
from fecontact.record import ModelMesh
from fecontact.study.base import MAX_ERRORS, StudyModel, dotted, key
from fecontact.study.errors import InputError, StudyError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.shapes import MeshSource
from fecontact.study.toml.layers import finder, merged, pile
from fecontact.study.toml.quantities import in_si
from fecontact.study.validation.explain import explain
from fecontact.study.validation.names import PlaceNames, missing_places


def describe_and_draw(source: str, out: Path | None) -> None:
    """Print a description of the mesh; write mesh.png and, for a study, mesh.msh."""
    from fecontact.mesh import build, describe, write
    from fecontact.mesh.memory import forecast, format_bytes
    from fecontact.results.plots.mesh import draw_mesh

    mesh_source, name = _mesh_source(source)
    mesh = build(mesh_source, Path())
    for line in _description(mesh):
        print_line(line)
    for line in [*describe(mesh), *_advice(mesh)]:
        print_line(line)
    print_line(
        f"a run needs about {format_bytes(forecast(mesh).on(1))} of memory plus the saved fields"
    )
    folder = out if out is not None else named("results") / f"{name}-mesh"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be created: {error.strerror}") from None
    draw_mesh(mesh, folder / "mesh")
    write(mesh, folder / "mesh.msh")
    print_line(f"wrote {folder / 'mesh.png'} and {folder / 'mesh.msh'}")


def check_places(
    study: FiniteElementStudy, path: Path, overrides: Sequence[str], variant: str | None
) -> None:
    """Raise StudyError with all names that the mesh file of a study does not have."""
    from fecontact.mesh import build

    mesh = build(study.mesh, Path())
    places = PlaceNames(
        mesh.cell_groups, mesh.edge_groups, mesh.point_groups, mesh.node_groups, "element group"
    )
    where = finder(pile(path, overrides, variant), str(path))
    wrong = list(islice(missing_places(study, places), MAX_ERRORS))
    if wrong:
        raise StudyError([f"{where(key)}: key `{dotted(key)}` {words}" for key, words in wrong])


def _advice(mesh: ModelMesh) -> list[str]:
    """Return advice on how to create groups, if a mesh has none."""
    if mesh.cell_groups and (mesh.edge_groups or mesh.node_groups):
        return []
    lacks = "groups of elements (bodies)" if not mesh.cell_groups else "groups of edges"
    return [
        f"the mesh has no {lacks}. In gmsh: Geometry, Physical groups, Add, then mesh and save. Or "
        "select groups in the study:",
        *(
            "  [mesh.groups.block]",
            '  select = "cells"      # all cells; or with box, connected_to',
        ),
        *("  [mesh.groups.top]", "  normal = [0, 1]       # or box, line, arc, connected_to"),
    ]


def _mesh_source(source: str) -> tuple[MeshSource, str]:
    """Return the [mesh] of a study, or that of a plain mesh file."""
    path = named(source)
    if path.suffix and path.suffix.lower() != ".toml":
        return MeshSource(file=str(path)), path.stem
    from fecontact.study.library import find

    study_file = find(source)
    return _mesh_of_study(study_file), study_file.stem


class _OnlyMesh(StudyModel):
    """The part of a study that must be valid to describe its mesh."""

    mesh: MeshSource = key("geometry and mesh")


def _mesh_of_study(path: Path) -> MeshSource:
    """Return the [mesh] of a study; its other keys may be invalid or missing."""
    layers = pile(path, (), None)
    data = merged(layers)
    if data.get("kind") == "lumped":
        raise InputError(f"{path}: a lumped study has no mesh. Give a finite-element study.")
    try:
        only = in_si({k: v for k, v in data.items() if k == "mesh"}, _OnlyMesh)
        return _OnlyMesh.model_validate(only).mesh
    except ValidationError as error:
        raise StudyError(explain(error, _OnlyMesh, finder(layers, str(path)))) from None


def _description(mesh: ModelMesh) -> list[str]:
    """Return counts, extent and groups."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    from fecontact.mesh.cells import names_of

    lines = [
        f"{len(mesh.points)} nodes, {len(mesh.cells)} elements ({names_of(mesh.cells)}), "
        f"from ({low[0]:g}, {low[1]:g}) to ({high[0]:g}, {high[1]:g}) m"
    ]
    for name, cells in mesh.cell_groups.items():
        lines.append(f"body  {name}: {len(cells)} elements")
    for name, edges in mesh.edge_groups.items():
        corners = mesh.points[edges[:, :2]]
        length = float(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1).sum())
        lines.append(f"edge  {name}: {len(edges)} edges, {length:g} m")
    for name, node in mesh.point_groups.items():
        x, y = mesh.points[node]
        lines.append(f"point {name}: node {node} at ({x:g}, {y:g}) m")
    return lines
