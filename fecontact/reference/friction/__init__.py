"""Partial slip, sliding and rolling with friction."""
