"""The house itself: locked dependencies, how it is built, and a quick start."""

import ast
import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from companion.rules.dice import dice_sets
from companion.rules.die import Shape
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


def test_every_locked_tool_of_the_page_has_a_hash_and_no_address() -> None:
    text = (ROOT / ".ci" / "page" / "package-lock.json").read_text(encoding="utf-8")
    tools = {name: tool for name, tool in json.loads(text)["packages"].items() if name}
    assert len(tools) > 10
    assert all(tool["integrity"].startswith("sha512-") for tool in tools.values())
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


PRODUCT = ("companion", "calibration", "firmware_bridge")
BESIDE = ("workshop", "bench")


@pytest.fixture(scope="module")
def trees() -> Iterator[dict[Path, ast.Module]]:
    """What every module says, parsed once for all tests of this file and given back: it is large."""
    paths = [path for room in (*PRODUCT, *BESIDE) for path in (ROOT / room).rglob("*.py")]
    gc.disable()  # millions of nodes, none of which is garbage
    parsed = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    yield parsed
    parsed.clear()
    gc.enable()


@pytest.fixture(scope="module")
def product(trees: dict[Path, ast.Module]) -> dict[Path, ast.Module]:
    """The same of what is shipped."""
    return {path: tree for path, tree in trees.items() if path.relative_to(ROOT).parts[0] in PRODUCT}


@pytest.fixture(scope="module")
def imports(trees: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """For each module of the product which others it imports, anywhere: in functions and for types too."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): tree
        for path, tree in trees.items()
    }
    found: dict[str, set[str]] = {}
    for name, tree in modules.items():
        imported: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                members = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= (members & modules.keys()) or {node.module}
        found[name] = (imported & modules.keys()) - {name}
    return found


def test_no_modules_import_each_other_in_a_circle(imports: dict[str, set[str]]) -> None:
    left = dict(imports)
    assert len(left) > 600
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert sorted(left) == [], "in a circle, or above one"


def test_every_folder_says_what_may_be_in_it(trees: dict[Path, ast.Module]) -> None:
    """A new module goes where its subject is, whether few or many are there already; so each folder names its own."""
    folders = {module.parent for module in trees}
    silent = {
        str(folder.relative_to(ROOT))
        for folder in folders
        if len(_purpose(trees.get(folder / "__init__.py")).split()) < LEAST_WORDS_OF_A_PURPOSE
    }
    assert len(folders) > 60
    assert silent == set()
    purposes = [_purpose(trees.get(folder / "__init__.py")) for folder in folders]
    assert len(set(purposes)) == len(purposes), "two folders say the same of themselves"


LEAST_WORDS_OF_A_PURPOSE = 6


def _purpose(package: ast.Module | None) -> str:
    """Return a folder's docstring in one line; an empty text without one, or where it is no whole sentence."""
    text = None if package is None else ast.get_docstring(package)
    words = " ".join((text or "").split())
    return words if re.search(r"[.](\s|$)", words) else ""


MOST_LINES = 470
"""A module that is longer than this holds more than a reader keeps in mind at once."""


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    rooms = ("companion", "calibration", "firmware_bridge")
    lines = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n")
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
    }
    assert len(lines) > 800
    assert {name: many for name, many in lines.items() if many > MOST_LINES} == {}


def test_no_three_modules_name_a_class_alike(product: dict[Path, ast.Module]) -> None:
    """A reader of a trace or a search's results must see at once which class it is."""
    homes: dict[str, set[Path]] = {}
    for path, tree in product.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(path.relative_to(ROOT))
    shared = {name: sorted(map(str, where)) for name, where in homes.items() if len(where) > 1}
    assert len(homes) > 900
    assert {name: where for name, where in shared.items() if len(where) > 2} == {}
    assert len(shared) < 20, shared


