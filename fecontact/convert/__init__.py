"""Conversion of input files of other programs to commented studies."""

from fecontact.convert.abaqus import Converted, convert

__all__ = ["Converted", "convert"]
