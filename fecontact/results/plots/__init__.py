"""Figures of a run by Matplotlib, as PNG and SVG."""
