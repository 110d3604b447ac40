"""Deformation of elastic, viscoelastic, plastic and rubber bodies."""
