"""State transfer between contact pairs of successive stages on the same surfaces.

The next pairs have the same names and slave edges, but may have another method, another friction,
or be switched on or off; their masters may change from prescribed to free. The state is therefore
transferred by node: statuses, forces, slips, wear, and state variables of friction laws. A penalty
stiffness chosen automatically is transferred, too: a new choice for another step would change the
penetration, and forces would jump.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.interface.layout import dividing
from fecontact.contact.methods import ContactMethod
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.contact.problem import ContactProblem

TransferState = Mapping[str, Array]
"""Plain arrays, by the name of a pair and of the quantity: `sole/status`."""

_PATH = (
    *("slip", "wear_work", "friction_energy", "thickness"),
    *("wear_depth", "wear_begun", "wear_compliance"),
)
_OF_NODES = ("wear_of_master", "wear_master_begun", "master_wear")
_LOAD = ("status", "direction")
_MEMORY = ("state", "coefficient", "speed")


def export_state(contact: ContactProblem) -> dict[str, Array]:
    """Return the contact state passed to the next stage."""
    state, m, a = contact.state(), contact.size, contact.layout
    transferred: dict[str, Any] = {"step": state["friction_step"], "cycles": state["wear_cycles"]}
    transferred |= {"nodes": contact.nodes.node} | {name: state[name] for name in _OF_NODES}
    for p, pair in enumerate(contact.pairs):
        own = np.flatnonzero(a.pair == p)
        of_pair = {
            "node": contact.nodes.node[a.node[own]],
            "vertex": own >= a.slaves,
            "integrated": np.array([pair.settings.integrated]),
            "adheres": np.array([contact.adhesion.bonds(pair.name)]),
            "law": contact.friction.law[own],
            "force": state["force"].reshape(2, m)[:, own],
            "compliance": state["compliance"].reshape(2, m)[:, own],
        }
        of_pair |= {name: state[name][own] for name in (*_PATH, *_LOAD, "bonded")}
        of_pair |= {name: state[f"friction_{name}"][..., own] for name in _MEMORY}
        transferred |= {f"{pair.name}/{name}": values for name, values in of_pair.items()}
    return transferred


def import_state(
    contact: ContactProblem, transferred: TransferState, position: Array, t: float
) -> None:
    """Import the final state of other pairs, at positions (k, 2) of the contact nodes, m, and time
    t, s.
    """
    state, m = contact.state(), contact.size
    state["position"] = state["pairing"] = position
    state["friction_step"], state["wear_cycles"] = (
        transferred["step"].copy(),
        transferred["cycles"].copy(),
    )
    _, here, there = np.intersect1d(contact.nodes.node, transferred["nodes"], return_indices=True)
    for name in _OF_NODES:
        if len(state[name]) and len(transferred[name]):
            state[name][here] = transferred[name][there]
    unchanged: list[Integers] = [np.zeros(0, np.int64)]  # multipliers whose bonds are unchanged
    for p, pair in enumerate(contact.pairs):
        if f"{pair.name}/node" not in transferred:
            continue
        before = {k.removeprefix(f"{pair.name}/"): v for k, v in transferred.items()}
        own, there = _same_nodes(contact, p, before)
        for name in _PATH:
            state[name][own] = before[name][there]
        if before["adheres"][0]:
            state["bonded"][own] = before["bonded"][there]
            unchanged.append(own)
        if not pair.settings.active:
            continue
        for name in _LOAD:
            state[name][own] = before[name][there]
        state["force"].reshape(2, m)[:, own] = _forces(
            contact, p, own, before["force"][:, there], bool(before["integrated"][0])
        )
        state["friction_speed"][own] = before["speed"][there]
        same_law = contact.friction.law[own] == before["law"][there]
        for name in ("state", "coefficient"):
            values = state[f"friction_{name}"]
            values[..., own] = np.where(same_law, before[name][..., there], values[..., own])
        compliance, former = state["compliance"].reshape(2, m), before["compliance"][:, there]
        for row, chosen in enumerate(_chosen(pair.settings)):
            soft = (compliance[row, own] > 0.0) & (former[row] > 0.0) & chosen
            compliance[row, own] = np.where(soft, former[row], compliance[row, own])
    contact.restore(state, t)
    contact.adhesion.bond(contact.gap, np.setdiff1d(np.arange(m), np.concatenate(unchanged)))


def stored_energy(contact: ContactProblem) -> float:
    """Return the energy currently stored in penalties, J/m."""
    return 0.5 * float(contact.compliance @ contact.force**2)


def _same_nodes(
    contact: ContactProblem, p: int, before: TransferState
) -> tuple[Integers, Integers]:
    """Return multipliers of a pair, and the indices of the previous multipliers of the same nodes:
    all slave nodes, and master vertices that already were candidates.
    """
    a = contact.layout
    own = np.flatnonzero(a.pair == p)
    node, vertex = contact.nodes.node[a.node[own]], own >= a.slaves
    now, then = 2 * node + vertex, 2 * before["node"] + before["vertex"]
    _, here, there = np.intersect1d(now, then, assume_unique=True, return_indices=True)
    return own[here], there


def _forces(
    contact: ContactProblem, p: int, own: Integers, force: Array, integrated: bool
) -> Array:
    """Return the forces (2, n) of multipliers in the form of their method: nodal forces, or
    pressures if it is integrated.
    """
    settings, a = contact.pairs[p].settings, contact.layout
    if settings.integrated == integrated:
        return force
    edge = a.edges[contact.pairs[p].name]
    area = np.ones(contact.size)
    area[edge.multipliers] = dividing(edge.area) if settings.integrated else 1.0 / edge.area
    return force / area[own]


def _chosen(settings: ContactMethod) -> tuple[bool, bool]:
    """Return whether the normal and the tangential stiffness of a method are chosen
    automatically.
    """
    if not isinstance(settings, WithStiffness):
        return False, False
    return settings.normal_penalty == "auto", settings.tangential_penalty == "auto"
