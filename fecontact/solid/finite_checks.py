"""What a body of finite strain cannot have, said before anything is assembled."""

from __future__ import annotations

import numpy as np

from fecontact.record import ModelMesh
from fecontact.solid.places import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.loads import Pressure, Traction


def refuse_impossible_finite_strain(
    study: FiniteElementStudy, mesh: ModelMesh, places: Places
) -> None:
    """Raise an InputError for loads whose direction is that of an edge: it turns as it strains."""
    for name in study.finite:
        nodes = places.nodes(name, f"bodies.{name}")
        for load_name, load in study.loads.items():
            along = isinstance(load, Traction) and load.directions != "xy"
            if not (along or isinstance(load, Pressure)):
                continue
            if np.isin(mesh.edge_groups[load.on], nodes).any():
                raise InputError(
                    f"loads.{load_name}: a {load.type} on bodies.{name}, which is of finite "
                    "strain, would have to follow its surface, which is not supported; use a "
                    "traction in x and y, which keeps its direction and acts on the area at rest"
                )
