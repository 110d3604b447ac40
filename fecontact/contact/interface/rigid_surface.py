"""Rigid tools as analytical rigid surfaces: gap, normal and motion over a chain of lines and arcs.

With q the point in the frame of the tool, x = a + d + R(θ)(q − a) for a tool rotated by θ about a
and displaced by d, the nearest piece of the outline (:mod:`fecontact.contact.tools.outline`) gives

gap = (q − x₀)·n  for a line,    gap = ±(|q − c| − 1/|κ|)  for an arc about c,

with n = (t_y, −t_x) out of the tool: exact for any mesh of the slave. At a corner the nearest point
is the corner itself, and n points from it to q. A row at the point p is n·x + (gap − n·p): exact at
p and linear around it, as for a curved mesh.

The point of the tool under p moves in a step by Δ = x(q, t) − x(q, t₀), and its surface moves in
addition by the travel ∫ speed dt along t = (n_y, −n_x). The drives of the row are d_n = −n·Δ and
d_t = −t·Δ − travel.

A force-controlled tool (:mod:`fecontact.contact.force_controlled`) has two contact nodes instead,
one at (x, y) and one at (L θ, 0) with a length L. With r from the centre of rotation to the point
of the tool, rows act on these nodes by −n and by −(n·J r, t·J r)/L, J r = (−r_y, r_x), the rate of
the gap and of the slip. A cylinder that rolls without slip then advances by R Δθ for any rotation
in a step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.driven_tool import DrivenTool
from fecontact.contact.tools import RigidTool
from fecontact.contact.tools.outline import joins
from fecontact.kernels import kernel, njit
from fecontact.study.models.functions import TimeFunction
from fecontact.timefunctions import function_of_time

LATE, EARLY = 0, 1  # end and start of a step
SMOOTH = 1e-9  # 1 − cosine of the angle up to which pieces join smoothly


class Tools(NamedTuple):
    """The tools of all pairs; a pair without a tool has no piece.

    piece: (N, 7) as :class:`~fecontact.contact.tools.outline.Piece`;
    link: (N, 2) the pieces before and after, −1 at an end;
    first: (P + 1,) range of pieces of each pair;
    about: (P, 2) centre of rotation, m;
    pose: (P, 2, 3) displacement (m) and angle (rad) at the end and at the start of the step;
    travel: (P,) of the surface in the step, m;
    reach: (P,) largest penetration detected as contact, m;
    overhang: (P,) limit of the overhang at an end, m;
    node: (P, 2) contact nodes of force-controlled tools, −1 for others;
    length: (P,) L of force-controlled tools, m.
    """

    piece: Array
    link: Integers
    first: Integers
    reference_point: Array
    pose: Array
    travel: Array
    reach: Array
    overhang: Array
    node: Integers
    length: Array


@dataclass(frozen=True)
class ToolInTime:
    """Outline and motion of the tool of a contact pair.

    piece: (n, 7);
    link: (n, 2);
    about: (2,) centre of rotation, m;
    displacement: t ↦ x, y (m), angle (rad);
    speed: t ↦ surface speed, m/s;
    moves: True if either changes with time;
    driven: contact nodes and L of a force-controlled tool, otherwise None.
    """

    name: str
    piece: Array
    link: Integers
    reference_point: Array
    displacement: Callable[[float], Array]
    speed: Callable[[float], float]
    moves: bool
    driven: DrivenTool | None


def tool_in_time(
    name: str,
    tools: Mapping[str, RigidTool],
    functions: Mapping[str, TimeFunction],
    own: DrivenTool | None = None,
) -> ToolInTime:
    """Return a tool of a study; own: contact nodes and L of a force-controlled tool."""
    tool = tools[name]
    pieces = tool.pieces(tools)
    count = len(pieces)
    link = np.stack([np.arange(count) - 1, np.arange(count) + 1], 1)
    whole = pieces[-1].high < np.inf and joins(pieces[-1].end, pieces[0].start, pieces)
    link[0, 0], link[-1, 1] = (count - 1, 0) if whole else (-1, -1)
    scale = np.array([tool.x, tool.y, np.radians(tool.angle)])
    factors = [
        function_of_time(functions, function)
        for function in (tool.x_function, tool.y_function, tool.angle_function)
    ]
    speed = function_of_time(functions, tool.speed_function)
    return ToolInTime(
        name,
        np.array(pieces),
        link,
        np.array(tool.reference_point),
        lambda t: scale * [factor(t) for factor in factors],
        lambda t: tool.speed * speed(t),
        tool.moves,
        own,
    )


def tools_of(
    tools: list[ToolInTime | None], reach: Array, overhang: Array, index: Integers
) -> Tools:
    """Return the tools of all pairs as flat arrays at t = 0; index: node number → contact node."""
    pieces: list[Array] = [np.zeros((0, 7))]
    links: list[Integers] = [np.zeros((0, 2), np.int64)]
    first = [0]
    about, pose = np.zeros((len(tools), 2)), np.zeros((len(tools), 2, 3))
    node, length = np.full((len(tools), 2), -1), np.ones(len(tools))
    for p, tool in enumerate(tools):
        if tool is not None:
            pieces.append(tool.piece)
            links.append(np.where(tool.link >= 0, first[-1] + tool.link, -1))
            about[p], pose[p] = tool.reference_point, tool.displacement(0.0)
            if tool.driven is not None:
                node[p], length[p] = index[list(tool.driven.nodes)], tool.driven.length
        first.append(first[-1] + (0 if tool is None else len(tool.piece)))
    return Tools(
        np.concatenate(pieces),
        np.concatenate(links),
        np.array(first),
        about,
        pose,
        np.zeros(len(tools)),
        reach,
        overhang,
        node,
        length,
    )


def sharpest_corner(tool: ToolInTime) -> float:
    """Return infinity if a convex corner of the outline is not rounded, else 0, 1/m."""
    for i, after in enumerate(tool.link[:, 1]):
        if after >= 0:
            _, _, nx, ny = _end_of(tool.piece[i], tool.piece[i, 6])
            _, _, mx, my = _end_of(tool.piece[after], tool.piece[after, 5])
            if nx * mx + ny * my < 1.0 - SMOOTH and nx * my - ny * mx > 0.0:
                return float(np.inf)
    return 0.0


# Kernels take None for the tools of a run without any; the code for tools is then not compiled.


@kernel
def has_tool(tools, pair):  # type: ignore[no-untyped-def]
    """Return True if the master of a pair is a tool."""
    if tools is None:
        return False
    return tools.first[pair + 1] > tools.first[pair]


@kernel
def nodes_of_tool(tools, pair):  # type: ignore[no-untyped-def]
    """Return the two contact nodes of the tool of a pair, −1 for a prescribed motion."""
    if tools is None:
        return -1, -1
    return tools.node[pair, 0], tools.node[pair, 1]


@kernel
def place(tools, when, x):  # type: ignore[no-untyped-def]
    """Set the pose of force-controlled tools from their contact nodes at x (k, 2)."""
    if tools is None:
        return
    for p in range(len(tools.travel)):
        c = tools.node[p, 0]
        if c >= 0:
            tools.pose[p, when, 0], tools.pose[p, when, 1] = x[c, 0], x[c, 1]
            tools.pose[p, when, 2] = x[tools.node[p, 1], 0] / tools.length[p]


@kernel
def lever_arm(tools, pair, px, py, nx, ny, gap):  # type: ignore[no-untyped-def]
    """Return −n·J r/L and −t·J r/L of the point of a force-controlled tool under p."""
    rx = px - gap * nx - tools.reference_point[pair, 0] - tools.pose[pair, LATE, 0]
    ry = py - gap * ny - tools.reference_point[pair, 1] - tools.pose[pair, LATE, 1]
    return (nx * ry - ny * rx) / tools.length[pair], (ny * ry + nx * rx) / tools.length[pair]


@kernel
def into_frame(tools, pair, when, px, py):  # type: ignore[no-untyped-def]
    """Return a point in the frame of the tool at the end or at the start of the step."""
    ax, ay = tools.reference_point[pair]
    x, y, angle = tools.pose[pair, when]
    c, s, dx, dy = np.cos(angle), np.sin(angle), px - ax - x, py - ay - y
    return ax + c * dx + s * dy, ay - s * dx + c * dy


@kernel
def _out_of_frame(tools, pair, when, qx, qy):  # type: ignore[no-untyped-def]
    """Return the position of a point of the tool's frame at the end or at the start of the step."""
    ax, ay = tools.reference_point[pair]
    x, y, angle = tools.pose[pair, when]
    c, s, dx, dy = np.cos(angle), np.sin(angle), qx - ax, qy - ay
    return ax + x + c * dx - s * dy, ay + y + s * dx + c * dy


