"""Contact interface: surfaces, search, projection and the constraint matrix B."""
