"""The syntax trees of the packages, and what may be asked of them: calls, parameters, what a name is bound to."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Scope = tuple[ast.AST, ...]  # the functions and classes around a node, the innermost last
Steps = tuple[tuple[str, Any], ...]  # what is taken out of a value: ("item", 1), ("each", None), ("attr", "name")


@dataclass
class Module:
    """A file's syntax tree: what it imports, and which functions and classes are around each node."""

    name: str
    file: str
    tree: ast.Module
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._walk(self.tree, ())

    def _walk(self, node: ast.AST, scope: Scope) -> None:
        self.scopes[node] = scope
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                self.imports[alias.asname or alias.name] = (node.module, alias.name)
        inner = (*scope, node) if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda) else scope
        for child in ast.iter_child_nodes(node):
            self._walk(child, inner)


def modules(package: str) -> Iterator[Module]:
    """Give the modules of a package, parsed."""
    spec = find_spec(package)
    assert spec is not None
    for root in map(Path, spec.submodule_search_locations or ()):
        for file in sorted(root.rglob("*.py")):
            name = ".".join((package, *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
            yield Module(name, str(file.relative_to(root.parent)), ast.parse(file.read_text(encoding="utf-8")))


def called(call: ast.Call) -> str:
    """Return the last name of what is called: ``b`` for ``a.b()``."""
    function = call.func
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def is_name(node: ast.AST, name: str) -> bool:
    """Tell whether a node is this plain name."""
    return isinstance(node, ast.Name) and node.id == name


def parameter_of(function: ast.FunctionDef, name: str) -> ast.arg | None:
    """Return a function's parameter of this name, or None."""
    arguments = function.args
    return next(
        (one for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if one.arg == name), None
    )


def place_of(owner: ast.AST, name: str) -> tuple[int | None, ast.expr | None]:
    """Return at which place a parameter or a field stands, and its default."""
    if isinstance(owner, ast.ClassDef):
        fields = [line for line in owner.body if isinstance(line, ast.AnnAssign)]
        at = next(n for n, line in enumerate(fields) if is_name(line.target, name))
        return at, fields[at].value
    assert isinstance(owner, ast.FunctionDef)
    arguments = owner.args
    placed = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    if name in placed:
        at = placed.index(name)
        behind = len(placed) - at
        default = arguments.defaults[-behind] if behind <= len(arguments.defaults) else None
        return at - (placed[0] in {"self", "cls"}), default
    named = [one.arg for one in arguments.kwonlyargs]
    return None, arguments.kw_defaults[named.index(name)] if name in named else None


def bindings(function: ast.AST, name: str, module: Module, scope_of: Any) -> Iterator[tuple[Steps, ast.AST]]:
    """Give what is bound to a name within a function, or at the head of a module."""
    inside = (function,) if not isinstance(function, ast.Module) else ()
    for node in ast.walk(function):
        if node not in module.scopes or scope_of(module, node)[-1:] != inside:
            continue
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from ((place, node.value) for place in _unpacked(target, name))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and is_name(node.target, name) and node.value is not None:
            yield (), node.value
        elif isinstance(node, ast.For | ast.comprehension):
            yield from (((("each", None), *place), node.iter) for place in _unpacked(node.target, name))


def _unpacked(target: ast.AST, name: str) -> Iterator[Steps]:
    if is_name(target, name):
        yield ()
    elif isinstance(target, ast.Tuple | ast.List):
        for at, element in enumerate(target.elts):
            yield from ((("item", at), *place) for place in _unpacked(element, name))


def assigned_to_self(owner: ast.ClassDef, attribute: str) -> Iterator[tuple[Steps, ast.AST]]:
    """Give what the methods of a class assign to a field of it."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute) and target.attr == attribute and is_name(target.value, "self"):
                    yield (), node.value
