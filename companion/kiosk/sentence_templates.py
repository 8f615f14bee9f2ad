"""Every template of a `Sentence` in the source and the data files, found without running anything.

A translation is looked up by the English template, so whoever translates, and the test that no language lacks one,
must know them all: `found` reads the syntax trees of the packages that speak to players. It follows what a `Sentence`
is made of through names, branches, tables and the callers of a function; what it cannot follow it names, and that
place is to be written more plainly.
"""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGES = ("companion", "calibration", "firmware_bridge")
MAKERS = frozenset({"Sentence", "Phrase"})  # the records whose first argument is a template
REBUILDERS = frozenset({"named", "sentence_from_json"})  # functions that make a sentence anew from one that there is
DATA_KEYS = frozenset({"story", "ruled", "meaning", "sentences", "how_to_play", "what", "advice", "texts"})

Scope = tuple[ast.AST, ...]  # the functions and classes around a node, the innermost last
Path_ = tuple[tuple[str, Any], ...]  # what is taken out of a value: ("item", 1), ("each", None), ("attr", "name")


@dataclass(frozen=True)
class Unfollowed:
    """A sentence whose template was not found, and where."""

    file: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code}"


@dataclass(frozen=True)
class Found:
    """The templates with the places that use each, and the sentences that could not be followed."""

    templates: Mapping[str, tuple[str, ...]]
    unfollowed: tuple[Unfollowed, ...]


class _LostError(Exception):
    """A value cannot be followed."""


@dataclass
class _Module:
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