@kernel
def _foot(piece, qx, qy):  # type: ignore[no-untyped-def]
    """Return the arc length of the point of a piece's line or circle nearest to q, and the gap and
    normal of q over it.
    """
    x, y, tx, ty, curvature = piece[0], piece[1], piece[2], piece[3], piece[4]
    if curvature == 0.0:
        dx, dy = qx - x, qy - y
        return dx * tx + dy * ty, dx * ty - dy * tx, ty, -tx
    dx, dy = qx - (x - ty / curvature), qy - (y + tx / curvature)
    distance = np.sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return 0.0, -1.0 / curvature, ty, -tx
    sign = 1.0 if curvature > 0.0 else -1.0
    nx, ny = sign * dx / distance, sign * dy / distance
    # This angle from the normal at the reference point, (t_y, −t_x), to n is κ s.
    angle = np.arctan2(ty * ny + tx * nx, ty * nx - tx * ny)
    return angle / curvature, sign * distance - 1.0 / curvature, nx, ny


@kernel
def _end_of(piece, s):  # type: ignore[no-untyped-def]
    """Return the point and normal of a piece at an arc length."""
    x, y, tx, ty, curvature = piece[0], piece[1], piece[2], piece[3], piece[4]
    angle = curvature * s
    along, across = s, 0.0
    if angle != 0.0:
        along = np.sin(angle) / curvature
        across = 2.0 * np.sin(0.5 * angle) ** 2 / curvature
    ux, uy = np.cos(angle) * tx - np.sin(angle) * ty, np.cos(angle) * ty + np.sin(angle) * tx
    return x + along * tx - across * ty, y + along * ty + across * tx, uy, -ux


