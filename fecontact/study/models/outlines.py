"""Names of the outlines of bodies: the edge groups of general contact."""

from __future__ import annotations

OUTLINE = ".outline"


def is_outline(edges: str) -> bool:
    """Return True for the outline of a body."""
    return edges.endswith(OUTLINE)
