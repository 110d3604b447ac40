"""Checks of a study before it runs, and their messages."""
