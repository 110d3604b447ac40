"""Viscoelastic bodies: Prony series at small and at finite strain."""
