"""Impact of bars, bodies and masses."""
