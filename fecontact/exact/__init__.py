"""Reference solutions: closed-form and event-driven, independent of the rest of the package.

Each solution is a frozen dataclass whose fields are its physical parameters (SI units). A
time-dependent one has ``history(t)``, a distribution over a surface ``profile(x)``; both return
named arrays. ``SOLUTIONS`` lists them under the names that studies use.
"""

from __future__ import annotations

from fecontact.exact.coulomb_oscillator import CoulombOscillator

SOLUTIONS: dict[str, type] = {
    "coulomb-oscillator": CoulombOscillator,
}

__all__ = ["SOLUTIONS", "CoulombOscillator"]
