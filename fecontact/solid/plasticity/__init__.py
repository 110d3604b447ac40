"""Elastoplastic bodies."""
