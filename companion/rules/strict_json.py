"""Strict JSON: check input once where it enters, and write output that every program can read.

Python's own reader accepts more than JSON (RFC 8259) allows: NaN and Infinity, duplicate names, lone surrogates. Such
values would fail later, far from where they entered: on writing, hashing, comparing or sending.
"""

import json
import math
from typing import Any, Final

from companion.language.sentence import Sentence, SentenceError

DEEPEST_NESTING: Final = 64
"""The deepest nesting of lists and objects; the deepest record of this program has about twenty levels."""

LARGEST_NUMBER: Final = 2**63 - 1
"""The largest whole number in a file of this program; the smallest is its negative."""

LONGEST_NUMBER: Final = 400
"""The most characters of one number; no number that Python writes has as many."""

DUPLICATE: Final = Sentence("Expected every name of an object once, but one occurs twice: leave one of them out.")
NO_NUMBER: Final = Sentence("Expected a number, but got infinity or none (NaN): JSON has no such numbers.")
TOO_LARGE: Final = Sentence("Expected numbers of at most 19 digits, but got a larger one.")
TOO_DEEP: Final = Sentence(
    "Expected at most {most} lists and objects inside each other, but there are more.", most=DEEPEST_NESTING
)
NO_TEXT: Final = Sentence("Expected text in valid Unicode, but got half of a character: correct that text.")


class StrictJsonError(SentenceError, ValueError):
    """Python accepts the JSON, but this program does not; ``sentence`` says what is wrong with it."""

    @property
    def reason(self) -> str:
        """What is wrong, worded as the end of another sentence."""
        return _plain(str(self.__cause__)) if isinstance(self, NoJsonError) else str(self).removesuffix(".")


class NoJsonError(StrictJsonError):
    """The text is not JSON."""


def read_json(text: str | bytes) -> Any:
    """Return the value that a JSON text holds.

    Raises:
        NoJsonError: the text is not JSON.
        StrictJsonError: an object has a name twice, a number is too large, infinite or NaN, a text is not valid
            Unicode, or the nesting is too deep.
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
    """Return data as JSON; numbers that JSON does not have become null, as in browsers.

    ``how``: further arguments of `json.dumps`.
    """
    try:
        return json.dumps(data, allow_nan=False, **how)
    except ValueError:
        return json.dumps(_finite(data), allow_nan=False, **how)


def is_unicode(text: str) -> bool:
    """Return whether a text can be encoded; a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown_text(text: str) -> str:
    """Return a text from outside (the name of a file or device) with a sign for each part that is not valid Unicode."""
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
    number = int(written) if len(written) <= LONGEST_NUMBER else LARGEST_NUMBER + 1
    if abs(number) > LARGEST_NUMBER:
        raise StrictJsonError(TOO_LARGE)
    return number


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(DEEPEST_NESTING + 1):
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
    """Return whether every text is valid Unicode; a lone surrogate comes from an escape or from the text itself."""
    return is_unicode(json.dumps(data, ensure_ascii=False) if "\\u" in written else written)


def _plain(why: str) -> str:
    return shown_text(why)[:120]


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not math.isfinite(data):
        return None
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data
