"""Laws for every title: those of the catalogue, and the toy. A new title gets them by a file in `subjects`."""