@kernel
def _nearest(tools, pair, qx, qy):  # type: ignore[no-untyped-def]
    """Return the piece of a pair's tool nearest to q, and the side of the foot point: 0 within the
    piece, −1 before its start, 1 beyond its end.
    """
    best, side, least = -1, 0, np.inf
    for i in range(tools.first[pair], tools.first[pair + 1]):
        s, gap, _, _ = _foot(tools.piece[i], qx, qy)
        low, high = tools.piece[i, 5], tools.piece[i, 6]
        if low <= s <= high:
            square, where = gap * gap, 0
        else:
            where = -1 if s < low else 1
            ex, ey, _, _ = _end_of(tools.piece[i], low if s < low else high)
            square = (qx - ex) ** 2 + (qy - ey) ** 2
        if square < least:
            best, side, least = i, where, square
    return best, side


@kernel
def over_outline(tools, pair, qx, qy):  # type: ignore[no-untyped-def]
    """Return whether q, in the frame of the tool, is over a pair's tool, and its gap and normal."""
    i, side = _nearest(tools, pair, qx, qy)
    if side == 0:
        _, gap, nx, ny = _foot(tools.piece[i], qx, qy)
        return gap >= -tools.reach[pair], gap, nx, ny
    s = tools.piece[i, 5] if side < 0 else tools.piece[i, 6]
    ex, ey, nx, ny = _end_of(tools.piece[i], s)
    dx, dy = qx - ex, qy - ey
    gap = dx * nx + dy * ny
    other = tools.link[i, 0] if side < 0 else tools.link[i, 1]
    if other < 0:
        out = abs(dx * ny - dy * nx)
        return out <= tools.overhang[pair] and gap >= -tools.overhang[pair], gap, nx, ny
    s = tools.piece[other, 6] if side < 0 else tools.piece[other, 5]
    _, _, mx, my = _end_of(tools.piece[other], s)
    distance = np.sqrt(dx * dx + dy * dy)
    if nx * mx + ny * my > 1.0 - SMOOTH or distance == 0.0:
        length = np.sqrt((nx + mx) ** 2 + (ny + my) ** 2)
        nx, ny = (nx + mx) / length, (ny + my) / length
        return gap >= -tools.reach[pair], gap, nx, ny
    sign = 1.0 if dx * (nx + mx) + dy * (ny + my) >= 0.0 else -1.0
    gap = sign * distance
    return gap >= -tools.reach[pair], gap, sign * dx / distance, sign * dy / distance


