"""Speed of the lumped kernels as ratios measured in one run on SDND121 (70 impacts in 4 s).

Three claims, each relative to the code that a user would otherwise write:

* a general stepping kernel costs at most 3 times a loop written by hand for this one case;
* stepping is at least 20 times faster than the best set-up of `scipy.integrate.solve_ivp` that has
  no smaller error of the contact times;
* `exact` is at least 50 times faster than the best `solve_ivp` restarted at every event.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.integrate import solve_ivp

from fecontact.arrays import Array
from fecontact.lumped.run import LumpedRun
from fecontact.reference import ImpactOscillator
from fecontact.study import study_from_dict
from fecontact.study.lumped import LumpedStudy

MASS, STIFFNESS, STOP, GAP = 156.0, 2e6, 1e10, 1e-3
FORCE, OMEGA, END = 3000.0, 2.0 * math.pi * 5.0, 4.0

SDND121: dict[str, Any] = {
    "kind": "lumped",
    "title": "SDND121",
    "masses": {"m": {"mass": MASS, "directions": ["x"]}},
    "springs": {"s": {"between": ["m", "ground"], "stiffness": [STIFFNESS, 0.0, 0.0]}},
    "functions": {"f": {"type": "sine", "frequency": 5.0}},
    "forces": {"F": {"on": "m", "value": [FORCE, 0.0, 0.0], "function": "f"}},
    "obstacles": {
        "stop": {
            "type": "plane",
            "on": "m",
            "normal": [1.0, 0.0, 0.0],
            "gap": GAP,
            "normal_stiffness": STOP,
        }
    },
    "time": {"step": 4e-6, "end": END},
    "output": {"every": 10**9},
}


@dataclass(frozen=True)
class Timing:
    """One method to solve SDND121: CPU time, s, and largest error of a contact time, s."""

    name: str
    seconds: float
    error: float


def bench(repeat: int = 5) -> dict[str, Any]:
    """Return all timings and the three ratios."""
    exact_solution = ImpactOscillator(
        mass=MASS,
        stiffness=STIFFNESS,
        gap=GAP,
        contact_stiffness=STOP,
        force=FORCE,
        frequency=5.0,
    )
    reference = exact_solution.contacts(END).ravel()
    hand = Timing("loop written by hand", _best(_hand_written, 4 * repeat), np.nan)
    loops = {name: _best_loop(name, 4 * repeat) for name in ("euler", "central-difference")}
    fixed = [
        _time(name, reference, repeat, scheme=name) for name in ("euler", "central-difference")
    ]
    adaptive = [
        _time(
            f"rk54, tolerance {tolerance:g}",
            reference,
            repeat,
            scheme="rk54",
            step=1e-6,
            tolerance=tolerance,
        )
        for tolerance in (1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
    ]
    exact = _time("exact", reference, repeat, scheme="exact", step=0.5)
    located = [
        _scipy_kink(m, r, reference)
        for m, r in (("RK45", 1e-6), ("RK45", 1e-9), ("DOP853", 1e-10), ("LSODA", 1e-9))
    ]
    restarted = [
        _scipy_restart(m, r, reference)
        for m, r in (("RK45", 1e-9), ("DOP853", 1e-11), ("LSODA", 1e-10))
    ]
    stepping = min(
        peer.seconds / min(own.seconds for own in (*fixed, *adaptive) if own.error <= peer.error)
        for peer in (*located, *restarted)
        if any(own.error <= peer.error for own in (*fixed, *adaptive))
    )
    return {
        "timings": [hand, *fixed, *adaptive, exact, *located, *restarted],
        "kernel over hand-written loop": max(loops.values()) / hand.seconds,
        "solve_ivp over stepping": stepping,
        "solve_ivp with restart over exact": min(t.seconds for t in restarted) / exact.seconds,
        "error of exact, s": exact.error,
    }


def _study(**keys: Any) -> LumpedStudy:
    data = copy.deepcopy(SDND121)
    data["time"] |= keys
    study = study_from_dict(data)
    assert isinstance(study, LumpedStudy)
    return study


def _run(**keys: Any) -> LumpedRun:
    return _to_the_end(LumpedRun(_study(**keys)))


def _to_the_end(run: LumpedRun) -> LumpedRun:
    while not run.finished:
        run.advance()
    return run


def _contact_times(run: LumpedRun) -> Array:
    edges = [(i.start, i.end) for i in run.record().intervals if i.state == "contact"]
    return np.array(edges).ravel()


def _time(name: str, reference: Array, repeat: int, **keys: Any) -> Timing:
    """Return the time from the study to the end of its run, without the record."""
    times = _contact_times(_run(**keys))
    return Timing(name, _best(lambda: _run(**keys), repeat), _error(times, reference))


def _best_loop(scheme: str, repeat: int) -> float:
    """Return the time of the 10⁶ steps alone, without assembling the system."""
    spent = []
    for _ in range(repeat):
        run = LumpedRun(_study(scheme=scheme))
        begun = time.process_time()
        _to_the_end(run)
        spent.append(time.process_time() - begun)
    return min(spent)


def _error(times: Array, reference: Array) -> float:
    if len(times) != len(reference):
        return math.inf
    return float(np.abs(times - reference).max())


def _best(function: Callable[[], Any], repeat: int) -> float:
    function()
    spent = []
    for _ in range(repeat):
        begun = time.process_time()
        function()
        spent.append(time.process_time() - begun)
    return min(spent)


@numba.njit(cache=True)
def _loop(h: float, steps: int, events: Array) -> int:
    """Integrate this mass, spring and stop by central differences."""
    x, v, found, inside = 0.0, 0.0, 0, False
    for i in range(steps):
        before = x
        x = x + h * v
        t = (i + 1) * h
        f = FORCE * math.sin(OMEGA * t) - STIFFNESS * x
        if x > GAP:
            f -= STOP * (x - GAP)
        if (x > GAP) != inside:
            inside = x > GAP
            events[found] = t - h + h * (GAP - before) / (x - before)
            found += 1
        v += h * f / MASS
    return found


def _hand_written() -> int:
    return _loop(4e-6, 1_000_000, np.empty(1000))


def _scipy_kink(method: str, tolerance: float, reference: Array) -> Timing:
    """Integrate the force with its kink; contact times are located by the event function."""

    def rhs(t: float, y: Array) -> list[float]:
        f = FORCE * math.sin(OMEGA * t) - STIFFNESS * y[0]
        if y[0] > GAP:
            f -= STOP * (y[0] - GAP)
        return [y[1], f / MASS]

    begun = time.process_time()
    solution = solve_ivp(
        rhs,
        (0.0, END),
        [0.0, 0.0],
        method=method,
        rtol=tolerance,
        atol=1e-5 * tolerance,
        events=lambda t, y: y[0] - GAP,
        max_step=1e-3,
    )
    spent = time.process_time() - begun
    error = _error(solution.t_events[0], reference)
    return Timing(f"solve_ivp {method}, rtol {tolerance:g}", spent, error)


def _scipy_restart(method: str, tolerance: float, reference: Array) -> Timing:
    """Integrate smooth phases, restarted at every event."""
    begun = time.process_time()
    t, y, closed, times = 0.0, [0.0, 0.0], False, []
    while True:
        stiffness = STOP if closed else 0.0

        def rhs(t: float, y: Array, stiffness: float = stiffness) -> list[float]:
            force = FORCE * math.sin(OMEGA * t) - STIFFNESS * y[0] - stiffness * (y[0] - GAP)
            return [y[1], force / MASS]

        def gap(t: float, y: Array) -> float:
            return float(y[0] - GAP)

        gap.terminal = True  # type: ignore[attr-defined]
        gap.direction = -1 if closed else 1  # type: ignore[attr-defined]
        solution = solve_ivp(
            rhs,
            (t, END),
            y,
            method=method,
            rtol=tolerance,
            atol=1e-5 * tolerance,
            events=gap,
            max_step=np.inf if closed else 1e-3,
        )
        if solution.status != 1:
            break
        t, y, closed = solution.t[-1], [GAP, solution.y[1, -1]], not closed
        times.append(t)
    spent = time.process_time() - begun
    error = _error(np.array(times), reference)
    return Timing(f"solve_ivp {method}, rtol {tolerance:g}, restarted", spent, error)


if __name__ == "__main__":
    found = bench()
    for timing in found.pop("timings"):
        print(f"{timing.name:45s} {timing.seconds:10.5f} s   error {timing.error:.2e} s")
    for name, ratio in found.items():
        print(f"{name}: {ratio:.3g}")