class _Source:
    """The syntax trees of all packages, and what may be asked of them."""

    def __init__(self) -> None:
        self.modules = {module.name: module for package in PACKAGES for module in _modules(package)}
        self.calls: dict[str, list[tuple[_Module, ast.Call]]] = defaultdict(list)
        self._begun: set[tuple[ast.AST, Path_]] = set()  # what is being followed
        for module in self.modules.values():
            for node in module.scopes:
                if isinstance(node, ast.Call) and (name := _called(node)):
                    self.calls[name].append((module, node))

    def sentences(self) -> Iterator[tuple[_Module, ast.Call]]:
        for maker in sorted(MAKERS):
            for module, call in self.calls[maker]:
                if call.args and not _rebuilds(module, call):
                    yield module, call

    def values(self, module: _Module, node: ast.AST, path: Path_ = ()) -> set[str]:
        """Return every text that an expression may be, after taking ``path`` out of it."""
        if (node, path) in self._begun:
            return set()  # a circle: what is in it is found on the other ways into it
        follow = getattr(self, f"_{type(node).__name__.lower()}", None)
        if follow is None:
            raise _LostError
        self._begun.add((node, path))
        try:
            result: set[str] = follow(module, node, path)
        finally:
            self._begun.discard((node, path))
        return result

    def _any(self, module: _Module, nodes: list[ast.expr], path: Path_) -> set[str]:
        return set().union(*(self.values(module, node, path) for node in nodes))

    def _constant(self, module: _Module, node: ast.Constant, path: Path_) -> set[str]:
        del module
        if node.value is None:
            return set()
        if isinstance(node.value, str) and not path:
            return {node.value}
        raise _LostError

    def _ifexp(self, module: _Module, node: ast.IfExp, path: Path_) -> set[str]:
        return self._any(module, [node.body, node.orelse], path)

    def _boolop(self, module: _Module, node: ast.BoolOp, path: Path_) -> set[str]:
        return self._any(module, node.values, path)

    def _namedexpr(self, module: _Module, node: ast.NamedExpr, path: Path_) -> set[str]:
        return self.values(module, node.value, path)

    def _tuple(self, module: _Module, node: ast.Tuple | ast.List | ast.Set, path: Path_) -> set[str]:
        if not path:
            raise _LostError
        (step, which), *rest = path
        if step == "item" and isinstance(which, int) and which < len(node.elts):
            return self.values(module, node.elts[which], tuple(rest))
        return self._any(module, node.elts, tuple(rest))

    _list = _set = _tuple

    def _dict(self, module: _Module, node: ast.Dict, path: Path_) -> set[str]:
        if not path:
            raise _LostError
        (step, which), *rest = path
        if step == "each":
            return self._any(module, [key for key in node.keys if key is not None], tuple(rest))
        if step == "items":
            (_, side), *rest = rest
            picked = node.values if side == 1 else [key for key in node.keys if key is not None]
            return self._any(module, picked, tuple(rest))
        if isinstance(which, str):
            own = [
                v
                for k, v in zip(node.keys, node.values, strict=True)
                if isinstance(k, ast.Constant) and k.value == which
            ]
            if own:
                return self._any(module, own, tuple(rest))
        return self._any(module, node.values, tuple(rest))

    def _dictcomp(self, module: _Module, node: ast.DictComp, path: Path_) -> set[str]:
        return self.values(module, node.value, path[1:])

    def _listcomp(self, module: _Module, node: ast.ListComp | ast.GeneratorExp, path: Path_) -> set[str]:
        return self.values(module, node.elt, path[1:])

    _generatorexp = _listcomp

    def _subscript(self, module: _Module, node: ast.Subscript, path: Path_) -> set[str]:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        try:
            return self.values(module, node.value, (("item", key), *path))
        except _LostError:
            if key in DATA_KEYS:
                return set()  # read from a data file, where all of these are found
            raise

    def _call(self, module: _Module, node: ast.Call, path: Path_) -> set[str]:
        name = _called(node)
        if isinstance(node.func, ast.Attribute):
            if name == "items" and path[:1] == (("each", None),):
                return self.values(module, node.func.value, (("items", None), *path[1:]))
            if name == "values" and path[:1] == (("each", None),):
                return self.values(module, node.func.value, (("item", None), *path[1:]))
            if name == "get":
                found = self.values(module, node.func.value, (("item", None), *path))
                return found | (self.values(module, node.args[1], path) if len(node.args) > 1 else set())
        if name in {"dict", "tuple", "list", "sorted", "MappingProxyType"} and len(node.args) == 1:
            return self.values(module, node.args[0], path)
        if path and path[0][0] == "attr":
            return self._argument(module, name, path[0][1], [(module, node)], path[1:])
        returns = [one for function, home in self._functions(module, name) for one in self._returned(home, function)]
        if not returns:
            raise _LostError
        return set().union(*(self.values(home, value, path) for home, value in returns))

    def _attribute(self, module: _Module, node: ast.Attribute, path: Path_) -> set[str]:
        """Follow a field: what is assigned to it in its class, or given to the constructor of a record that has it."""
        found: set[str] = set()
        known = False
        for owner in (one for one in module.scopes if isinstance(one, ast.ClassDef)):
            for place, value in _assigned_to_self(owner, node.attr):
                found |= self.values(module, value, path + place)
                known = True
        for owner, home in self._records(module, node.attr):
            found |= self._argument(home, owner.name, node.attr, self.calls[owner.name], path)
            known = True
        if not known:
            raise _LostError
        return found

    def _name(self, module: _Module, node: ast.Name, path: Path_) -> set[str]:
        return self._named(module, node.id, self._scope(module, node), path)

    def _scope(self, module: _Module, node: ast.AST) -> Scope:
        return tuple(one for one in module.scopes[node] if not isinstance(one, ast.ClassDef))

    def _named(self, module: _Module, name: str, scope: Scope, path: Path_) -> set[str]:
        for function in (*reversed(scope), module.tree):
            bound = list(_bindings(function, name, module, self._scope))
            found: set[str] = set()
            for place, value in bound:
                found |= self.values(module, value, place + path)
            parameter = isinstance(function, ast.FunctionDef) and _parameter(function, name) is not None
            if parameter:
                assert isinstance(function, ast.FunctionDef)
                found |= self._argument(module, function.name, name, self._callers(module, function.name), path)
            if bound or parameter:
                return found
        if name in module.imports and module.imports[name][0] in self.modules:
            home, original = module.imports[name]
            return self._named(self.modules[home], original, (), path)
        raise _LostError

    def _callers(self, module: _Module, name: str) -> list[tuple[_Module, ast.Call]]:
        own = [
            (home, call)
            for home, call in self.calls[name]
            if home is module or home.imports.get(name, ("",))[0] == module.name
        ]
        return own or [one for one in self.calls[name] if isinstance(one[1].func, ast.Attribute)]

    def _argument(
        self, module: _Module, function: str, name: str, calls: list[tuple[_Module, ast.Call]], path: Path_
    ) -> set[str]:
        """Return what is given for a parameter of a function, or a field of a record, wherever it is called."""
        homes = self._functions(module, function) or self._classes(module, function)
        if not homes or not calls:
            raise _LostError
        at, default = _place(homes[0][0], name)
        found: set[str] = self.values(homes[0][1], default, path) if default is not None else set()
        for home, call in calls:
            given = {word.arg: word.value for word in call.keywords}
            if name in given:
                found |= self.values(home, given[name], path)
            elif None in given and default is None:
                raise _LostError
            elif at is not None and at < len(call.args):
                if any(isinstance(one, ast.Starred) for one in call.args[: at + 1]):
                    raise _LostError
                found |= self.values(home, call.args[at], path)
        return found

    def _functions(self, module: _Module, name: str) -> list[tuple[ast.AST, _Module]]:
        return self._defined(module, name, ast.FunctionDef)

    def _classes(self, module: _Module, name: str) -> list[tuple[ast.AST, _Module]]:
        return self._defined(module, name, ast.ClassDef)

    def _defined(self, module: _Module, name: str, kind: type[ast.AST]) -> list[tuple[ast.AST, _Module]]:
        own = [(one, module) for one in module.scopes if isinstance(one, kind) and getattr(one, "name", "") == name]
        if own or name not in module.imports or module.imports[name][0] not in self.modules:
            return own
        home, original = module.imports[name]
        return self._defined(self.modules[home], original, kind)

    def _records(self, module: _Module, attribute: str) -> Iterator[tuple[ast.ClassDef, _Module]]:
        """Give the classes that this module defines or imports and that have this field."""
        for name in {*(one.name for one in module.scopes if isinstance(one, ast.ClassDef)), *module.imports}:
            for owner, home in self._classes(module, name):
                assert isinstance(owner, ast.ClassDef)
                if any(isinstance(line, ast.AnnAssign) and _is_name(line.target, attribute) for line in owner.body):
                    yield owner, home

    def _returned(self, module: _Module, function: ast.AST) -> list[tuple[_Module, ast.AST]]:
        assert isinstance(function, ast.FunctionDef)
        return [
            (module, node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value is not None and module.scopes[node][-1] is function
        ]


def _modules(package: str) -> Iterator[_Module]:
    spec = find_spec(package)
    assert spec is not None
    for root in map(Path, spec.submodule_search_locations or ()):
        for file in sorted(root.rglob("*.py")):
            name = ".".join((package, *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
            yield _Module(name, str(file.relative_to(root.parent)), ast.parse(file.read_text(encoding="utf-8")))


def _called(call: ast.Call) -> str:
    function = call.func
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def _rebuilds(module: _Module, call: ast.Call) -> bool:
    return any(getattr(one, "name", "") in REBUILDERS for one in module.scopes[call])


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _parameter(function: ast.FunctionDef, name: str) -> ast.arg | None:
    arguments = function.args
    return next(
        (one for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if one.arg == name), None
    )


def _place(owner: ast.AST, name: str) -> tuple[int | None, ast.expr | None]:
    """Return at which place a parameter or a field stands, and its default."""
    if isinstance(owner, ast.ClassDef):
        fields = [line for line in owner.body if isinstance(line, ast.AnnAssign)]
        at = next(n for n, line in enumerate(fields) if _is_name(line.target, name))
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


def _bindings(function: ast.AST, name: str, module: _Module, scope_of: Any) -> Iterator[tuple[Path_, ast.AST]]:
    """Give what is bound to a name within a function, or at the head of a module."""
    inside = (function,) if not isinstance(function, ast.Module) else ()
    for node in ast.walk(function):
        if node not in module.scopes or scope_of(module, node)[-1:] != inside:
            continue
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from ((place, node.value) for place in _unpacked(target, name))
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and _is_name(node.target, name) and node.value is not None:
            yield (), node.value
        elif isinstance(node, ast.For | ast.comprehension):
            yield from (((("each", None), *place), node.iter) for place in _unpacked(node.target, name))


def _unpacked(target: ast.AST, name: str) -> Iterator[Path_]:
    if _is_name(target, name):
        yield ()
    elif isinstance(target, ast.Tuple | ast.List):
        for at, element in enumerate(target.elts):
            yield from ((("item", at), *place) for place in _unpacked(element, name))


def _assigned_to_self(owner: ast.ClassDef, attribute: str) -> Iterator[tuple[Path_, ast.AST]]:
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute) and target.attr == attribute and _is_name(target.value, "self"):
                    yield (), node.value


def _in_data(package: str) -> Iterator[tuple[str, str]]:
    """Give the templates in the data files of a package, which are the texts under certain keys."""
    spec = find_spec(package)
    assert spec is not None
    for root in map(Path, spec.submodule_search_locations or ()):
        for file in sorted((root / "rules").rglob("*.toml")):
            where = str(file.relative_to(root.parent))
            yield from ((text, where) for text in _texts(tomllib.loads(file.read_text(encoding="utf-8"))))


def _texts(value: Any, *, said: bool = False) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, said=key in DATA_KEYS)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, said=said)
    elif said and isinstance(value, str):
        yield value


@cache
def found() -> Found:
    """Return every template that a player may be shown."""
    source = _Source()
    templates: dict[str, list[str]] = defaultdict(list)
    unfollowed: list[Unfollowed] = []
    for module, call in source.sentences():
        try:
            for template in source.values(module, call.args[0]):
                templates[template].append(f"{module.file}:{call.lineno}")
        except _LostError:
            unfollowed.append(Unfollowed(module.file, call.lineno, ast.unparse(call)))
    for template, where in _in_data("companion"):
        templates[template].append(where)
    return Found({one: tuple(sorted(templates[one])) for one in sorted(templates)}, tuple(unfollowed))
