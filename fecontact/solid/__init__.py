"""Elastic bodies on dolfinx: matrices, loads, supports and springs as a linear bulk."""

# The tables of a study hold those of the material laws in here, which are made of the study's
# types: whichever is asked for first, the study is imported first.
import fecontact.study  # noqa: F401
