"""Local contact problem on the contact dofs: active set, friction, bonds, Delassus operator."""
