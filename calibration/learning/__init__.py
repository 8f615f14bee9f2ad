"""Learn an owner's own dice: collect faces from throws, group them by likeness, name the groups, keep them.

`gather` finds the faces, `grouping` sorts them, `naming` decides what each group shows, `sheet` shows the groups to the
owner, and `learn` makes the memory with which a table starts.
"""
