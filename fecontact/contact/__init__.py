"""Contact with Coulomb friction between edges of linear bodies, as one small problem per step."""
