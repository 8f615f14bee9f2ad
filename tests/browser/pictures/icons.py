"""The icons of the page as an app, drawn by the browser from the page's own mark."""

from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

STATIC = Path(__file__).resolve().parents[3] / "companion" / "web" / "static"
ICONS = {"icon-48": (48, 1.0), "icon-192": (192, 1.0), "icon-512": (512, 1.0), "icon-maskable": (512, 0.72)}
"""Name, side in pixels, and the mark's share of it: what may be cut to a circle keeps to the middle."""


def draw_icons(browser: Browser, folder: Path) -> None:
    """Write every icon as PNG into ``folder``."""
    mark = (STATIC / "mark.svg").read_text(encoding="utf-8")
    for name, (side, share) in ICONS.items():
        page = browser.new_page(viewport={"width": side, "height": side})
        ground = "transparent" if share == 1 else "#fbf6e9"
        size = round(side * share)
        page.set_content(
            f"<style>html,body{{margin:0;background:{ground};height:100%;display:grid;place-items:center}}"
            f"svg{{width:{size}px;height:{size}px;display:block}}</style>{mark}"
        )
        shot = Image.open(BytesIO(page.screenshot(omit_background=True)))
        shot.quantize(64, method=Image.Quantize.FASTOCTREE).save(folder / f"{name}.png", optimize=True)
        page.close()
