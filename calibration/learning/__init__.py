"""Learning an owner's own dice: gather faces from throws, group them by their looks, name the groups, keep a profile.

`gather` finds the faces, `grouping` sorts them, `naming` says what each group shows, `sheet` shows the groups to the
owner, and `learn` makes the profile by which `companion.vision.dice.own_appearance` reads.
"""
