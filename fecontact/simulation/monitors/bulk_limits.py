"""Limits of strain and rotation of linear bodies.

Translations are unlimited, but K u is the force of a body only while

    ε = ½(∇u + ∇uᵀ)  and  ω = ½(∂u_y/∂x − ∂u_x/∂y)

are small: in the linear theory, a body rotated rigidly by ω is stretched by 1 − cos ω ≈ ω²/2, and
its contact normals are those of a body of the wrong size. Both are evaluated at the centres of the
cells; in axisymmetric models also the hoop strain u_r/r.

A linear law in Green's strain (:mod:`fecontact.solid.laws.large_rotation`) permits any rotation.
Its strain is |λ − 1| with the principal stretches λ, the roots of the eigenvalues of FᵀF.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.kernels import njit
from fecontact.mesh.cells import Index, by_kind
from fecontact.record import ModelMesh, RunWarning

LIMIT = 0.03  # limit of strain and of rotation (rad): beyond it the error ω²/2 nears a thousandth
WRONG = 0.25  # strain beyond which forces are wrong by about as much
TURNED = 0.35  # rad: the spurious stretch is 6 %

_QUAD = np.array([[-1.0, 1.0, 1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]]) / 4.0
_TRIANGLE = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])


class BulkLimits:
    """Largest strain and rotation of a run so far, with their times.

    largest: (2, 2) rows of value and time (s): principal strain (absolute), rotation (rad).
    """

    def __init__(
        self,
        mesh: ModelMesh,
        rings: Mask,
        finite: Index,
        rotating: Index,
        corotational: bool = False,
    ) -> None:
        """Set up the sampled cells.

        rings: (cells,) True for axisymmetric bodies.
        finite: cells of finite-strain bodies, which have no limits.
        rotating: those of them with a linear law in Green's strain, whose strain must be small.
        corotational: True if there are corotational bodies, whose displacements are relative to the
            corotated frame.
        """
        frame = " (corotational bodies: relative to the corotated frame)"
        self._within = frame if corotational else ""
        self._corners = mesh.cells[:, : 4 if mesh.cells.shape[1] in (4, 8) else 3]
        self._gradient = np.zeros((*self._corners.shape, 2))
        radius = np.empty(len(mesh.cells))
        for rows, cells in by_kind(mesh.cells):
            derivative = _QUAD if cells.shape[1] in (4, 8) else _TRIANGLE
            count = derivative.shape[1]
            x = mesh.points[cells[:, :count]]
            jacobian = np.einsum("ra,max->mrx", derivative, x)
            gradient = np.einsum("mxr,ra->max", np.linalg.inv(jacobian), derivative)
            self._gradient[rows, :count] = gradient
            radius[rows] = x[..., 0].mean(axis=1)
        self._around = np.divide(1.0, radius, out=np.zeros(len(radius)), where=rings)
        unlimited = np.setdiff1d(finite, rotating)
        self._gradient[unlimited] = 0.0
        self._around[unlimited] = 0.0
        self._rotating = np.zeros(len(mesh.cells), np.bool_)
        self._rotating[rotating] = True
        self.largest: Array = np.zeros((2, 2))

    def sample(self, displacement: Array, time: float) -> None:
        """Include the nodal displacements (N, 2), m, at a time, s."""
        found = _largest(self._corners, self._gradient, self._around, self._rotating, displacement)
        for row, value in enumerate(found):
            if value > self.largest[row, 0]:
                self.largest[row] = value, time

    def warnings(self) -> list[RunWarning]:
        """Return a warning for each limit that is exceeded."""
        (strain, when), (rotation, then) = self.largest
        found = []
        if strain > LIMIT:
            text = (
                f"materials: the strain reaches {strain:.2g} at t = {when:.4g} s (small-strain "
                f"limit {LIMIT:g}); results are inaccurate. Use a finite-strain law, for example "
                'law = "neo-hookean", or reduce the load.'
            )
            found.append(RunWarning(text, "not trusted" if strain > WRONG else "warning"))
        if rotation > LIMIT:
            text = (
                f"bodies: the rotation reaches {rotation:.2g} rad at t = {then:.4g} s"
                f"{self._within} (small-rotation limit {LIMIT:g}), which causes a spurious strain "
                f'of {1 - np.cos(rotation):.1e}. Set motion = "corotational" or use a '
                "finite-strain law."
            )
            found.append(RunWarning(text, "not trusted" if rotation > TURNED else "warning"))
        return found


@njit
def _largest(corners, gradient, around, rotating, displacement):  # type: ignore[no-untyped-def]
    """Return the largest principal strain (absolute) and rotation (rad) at the cell centres.

    corners: (M, c).
    gradient: (M, c, 2) of the shape functions, 1/m.
    around: (M,) 1/r, 0 in plane strain and plane stress.
    rotating: (M,) cells whose rotation is not limited.
    displacement: (N, 2), m.
    """
    strain, rotation = 0.0, 0.0
    for m in range(len(corners)):
        xx, xy, yx, yy = 0.0, 0.0, 0.0, 0.0
        first = displacement[corners[m, 0]]
        for k in range(1, corners.shape[1]):
            # The gradient of a translation is zero; subtracting it avoids loss of precision far
            # away.
            x = displacement[corners[m, k], 0] - first[0]
            y = displacement[corners[m, k], 1] - first[1]
            xx += x * gradient[m, k, 0]
            xy += x * gradient[m, k, 1]
            yx += y * gradient[m, k, 0]
            yy += y * gradient[m, k, 1]
        if rotating[m]:
            strain = max(strain, _largest_stretch(1.0 + xx, xy, yx, 1.0 + yy))
            continue
        radius = np.sqrt((xx - yy) ** 2 + (xy + yx) ** 2) / 2
        strain = max(strain, abs(xx + yy) / 2 + radius)
        if around[m] > 0.0:
            outwards = 0.0
            count = corners.shape[1]
            if count == 4 and corners[m, 2] == corners[m, 3]:  # a triangle
                count = 3
            for k in range(count):
                outwards += displacement[corners[m, k], 0] / count
            strain = max(strain, abs(outwards) * around[m])
        rotation = max(rotation, abs(yx - xy) / 2)
    return strain, rotation


@njit
def _largest_stretch(xx, xy, yx, yy):  # type: ignore[no-untyped-def]
    """Return the largest |λ − 1| of a deformation gradient in the plane."""
    mean = (xx**2 + xy**2 + yx**2 + yy**2) / 2
    radius = np.sqrt(max(mean**2 - (xx * yy - xy * yx) ** 2, 0.0))
    return max(np.sqrt(mean + radius) - 1.0, 1.0 - np.sqrt(max(mean - radius, 0.0)))
