"""The house itself: locked dependencies, how it is built, and a quick start."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.rules.game import Game, Position
from companion.rules.registry import games

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-hall.lock", "requirements-test.lock"])
def test_every_locked_dependency_has_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) > 10
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.]+ \\\n", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry
    assert "://" not in text


def test_every_dependency_says_what_it_is_for() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split("dependencies = [", 1)[1].split("\n]", 1)[0]
    lines = [line for line in section.splitlines() if line.strip()]
    assert lines
    assert all("#" in line for line in lines)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from companion.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(bool({'numpy', 'cv2', 'flask'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def _imports() -> dict[str, set[str]]:
    """Return for each module of the product which others it imports, anywhere: in functions and for types too."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for room in ("companion", "calibration", "firmware_bridge", "workshop")
        for path in (ROOT / room).rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        imported: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                members = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= (members & modules.keys()) or {node.module}
        found[name] = (imported & modules.keys()) - {name}
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    imports = _imports()
    assert len(imports) > 600
    while free := [name for name, others in imports.items() if not others & imports.keys()]:
        for name in free:
            del imports[name]
    assert sorted(imports) == [], "in a circle, or above one"


def test_no_room_is_a_hall() -> None:
    rooms = [ROOT / room for room in ("companion", "calibration", "firmware_bridge", "bench", "workshop")]
    folders = [folder for room in rooms for folder in (room, *room.rglob("*")) if folder.is_dir()]
    crowded = {
        str(folder.relative_to(ROOT)): len(list(folder.glob(files)))
        for folder in folders
        for files, most in (("*.py", 25), ("*.js", 30))
        if len(list(folder.glob(files))) > most
    }
    assert len(folders) > 60
    assert crowded == {}


def test_no_three_modules_name_a_class_alike() -> None:
    """A reader of a trace or a search's results must see at once which class it is."""
    homes: dict[str, set[Path]] = {}
    for room in ("companion", "calibration", "firmware_bridge"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    homes.setdefault(node.name, set()).add(path.relative_to(ROOT))
    shared = {name: sorted(map(str, where)) for name, where in homes.items() if len(where) > 1}
    assert len(homes) > 900
    assert {name: where for name, where in shared.items() if len(where) > 2} == {}
    assert len(shared) < 20, shared


def test_no_folders_beside_each_other_import_each_other() -> None:
    """A room's folders lie above or below each other too: then each can be read before the ones above it."""
    arrows: set[tuple[str, str]] = set()
    for name, others in _imports().items():
        for other in others:
            here, there = name.split("."), other.split(".")
            common = next(
                (place for place, (one, two) in enumerate(zip(here, there, strict=False)) if one != two), len(here)
            )
            if 0 < common < min(len(here), len(there)) - 1:
                arrows.add((".".join(here[: common + 1]), ".".join(there[: common + 1])))
    assert len(arrows) > 80
    assert {(one, other) for one, other in arrows if (other, one) in arrows} == set()


def _is_number(node: ast.expr | None) -> bool:
    match node:
        case ast.UnaryOp(operand=inner):
            return _is_number(inner)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
    return False


def test_a_number_that_is_used_far_away_says_in_its_name_what_it_bounds() -> None:
    """One word is enough only beside its use: LIMIT, MOST and SURE say nothing ten lines further down."""
    found = []
    for room in ("companion", "calibration", "firmware_bridge"):
        for path in (ROOT / room).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            used = [(node.id, node.lineno) for node in ast.walk(tree) if isinstance(node, ast.Name)]
            for node in tree.body:
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        pass
                    case ast.AnnAssign(target=ast.Name(id=name), value=value):
                        pass
                    case _:
                        continue
                vague = name.isupper() and "_" not in name.strip("_") and _is_number(value)
                if vague and any(name == other and abs(line - node.lineno) > 10 for other, line in used):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno} {name}")
    assert found == []


FAMILIES = {listed.family.name for listed in games().values()}


def _kinds(of: type) -> set[str]:
    """Return the names of all classes below one."""
    below: list[type] = of.__subclasses__()
    return {name for kind in below for name in (kind.__name__, *_kinds(kind))}


def _tells_games_apart(tree: ast.AST) -> list[int]:
    """Return the lines that ask of which class a game or position is, or compare its slug or board's name with text."""
    kinds = _kinds(Position) | _kinds(Game)
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]) if _names(kind) & kinds:
                found.append(node.lineno)
            case ast.MatchClass(cls=kind) if _names(kind) & kinds:
                found.append(node.cls.lineno)
            case ast.Compare() if any(_names(side) & kinds for side in _sides(node)) or (
                any(map(_is_slug, _sides(node))) and any(map(_has_text, _sides(node)))
            ):
                found.append(node.lineno)
            case ast.Call(func=ast.Attribute(attr="startswith" | "endswith", value=value)) if _is_slug(value):
                found.append(node.lineno)
            case ast.Match(subject=subject, cases=cases) if _is_slug(subject) and any(map(_has_text, cases)):
                found.append(node.lineno)
    return found


def _sides(node: ast.Compare) -> list[ast.expr]:
    return [node.left, *node.comparators]


def _names(node: ast.AST) -> set[str]:
    named = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return named | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}


def _is_slug(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="slug") | ast.Attribute(attr="slug"):
            return True
        case ast.Attribute(attr="name", value=ast.Attribute(attr=of) | ast.Name(id=of)):
            return of in {"board", "family"}
    return False


def _has_text(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in ast.walk(node))


@pytest.mark.parametrize(
    "asked",
    [
        "isinstance(position, TablesPosition)",
        "isinstance(position, ludix.LudixPosition | None)",
        "type(game) is FreeBoard",
        "slug == Ludix.slug",
        "game.slug.startswith('tables/')",
        "'doblet' in position.game.slug",
        "slug in ('ludix', 'rithmomachia/italian')",
        "game.board.name == 'tables'",
        "match slug:\n  case 'ludix': pass",
        "match position:\n  case RithmoPosition(): pass",
    ],
)
def test_what_tells_games_apart_is_found(asked: str) -> None:
    assert _tells_games_apart(ast.parse(asked))


@pytest.mark.parametrize("asked", ["slug not in games()", "slug != found.slug", "isinstance(move, Throw)"])
def test_what_tells_no_games_apart_is_let_be(asked: str) -> None:
    assert not _tells_games_apart(ast.parse(asked))


def test_games_are_told_apart_in_the_rooms_of_their_families_alone() -> None:
    """What others need to know of a family is asked of its games and of the faces that it names."""
    everywhere = [
        path for room in ("companion", "calibration", "firmware_bridge") for path in (ROOT / room).rglob("*.py")
    ]
    others = {
        path: path.relative_to(ROOT).with_suffix("").parts
        for path in everywhere
        if ROOT / "companion" / "rules" not in path.parents
    }
    assert len(others) > 400
    found = [
        f"{'/'.join(parts)}:{line}"
        for path, parts in others.items()
        if not FAMILIES & {*parts}
        for line in _tells_games_apart(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []
