"""Reading one die by its whole surface, under a camera that stands still: no net has to know its marks.

`place` finds what differs from the empty place; `facets` has the solid's faces and their symmetry; `pose` cuts the
visible faces out of a picture; `marked` aligns throws by what all faces of the die have in common; `atlas` joins the
throws to one map of the die's surface; `throws` sorts throws by it, lets a person name the faces, and counts;
`rig` finds the camera's tilt; `method` chooses between this and the upper face alone.
"""
