"""Path trace the jobs of a JSON file, one per line, with Blender's Python package; run it as a script.

    python blender.py JOBS.jsonl

It needs only ``bpy``, so that it can run in an environment of its own.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix, Vector

Plain = dict[str, Any]


def render(job: Plain) -> None:
    """Build the scene of a job and write its picture."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    described: Plain = job["scene"]
    scene = bpy.context.scene
    _settings(scene, described, job["samples"])
    if job["threads"]:
        scene.render.threads_mode, scene.render.threads = "FIXED", job["threads"]
    _camera(scene, described["camera"])
    _sky(scene, described["sky"])
    for lamp in described["lamps"]:
        _lamp(scene, lamp)
    ground = _add(scene, _plane(60.0), [_ground(described["ground"])])
    ground.location.z = described["ground"].get("level", 0.0)
    if "board" in described:
        _board(scene, described["board"], Path(job["textures"]))
    for die in described["dice"]:
        _die(scene, die, Path(job["textures"]))
    if described["tray"]:
        _tray(scene, described["tray"])
    for thing in described["things"]:
        _thing(scene, thing)
    scene.render.filepath = job["picture"]
    bpy.ops.render.render(write_still=True)


def _settings(scene: Any, described: Plain, samples: int) -> None:
    camera = described["camera"]
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = True
    scene.cycles.seed = described["seed"] % (2**31 - 1)
    scene.cycles.max_bounces = 4
    scene.render.resolution_x, scene.render.resolution_y = camera["width"], camera["height"]
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.exposure = described["exposure"]


def _camera(scene: Any, plain: Plain) -> None:
    made = bpy.data.cameras.new("camera")
    made.sensor_fit, made.sensor_width = "HORIZONTAL", 36.0
    made.lens = plain["focal"] / plain["width"] * 36.0
    placed = bpy.data.objects.new("camera", made)
    columns = [Vector(plain[name]) for name in ("right", "up", "back", "position")]
    placed.matrix_world = Matrix([[column[row] for column in columns] for row in range(3)] + [[0, 0, 0, 1]])
    scene.collection.objects.link(placed)
    scene.camera = placed


def _sky(scene: Any, plain: Plain) -> None:
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (*plain["colour"], 1)
    background.inputs["Strength"].default_value = plain["strength"]
    scene.world = world


def _lamp(scene: Any, plain: Plain) -> None:
    made = bpy.data.lights.new("lamp", "AREA")
    made.energy, made.size, made.color = plain["power"], plain["size"], plain["colour"]
    placed = bpy.data.objects.new("lamp", made)
    placed.location = plain["position"]
    placed.rotation_euler = Vector(plain["position"]).to_track_quat("Z", "Y").to_euler()
    scene.collection.objects.link(placed)


def _add(scene: Any, mesh: Any, materials: list[Any]) -> Any:
    for material in materials:
        mesh.materials.append(material)
    made = bpy.data.objects.new(mesh.name, mesh)
    scene.collection.objects.link(made)
    return made


def _plane(half: float) -> Any:
    mesh = bpy.data.meshes.new("table")
    mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [(0, 1, 2, 3)])
    return mesh


