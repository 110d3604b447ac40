"""Transfer of the final state of a run, as plain nodal arrays, to another run or stage.

The free dofs and their ranks may differ between the two. Fields are therefore transferred at all
nodes, including the motion of prescribed ones. A stage passes its state to the next in memory, a
run in a file to the run that names it as its `initial_state`; that run must have the same mesh and
the same bodies.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from mpi4py import MPI

from fecontact import restart_file
from fecontact.arrays import Array
from fecontact.contact.force_controlled import WithTools
from fecontact.dynamics.energy.balance import Energies
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.state_transfer import FIELDS, TransferState
from fecontact.isolation import named
from fecontact.record import ModelMesh
from fecontact.restart_file import CONTACT, TOOLS
from fecontact.simulation.restart.checkpoint import digest
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

MOTION = ("u", "v", "a")
ACCOUNTS = ("ledger", "counts")
"""State that continues in the next stage and restarts in another run."""


def export_state(solid: Solid, loop: TimeLoop, tools: WithTools | None) -> dict[str, Array]:
    """Return the current state of a run, including force-controlled tools, on every rank.

    Collective.
    """
    transferred, t = loop.export_state(), loop.time
    out: dict[str, Array] = {}
    for name in FIELDS:
        x = getattr(transferred, name)
        own, moving = x[: solid.size], name in MOTION
        field = solid.nodal(own, t, MOTION.index(name)) if moving else solid.force_field(own)
        out[name] = np.asarray(solid.comm.bcast(field))
        if tools is not None:
            out[f"{TOOLS}{name}"] = tools.shared(x[solid.size :])
    out["free"] = np.where(solid.prescribed_components, 0.0, 1.0)
    out["largest"] = np.array(solid.comm.allreduce(transferred.largest, MPI.MAX))
    out["energies"] = np.array(transferred.energies)
    out |= {name: getattr(transferred, name) for name in ACCOUNTS}
    out |= solid.exported_state(transferred.u[: solid.size], t)
    return out | {f"{CONTACT}{name}": values for name, values in transferred.contact.items()}


def import_state_of(
    state: Mapping[str, Array], solid: Solid, tools: WithTools | None, accounts: bool
) -> TransferState:
    """Return a transferred state on the free dofs of a solid and of tools.

    accounts: True to continue energy balance and counts.

    Tools that were not force-controlled before start as at t = 0.
    """
    behind: dict[str, Array] = {name: np.zeros(0) for name in (*FIELDS, "free")}
    if tools is not None and tools.owner:
        first = tools.initial(np.zeros(0), np.zeros(0))
        behind = dict.fromkeys(behind, np.zeros(len(first[0]))) | {"u": first[0], "v": first[1]}
        if len(state.get(f"{TOOLS}u", ())) == len(first[0]):
            behind = {name: state[f"{TOOLS}{name}"] for name in FIELDS}
            behind["free"] = np.ones(len(first[0]))

    def take(name: str) -> Array:
        return np.append(solid.at_free_dofs(state[name]), behind[name])

    contact = {k.removeprefix(CONTACT): v for k, v in state.items() if k.startswith(CONTACT)}
    return TransferState(
        **{name: take(name) for name in FIELDS},
        was_free=np.append(solid.marked(state["free"]), behind["free"]) > 0.0,
        largest=float(state["largest"]),
        energies=Energies(*map(float, state["energies"])),
        contact=contact,
        ledger=state["ledger"] if accounts else None,
        counts=state["counts"] if accounts else None,
    )


def belongs_to(study: FiniteElementStudy, mesh: ModelMesh) -> dict[str, Array]:
    """Return the identity of a final state as arrays of text: the mesh and its bodies."""
    bodies = {n: [b.cells or n, b.thickness, b.motion] for n, b in study.bodies.items()}
    return {"mesh": np.array(digest(mesh)), "bodies": np.array(json.dumps(bodies, sort_keys=True))}


def read_start(
    study: FiniteElementStudy, mesh: ModelMesh, comm: MPI.Comm
) -> dict[str, Array] | None:
    """Return the initial state if the run continues from another one; collective.

    Raise InputError if it cannot be used.
    """
    if study.initial_state is None:
        return None
    found: dict[str, Array] | InputError | None = None
    if comm.rank == 0:
        try:
            found = restart_file.read(named(study.initial_state))
            for what, now in belongs_to(study, mesh).items():
                if str(found.get(what)) != str(now) or len(found["u"]) != len(mesh.points):
                    other = "another mesh" if what == "mesh" else "different bodies on its mesh"
                    raise InputError(
                        f"the run in {study.initial_state} has {other}. Give a run with the same "
                        "mesh and bodies."
                    )
        except InputError as error:
            found = InputError(f"initial_state: {error}")
    found = comm.bcast(found)
    if isinstance(found, InputError):
        raise found
    return found
