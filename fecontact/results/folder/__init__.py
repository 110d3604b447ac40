"""Result folder: numbers, fields, provenance, exclusive use."""
