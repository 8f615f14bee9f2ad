"""The scenes of `calibration.workshop.scenes` path traced by Blender: light, materials and grounds that taught nothing.

Only for checking the reader: a picture takes a quarter of a minute. Blender's Python package (``bpy``) runs in a
process of its own, and nothing of it comes with the program.
"""
