"""Times of the steps: fixed grid, adaptive control, stability limit."""
