"""What a text in the source may be: followed through names, branches, tables, fields and the callers of a function."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from companion.language.translating.source import (
    Module,
    Scope,
    Steps,
    assigned_to_self,
    bindings,
    called,
    is_name,
    modules,
    parameter_of,
    place_of,
)

PACKAGES = ("companion", "calibration", "firmware_bridge")
MAKERS = frozenset({"Sentence", "Phrase"})  # the records whose first argument is a template
REBUILDERS = frozenset(
    {"named", "sentence_from_json", "_sentence_within", "_from_phrase", "_constant"}
)  # they make a sentence anew from another one
IN_DATA = "\0"  # stands for what is read from a data file, where all of these are found
DATA_KEYS = frozenset({"story", "ruled", "meaning", "sentences", "title", "english"})  # texts for players in data files


class LostError(Exception):
    """A value cannot be followed to the texts that it may be."""


class Source:
    """The syntax trees of all packages; finds every sentence in them and the texts that its template may be."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.modules = {module.name: module for package in packages for module in modules(package)}
        self.calls: dict[str, list[tuple[Module, ast.Call]]] = defaultdict(list)
        self._begun: set[tuple[ast.AST, Steps]] = set()  # what is being followed
        for module in self.modules.values():
            for node in module.scopes:
                if isinstance(node, ast.Call) and (name := called(node)):
                    self.calls[name].append((module, node))

    def sentences(self) -> Iterator[tuple[Module, ast.Call]]:
        """Give every place where a sentence is made, not those where one is made anew from another."""
        for maker in sorted(MAKERS):
            for module, call in self.calls[maker]:
                if call.args and not _rebuilds(module, call):
                    yield module, call

    def refusals(self) -> Iterator[tuple[Module, ast.Call]]:
        """Give every place where a request is refused with a constant text, which is its own template."""
        for module, call in self.calls["abort"]:
            if (
                len(call.args) > 1
                and isinstance(call.args[1], ast.Constant)
                and module.name.startswith("companion.web")
            ):
                yield module, call

    def values(self, module: Module, node: ast.AST, path: Steps = ()) -> set[str]:
        """Return every text that an expression may be, after taking ``path`` out of it."""
        if (node, path) in self._begun:
            return set()  # a circle: what is in it is found on the other ways into it
        follow = getattr(self, f"_{type(node).__name__.lower()}", None)
        if follow is None:
            raise LostError
        self._begun.add((node, path))
        try:
            result: set[str] = follow(module, node, path)
        finally:
            self._begun.discard((node, path))
        return result

    def _any(self, module: Module, nodes: list[ast.expr], path: Steps) -> set[str]:
        return set().union(*(self.values(module, node, path) for node in nodes))

    def _constant(self, module: Module, node: ast.Constant, path: Steps) -> set[str]:
        del module
        if node.value is None:
            return set()
        if isinstance(node.value, str) and not path:
            return {node.value}
        raise LostError

    def _ifexp(self, module: Module, node: ast.IfExp, path: Steps) -> set[str]:
        return self._any(module, [node.body, node.orelse], path)

    def _boolop(self, module: Module, node: ast.BoolOp, path: Steps) -> set[str]:
        return self._any(module, node.values, path)

    def _namedexpr(self, module: Module, node: ast.NamedExpr, path: Steps) -> set[str]:
        return self.values(module, node.value, path)

    def _tuple(self, module: Module, node: ast.Tuple | ast.List | ast.Set, path: Steps) -> set[str]:
        if not path:
            raise LostError
        (step, which), *rest = path
        if step == "item" and isinstance(which, int) and which < len(node.elts):
            return self.values(module, node.elts[which], tuple(rest))
        return self._any(module, node.elts, tuple(rest))

    _list = _set = _tuple

    def _dict(self, module: Module, node: ast.Dict, path: Steps) -> set[str]:
        if not path:
            raise LostError
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

    def _dictcomp(self, module: Module, node: ast.DictComp, path: Steps) -> set[str]:
        return self.values(module, node.value, path[1:])

    def _listcomp(self, module: Module, node: ast.ListComp | ast.GeneratorExp, path: Steps) -> set[str]:
        return self.values(module, node.elt, path[1:])

    _generatorexp = _listcomp

    def _subscript(self, module: Module, node: ast.Subscript, path: Steps) -> set[str]:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        try:
            return self.values(module, node.value, (("item", key), *path))
        except LostError:
            if key in DATA_KEYS:
                return {IN_DATA}
            raise

    def _call(self, module: Module, node: ast.Call, path: Steps) -> set[str]:
        name = called(node)
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
            homes = self._functions(module, name) or self._classes(module, name)
            return self._argument(homes, path[0][1], [(module, node)], path[1:])
        returns = [one for function, home in self._functions(module, name) for one in self._returned(home, function)]
        if not returns:
            raise LostError
        return set().union(*(self.values(home, value, path) for home, value in returns))

    def _attribute(self, module: Module, node: ast.Attribute, path: Steps) -> set[str]:
        """Follow a field: what is assigned to it in its class, or given to the constructor of a record that has it."""
        found: set[str] = set()
        known = False
        for owner in (one for one in module.scopes if isinstance(one, ast.ClassDef)):
            for place, value in assigned_to_self(owner, node.attr):
                found |= self.values(module, value, path + place)
                known = True
        for owner, home in self._records(module, node.attr):
            found |= self._argument([(owner, home)], node.attr, self.calls[owner.name], path)
            known = True
        if not known:
            raise LostError
        return found

    def _name(self, module: Module, node: ast.Name, path: Steps) -> set[str]:
        return self._named(module, node.id, self._scope(module, node), path)

    def _scope(self, module: Module, node: ast.AST) -> Scope:
        return tuple(one for one in module.scopes[node] if not isinstance(one, ast.ClassDef))

    def _named(self, module: Module, name: str, scope: Scope, path: Steps) -> set[str]:
        for function in (*reversed(scope), module.tree):
            bound = list(bindings(function, name, module, self._scope))
            found: set[str] = set()
            for place, value in bound:
                found |= self.values(module, value, place + path)
            parameter = isinstance(function, ast.FunctionDef) and parameter_of(function, name) is not None
            if parameter:
                assert isinstance(function, ast.FunctionDef)
                found |= self._given(module, function, name, path)
            if bound or parameter:
                return found
        if name in module.imports and module.imports[name][0] in self.modules:
            home, original = module.imports[name]
            return self._named(self.modules[home], original, (), path)
        raise LostError

    def _given(self, module: Module, function: ast.FunctionDef, name: str, path: Steps) -> set[str]:
        """Return what a parameter of a function may be; that of a constructor is given where its class is called."""
        owner = module.scopes[function][-1] if module.scopes[function] else None
        if function.name == "__init__" and isinstance(owner, ast.ClassDef):
            return self._argument([(function, module)], name, self.calls[owner.name], path)
        homes = self._functions(module, function.name)
        return self._argument(homes, name, self._callers(module, function.name), path)

    def _callers(self, module: Module, name: str) -> list[tuple[Module, ast.Call]]:
        own = [
            (home, call)
            for home, call in self.calls[name]
            if home is module or home.imports.get(name, ("",))[0] == module.name
        ]
        return own or [one for one in self.calls[name] if isinstance(one[1].func, ast.Attribute)]

    def _argument(
        self, homes: list[tuple[ast.AST, Module]], name: str, calls: list[tuple[Module, ast.Call]], path: Steps
    ) -> set[str]:
        """Return what is given for a parameter of a function, or a field of a record, wherever it is called."""
        if not homes or not calls:
            raise LostError
        at, default = place_of(homes[0][0], name)
        found: set[str] = self.values(homes[0][1], default, path) if default is not None else set()
        for home, call in calls:
            given = {word.arg: word.value for word in call.keywords}
            if name in given:
                found |= self.values(home, given[name], path)
            elif None in given and default is None:
                raise LostError
            elif at is not None and at < len(call.args):
                if any(isinstance(one, ast.Starred) for one in call.args[: at + 1]):
                    raise LostError
                found |= self.values(home, call.args[at], path)
        return found

    def _functions(self, module: Module, name: str) -> list[tuple[ast.AST, Module]]:
        return self._defined(module, name, ast.FunctionDef)

    def _classes(self, module: Module, name: str) -> list[tuple[ast.AST, Module]]:
        return self._defined(module, name, ast.ClassDef)

    def _defined(self, module: Module, name: str, kind: type[ast.AST]) -> list[tuple[ast.AST, Module]]:
        own = [(one, module) for one in module.scopes if isinstance(one, kind) and getattr(one, "name", "") == name]
        if own or name not in module.imports or module.imports[name][0] not in self.modules:
            return own
        home, original = module.imports[name]
        return self._defined(self.modules[home], original, kind)

    def _records(self, module: Module, attribute: str) -> Iterator[tuple[ast.ClassDef, Module]]:
        """Give the classes that this module defines or imports and that have this field."""
        for name in {*(one.name for one in module.scopes if isinstance(one, ast.ClassDef)), *module.imports}:
            for owner, home in self._classes(module, name):
                assert isinstance(owner, ast.ClassDef)
                if any(isinstance(line, ast.AnnAssign) and is_name(line.target, attribute) for line in owner.body):
                    yield owner, home

    def _returned(self, module: Module, function: ast.AST) -> list[tuple[Module, ast.AST]]:
        assert isinstance(function, ast.FunctionDef)
        return [
            (module, node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value is not None and module.scopes[node][-1] is function
        ]


def _rebuilds(module: Module, call: ast.Call) -> bool:
    return any(getattr(one, "name", "") in REBUILDERS for one in module.scopes[call])
