"""The end of a run as plain nodal arrays, and another run that begins with it.

Which dofs are free, and on which rank, may differ between the two: so fields are handed over at all
nodes, the motion of held ones included.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.dynamics.handover import FIELDS, Handed
from fecontact.dynamics.ledger import Energies
from fecontact.dynamics.loop import TimeLoop
from fecontact.solid.solid import Solid

MOTION = ("u", "v", "a")
CONTACT = "contact/"
ACCOUNTS = ("ledger", "counts")
"""What goes on where a run does, and begins anew in another one."""


def hand_over(solid: Solid, loop: TimeLoop) -> dict[str, Array]:
    """The present state of a run, the same on every rank; collective."""
    handed, t = loop.hand_over(), loop.time
    out: dict[str, Array] = {}
    for name in FIELDS:
        x = getattr(handed, name)
        moving = name in MOTION
        field = solid.nodal(x, t, MOTION.index(name)) if moving else solid.spread(x)
        out[name] = np.asarray(solid.comm.bcast(field))
    out["free"] = np.where(solid.held_components, 0.0, 1.0)
    out["largest"] = np.array(solid.comm.allreduce(handed.largest, MPI.MAX))
    out["energies"] = np.array(handed.energies)
    out |= {name: getattr(handed, name) for name in ACCOUNTS}
    return out | {f"{CONTACT}{name}": values for name, values in handed.contact.items()}


def taken_over(state: Mapping[str, Array], solid: Solid, accounts: bool) -> Handed:
    """What was handed over, on the free dofs of a solid; accounts: whether ledger and counts go
    on."""
    take = solid.at_free_dofs
    contact = {k.removeprefix(CONTACT): v for k, v in state.items() if k.startswith(CONTACT)}
    return Handed(
        **{name: take(state[name]) for name in FIELDS},
        was_free=take(state["free"]) > 0.0,
        largest=float(state["largest"]),
        energies=Energies(*map(float, state["energies"])),
        contact=contact,
        ledger=state["ledger"] if accounts else None,
        counts=state["counts"] if accounts else None,
    )
