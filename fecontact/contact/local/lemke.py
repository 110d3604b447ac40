"""Local contact problem as a linear complementarity problem, solved by Lemke's method.

It is used for the multipliers whose statuses do not converge in
:mod:`fecontact.contact.local.active_set`. With gaps g = g* + W_nn p + W_nt t and slips s = s* +
W_tn p + W_tt t of normal forces p and tangential forces t, −μ⁻p ≤ t ≤ μ⁺p, let a = t + μ⁻p, b = μ⁺p
− t and s = s⁺ − s⁻. Coulomb's law is then

w = q + M z,   w = (g, s⁺, b) ≥ 0,   z = (p, a, s⁻) ≥ 0,   w·z = 0

(Klarbring 1986, doi:10.1007/BF00546995). A multiplier without friction has (g, p) only. All other
multipliers keep their statuses and are condensed: W and q are those of a structure in which the
closed multipliers are constraints.

Lemke's method follows the path of solutions of w = q + M z + θ (q₀ − q) from θ = 1 to θ = 0. At θ =
1 the statuses of the last step solve the problem, so that the path is a continuation in the load:
where several solutions exist, it leads to one that is connected with the last step. The
lexicographic ratio test makes every basis on the path differ from all others, so that the method
cannot cycle (Cottle, Pang & Stone, The Linear Complementarity Problem, 1992, section 4.9). A path
can end on a ray. The next path then starts with all multipliers open, which is the classical method
with a positive covering vector; further paths use other covering vectors. If all of these end on
rays, the problem counts as one without a solution.

With a static coefficient larger than that of slip, the problem is first solved with the static
coefficient. Slipping multipliers then get the coefficient of slip, and the problem is solved again;
each pass has fewer multipliers with the static coefficient.

The statuses found are checked with the exact linear system. Condensed multipliers whose statuses
are wrong are added to the problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers, Mask, Statuses
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.local.statuses import sliding_ratio
from fecontact.kernels import njit
from fecontact.record import OPEN, SLIP, STICK

if TYPE_CHECKING:
    from fecontact.contact.local.active_set import LocalProblem

RANDOM_STARTS = 4  # covering vectors tried after the two regular starts
PIVOTS = 50  # limit per variable; only round-off can require more
SMALL_PIVOT = 1e-11  # entries of the scaled tableau that count as zero
TIE = 1e-13  # round-off of the tableau: ratios that differ less are equal

Check = Callable[[Statuses, Statuses], Mask]
"""Return the multipliers whose statuses and directions are wrong by the exact linear system."""


class Condensed(NamedTuple):
    """The problem of n multipliers: W (2n, 2n), normal part first; free gaps and slips (2n,); which
    of them have friction (n,), and λ_t/λ_n of those without friction (n,).
    """

    matrix: Array
    free: Array
    rough: Mask
    ratio: Array


def find_statuses(
    local: LocalProblem,
    operator: DelassusOperator,
    status: Statuses,
    direction: Statuses,
    among: Mask,
    check: Check,
) -> tuple[bool, int]:
    """Find statuses and directions that solve the local problem; the arrays are updated in place.

    among: (m,) multipliers to start with.
    Return whether a solution was found, and the number of pivots.
    """
    among, pivots = among & local.can_act, 0
    while True:
        chosen = np.flatnonzero(among)
        condensed = _condense(local, operator, status, direction, chosen)
        found, count = _solve(condensed, local, status, direction, chosen)
        pivots += count
        wrong = check(status, direction) if found else local.can_act
        if found and not wrong.any():
            return True, pivots
        if not (wrong & ~among).any():
            if among.all() or np.array_equal(among, local.can_act):
                return False, pivots
            wrong = local.can_act
        among = among | wrong


def _condense(
    local: LocalProblem,
    operator: DelassusOperator,
    status: Statuses,
    direction: Statuses,
    chosen: Integers,
) -> Condensed:
    """Return W and the free values of the chosen multipliers; all others keep their statuses."""
    m, others, direction_of_others = len(status), status.copy(), direction.copy()
    others[chosen], direction_of_others[chosen] = OPEN, 0
    sliding = sliding_ratio(local.friction, direction_of_others)
    places = np.concatenate([chosen, m + chosen])
    matrix = np.empty((len(places), len(places)))
    free = operator.forces(local.free, sliding, others)[1][places]
    unit = np.zeros(len(local.free))
    for k, place in enumerate(places):
        unit[place] = 1.0
        matrix[:, k] = operator.forces(operator.product(unit), sliding, others)[1][places]
        unit[place] = 0.0
    fixed = local.diagonal[m + chosen] <= 0.0  # tangential forces do not move these
    noise = local.noise[chosen]
    slip = np.where(np.abs(free[len(chosen) :]) <= noise, 0.0, free[len(chosen) :])
    rough = (local.friction[0, chosen] > 0.0) & ~fixed
    ratio = np.where(slip > 0.0, -local.friction[0, chosen], local.friction[1, chosen])
    return Condensed(matrix, free, rough, np.where(fixed & (slip != 0.0), ratio, 0.0))


def _solve(
    condensed: Condensed,
    local: LocalProblem,
    status: Statuses,
    direction: Statuses,
    chosen: Integers,
) -> tuple[bool, int]:
    """Solve the condensed problem, first with the static coefficients; update the statuses and
    directions of the chosen multipliers.
    """
    slip, pivots = local.friction[:, chosen], 0
    strength = np.maximum(local.static_friction[:, chosen], slip)
    slipped = status[chosen] == SLIP
    while True:
        strength[:, slipped] = slip[:, slipped]
        solution, count = _complementary(condensed, strength, status[chosen], direction[chosen])
        pivots += count
        if solution is None:
            return False, pivots
        now, next_direction = solution
        more = (now == SLIP) & ~slipped & (strength != slip).any(axis=0)
        if not more.any():
            smooth = (now == SLIP) & ~condensed.rough
            next_direction[smooth] = np.sign(condensed.ratio[smooth]).astype(np.int8)
            status[chosen], direction[chosen] = now, next_direction
            return True, pivots
        slipped |= more


def _complementary(
    condensed: Condensed, strength: Array, status: Statuses, direction: Statuses
) -> tuple[tuple[Statuses, Statuses] | None, int]:
    """Return statuses and directions that solve the problem for coefficients −, + (2, n), or None
    if all paths end on rays; and the number of pivots.
    """
    n, rough, count = len(status), condensed.rough, 0
    matrix, right = _standard_form(condensed, strength)
    largest = np.abs(right).max(initial=0.0)
    if largest > 0.0:
        right = right / largest
    for in_z, start in _starts(status, direction, rough):
        basis, pivots = _path(matrix, right, in_z, start)
        count += pivots
        if basis is not None:
            closed, rest = basis[:n], basis[n:].reshape(2, -1)  # z of (p), of (a, s⁻) in the basis
            now, next_direction = np.where(closed, SLIP, OPEN).astype(np.int8), np.zeros(n, np.int8)
            sticks, along, against = np.zeros((3, n), bool)
            sticks[rough] = rest[0] & ~rest[1]
            along[rough], against[rough] = rest[1], ~rest[0] & ~rest[1]
            now[closed & sticks] = STICK
            next_direction[closed & along], next_direction[closed & against] = 1, -1
            return (now, next_direction), count
    return None, count


def _standard_form(condensed: Condensed, strength: Array) -> tuple[Array, Array]:
    """Return M and q, with the diagonals of W scaled to 1; strength: (2, n) coefficients −, +."""
    n, (w, free, rough, ratio) = len(condensed.rough), condensed
    at = np.flatnonzero(rough)
    size = 1.0 / np.sqrt(np.where(np.diag(w) > 0.0, np.diag(w), 1.0))
    normal, tangential = w[:, :n].copy(), w[:, n + at]
    normal += w[:, n:] * np.where(rough, -strength[0], ratio)
    order = np.concatenate([np.arange(n), n + at])
    forces = np.hstack([normal, tangential])[order] * size[order] * size[order][:, None]
    f = len(at)
    matrix = np.zeros((n + 2 * f, n + 2 * f))
    matrix[: n + f, : n + f] = forces
    matrix[n + np.arange(f), n + f + np.arange(f)] = 1.0
    matrix[n + f + np.arange(f), at] = strength[:, at].sum(axis=0) * size[at] / size[n + at]
    matrix[n + f + np.arange(f), n + np.arange(f)] = -1.0
    return matrix, np.concatenate([free[order] * size[order], np.zeros(f)])


def _starts(status: Statuses, direction: Statuses, rough: Mask) -> Iterator[tuple[Mask, Array]]:
    """Yield starts of paths: which z are in the basis, and the values of the basic variables at θ =
    1.

    First the current statuses, then all open, with equal and with random values.
    """
    n, at = len(status), np.flatnonzero(rough)
    closed = status != OPEN
    slips = closed & (status == SLIP)
    a = closed & ~(slips & (direction < 0))
    in_z = np.concatenate([closed, a[at], (slips & (direction > 0))[at]])
    size, none = n + 2 * len(at), np.zeros(n + 2 * len(at), bool)
    if closed.any():
        yield in_z, np.ones(size)
    yield none, np.full(size, 2.0)
    rng = np.random.default_rng(0)
    for _ in range(RANDOM_STARTS):
        yield none, 1.0 + rng.uniform(0.01, 100.0, size)


def _path(matrix: Array, right: Array, in_z: Mask, start: Array) -> tuple[Mask | None, int]:
    """Follow one path; return which z are in the basis of the solution, or None, and the pivots."""
    n = len(right)
    columns = np.hstack([np.eye(n), -matrix])
    basis = np.arange(n) + n * in_z
    basic = columns[:, basis]
    q_start = basic @ start
    whole = np.hstack([columns, (right - q_start)[:, None], right[:, None]])
    if in_z.any():
        try:
            whole = np.asarray(np.linalg.solve(basic, whole), float)
        except np.linalg.LinAlgError:
            return None, 0
        if not np.abs(whole).max() < 1.0 / SMALL_PIVOT:
            return None, 0
    basis = basis.astype(np.int64)
    found, pivots = follow_path(np.ascontiguousarray(whole), basis, PIVOTS * (n + 10))
    if not found:
        return None, pivots
    solved = np.zeros(2 * n, bool)
    solved[basis] = True
    return solved[n:], pivots


@njit
def follow_path(tableau, basis, max_pivots):  # type: ignore[no-untyped-def]
    """Follow a path by Lemke's method.

    tableau: (n, 2n + 2) rows x_B + N x_N + c θ = q̄; the last columns are c and q̄;
    basis: (n,) variable of each row, w first, then z; becomes that of the solution.
    Return whether θ = 0 was reached, and the number of pivots.
    """
    n = len(basis)
    theta, first = 2 * n, basis.copy()
    row = _last_row(tableau, first, theta)
    if row < 0:
        return True, 0
    leaving = basis[row]
    _pivot(tableau, row, theta)
    basis[row] = theta
    for count in range(1, max_pivots):
        entering = leaving + n if leaving < n else leaving - n
        row = _first_row(tableau, basis, first, entering, theta)
        if row < 0:
            return False, count
        leaving = basis[row]
        _pivot(tableau, row, entering)
        basis[row] = entering
        if leaving == theta:
            return True, count
    return False, max_pivots


@njit
def _last_row(tableau, first, theta):  # type: ignore[no-untyped-def]
    """Return the row whose variable is the first to vanish as θ decreases from 1, −1 if
    none does.
    """
    n, row = len(tableau), -1
    for i in range(n):
        vanishes = tableau[i, theta] < 0.0 and tableau[i, theta + 1] < 0.0
        if vanishes and (row < 0 or _before(tableau, row, i, first, theta)):
            row = i
    return row


@njit
def _first_row(tableau, basis, first, entering, theta):  # type: ignore[no-untyped-def]
    """Return the row of the leaving variable for an entering variable; θ has priority among equal
    ratios; −1 on a ray.
    """
    n, row, own = len(tableau), -1, -1
    for i in range(n):
        if tableau[i, entering] > SMALL_PIVOT:
            if basis[i] == theta:
                own = i
            if row < 0 or _before(tableau, i, row, first, entering):
                row = i
    if own >= 0 and _compare(tableau, own, row, theta + 1, entering) <= 0:
        return own
    return row


@njit
def _before(tableau, i, k, first, column):  # type: ignore[no-untyped-def]
    """Return True if row i, divided by its entry in a column, is lexicographically smaller than row
    k: right side first, then the columns of the variables that were basic at the start.
    """
    last = tableau.shape[1] - 1
    for j in range(-1, len(first)):
        order = _compare(tableau, i, k, last if j < 0 else first[j], column)
        if order != 0:
            return order < 0
    return False


@njit
def _compare(tableau, i, k, at, column):  # type: ignore[no-untyped-def]
    """Return −1, 0 or 1 if the entry of row i in column `at`, divided by that in another column, is
    smaller than, equal to or larger than that of row k.
    """
    one, other = tableau[i, at] / tableau[i, column], tableau[k, at] / tableau[k, column]
    rounding = 1.0 / abs(tableau[i, column]) + 1.0 / abs(tableau[k, column])
    if abs(one - other) <= TIE * (rounding + abs(one) + abs(other)):
        return 0
    return -1 if one < other else 1


@njit
def _pivot(tableau, row, column):  # type: ignore[no-untyped-def]
    """Exchange the variable of a row for that of a column."""
    tableau[row] /= tableau[row, column]
    for i in range(len(tableau)):
        factor = tableau[i, column]
        if i != row and factor != 0.0:
            for j in range(tableau.shape[1]):
                tableau[i, j] -= factor * tableau[row, j]
        if i != row:
            tableau[i, column] = 0.0
