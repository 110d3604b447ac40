"""Study files: layers, lines, quantities with units."""
