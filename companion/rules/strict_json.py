"""JSON that comes from outside, checked once where it enters; and JSON that goes out, which every program can read.

Python's own reader takes more than JSON is (RFC 8259): NaN and Infinity, names that stand twice, halves of characters.
What it takes would fail later, far from the door: when it is written, hashed, compared or sent.
"""

import json
import math
from typing import Any, Final

from companion.language.sentence import Sentence, SentenceError

DEEPEST: Final = 64
"""Lists and objects inside each other; the deepest record of this program has about twenty."""

LARGEST: Final = 2**63 - 1
"""The largest whole number that a file of this program holds; the least is as far below zero."""

LONGEST_NUMBER: Final = 400
"""Characters of one number: more than any has that Python writes."""

DUPLICATE: Final = Sentence("Expected every name of an object once, but one stands twice: leave one of them out.")
NO_NUMBER: Final = Sentence("Expected a number, but got infinity or none (NaN): JSON has no such numbers.")
TOO_LARGE: Final = Sentence("Expected numbers of at most 19 digits, but got a larger one.")
TOO_DEEP: Final = Sentence(
    "Expected at most {most} lists and objects inside each other, but there are more.", most=DEEPEST
)
NO_TEXT: Final = Sentence("Expected text in valid Unicode, but got half of a character: correct that text.")


class StrictJsonError(SentenceError, ValueError):
    """It is JSON for Python, but nothing that this program takes; ``sentence`` says what is wrong with it."""

    @property
    def reason(self) -> str:
        """What is wrong, as the end of another sentence."""
        return _plain(str(self.__cause__)) if isinstance(self, NoJsonError) else str(self).removesuffix(".")


class NoJsonError(StrictJsonError):
    """It is no JSON at all."""


def read_json(text: str | bytes) -> Any:
    """Return what JSON says.

    Raises:
        NoJsonError: it is no JSON.
        StrictJsonError: a name stands twice in an object, a number is too large or none, a text is no valid Unicode,
            or it is nested too deeply.
    """
    try:
        written = text if isinstance(text, str) else text.decode("utf-8-sig")
        data = json.loads(
            written, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_real, parse_int=_whole
        )
    except StrictJsonError:
        raise
    except RecursionError as why:
        raise StrictJsonError(TOO_DEEP) from why
    except UnicodeDecodeError as why:
        raise StrictJsonError(NO_TEXT) from why
    except ValueError as why:
        raise NoJsonError(Sentence("Expected JSON, but it cannot be read ({why}).", why=_plain(str(why)))) from why
    _check_depth(data)
    if not _spelt_in_unicode(written, data):
        raise StrictJsonError(NO_TEXT)
    return data


def written_json(data: Any, **how: Any) -> str:
    """Return data as JSON; a number that JSON does not have is written as null, as browsers do.

    ``how``: as `json.dumps` takes it.
    """
    try:
        return json.dumps(data, allow_nan=False, **how)
    except ValueError:
        return json.dumps(_finite(data), allow_nan=False, **how)


def is_unicode(text: str) -> bool:
    """Tell whether a text can be written: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown_text(text: str) -> str:
    """Return a text that is not ours (the name of a file, of a device) with a sign where it is no valid Unicode."""
    return text.encode("utf-8", "replace").decode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise StrictJsonError(DUPLICATE)
    return found


def _no_number(_: str) -> Any:
    raise StrictJsonError(NO_NUMBER)


def _real(written: str) -> float:
    number = float(written) if len(written) <= LONGEST_NUMBER else math.inf
    if not math.isfinite(number):
        raise StrictJsonError(TOO_LARGE)
    return number


def _whole(written: str) -> int:
    number = int(written) if len(written) <= LONGEST_NUMBER else LARGEST + 1
    if abs(number) > LARGEST:
        raise StrictJsonError(TOO_LARGE)
    return number


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise StrictJsonError(TOO_DEEP)


def _spelt_in_unicode(written: str, data: Any) -> bool:
    """Tell whether every text is valid: half a character comes in by an escape, or stood in the text before."""
    return is_unicode(json.dumps(data, ensure_ascii=False) if "\\u" in written else written)


def _plain(why: str) -> str:
    return shown_text(why)[:120]


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data
