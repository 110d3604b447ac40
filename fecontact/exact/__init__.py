"""Reference solutions: closed-form and event-driven, independent of the rest of the package.

Each solution is a frozen dataclass whose fields are its physical parameters (SI units). A
time-dependent one has ``history(t)``, a distribution over a surface ``profile(x)``; both return
named arrays. ``SOLUTIONS`` lists them under the names that studies use.
"""

from __future__ import annotations

from fecontact.exact.coulomb_oscillator import CoulombOscillator
from fecontact.exact.impact_oscillator import ImpactOscillator
from fecontact.exact.shaken_block import ShakenBlock

SOLUTIONS: dict[str, type] = {
    "coulomb-oscillator": CoulombOscillator,
    "impact-oscillator": ImpactOscillator,
    "shaken-block": ShakenBlock,
}

__all__ = [
    "SOLUTIONS",
    "CoulombOscillator",
    "ImpactOscillator",
    "ShakenBlock",
]
