"""Central-difference scheme (explicit) with massless contact nodes.

Newmark's family with β = 0, γ = ½ is the central-difference method with velocities at the ends of
steps (velocity Verlet). Forces on contact nodes with mass would change their position one step
late, so that nodes would penetrate and bounce. Massless nodes satisfy an equilibrium equation
instead of an equation of motion, in which contact forces act immediately (Khenous, Laborde & Renard
2008, doi:10.1016/j.euromechsol.2008.01.001).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.dynamics.schemes.base import Fixed
from fecontact.dynamics.schemes.form import Coefficients, newmark_type
from fecontact.dynamics.schemes.treatments import TREATMENTS, Treatment
from fecontact.study.base import key


class CentralDifference(Fixed):
    """Central differences, β = 0, γ = ½; stable up to the critical step 2/ω of the mesh."""

    on_impact: ClassVar[Treatment] = TREATMENTS["redistributed-mass"]
    without_auto: ClassVar[str] = "automatic steps are not supported with an explicit scheme"

    scheme: Literal["central-difference"] = key(
        'explicit central differences; requires mass_matrix = "lumped" and a step '
        "below the critical step; slave nodes have no mass"
    )

    def coefficients(self) -> Coefficients:
        return newmark_type(0.0, 0.5)
