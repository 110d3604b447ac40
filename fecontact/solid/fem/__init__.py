"""Finite-element discretisation: elements, spaces, forms and matrices."""
