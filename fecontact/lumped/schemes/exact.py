"""`exact`: event-driven integration."""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import key


class Exact(Steps):
    """Event-driven integration, each phase in closed form, with rigid stick (Coulomb friction)."""

    event_driven: ClassVar[bool] = True

    scheme: Literal["exact"] = key("event-driven, exact between events, rigid stick", "exact")
