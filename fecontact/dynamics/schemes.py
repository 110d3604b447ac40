"""Time schemes as coefficients of one form.

    u_{n+1} = u_n + p + δ,   p = Δt v_n + Δt² a_u a_n,   δ = β Δt² a_{n+1}
    v_{n+1} = v_n + Δt (a_v a_n + γ a_{n+1})
    M a_w + C v_w + K u_w = f_w + Sᵀ r
    a_w = (1 − α_m) a_{n+1} + α_m a_n,   x_w = (1 − α_f) x_{n+1} + α_f x_n  (x = u, v, f)

with the contact forces r taken as they are at the end of the step, fully implicit. The unknown is
the correction δ of the predictor p,

    A δ = f_w − K u_n − (1−α_f) K p − α_m M a_n − C (v_n + (1−α_f) Δt a_v a_n) + Sᵀ r,
    A = (1−α_m)/(βΔt²) M + (1−α_f)γ/(βΔt) C + (1−α_f) K:

δ is small where a body only glides along, and so are the rounding errors of the solution.

newmark             Newmark (1959): a_u = ½ − β, a_v = 1 − γ, α_m = α_f = 0
hht                 Hilber, Hughes & Taylor (1977), doi:10.1002/eqe.4290050306: α_f = −α,
                    β = (1−α)²/4, γ = ½ − α; without modified equilibrium α_f = 0 (code_aster's
                    MODI_EQUI='NON', R5.05.05)
generalized-alpha   Chung & Hulbert (1993), doi:10.1115/1.2900803
average-acceleration  β = ¼, γ = ½
implicit-euler      β = γ = 1, a_u = a_v = 0
static              no inertia, no damping

With `impact = "stabilized"` average acceleration is written as its midpoint rule, β = α_f = ½,
γ = 1, a_u = a_v = 0: the predictor is then Δt v_n, and a_{n+1} the mean acceleration of the step.
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.study.finite_element import Time


class Scheme(NamedTuple):
    """The coefficients above; `inertia` is 0 for a static analysis, else 1."""

    beta: float
    gamma: float
    a_u: float
    a_v: float
    alpha_m: float = 0.0
    alpha_f: float = 0.0
    inertia: float = 1.0

    def matrix(self, step: float) -> tuple[float, float, float]:
        """m, c, k of the effective matrix A = m M + c C + k K."""
        if self.inertia == 0.0:
            return 0.0, 0.0, 1.0
        return (
            (1.0 - self.alpha_m) / (self.beta * step**2),
            (1.0 - self.alpha_f) * self.gamma / (self.beta * step),
            1.0 - self.alpha_f,
        )


def _newmark(beta: float, gamma: float, alpha_m: float = 0.0, alpha_f: float = 0.0) -> Scheme:
    return Scheme(beta, gamma, 0.5 - beta, 1.0 - gamma, alpha_m, alpha_f)


def scheme_of(time: Time) -> Scheme:
    """The scheme a study asks for."""
    if time.impact == "stabilized":  # a variant of average acceleration
        return Scheme(0.5, 1.0, 0.0, 0.0, alpha_f=0.5)
    if time.scheme == "newmark":
        return _newmark(time.beta, time.gamma)
    if time.scheme == "hht":
        weighted = -time.alpha if time.modified_equilibrium else 0.0
        return _newmark((1 - time.alpha) ** 2 / 4, 0.5 - time.alpha, alpha_f=weighted)
    if time.scheme == "generalized-alpha":
        rho = time.rho_infinity
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 - alpha_m + alpha_f
        return _newmark((1 - alpha_m + alpha_f) ** 2 / 4, gamma, alpha_m, alpha_f)
    if time.scheme == "average-acceleration":
        return _newmark(0.25, 0.5)
    if time.scheme == "implicit-euler":
        return Scheme(1.0, 1.0, 0.0, 0.0)
    return Scheme(1.0, 1.0, 0.0, 0.0, inertia=0.0)
