r"""Periodic motion of a linear system with one nonlinear element, by harmonic balance.

With the displacement :math:`x = b^T u` of the element and its force :math:`g(x)`,

.. math::  M\ddot u + C\dot u + K u + b\,g(x) = \mathrm{Re}\,F e^{i\Omega t}, \qquad
           X_h = b^T D_h^{-1} (F_h - b\,G_h), \quad D_h = K - h^2\Omega^2 M + i h \Omega C,

for the harmonics :math:`h = 0 … H` of x. The force is evaluated in the time domain (alternating
frequency–time scheme, T. M. Cameron & J. H. Griffin 1989, doi:10.1115/1.3176036; M. Krack & J.
Gross 2019, doi:10.1007/978-3-030-14023-6) and Newton's method solves for the harmonics. Elements: a
one-sided elastic stop, :math:`g = k \max(x - d, 0)`, and a spring in series with a Coulomb slider
(Jenkins element), :math:`|g| \le L`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array

Complex = NDArray[np.complex128]
_MAX_ITERATIONS = 60  # iterations
_PRECISE = 1e-12  # residual relative to the linear motion


@dataclass(frozen=True)
class Stop:
    """One-sided elastic stop. stiffness: N/m; gap: m."""

    stiffness: float
    gap: float

    def force(self, x: Array, basis: Array) -> tuple[Array, Array]:
        """Return the force (N,) of the displacements x (N,) and its derivative (N, unknowns)."""
        closed = x > self.gap
        slope = self.stiffness * closed[:, None] * basis
        return self.stiffness * np.where(closed, x - self.gap, 0.0), slope


@dataclass(frozen=True)
class Slider:
    """Spring in series with a Coulomb slider. stiffness: N/m; limit: N."""

    stiffness: float
    limit: float

    def force(self, x: Array, basis: Array) -> tuple[Array, Array]:
        """Return the same for the second period of the motion, which no longer depends on the
        force at its start if the slider moves.
        """
        force, slope = 0.0, np.zeros(basis.shape[1])
        forces, slopes = np.empty(len(x)), np.empty(basis.shape)
        for _ in range(2):
            for i in range(len(x)):
                force += self.stiffness * (x[i] - x[i - 1])
                slope = slope + self.stiffness * (basis[i] - basis[i - 1])
                if abs(force) > self.limit:
                    force, slope = np.copysign(self.limit, force), np.zeros(basis.shape[1])
                forces[i], slopes[i] = force, slope
        return forces, slopes


@dataclass(frozen=True)
class HarmonicBalance:
    """System with one nonlinear element.

    mass, damping, stiffness: (n, n) kg, N·s/m, N/m; load: (n,) amplitude of the cosine, N; element:
    its law; row: (n,) b. harmonics: H; samples: of a period.
    """

    mass: Array
    damping: Array
    stiffness: Array
    load: Array
    element: Stop | Slider
    row: Array
    harmonics: int = 21
    samples: int = 1024

    def solve(self, omega: float, start: Complex | None = None) -> tuple[Complex, Complex]:
        """Return the harmonics of the element's displacement (H + 1,) and of the system (H + 1, n).

        omega: Ω, rad/s; start: an estimate of the first, by default the linear motion.
        """
        count = self.harmonics + 1
        angle = 2.0 * np.pi * np.arange(self.samples) / self.samples
        waves = np.exp(1j * np.outer(angle, np.arange(count)))
        basis = np.hstack((waves.real, -waves.imag[:, 1:]))  # x = Re Σ X_h e^{ihθ}
        weights = np.where(np.arange(count) == 0, 1.0, 2.0) / self.samples
        project = np.conj(waves).T * weights[:, None]
        receptance = np.array([self._receptance(h * omega) for h in range(count)])
        own = np.einsum("i,hij,j->h", self.row, receptance, self.row)
        linear = np.zeros(count, complex)
        linear[1] = self.row @ receptance[1] @ self.load
        x = linear.copy() if start is None else start.copy()
        for _ in range(_MAX_ITERATIONS):
            unknown = np.concatenate((x.real, x.imag[1:]))
            force, slope = self.element.force(basis @ unknown, basis)
            residual = x - linear + own * (project @ force)
            if np.abs(residual).max() <= _PRECISE * np.abs(linear).max():
                return x, self._motion(receptance, project @ force)
            change = own[:, None] * (project @ slope)
            jacobian = np.vstack((change.real, change.imag[1:])) + np.eye(2 * count - 1)
            right = np.concatenate((residual.real, residual.imag[1:]))
            unknown = unknown - np.linalg.solve(jacobian, right)
            x = unknown[:count].astype(complex)
            x[1:] += 1j * unknown[count:]
        raise ArithmeticError(f"harmonic balance did not converge at {omega:g} rad/s")

    def _motion(self, receptance: Complex, force: Complex) -> Complex:
        """Return the harmonics of all displacements from those of the element's force."""
        applied = -force[:, None] * self.row
        applied[1] += self.load
        return np.einsum("hij,hj->hi", receptance, applied)

    def _receptance(self, omega: float) -> Complex:
        """Return D⁻¹ (n, n), m/N."""
        dynamic = self.stiffness - omega**2 * self.mass + 1j * omega * self.damping
        return np.asarray(np.linalg.inv(dynamic))
