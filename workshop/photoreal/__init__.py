"""The scenes of `workshop.scenes` path traced by Blender, in light, materials and grounds new to the nets.

The pictures only check the reader, for each takes a quarter of a minute. Blender's Python package (``bpy``) runs in a
process of its own, and none of it is part of the program.
"""
