"""Motion of rigid bodies."""
