"""What makes an app's addresses, compiled once for a process: each app that a test makes would compile it for all."""

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


class KeptBuilders:
    """Compiled builders by all that they are made of: a rule's parts and its defaults."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Builder] = {}
        self._compile: Callable[[Rule, bool], Builder] = Rule._compile_builder

    def of(self, rule: Rule, append_unknown: bool = True) -> Builder:  # noqa: FBT001, FBT002  # as Werkzeug calls it
        """Stand in for `Rule._compile_builder`, which gives a function of a rule."""
        made_of = (*rule._trace, repr(rule.defaults), append_unknown)
        if made_of not in self._kept:
            self._kept[made_of] = self._compile(rule, append_unknown)
        return self._kept[made_of]


def keep_builders(put: Callable[[object, str, object], None] = setattr) -> None:
    """Let every app of this process share them; ``put``: a way that ends, such as of a `pytest.MonkeyPatch`."""
    kept = KeptBuilders()
    put(Rule, "_compile_builder", lambda rule, append_unknown=True: kept.of(rule, append_unknown))
