"""Schematic figures of contact constraints, loads, paths and reduced models.

`docker/run python docs/figures/sketches.py` writes them to docs/pictures/*.svg.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from svg import Drawing, Point


def box(d: Drawing, x: float, y: float, w: float, h: float, style: str = "body") -> None:
    """Draw a rectangle with its lower left corner at (x, y)."""
    d.path([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], style, closed=True)


def grid(d: Drawing, x: float, y: float, w: float, h: float, cells: tuple[int, int]) -> None:
    """Draw the inner lines of a structured mesh."""
    for i in range(1, cells[0]):
        d.line((x + i * w / cells[0], y), (x + i * w / cells[0], y + h), "mesh")
    for j in range(1, cells[1]):
        d.line((x, y + j * h / cells[1]), (x + w, y + j * h / cells[1]), "mesh")


def spring(d: Drawing, a: Point, b: Point, style: str = "outline") -> None:
    """Draw a spring between two points."""
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    points = [a]
    for k in range(9):
        s = length * (0.2 + 0.6 * k / 8)
        side = 0.0 if k in (0, 8) else (6.0 if k % 2 else -6.0)
        points.append((a[0] + s * ux - side * uy, a[1] + s * uy + side * ux))
    d.path([*points, b], style)


def dashpot(d: Drawing, a: Point, b: Point) -> None:
    """Draw a dashpot between two points."""
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length

    def at(s: float, side: float) -> Point:
        return a[0] + s * length * ux - side * uy, a[1] + s * length * uy + side * ux

    d.path([a, at(0.38, 0)], "outline")
    d.path([at(0.62, 7), at(0.38, 7), at(0.38, -7), at(0.62, -7)], "outline")
    d.path([at(0.55, 5), at(0.55, -5)], "outline")
    d.path([at(0.55, 0), b], "outline")


def groups() -> None:
    """Draw the selectors of edges, nodes and elements by position."""
    d = Drawing(760, 230, "Selectors of edges, nodes and elements by position")
    panels = ("box", "circle", "line", "arc", "normal", "connected_to", "nearest")
    for k, name in enumerate(panels):
        x, y = 16.0 + 105 * k, 95.0
        body = [(x, y), (x + 88, y), (x + 88, y + 40), (x + 55, y + 70), (x, y + 70)]
        d.path(body, "body", closed=True)
        d.circle((x + 34, y + 34), 15, "body")
        d.circle((x + 34, y + 34), 14.2, "panel")
        d.code((x + 44, 200), name)
        if name == "box":
            box(d, x - 8, y - 8, 40, 86, "dash")
            d.path([(x + 20, y), (x, y), (x, y + 70), (x + 20, y + 70)], "a")
        elif name == "circle":
            d.circle((x + 88, y), 30, "dash")
            d.path([(x + 60, y), (x + 88, y), (x + 88, y + 28)], "a")
        elif name == "line":
            d.line((x - 8, y), (x + 98, y), "dash")
            d.path([(x, y), (x + 88, y)], "a")
        elif name == "arc":
            d.circle((x + 34, y + 34), 15, "a")
            d.text((x + 57, y + 20), "R", "small")
        elif name == "normal":
            d.path([(x, y + 70), (x + 55, y + 70)], "a")
            d.arrow((x + 28, y + 72), (x + 28, y + 94), "b")
        elif name == "connected_to":
            d.path([(x + 88, y + 40), (x + 55, y + 70)], "a")
            d.circle((x + 82, y + 62), 3.2, "bf")
        else:
            d.circle((x, y), 5, "a")
            d.circle((x - 7, y - 8), 3.2, "bf")
    words = (
        ("edges, nodes,", "elements inside"), ("edges, nodes,", "elements inside"),
        ("edges, nodes", "on a line"), ("edges, nodes", "on a circle"),
        ("outward normal", "up to an angle"), ("nearest edge", "up to corners"),
        ("one node", ""),
    )  # fmt: skip
    for k, (first, second) in enumerate(words):
        d.text((60 + 105 * k, 60), first, "small")
        d.text((60 + 105 * k, 44), second, "small")
    d.text((380, 18), "red: selected; blue: given point or direction", "small")
    d.save("guide-groups")


def _slave(d: Drawing, x: float, y: float, nodes: tuple[float, ...]) -> None:
    """Draw the lower part of a slave body with its nodes at y."""
    d.path([(x + n, y) for n in nodes] + [(x + nodes[-1], y + 50), (x + nodes[0], y + 50)],
           "body", closed=True)  # fmt: skip
    for n in nodes[1:-1]:
        d.line((x + n, y), (x + n, y + 50), "mesh")
    for n in nodes:
        d.dot((x + n, y))


def constraints() -> None:
    """Draw where the contact methods enforce the constraint."""
    d = Drawing(760, 250, "Contact constraints at slave nodes, master vertices and along edges")
    for x, head in (
        (25.0, "slave nodes"),
        (275.0, "second pass: master vertices"),
        (525.0, "continuous: slave edges"),
    ):
        d.text((x + 105, 228), head, "head")
        if "second" in head:
            master = [(x, 45.0), (x + 210, 45.0), (x + 210, 95.0), (x + 105, 122), (x, 95)]
        else:
            master = [(x, 45.0), (x + 210, 45.0), (x + 210, 105.0), (x, 105.0)]
        d.path(master, "body2", closed=True)
        d.text((x + 105, 62), "master", "small")
    _slave(d, 25, 115, (15, 75, 135, 195))
    for n in (15, 75, 135, 195):
        d.arrow((25 + n, 86), (25 + n, 111), "a")
    d.text((130, 148), "slave", "small")
    d.text((130, 22), "one force per slave node", "small")
    _slave(d, 275, 118, (15, 75, 135, 195))
    d.circle((380, 122), 5, "a")
    d.arrow((380, 160), (380, 127), "a")
    d.text((380, 178), "slave", "small")
    d.text((380, 22), "a vertex that penetrates gets a force", "small")
    _slave(d, 525, 115, (15, 75, 135, 195))
    for k in range(12):
        s = 18 + 174 * k / 11
        d.arrow((525 + s, 88), (525 + s, 112), "a")
    for k in range(9):
        d.circle((525 + 15 + 60 * (k // 3) + (9, 30, 51)[k % 3], 115), 2.5, "bf")
    d.text((630, 148), "slave", "small")
    d.text((630, 22), "pressure, Gauss points (blue)", "small")
    d.save("guide-contact-constraints")


def offsets() -> None:
    """Draw surface offsets, an initial gap and an initial overlap."""
    d = Drawing(760, 250, "Surface offset, initial gap and initial overlap")
    for k, (head, below) in enumerate(
        (("offset > 0", "interference, coating"), ("offset < 0", "clearance"),
         ("gap_closure_tolerance", "small gaps count as closed"),
         ("overlap_ramp_time", "overlap removed over time"))
    ):  # fmt: skip
        x = 20.0 + 185 * k
        d.code((x + 82, 226), head)
        d.text((x + 82, 24), below, "small")
        box(d, x, 45, 165, 55, "body2")
        d.text((x + 82, 58), "master", "small")
        base = (100.0, 118.0, 107.0, 90.0)[k]
        box(d, x + 20, base, 125, 80)
        d.text((x + 82, base + 55), "slave", "small")
        if k < 2:
            surface = base - 12 if k == 0 else base + 14
            d.path([(x + 20, surface), (x + 145, surface)], "a")
            d.arrow((x + 40, base), (x + 40, surface + (3 if k == 0 else -1)), "a")
            d.text((x + 96, surface + (-9 if k == 0 else 10)), "contact surface", "small")
        elif k == 2:
            d.text((x + 152, 108), "gap", "af", "start")
            d.path([(x + 20, 107), (x + 145, 107)], "a")
        else:
            d.path([(x + 20, 90), (x + 145, 90), (x + 145, 100), (x + 20, 100)], "a", True)
            d.arrow((x + 82, 101), (x + 82, 132), "b")
    d.save("guide-offsets")


def pretension() -> None:
    """Draw a bolt with its pretension section in two stages."""
    d = Drawing(760, 290, "A bolt with its pretension section: tightening, then service")
    for x, head in ((40.0, "stage 1: force is given"), (420.0, "stage 2: locked = true")):
        d.text((x + 130, 268), head, "head")
        for left in (x, x + 158):
            box(d, left, 105, 102, 45, "body2")
            box(d, left, 150, 102, 45, "body2")
        box(d, x + 108, 80, 44, 140)
        box(d, x + 88, 195, 84, 30)
        box(d, x + 88, 75, 84, 30)
        d.path([(x + 96, 150), (x + 164, 150)], "a")
    d.text((170, 238), "on: the bolt", "small")
    d.circle((170, 150), 3.6, "af")
    d.code((308, 150), "point", "start", "af")
    d.arrow((176, 150), (176, 188), "b")
    d.code((308, 178), "normal", "start", "bf")
    d.arrow((160, 147), (160, 118), "c")
    d.arrow((160, 153), (160, 182), "c")
    d.code((308, 122), "force", "start", "cf")
    d.text((170, 50), "both sides of the cut move freely,", "small")
    d.text((170, 34), "the section shortens", "small")
    d.text((550, 50), "the shortening stays constant,", "small")
    d.text((550, 34), "the bolt force follows the loads", "small")
    d.arrow((440, 172), (440, 222), "c")
    d.arrow((440, 128), (440, 78), "c")
    d.text((430, 216), "service load", "cf", "end")
    d.save("guide-pretension")


def fluid() -> None:
    """Draw fluid pressure that penetrates a contact."""
    d = Drawing(760, 250, "Fluid pressure in a contact: exposed point, wetted length and front")
    box(d, 150, 40, 560, 50, "body2")
    d.text((660, 62), "master", "small")
    rim = [(210 + 4 * k, 90 + 0.0011 * (50 - k) ** 2 * (1 if k < 50 else 0) * 10)
           for k in range(106)]  # fmt: skip
    d.path([*rim, (630, 180), (210, 180)], "body", closed=True)
    d.text((560, 150), "slave", "small")
    for k in range(5):
        x = 218 + 36 * k
        y = 90 + 0.011 * (50 - (x - 210) / 4) ** 2
        if y > 95:
            d.arrow((x, (90 + y) / 2), (x, y + 12), "b")
            d.arrow((x, (90 + y) / 2), (x, 78), "b")
    d.circle((210, rim[0][1]), 4.5, "af")
    d.code((200, rim[0][1] + 12), "exposed", "end", "af")
    d.text((130, 104), "fluid", "bf")
    d.line((210, 32), (210, 20), "soft")
    d.line((390, 86), (390, 20), "dash")
    d.arrow((300, 22), (386, 22), "c")
    d.arrow((300, 22), (214, 22), "c")
    d.text((300, 10), "wetted length", "cf")
    d.text((396, 22), "front", "cf", "start")
    d.text((480, 108), "closed contact", "small")
    d.text(
        (380, 225), "The fluid advances from the exposed point as far as the contact is open.", ""
    )
    d.save("guide-fluid")


def driven_tool() -> None:
    """Draw a force-controlled tool with its spring, dashpot, force and moment."""
    d = Drawing(760, 260, "Force-controlled tool: reference point, spring, dashpot, force, moment")
    box(d, 150, 30, 460, 40)
    d.text((560, 50), "body", "small")
    c = (380.0, 128.0)
    d.circle(c, 58, "tool")
    d.circle(c, 58, "outline")
    d.dot(c)
    d.line(c, (452, 100), "soft")
    d.code((456, 98), "reference_point", "start")
    spring(d, (170, 142), (322, 142))
    dashpot(d, (170, 112), (322, 112))
    d.line((170, 98), (170, 156), "outline")
    d.hatch((170, 98), (170, 156))
    d.code((246, 160), "stiffness")
    d.code((246, 92), "damping")
    d.arrow((30, 142), (66, 142), "c")
    d.text((20, 178), "x · x_function moves", "small cf", "start")
    d.text((20, 162), "the end of the spring", "small cf", "start")
    d.arrow((380, 222), (380, 190), "a")
    d.code((390, 212), "force", "start", "af")
    d.turn(c, 44, 20, 120, "b")
    d.code((446, 172), "moment > 0", "start", "bf")
    d.text((380, 14), "free: degrees of freedom that follow from forces and contact", "small")
    d.save("guide-driven-tool")


def limit_points() -> None:
    """Draw load over displacement of a snap-through, with both ways to continue."""
    d = Drawing(760, 280, "Load over displacement of a snap-through")
    o = (90.0, 50.0)
    d.arrow(o, (90, 250), "b")
    d.arrow(o, (700, 50), "b")
    d.text((80, 246), "load λ", "", "end")
    d.text((640, 32), "displacement", "")

    def path(s: float) -> Point:
        return 90 + 185 * s, 50 + 1.35 * (310 * s - 290 * s * s + 70 * s**3)

    curve = [path(k / 60) for k in range(166)]
    top = max(range(len(curve[:60])), key=lambda k: curve[k][1])
    low = min(range(60, 120), key=lambda k: curve[k][1])
    d.path(curve[: top + 1], "outline")
    d.path(curve[top : low + 1], "dash")
    d.path(curve[low:], "outline")
    d.circle(curve[top], 4, "af")
    d.text((curve[top][0], curve[top][1] + 16), "limit point", "af")
    end = next(p for p in curve[low:] if p[1] >= curve[top][1])
    d.arrow((curve[top][0] + 6, curve[top][1]), (end[0] - 3, end[1]), "a")
    d.code((curve[top][0] + 130, curve[top][1] + 12), "stabilization", "start", "af")
    d.text(((curve[top][0] + end[0]) / 2, end[1] - 14), "jump at constant load", "small")
    for k in range(0, len(curve), 9):
        d.circle(curve[k], 2.6, "cf")
    d.code((curve[low][0] + 40, curve[low][1] - 14), 'load_control = "arc-length"', "start", "cf")
    d.text((curve[low][0] - 75, curve[low][1] + 2), "unstable", "small")
    d.save("guide-limit-points")


def corotational() -> None:
    """Draw a corotational body: undeformed, rotated, deformed in the rotated frame."""
    d = Drawing(760, 250, "A corotational body: rotation of the frame and small deformation")
    box(d, 60, 80, 150, 60)
    d.arrow((60, 80), (120, 80), "b")
    d.arrow((60, 80), (60, 130), "b")
    d.text((135, 220), "undeformed", "head")
    a = math.radians(38)

    def turned(x: float, y: float, o: Point) -> Point:
        return o[0] + x * math.cos(a) - y * math.sin(a), o[1] + x * math.sin(a) + y * math.cos(a)

    o = (320.0, 65.0)
    d.path([turned(x, y, o) for x, y in ((0, 0), (150, 0), (150, 60), (0, 60))], "dash", True)
    d.arrow(o, turned(60, 0, o), "b")
    d.arrow(o, turned(0, 50, o), "b")
    d.line(o, (410, 65), "soft")
    d.turn(o, 62, 2, 37, "c")
    d.text((390, 82), "θ", "cf")
    d.text((390, 220), "frame rotates with the body", "head")
    o = (570.0, 65.0)
    d.path([turned(x, y, o) for x, y in ((0, 0), (150, 0), (150, 60), (0, 60))], "dash", True)
    low = [(x, -8 * math.sin(math.pi * x / 150)) for x in range(0, 151, 10)]
    rim = [*low, *[(x + 6, y + 62) for x, y in reversed(low)]]
    d.path([turned(x, y, o) for x, y in rim], "body", closed=True)
    d.path([turned(x, y, o) for x, y in ((0, 0), (150, 0), (150, 60), (0, 60))], "dash", True)
    d.arrow(turned(75, 60, o), turned(80, 78, o), "a")
    d.text((648, 220), "small strain in the frame", "head")
    d.text((380, 22), "The strain is that of the motion relative to the frame (red).", "small")
    d.save("guide-corotational")


def reduction() -> None:
    """Draw a full body and the same body with interface dofs and modes."""
    d = Drawing(760, 260, "Full model and reduced model of a body")
    box(d, 40, 90, 260, 90)
    grid(d, 40, 90, 260, 90, (13, 5))
    box(d, 40, 60, 260, 22, "tool")
    d.hatch((40, 180), (300, 180))
    d.text((170, 232), "full model: all dofs", "head")
    d.text((170, 40), "master", "small")
    for k in range(14):
        d.circle((40 + 20 * k, 90), 2.6, "af")
    x = 430.0
    d.path([(x, 90), (x + 260, 90), (x + 260, 180), (x, 180)], "dash", closed=True)
    box(d, x, 60, 260, 22, "tool")
    d.hatch((x, 180), (x + 260, 180))
    for k in range(14):
        d.circle((x + 20 * k, 90), 2.6, "af")
    for n in (1, 2, 3):
        y = 165 - 22 * (n - 1)
        d.path([(x + 260 * s / 60, y + 8 * math.sin(n * math.pi * s / 60)) for s in range(61)], "b")
    d.text((560, 232), "reduced model: interface dofs and modes", "head")
    d.text((560, 40), "red: interface dofs, all contact nodes; blue: modes", "small")
    d.arrow((325, 130), (405, 130), "c")
    d.save("guide-reduction")


def lumped_contact() -> None:
    """Draw the contact force of a lumped obstacle."""
    d = Drawing(760, 270, "Contact of a mass with an obstacle: normal and tangential elements")
    d.text((180, 248), "normal", "head")
    box(d, 40, 100, 70, 70)
    d.text((75, 135), "mass")
    spring(d, (150, 155), (270, 155))
    dashpot(d, (150, 115), (270, 115))
    d.line((150, 100), (150, 170), "outline")
    box(d, 270, 80, 16, 110, "tool")
    d.hatch((270, 190), (270, 80))
    d.arrow((130, 88), (149, 88), "a")
    d.arrow((130, 88), (111, 88), "a")
    d.code((130, 72), "gap", "middle", "af")
    d.text((210, 176), "k_n", "")
    d.text((210, 92), "c_n", "")
    d.text((180, 40), "F_n = max(0, k_n p + c_n ṗ)", "")
    d.text((180, 20), "p: penetration beyond the gap", "small")
    d.text((560, 248), "tangential", "head")
    box(d, 400, 100, 70, 70)
    d.text((435, 135), "mass")
    d.line((470, 135), (490, 135), "outline")
    d.line((490, 115), (490, 155), "outline")
    spring(d, (490, 155), (590, 155))
    dashpot(d, (490, 115), (590, 115))
    d.line((590, 115), (590, 155), "outline")
    d.line((590, 135), (612, 135), "outline")
    box(d, 612, 118, 46, 34, "body2")
    box(d, 600, 100, 110, 16, "tool")
    d.hatch((710, 100), (600, 100))
    d.text((540, 176), "K_t", "")
    d.text((540, 92), "C_t", "")
    d.text((635, 166), "Coulomb slider", "small")
    d.text((560, 40), "|T| ≤ μ F_n; the slip is that of the slider", "")
    d.text((560, 20), "stick: K_t and C_t act, slip: T is constant", "small")
    d.save("lumped-contact")


def faults() -> None:
    """Draw four frequent faults of a contact model."""
    d = Drawing(760, 250, "Four frequent faults of a contact model")
    heads = ("reversed tool", "finer master", "corner between nodes", "edge in no pair")
    cures = (
        ("reverse the order", "of its points"),
        ("swap slave and master", "or use continuous"),
        ("refine the slave", "or round the corner"),
        ("add the side", "to the slave group"),
    )
    for k, (head, cure) in enumerate(zip(heads, cures, strict=True)):
        x = 20.0 + 185 * k
        d.text((x + 82, 228), head, "head")
        d.text((x + 82, 36), cure[0], "small")
        d.text((x + 82, 20), cure[1], "small")
    x = 20.0
    d.path([(x, 100), (x + 165, 100), (x + 165, 170), (x, 170)], "tool", closed=True)
    d.path([(x, 100), (x + 165, 100)], "outline")
    d.arrow((x + 60, 92), (x + 110, 92), "b")
    box(d, x + 45, 110, 75, 45)
    d.text((x + 82, 132), "body")
    d.text((x + 82, 72), "contact is never detected", "small af")
    x = 205.0
    bumps = [(x + 165 * s / 24, 95 + (10 if s % 2 else 0)) for s in range(25)]
    d.path([(x, 60), *bumps, (x + 165, 60)], "body2", closed=True)
    d.path([(x + 20, 98), (x + 145, 98), (x + 145, 165), (x + 20, 165)], "body", closed=True)
    for s in (20, 145):
        d.dot((x + s, 98))
    for s in range(3, 21, 2):
        d.circle(bumps[s], 3, "af")
    d.text((x + 82, 182), "master vertices penetrate", "small af")
    x = 390.0
    d.path([(x, 60), (x + 165, 60), (x + 82, 128)], "tool", closed=True)
    d.path([(x, 60), (x + 82, 128), (x + 165, 60)], "outline")
    d.path([(x + 10, 108), (x + 155, 108), (x + 155, 170), (x + 10, 170)], "body", closed=True)
    d.path([(x + 58, 108), (x + 82, 128), (x + 106, 108)], "a")
    for s in (10, 155):
        d.dot((x + s, 108))
    d.text((x + 82, 184), "tool", "small")
    x = 575.0
    box(d, x, 60, 165, 30, "body2")
    box(d, x + 120, 90, 45, 85, "body2")
    box(d, x + 30, 92, 105, 62)
    d.path([(x + 30, 91), (x + 118, 91)], "c")
    d.path([(x + 120, 92), (x + 135, 92), (x + 135, 154), (x + 120, 154)], "a", closed=True)
    d.text((x + 72, 122), "slave")
    d.text((x + 82, 186), "green: pair, red: overlap", "small")
    d.save("contact-faults")


if __name__ == "__main__":
    for draw in (
        groups, constraints, offsets, pretension, fluid, driven_tool, limit_points, corotational,
        reduction, lumped_contact, faults,
    ):  # fmt: skip
        draw()
