"""Common form of all time schemes, and its coefficients.

u_{n+1} = u_n + p + δ,   p = Δt v_n + Δt² a_u a_n,   δ = β Δt² a_{n+1}
v_{n+1} = v_n + Δt (a_v a_n + γ a_{n+1})
M a_w + C v_w + K u_w = f_w + Sᵀ r
a_w = (1 − α_m) a_{n+1} + α_m a_n,   x_w = (1 − α_f) x_{n+1} + α_f x_n  (x = u, v, f)

with the contact forces r at the end of the step (fully implicit). The unknown is the correction δ
of the predictor p,

A δ = f_w − K u_n − (1−α_f) K p − α_m M a_n − C (v_n + (1−α_f) Δt a_v a_n) + Sᵀ r,
A = (1−α_m)/(βΔt²) M + (1−α_f)γ/(βΔt) C + (1−α_f) K:

δ is small for a body in uniform motion, and so is the round-off of the solution.

With α_f or α_m, a_n is not the acceleration at t_n: it contains the forces at t_{n−1}. A longer
step would multiply them by its own length, and the impulse of a short pulse would grow with the
ratio of both lengths. Steps shortened by a required time therefore use average acceleration, for
which a_{n+1} is the acceleration of the forces at t_{n+1}.

With `step = "auto"`, steps are shortened at impacts. The contact force of an impact, an impulse
over Δt, would be carried into steps of another length, and each would generate energy. The first of
the shorter steps therefore uses backward Euler, which does not use a_n and gives an impact without
rebound.
"""

from __future__ import annotations

from typing import NamedTuple


class Coefficients(NamedTuple):
    """The coefficients above; `inertia` is 0 for a static analysis, else 1."""

    beta: float
    gamma: float
    a_u: float
    a_v: float
    alpha_m: float = 0.0
    alpha_f: float = 0.0
    inertia: float = 1.0

    @property
    def explicit(self) -> bool:
        """Return True if β = 0: positions of dofs with mass do not depend on the forces at the end
        of the step.
        """
        return self.beta == 0.0

    @property
    def one_matrix(self) -> bool:
        """Return True if the effective matrix is the same for all step sizes."""
        return self.explicit or self.inertia == 0.0

    @property
    def has_memory(self) -> bool:
        """Return True if a step depends on forces of the last step through its acceleration a_n."""
        return self.a_v != 0.0 and (self.alpha_m, self.alpha_f) != (0.0, 0.0)

    @property
    def undamped(self) -> bool:
        """Return True without numerical damping (γ = ½) and with all forces at the end of
        the step.
        """
        return (self.gamma, self.alpha_m, self.alpha_f) == (0.5, 0.0, 0.0)

    def matrix(self, step: float) -> tuple[float, float, float]:
        """Return m, c, k of the effective matrix A = m M + c C + k K; not for an explicit scheme,
        whose matrix is that of massless dofs alone (:mod:`fecontact.dynamics.steps.explicit`).
        """
        if self.inertia == 0.0:
            return 0.0, 0.0, 1.0
        return (
            (1.0 - self.alpha_m) / (self.beta * step**2),
            (1.0 - self.alpha_f) * self.gamma / (self.beta * step),
            1.0 - self.alpha_f,
        )


def newmark_type(
    beta: float, gamma: float, alpha_m: float = 0.0, alpha_f: float = 0.0
) -> Coefficients:
    """Return the coefficients of Newmark's update formulas, a_u = ½ − β and a_v = 1 − γ."""
    return Coefficients(beta, gamma, 0.5 - beta, 1.0 - gamma, alpha_m, alpha_f)


AVERAGE_ACCELERATION = newmark_type(0.25, 0.5)
BACKWARD_EULER = Coefficients(beta=1.0, gamma=1.0, a_u=0.0, a_v=0.0)