def _folders_beside_each_other(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return for each folder which folders of the same room it imports."""
    arrows: dict[str, set[str]] = {}
    for name, others in imports.items():
        for other in others:
            here, there = name.split("."), other.split(".")
            common = next(
                (place for place, (one, two) in enumerate(zip(here, there, strict=False)) if one != two), len(here)
            )
            if 0 < common < min(len(here), len(there)) - 1:
                arrows.setdefault(".".join(here[: common + 1]), set()).add(".".join(there[: common + 1]))
    return arrows


def _in_circles(arrows: dict[str, set[str]]) -> set[str]:
    """Return whoever can be reached from itself."""
    found = set()
    for name in arrows:
        reached, new = set[str](), {name}
        while new := {other for one in new for other in arrows.get(one, ())} - reached:
            reached |= new
        found |= {name} & reached
    return found


@pytest.mark.parametrize(
    ("imports", "found"),
    [
        ({"room.one.a": {"room.two.b"}, "room.two.b": {"room.one.c"}}, {"room.one", "room.two"}),
        (
            {"r.one.a": {"r.two.b"}, "r.two.b": {"r.three.c"}, "r.three.d": {"r.one.e"}},
            {"r.one", "r.two", "r.three"},
        ),
        ({"room.one.a": {"room.two.b", "room.one.c"}, "room.two.b": {"room.three"}}, set()),
    ],
)
def test_folders_in_a_circle_are_found(imports: dict[str, set[str]], found: set[str]) -> None:
    assert _in_circles(_folders_beside_each_other(imports)) == found


def test_no_folders_beside_each_other_import_each_other_in_a_circle(imports: dict[str, set[str]]) -> None:
    """A room's folders lie above or below each other too: then each can be read before the ones above it."""
    arrows = _folders_beside_each_other(imports)
    assert sum(map(len, arrows.values())) > 80
    assert _in_circles(arrows) == set()


def _is_number(node: ast.expr | None) -> bool:
    match node:
        case ast.UnaryOp(operand=inner):
            return _is_number(inner)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
    return False


def test_a_number_that_is_used_far_away_says_in_its_name_what_it_bounds(product: dict[Path, ast.Module]) -> None:
    """One word is enough only beside its use: LIMIT, MOST and SURE say nothing ten lines further down."""
    found = []
    for path, tree in product.items():
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


def test_games_are_told_apart_in_the_rooms_of_their_families_alone(product: dict[Path, ast.Module]) -> None:
    """What others need to know of a family is asked of its games and of the faces that it names."""
    others = {
        path: path.relative_to(ROOT).with_suffix("").parts
        for path in product
        if ROOT / "companion" / "rules" not in path.parents
    }
    assert len(others) > 400
    found = [
        f"{'/'.join(parts)}:{line}"
        for path, parts in others.items()
        if not FAMILIES & {*parts}
        for line in _tells_games_apart(product[path])
    ]
    assert found == []


SCRIPTS = ROOT / "companion" / "web" / "static" / "js"
COMPARED = re.compile(
    r"""(?:[!=]==\s*|With\(|includes\(|\?\?\s*\[?)["'`]([^"'`\n]+)|([^"'`\n]+)["'`]\s*(?:[!=]==|\]\.includes)|dice_sets\.(\w+)"""
)
"""A text that a script compares something with, or a dice set that it asks for."""

SHAPES = set(get_args(Shape))
DRAWN_BOARDS = {SCRIPTS / "board" / "plans.js"}
"""Draws each board by the board's own name, which may be that of the one game that is played on it."""


def _names_a_game(script: str) -> list[str]:
    """Return what a script compares with that is a game, its family, the end of its slug, or the dice of one."""
    slugs = set(games())
    ends = {f"/{slug.rpartition('/')[2]}" for slug in slugs}
    names = (slugs | FAMILIES | ends | set(dice_sets())) - SHAPES
    return [text for found in COMPARED.findall(script) for text in found if text in names]


@pytest.mark.parametrize(
    "asked",
    [
        'game.endsWith("/wheel")',
        '"tables/zeno" === game',
        "set !== 'wibold'",
        '["wibold", "pips"].includes(set)',
        "dice_sets.wibold",
    ],
)
def test_a_script_that_names_a_game_is_found(asked: str) -> None:
    assert _names_a_game(asked)


def test_no_script_names_a_game() -> None:
    """What a page shows of one game alone, it finds in the state and in the setup."""
    scripts = set(SCRIPTS.rglob("*.js")) - DRAWN_BOARDS
    assert len(scripts) > 80
    found = {script.name: _names_a_game(script.read_text(encoding="utf-8")) for script in scripts}
    assert {name: texts for name, texts in found.items() if texts} == {}
