"""Second-pass contact check: constraints for master vertices that penetrate slave edges.

All nodes of a slave edge can be outside the master while a vertex of the master penetrates the
slave: a narrow pillar under a wide element, the end of a table between two nodes, a corner that
points at an edge. Two polygons do not overlap if no vertex of either is inside the other, so that
master vertices are checked, too. A vertex that penetrates a slave edge becomes *active*: it gets
its own multiplier, a nodal force as for a slave node with the roles swapped, in the local problem
of this step. It stays active as long as it carries force and is required.

With all vertices active, the interface would be over-constrained (two-pass contact is not stable:
El-Abbasi & Bathe 2001, doi:10.1016/S0045-7949(01)00048-7). A vertex therefore stays inactive while
the nodes of the slave edge above it prevent penetration. Where all of these nodes, or one next to
the vertex, are closed, the vertex may penetrate by TOLERATED of the pair's shortest edge more than
the nodes do, as polygons of different meshes of one curve do. On matching meshes vertices are
always inactive. A vertex that penetrates deeper is required and stays active as long as it carries
force.

A vertex must have entered through the edge. A vertex behind a thin slave, or with the same
orientation as the edge, is not an overlap.
"""