@kernel
def over_tool(tools, pair, px, py):  # type: ignore[no-untyped-def]
    """Return whether p is over a pair's tool at the end of the step, and its normal and gap."""
    qx, qy = into_frame(tools, pair, LATE, px, py)
    found, gap, nx, ny = over_outline(tools, pair, qx, qy)
    c, s = np.cos(tools.pose[pair, LATE, 2]), np.sin(tools.pose[pair, LATE, 2])
    return found, c * nx - s * ny, s * nx + c * ny, gap


@kernel
def driven(tools, pair, px, py, nx, ny, gap):  # type: ignore[no-untyped-def]
    """Return d_n and d_t of the point of the tool under p, m."""
    travel, still = tools.travel[pair], True
    if tools.node[pair, 0] >= 0:  # its contact nodes carry the motion
        return 0.0, -travel
    for k in range(3):
        still = still and tools.pose[pair, LATE, k] == tools.pose[pair, EARLY, k]
    if still:
        return 0.0, -travel
    cx, cy = px - gap * nx, py - gap * ny
    qx, qy = into_frame(tools, pair, LATE, cx, cy)
    ox, oy = _out_of_frame(tools, pair, EARLY, qx, qy)
    dx, dy = cx - ox, cy - oy
    return -(nx * dx + ny * dy), -(ny * dx - nx * dy) - travel


@njit
def farthest_pose(tools, x):  # type: ignore[no-untyped-def]
    """Return an upper bound of the tool displacement in the step at nodes x (k, 2), m."""
    if tools is None:
        return 0.0
    largest = 0.0
    for p in range(len(tools.travel)):
        if has_tool(tools, p):
            lever = 0.0
            turn = abs(tools.pose[p, LATE, 2] - tools.pose[p, EARLY, 2])
            if turn > 0.0:
                ax = tools.reference_point[p, 0] + tools.pose[p, LATE, 0]
                ay = tools.reference_point[p, 1] + tools.pose[p, LATE, 1]
                for c in range(len(x)):
                    lever = max(lever, np.hypot(x[c, 0] - ax, x[c, 1] - ay))
            dx = tools.pose[p, LATE, 0] - tools.pose[p, EARLY, 0]
            dy = tools.pose[p, LATE, 1] - tools.pose[p, EARLY, 1]
            largest = max(largest, np.hypot(dx, dy) + turn * lever)
    return largest


@njit
def passes(tools, pair, start, end, grazing):  # type: ignore[no-untyped-def]
    """Return True if a node that moves from start to end, (2,) each, crosses the outline of a tool
    from outside, deeper than `grazing` (m), in the frame of the tool.
    """
    ax, ay = into_frame(tools, pair, EARLY, start[0], start[1])
    bx, by = into_frame(tools, pair, LATE, end[0], end[1])
    for i in range(tools.first[pair], tools.first[pair + 1]):
        if _enters(tools.piece[i], ax, ay, bx - ax, by - ay, grazing):
            return True
    return False


@kernel
def _enters(piece, ax, ay, vx, vy, grazing):  # type: ignore[no-untyped-def]
    """Return True if a path a + σ v, 0 ≤ σ ≤ 1, enters the body behind a piece through the piece
    itself, deeper than `grazing` behind its line or inside its circle.
    """
    x, y, tx, ty, curvature = piece[0], piece[1], piece[2], piece[3], piece[4]
    if curvature == 0.0:
        start = (ax - x) * ty - (ay - y) * tx
        closing = vx * ty - vy * tx
        if start < -grazing or start + closing >= -grazing or closing >= 0.0:
            return False
        share = max(0.0, -start / closing)
    else:
        cx, cy = ax - (x - ty / curvature), ay - (y + tx / curvature)
        radius, square = 1.0 / abs(curvature), vx * vx + vy * vy
        half, rest = cx * vx + cy * vy, cx * cx + cy * cy - radius * radius
        inside = half * half - square * rest
        if inside <= 0.0 or square == 0.0:
            return False
        sign = 1.0 if curvature > 0.0 else -1.0
        share = (-half - sign * np.sqrt(inside)) / square
        if not -grazing <= share * np.sqrt(square) or share > 1.0:
            return False
        deepest = min(1.0, max(share, -half / square)) if sign > 0.0 else 1.0
        depth = sign * (radius - np.hypot(cx + deepest * vx, cy + deepest * vy))
        if depth <= grazing:
            return False
    s, _, _, _ = _foot(piece, ax + share * vx, ay + share * vy)
    return piece[5] <= s <= piece[6]
