"""Integrators by their name in a study. To add one, write one file and add one line here."""

from fecontact.lumped.integrators.adaptive_order2 import AdaptiveOrder2
from fecontact.lumped.integrators.base import Controls, Integrator
from fecontact.lumped.integrators.central_difference import CentralDifference
from fecontact.lumped.integrators.devogelaere import Devogelaere
from fecontact.lumped.integrators.euler import Euler
from fecontact.lumped.integrators.exact import Exact
from fecontact.lumped.integrators.newmark import Newmark
from fecontact.lumped.integrators.runge_kutta import RK32, RK54
from fecontact.lumped.integrators.tchamwa import Tchamwa

INTEGRATORS: dict[str, Integrator] = {
    "euler": Euler(),
    "tchamwa": Tchamwa(),
    "central-difference": CentralDifference(),
    "devogelaere": Devogelaere(),
    "adaptive-order2": AdaptiveOrder2(),
    "rk32": RK32,
    "rk54": RK54,
    "newmark": Newmark(),
    "hht": Newmark(),
    "exact": Exact(),
}

__all__ = ["INTEGRATORS", "Controls", "Integrator"]
