"""Reading a live channel so that nothing is lost and nothing counted twice, whatever happens meanwhile."""
