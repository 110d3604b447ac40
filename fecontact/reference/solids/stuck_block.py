r"""Compression of a rubber block bonded to two plates (compressible, plane strain).

No closed form exists. The neo-Hookean energy is made stationary by polynomials over the whole block
(Ritz method), without a mesh: in the quarter :math:`0\le\xi=x/a\le1`, :math:`0\le\eta=2y/h\le1`,
with Legendre's polynomials,

.. math::

    u_x = \sum_{i,j<n} A_{ij}\,P_{2i+1}(\xi)\,(1-\eta^2)\,P_{2j}(\eta), \qquad
    u_y = -\frac{\delta}{2}\,\eta + \sum_{i,j<n} B_{ij}\,P_{2i}(\xi)\,(1-\eta^2)\,P_{2j+1}(\eta),

which have the symmetry of the block and stick to the plates for any coefficients. Newton's
method finds these, with :math:`P = \mu(F - F^{-T}) + \lambda\ln J\,F^{-T}` and

.. math:: dP = \mu\,dF + (\mu - \lambda\ln J)\,F^{-T}dF^TF^{-T} + \lambda\,(F^{-T}:dF)\,F^{-T}.

The force is :math:`dE/d\delta = -\frac1h\int P_{yy}\,dV`. The computed energy is an upper bound
that decreases with n; stresses at the corners are infinite, which bounds the order of convergence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive

STEPS = 8  # load steps
CLOSE = 1e-12  # last change of the coefficients, relative to the compression


@dataclass(frozen=True, kw_only=True)
class StuckBlock:
    """Neo-Hookean block bonded to two plates.

    Parameters
    ----------
    young: E [Pa]
    poisson: ν [-]
    width, height: 2a and h [m], undeformed
    squash: δ, approach of the plates [m]
    degrees: n, polynomials in each direction
    """

    young: float
    poisson: float
    width: float
    height: float
    squash: float
    degrees: int = 12

    def __post_init__(self) -> None:
        require_positive(self, "young", "width", "height", "squash")
        require_finite(self, "young", "poisson", "width", "height", "squash")
        if self.squash >= self.height:
            raise ValueError("StuckBlock: squash must be less than height.")

    @cached_property
    def _points(self) -> tuple[Array, Array, Array]:
        """Return Gauss points ξ, η and their share of the quarter's area [m²]."""
        x, weight = legendre.leggauss(2 * self.degrees + 10)  # over (−1, 1)
        xi, eta = (g.ravel() for g in np.meshgrid((x + 1) / 2, (x + 1) / 2, indexing="ij"))
        return xi, eta, np.outer(weight, weight).ravel() / 4 * self.width * self.height / 4

    def _shapes(self, xi: Array, eta: Array) -> Array:
        """Return ∂u_i/∂X_j (points, 2, 2, 2 n²) for the coefficients A, then B."""
        n = self.degrees
        odd, even = ([legendre.Legendre.basis(2 * i + k) for i in range(n)] for k in (1, 0))
        bubble = 1 - legendre.Legendre([1 / 3, 0, 2 / 3])  # 1 − η²
        found = np.zeros((len(xi), 2, 2, 2, n, n))
        for component, (across, along) in enumerate([(odd, even), (even, odd)]):
            x, dx = (_values(across, xi, order) for order in (0, 1))
            y, dy = (_values([bubble * p for p in along], eta, order) for order in (0, 1))
            part = found[:, component, :, component]
            part[:, 0] = dx[:, :, None] * y[:, None, :] / (self.width / 2)
            part[:, 1] = x[:, :, None] * dy[:, None, :] / (self.height / 2)
        return found.reshape(len(xi), 2, 2, -1)

    def _gradient(self, shapes: Array, coefficients: Array, squash: float) -> Array:
        """Return F (points, 2, 2)."""
        found: Array = np.eye(2) + shapes @ coefficients
        found[:, 1, 1] -= squash / self.height
        return found

    def _stress(self, gradient: Array) -> tuple[Array, Array]:
        """Return P (points, 2, 2) and ∂P/∂F (points, 2, 2, 2, 2), Pa."""
        shear = self.young / (2 * (1 + self.poisson))
        lame = 2 * shear * self.poisson / (1 - 2 * self.poisson)
        growth = np.log(np.linalg.det(gradient))[:, None, None]
        inverse = np.linalg.inv(gradient).swapaxes(1, 2)  # F⁻ᵀ
        stress = shear * (gradient - inverse) + lame * growth * inverse
        tangent = shear * np.einsum("ik,jl->ijkl", np.eye(2), np.eye(2))[None]
        turned = np.einsum("pil,pkj->pijkl", inverse, inverse)
        tangent = tangent + (shear - lame * growth)[..., None, None] * turned
        return stress, tangent + lame * np.einsum("pij,pkl->pijkl", inverse, inverse)

    @cached_property
    def _solution(self) -> tuple[Array, float]:
        """Return the coefficients [m] and force [N/m]."""
        xi, eta, area = self._points
        shapes = self._shapes(xi, eta)
        rows = shapes.reshape(len(xi) * 4, -1)
        coefficients = np.zeros(rows.shape[1])
        for squash in np.linspace(0.0, self.squash, STEPS + 1)[1:]:
            for _ in range(30):
                stress, tangent = self._stress(self._gradient(shapes, coefficients, squash))
                residual = rows.T @ (stress * area[:, None, None]).ravel()
                weighted = tangent.reshape(-1, 4, 4) * area[:, None, None]
                moved = (weighted @ shapes.reshape(len(xi), 4, -1)).reshape(rows.shape)
                change = np.linalg.solve(rows.T @ moved, -residual)
                coefficients += change
                if np.abs(change).max() < CLOSE * self.squash:
                    break
            else:
                raise ValueError("StuckBlock: no equilibrium was found; reduce squash.")
        stress = self._stress(self._gradient(shapes, coefficients, self.squash))[0]
        return coefficients, float(-4 * area @ stress[:, 1, 1] / self.height)

    @property
    def force(self) -> float:
        """Return the force on either plate [N/m]."""
        return self._solution[1]

    @property
    def bulge(self) -> float:
        """Return u_x of the free side at half height [m]."""
        n, (coefficients, _) = self.degrees, self._solution
        at_middle = [legendre.Legendre.basis(2 * j)(0.0) for j in range(n)]
        return float(coefficients[: n * n].reshape(n, n).sum(axis=0) @ at_middle)


def _values(polynomials: list[legendre.Legendre], at: Array, order: int) -> Array:
    """Return their derivatives of an order, (points, polynomials)."""
    return np.stack([np.asarray(p.deriv(order)(at)) for p in polynomials], axis=1)
