"""Foundations of an edge: distributed springs and dashpots, or an absorbing boundary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fecontact.study.base import Name, Problem, StudyModel, Vector2, in_toml, key, si, switch
from fecontact.study.models.profiles import Profile


class ElasticFoundation(StudyModel):
    """Winkler foundation: springs and dashpots distributed over an edge, fixed to the ground."""

    type: Literal["elastic"] = key("springs and dashpots distributed over an edge")
    on: Name = key("edge group")
    active: bool = switch()
    stiffness: Vector2 = si("Pa/m", "stiffness per area [normal, tangential]", (0.0, 0.0))
    damping: Vector2 = si("Pa·s/m", "damping per area [normal, tangential]", (0.0, 0.0))
    profile: Profile | None = key(
        "spatial function that multiplies `stiffness` and `damping`; default: constant 1", None
    )

    def problems(self) -> Iterator[Problem]:
        for name in ("stiffness", "damping"):
            if min(value := getattr(self, name)) < 0:
                yield (name,), f"is {in_toml(value)}; neither number may be negative"
        if not any((*self.stiffness, *self.damping)):
            yield (), "has no effect. Set `stiffness` or `damping`."

    @property
    def damps(self) -> bool:
        """Return True if the foundation dissipates energy."""
        return any(self.damping)


class AbsorbingEdge(StudyModel):
    """Absorbing (non-reflecting) boundary: dashpots with the impedance of the body.

    σ_n = −ρ c_p v_n, σ_t = −ρ c_s v_t absorb plane waves at normal incidence completely, others in
    part (Lysmer & Kuhlemeyer 1969, doi:10.1061/JMCEA3.0001144).
    """

    type: Literal["absorbing"] = key("absorbing (non-reflecting) boundary")
    on: Name = key("edge group")
    active: bool = switch()

    @property
    def damps(self) -> bool:
        """Return True: the boundary dissipates energy."""
        return True


Foundation = Annotated[ElasticFoundation | AbsorbingEdge, Field(discriminator="type")]
