"""The diagnostic bundle: one ZIP for a helper of the owner; never the PIN, no names, pictures only if ticked."""

import io
import json
import zipfile
from importlib.resources import files

from companion.live.table import LiveTable
from companion.rules.strict_json import written_json
from companion.settings.file import settings_to_json
from companion.settings.record import TableSettings
from companion.web.owner import health
from companion.web.recent_log import when, without_persons


def bundle(table: LiveTable, settings: TableSettings, *, pictures: bool) -> bytes:
    """Return the ZIP. ``pictures``: whether to include the newest picture of each camera."""
    names = health.players(table)
    signs = health.health(table)
    texts = {
        "README.txt": (files(__package__) / "diagnostics.txt").read_text(encoding="utf-8"),
        "health.json": written_json(signs, indent=1, ensure_ascii=False),
        "settings.json": json.dumps(settings_to_json(settings), indent=1),
        "log.txt": "\n".join(f"{when(line)} {line.level} {line.part}: {line.text}" for line in health.lines(table)),
        "versions.json": json.dumps(
            {"program": signs["version"], "python": signs["python"], "packages": health.packages()}, indent=1
        ),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text if name == "README.txt" else without_persons(text, names))
        for name in ("table", "board") if pictures else ():
            picture = table.picture(name)
            if picture is not None:
                archive.writestr(f"pictures/{name}.jpg", picture)
    return packed.getvalue()
