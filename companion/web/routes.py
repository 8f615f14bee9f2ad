"""Routes that learn how to build their addresses when somebody first asks for one: few are ever built."""

from collections.abc import Callable

from werkzeug.routing import Rule


class LateRule(Rule):
    """A route whose two builders are compiled on their first use; for all routes at once it took 30 ms of a start."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: FBT001, FBT002
        """Return a builder that puts the real one in its place and calls it.

        Where Werkzeug names its own one otherwise, nobody calls this, and its routes are compiled at once.
        """

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            real = Rule._compile_builder(rule, append_unknown).__get__(rule, None)  # noqa: SLF001
            setattr(rule, "_build_unknown" if append_unknown else "_build", real)
            address: tuple[str, str] = real(**values)
            return address

        return build
