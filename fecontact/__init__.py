"""fecontact: 2D finite-element analysis of contact, friction, impact and wear, on FEniCSx.

Lumped models of masses, springs and obstacles are solved as well. Numbers without a unit are in SI
units. Without a `thickness`, forces in plane models are per metre of depth.

From Python::

    study = fecontact.load("sdnv104a", {"contact.sole.friction": 0.2})
    result = fecontact.run(study)
    result["x_A"], result.time        # NumPy arrays

Each public name is imported when it is first used; docs/python.md describes them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "FormBulk",
    "InputError",
    "PetscBulk",
    "Result",
    "RunError",
    "Simulation",
    "StepReport",
    "StudyError",
    "changed",
    "compare",
    "contact_loop",
    "define",
    "load",
    "modes",
    "read",
    "register_friction",
    "register_law",
    "register_obstacle",
    "response",
    "run",
    "run_loop",
]
_HOME = {
    "fecontact.api": ("modes", "read", "response", "run"),
    "fecontact.external": ("PetscBulk", "contact_loop"),
    "fecontact.external_forms": ("FormBulk",),
    "fecontact.external_run": ("run_loop",),
    "fecontact.friction.laws.registered": ("register_friction",),
    "fecontact.lumped.obstacles.registered": ("register_obstacle",),
    "fecontact.record": ("StepReport",),
    "fecontact.results.report.comparison": ("compare",),
    "fecontact.results.folder.result": ("Result",),
    "fecontact.simulation.simulation": ("Simulation",),
    "fecontact.solid.laws.registered": ("register_law",),
    "fecontact.study.errors": ("InputError", "RunError", "StudyError"),
    "fecontact.study.script": ("changed", "define", "load"),
}

if TYPE_CHECKING:
    from fecontact.api import modes, read, response, run
    from fecontact.external import PetscBulk, contact_loop
    from fecontact.external_forms import FormBulk
    from fecontact.external_run import run_loop
    from fecontact.friction.laws.registered import register_friction
    from fecontact.lumped.obstacles.registered import register_obstacle
    from fecontact.record import StepReport
    from fecontact.results.folder.result import Result
    from fecontact.results.report.comparison import compare
    from fecontact.simulation.simulation import Simulation
    from fecontact.solid.laws.registered import register_law
    from fecontact.study.errors import InputError, RunError, StudyError
    from fecontact.study.script import changed, define, load


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