def _material(name: str, colour: list[float], roughness: float, metal: float = 0.0) -> tuple[Any, Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Metallic"].default_value = metal
    return material, material.node_tree, shader


def _ground(plain: Plain) -> Any:
    material, tree, shader = _material("ground", plain["first"], plain["roughness"])
    where = tree.nodes.new("ShaderNodeTexCoord")
    turn = tree.nodes.new("ShaderNodeMapping")
    turn.inputs["Rotation"].default_value[2] = plain["turn"]
    stretch = 8.0 if plain["kind"] in ("wood", "boards") else 1.0
    turn.inputs["Scale"].default_value = (plain["scale"] * stretch, plain["scale"], plain["scale"])
    tree.links.new(where.outputs["Object"], turn.inputs["Vector"])
    field = _field(tree, plain["kind"], turn)
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (*plain["first"], 1)
    ramp.color_ramp.elements[1].color = (*plain["second"], 1)
    tree.links.new(field, ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if plain["kind"] != "plain":
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = plain["bump"]
        bump.inputs["Distance"].default_value = 0.03
        tree.links.new(field, bump.inputs["Height"])
        tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def _field(tree: Any, kind: str, turn: Any) -> Any:
    if kind == "leather":
        node = tree.nodes.new("ShaderNodeTexVoronoi")
        node.inputs["Scale"].default_value = 9.0
        tree.links.new(turn.outputs["Vector"], node.inputs["Vector"])
        return node.outputs["Distance"]
    if kind == "boards":
        node = tree.nodes.new("ShaderNodeTexBrick")
        node.inputs["Scale"].default_value = 0.25
        tree.links.new(turn.outputs["Vector"], node.inputs["Vector"])
        return node.outputs["Color"]
    node = tree.nodes.new("ShaderNodeTexNoise")
    node.inputs["Scale"].default_value = {"wood": 1.2, "felt": 40.0, "stone": 2.5, "plain": 0.4}[kind]
    node.inputs["Detail"].default_value = {"wood": 8.0, "felt": 3.0, "stone": 10.0, "plain": 1.0}[kind]
    tree.links.new(turn.outputs["Vector"], node.inputs["Vector"])
    return node.outputs["Fac"]


def _die(scene: Any, plain: Plain, textures: Path) -> None:
    places: list[tuple[float, ...]] = []
    faces, uvs, materials = [], [], []
    for side in plain["sides"]:
        ring = []
        for corner in side["corners"]:
            known = next((i for i, place in enumerate(places) if math.dist(place, corner) < 1e-4), None)
            if known is None:
                known = len(places)
                places.append(tuple(corner))
            ring.append(known)
        faces.append(ring[::-1])  # clockwise from outside becomes anticlockwise
        uvs.append([(u, 1 - v) for u, v in side["places"]][::-1])
        materials.append(_face(textures, side["texture"], plain))
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(places, [], faces)
    layer = mesh.uv_layers.new()
    for polygon, uv in zip(mesh.polygons, uvs, strict=True):
        polygon.material_index = polygon.index
        polygon.use_smooth = True
        for loop, place in zip(polygon.loop_indices, uv, strict=True):
            layer.data[loop].uv = place
    made = _add(scene, mesh, materials)
    if plain["bevel"] > 0:
        bevel = made.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = plain["bevel"], 5, "NONE"
        bevel.harden_normals = True


def _face(textures: Path, name: str, plain: Plain) -> Any:
    material, tree, shader = _material(name, [0.5, 0.5, 0.5], plain["roughness"])
    colour = tree.nodes.new("ShaderNodeTexImage")
    colour.image = bpy.data.images.load(str(textures / f"{name}.png"))
    colour.extension = "EXTEND"
    tree.links.new(colour.outputs["Color"], shader.inputs["Base Color"])
    if plain["sunken"] > 0:
        depth = tree.nodes.new("ShaderNodeTexImage")
        depth.image = bpy.data.images.load(str(textures / f"{name}_depth.png"))
        depth.image.colorspace_settings.name = "Non-Color"
        depth.extension = "EXTEND"
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = plain["sunken"]
        bump.inputs["Distance"].default_value = 0.05
        tree.links.new(depth.outputs["Color"], bump.inputs["Height"])
        tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def _box(scene: Any, material: Any, middle: Vector, half: Vector, turn: float) -> None:
    mesh = bpy.data.meshes.new("wall")
    corners = [(x * half.x, y * half.y, z * half.z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    rings = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], rings)
    made = _add(scene, mesh, [material])
    made.matrix_world = Matrix.Rotation(turn, 4, "Z") @ Matrix.Translation(middle)


def _board(scene: Any, plain: Plain, textures: Path) -> None:
    """Add a board: its slab, frame and bar, men and dice, and printed sheets beside it."""
    frame = _ground(plain["frame"])
    half = plain["thickness"] / 2
    _box(scene, frame, Vector((0, 0, -half - 0.001)), Vector((plain["x"], plain["y"], half)), 0.0)
    corners = [[x * plain["x"], y * plain["y"]] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    _sheet(scene, plain | {"ring": corners, "level": 0.0, "places": [(0, 1), (1, 1), (1, 0), (0, 0)]}, textures)
    for left, bottom, right, top, high in plain["rails"]:
        middle = Vector(((left + right) / 2, (bottom + top) / 2, high / 2))
        _box(scene, frame, middle, Vector(((right - left) / 2, (top - bottom) / 2, high / 2)), 0.0)
    for piece in plain["pieces"]:
        _piece(scene, piece, textures)
    for sheet in plain["sheets"]:
        _sheet(scene, sheet | {"roughness": 0.8}, textures)


def _sheet(scene: Any, plain: Plain, textures: Path) -> None:
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata([(x, y, plain["level"]) for x, y in plain["ring"]], [], [tuple(range(len(plain["ring"])))])
    _lay(mesh, 0, plain["places"])
    _add(scene, mesh, [_face(textures, plain["texture"], plain | {"sunken": 0.0})])


def _lay(mesh: Any, face: int, places: list[tuple[float, float]]) -> None:
    """Give a face's corners their places on its texture, shares from its left and top."""
    layer = mesh.uv_layers.new()
    for loop, (u, v) in zip(mesh.polygons[face].loop_indices, places, strict=True):
        layer.data[loop].uv = (u, 1 - v)


def _piece(scene: Any, plain: Plain, textures: Path) -> None:
    """Add a man or die: an upright prism, with its texture on top and rounded edges."""
    ring, low, high = plain["ring"], plain["low"], plain["high"]
    number = len(ring)
    corners = [(x, y, z) for z in (low, high) for x, y in ring]
    around = [(k, (k + 1) % number, number + (k + 1) % number, number + k) for k in range(number)]
    mesh = bpy.data.meshes.new("piece")
    mesh.from_pydata(corners, [], [tuple(range(number, 2 * number)), *around, tuple(range(number))[::-1]])
    _lay(mesh, 0, plain["places"])
    body, _, _ = _material("body", plain["colour"], plain["roughness"])
    made = _add(scene, mesh, [_face(textures, plain["texture"], plain | {"sunken": 0.0}), body])
    for polygon in mesh.polygons:
        polygon.material_index = int(polygon.index > 0)
    bevel = made.modifiers.new("bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = 0.12 * (high - low), 3, "ANGLE"
    bevel.angle_limit = math.radians(60)


def _tray(scene: Any, plain: Plain) -> None:
    material, _, _ = _material("wall", plain["colour"], 0.5)
    far, thick, high = plain["half"] + plain["thick"] / 2, plain["thick"] / 2, plain["wall"] / 2
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        half = Vector((thick if x else far + thick, thick if y else far + thick, high))
        _box(scene, material, Vector((x * far, y * far, high)), half, plain["turn"])


def _thing(scene: Any, plain: Plain) -> None:
    material, _, _ = _material(plain["kind"], plain["colour"], 0.35, plain["metal"])
    radius, high = {"coin": (0.5, 0.08), "man": (0.65, 0.25), "pen": (0.13, 4.5)}[plain["kind"]]
    radius, high = radius * plain["size"], high * plain["size"]
    number = 48
    ring = [(math.cos(2 * math.pi * k / number), math.sin(2 * math.pi * k / number)) for k in range(number)]
    corners = [(radius * x, radius * y, z) for z in (-high / 2, high / 2) for x, y in ring]
    around = [(k, (k + 1) % number, number + (k + 1) % number, number + k) for k in range(number)]
    mesh = bpy.data.meshes.new(plain["kind"])
    mesh.from_pydata(corners, [], [*around, tuple(range(number))[::-1], tuple(range(number, 2 * number))])
    made = _add(scene, mesh, [material])
    x, y = plain["place"]
    if plain["kind"] == "pen":
        lying = Matrix.Rotation(plain["turn"], 4, "Z") @ Matrix.Rotation(math.pi / 2, 4, "Y")
        made.matrix_world = Matrix.Translation((x, y, radius)) @ lying
    else:
        made.matrix_world = Matrix.Translation((x, y, high / 2))


if __name__ == "__main__":
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        job = json.loads(line)
        if not Path(job["picture"]).is_file():
            render(job)
