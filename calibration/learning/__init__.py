"""Learn an owner's own dice: collect faces from throws, group them by their looks, name the groups, save a profile.

`gather` finds the faces, `grouping` sorts them, `naming` decides what each group shows, `sheet` shows the groups to the
owner, and `learn` makes the profile with which `companion.vision.dice.own_appearance` reads.
"""
