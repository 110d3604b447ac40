"""Reduced bodies: modes and interface dofs instead of all dofs (component mode synthesis)."""
