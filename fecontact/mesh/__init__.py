"""Meshes generated from shapes or read from a file, always with named groups.

``build`` returns a :class:`fecontact.record.ModelMesh` of plain arrays, independent of the physics.
"""

from fecontact.mesh.build import build
from fecontact.mesh.quality import Quality, describe, quality
from fecontact.mesh.write import write

__all__ = ["Quality", "build", "describe", "quality", "write"]
