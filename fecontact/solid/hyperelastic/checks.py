"""Checks of finite-strain bodies run before assembly."""

from __future__ import annotations

import numpy as np

from fecontact.record import ModelMesh
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.loads import Traction


def check_finite_strain(study: FiniteElementStudy, mesh: ModelMesh, places: Places) -> None:
    """Raise InputError for tangential tractions on an edge, which rotates and stretches
    with strain.
    """
    for name in study.finite:
        nodes = places.nodes(name, f"bodies.{name}")
        for load_name, load in study.loads.items():
            if not isinstance(load, Traction) or load.directions == "xy":
                continue
            if np.isin(mesh.edge_groups[load.on], nodes).any():
                raise InputError(
                    f"loads.{load_name}: a traction along the edge of the finite-strain body "
                    f"bodies.{name} is not supported. Use a pressure, which follows the surface, "
                    "or a traction in x and y on the undeformed area."
                )
