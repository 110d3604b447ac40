"""Finite-element models of bodies on dolfinx: matrices, materials, loads, supports and springs."""

# The study tables contain those of the material laws in this package, which use the study's types:
# the study must be imported first.
import fecontact.study  # noqa: F401
