"""Send little over the network: compressed answers, one style sheet, and all modules of a page requested at once.

The scripts are modules that import each other; without a hint a browser finds them one import after the other.
The styles of every page are several files here and one answer for the browser: on a slow tablet each request costs as
much as drawing ten dice.
"""

import gzip
import mimetypes
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from posixpath import join, normpath

from flask import Blueprint, Flask, Response, request, url_for

from companion.language.wording import Form

COMPRESSIBLE = frozenset(
    {"text/html", "text/css", "text/javascript", "application/javascript", "application/json", "image/svg+xml"}
)
SCRIPT = re.compile(r"[a-z]+/[a-z0-9_]+\.js")
WORTH_IT = 800  # bytes; anything smaller fits into one packet anyway
IMPORT = re.compile(r"""^(?:import|export)\b[^;"']*["'](\.{1,2}/[\w./-]+\.js)["']""", re.MULTILINE)
IMPORT_LATER = re.compile(r"""\bimport\(["'](\.{1,2}/[\w./-]+\.js)["']\)""")
SHEETS = (
    "page/base",
    "page/looks",
    "page/parts",
    "table/virtues",
    "board/men",
    "board/lights",
    "table/table",
    "page/forms",
    "table/start",
    "table/screen",
    "table/evidence",
)  # of every page, in their order
LETTERS = "font/woff2"
SCRIPTS = frozenset({"text/javascript", "application/javascript"})
UNREAD = re.compile(
    rb"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n|^[ \t]*//[^\n]*\n|^[ \t]+|[ \t]+// [^\n\"'`]*$", re.DOTALL | re.MULTILINE
)
"""What no browser needs of a script: comments, and indentation. No text of ours spans lines; a comment behind code has
no quotes, else it may be a part of a text and stays."""
FOR_EVER = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__)


def prepare(app: Flask) -> None:
    """Compress the app's answers, and give templates a script's modules and the address of the style sheet."""
    mimetypes.add_type(LETTERS, ".woff2")  # some systems know no type of it
    app.after_request(_compressed)
    app.after_request(_kept)
    app.register_blueprint(blueprint)
    app.jinja_env.globals["modules"] = modules
    app.jinja_env.globals["sheet_address"] = sheet_address


@cache
def modules(*scripts: str, later: bool = False) -> tuple[str, ...]:
    """Return scripts and all their direct and indirect imports, as names within ``static/js``.

    ``later``: include dynamic imports, which load on demand.
    """
    found: dict[str, None] = {}
    folder = files(__package__) / "static" / "js"
    ahead = list(scripts)
    while ahead:
        name = ahead.pop(0)
        if name not in found:
            found[name] = None
            text = (folder / name).read_text(encoding="utf-8")
            imported = IMPORT.findall(text) + (IMPORT_LATER.findall(text) if later else [])
            ahead += [normpath(join(name, "..", one)) for one in imported]
    return tuple(found)


@blueprint.get("/page.css")
def sheet() -> Response:
    """Return the styles of every page in one; browsers may keep them for ever under the address that a page names."""
    text, version = _sheet()
    response = Response(text, mimetype="text/css")
    response.headers["Cache-Control"] = FOR_EVER if request.args.get("v") == version else "no-cache"
    response.set_etag(version)
    response.make_conditional(request)
    return response


def sheet_address() -> str:
    """Return the address of the current styles; it changes with their content."""
    return url_for("assets.sheet", v=_sheet()[1])


@cache
def _sheet() -> tuple[str, str]:
    folder = files(__package__) / "static" / "css"
    text = "\n".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
    return text, sha256(text.encode()).hexdigest()[:16]


def used_texts(own: Mapping[str, Form], scripts: Sequence[str]) -> dict[str, Form]:
    """Return the texts that these scripts and their modules may name; all texts if a script is unknown."""
    whole: set[str] = set()
    begun: set[str] = set()
    for script in scripts:
        if not SCRIPT.fullmatch(script) or not (files(__package__) / "static" / "js" / script).is_file():
            return dict(own)
        for module in modules(script, later=True):
            for key, goes_on in _keys(module):
                (begun if goes_on else whole).add(key)
    return {key: form for key, form in own.items() if key in whole or key.startswith(tuple(begun))}


@cache
def _keys(module: str) -> frozenset[tuple[str, bool]]:
    """Return all possible text keys, and whether each is the beginning of some: ``dice.`` is of ``dice.${face}``."""
    text = (files(__package__) / "static" / "js" / module).read_text(encoding="utf-8")
    return frozenset(
        (key, bool(open_end) or key.endswith("."))
        for key, open_end in re.findall(r"""["'`]([a-z_]+\.[\w.]*)(\$\{)?""", text)
    )


def _compressed(response: Response) -> Response:
    if response.mimetype not in COMPRESSIBLE:
        return response
    response.vary.add("Accept-Encoding")
    of_file = response.direct_passthrough or request.endpoint == "assets.sheet"  # the same bytes every time
    if (
        response.status_code != 200  # noqa: PLR2004  (anything else is short, or has no body)
        or request.method == "HEAD"
        or "Content-Encoding" in response.headers
        or not request.accept_encodings["gzip"]
        or (response.is_streamed and not of_file)
    ):
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) < WORTH_IT:
        return response
    if of_file and response.mimetype in SCRIPTS:
        data = UNREAD.sub(b"", data)
    response.set_data(_packed(data) if of_file else _quickly_packed(data))
    response.headers["Content-Encoding"] = "gzip"
    tag, _ = response.get_etag()
    if tag is not None:
        response.set_etag(tag, weak=True)  # the bytes differ from the uncompressed ones, the content does not
    return response


def _kept(response: Response) -> Response:
    if response.mimetype == LETTERS:
        response.headers["Cache-Control"] = FOR_EVER  # other letters come under another name
    return response


@lru_cache(maxsize=256)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


@lru_cache(maxsize=16)  # fifty pages ask for the same state in the same second
def _quickly_packed(data: bytes) -> bytes:
    return gzip.compress(data, 5, mtime=0)
