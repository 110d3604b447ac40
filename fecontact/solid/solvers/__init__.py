"""Direct solvers."""
