"""Processes that change a contact surface from step to step: wear, offsets and tool motion."""
