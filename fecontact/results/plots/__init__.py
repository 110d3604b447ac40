"""Pictures of a run by matplotlib, as PNG and SVG."""
