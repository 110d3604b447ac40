"""Input files of other programs become studies with comments."""

from fecontact.convert.abaqus import Converted, convert

__all__ = ["Converted", "convert"]
