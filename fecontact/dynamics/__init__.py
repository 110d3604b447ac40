"""Time integration of a linear bulk with contact: schemes, steps, energy ledger, state."""
