"""A study rotated by an angle about the origin: mesh, vectors and directions of its keys."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from generator import watched
from ingredients import Case, Keys
from polygons import Array

import fecontact
from fecontact.mesh import build
from fecontact.record import ModelMesh

ANGLE = math.radians(37.0)
NORMALS = {"bottom": (0.0, -1.0), "right": (1.0, 0.0), "top": (0.0, 1.0), "left": (-1.0, 0.0)}


def turned(vector: Array, angle: float = ANGLE) -> Array:
    """Vectors (…, 2) rotated anticlockwise."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(vector) @ np.array([[cos, sin], [-sin, cos]])


def can_turn(case: Case) -> bool:
    """Whether the keys can say the rotated study."""
    keys = case.keys
    shapes = keys["mesh"].get("shapes", {}).values()
    if keys.get("plane") == "axisymmetric" or any(s["type"] != "rectangle" for s in shapes):
        return False
    both = all(
        {"x", "y"} <= set(s) or s["on"].split(".")[-1] in NORMALS for s in keys["supports"].values()
    )
    tools = keys.get("tools", {}).values()
    one_way = not any("free" in tool or {"x", "y"} <= set(tool) for tool in tools)
    return both and one_way and not case.pieces


def rotated(case: Case, folder: Path) -> Case:
    """The case with its mesh in a file of the folder."""
    keys = copy.deepcopy(case.keys)
    file = folder / "turned.inp"
    file.write_text(mesh_text(build(fecontact.define(keys).mesh, folder)))
    keys["mesh"] = {"file": str(file)}
    for table, names in (("bodies", ("velocity", "displacement")), ("loads", ("value",))):
        for entry in keys[table].values():
            _turn(entry, *names)
    for support in keys["supports"].values():
        _turn_support(support)
    for tool in keys.get("tools", {}).values():
        _turn(tool, "center", "point", "normal", "points")
        _turn_motion(tool)
    keys["watch"] = watched(keys)
    return replace(case, keys=keys)


def _turn(entry: Keys, *names: str) -> None:
    for name in names:
        if isinstance(entry.get(name), list):
            entry[name] = turned(np.array(entry[name])).tolist()


def _turn_support(support: Keys) -> None:
    if {"x", "y"} <= set(support):
        support["x"], support["y"] = turned(np.array([support["x"], support["y"]])).tolist()
        return
    normal = NORMALS[support["on"].split(".")[-1]]
    given = support.pop("x", None)
    across = given is not None
    given = support.pop("y") if given is None else given
    axis = (1.0, 0.0) if across else (0.0, 1.0)
    out = float(np.dot(normal, axis))
    along = float(np.dot((-normal[1], normal[0]), axis))  # with the body on the left
    support |= {"normal": given * out} if out else {"tangential": given * along}


def _turn_motion(tool: Keys) -> None:
    """A motion in x or in y becomes one in both, with the same function."""
    for way, axis in (("x", (1.0, 0.0)), ("y", (0.0, 1.0))):
        if way in tool:
            function = tool.pop(f"{way}_function")
            x, y = turned(tool.pop(way) * np.array(axis)).tolist()
            tool |= {"x": x, "y": y, "x_function": function, "y_function": function}
            return


def mesh_text(mesh: ModelMesh) -> str:
    """The rotated mesh as an Abaqus input file."""
    points = turned(mesh.points)
    lines = ["*NODE", *(f"{i + 1}, {x!r}, {y!r}" for i, (x, y) in enumerate(points.tolist()))]
    sides: dict[frozenset[int], tuple[int, int]] = {}
    count = mesh.cells.shape[1]
    corners = 4 if count in (4, 8) else 3
    for cell, nodes in enumerate(mesh.cells):
        for k in range(corners):
            sides[frozenset((int(nodes[k]), int(nodes[(k + 1) % corners])))] = cell + 1, k + 1
    for name, cells in mesh.cell_groups.items():
        lines.append(f"*ELEMENT, TYPE=CPE{count}, ELSET={name}")
        lines += [f"{c + 1}, " + ", ".join(str(n + 1) for n in mesh.cells[c]) for c in cells]
    for name, edges in mesh.edge_groups.items():
        lines.append(f"*SURFACE, NAME={name}")
        for a, b in edges[:, :2].tolist():
            cell, side = sides[frozenset((a, b))]
            lines.append(f"{cell}, S{side}")
    return "\n".join([*lines, ""])
