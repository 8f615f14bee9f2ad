"""An address as a picture that a telephone's camera reads."""

from io import BytesIO
from typing import Final

from flask import Response

MODULE_PIXELS: Final = 6
"""Pixels per module."""

QUIET_MODULES: Final = 4
"""The quiet zone that readers need, in modules (ISO/IEC 18004)."""


def picture_to_scan(address: str) -> Response:
    """Return an address as a QR code in SVG, which no browser keeps."""
    import segno  # noqa: PLC0415  (eleven modules that no start needs)

    drawn = BytesIO()
    segno.make_qr(address, error="m").save(
        drawn,
        kind="svg",
        xmldecl=False,
        scale=MODULE_PIXELS,
        border=QUIET_MODULES,
        dark="#2b1f14",
        light="#ffffff",
        svgclass=None,
        lineclass=None,
    )
    return Response(drawn.getvalue(), mimetype="image/svg+xml")
