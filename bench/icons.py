"""Draws the icons of the web app from static/otto.svg, after a change of it: `python -m bench.icons`."""

from __future__ import annotations

import io
import re
from pathlib import Path

import resvg_py
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SOURCE, FOLDER = ROOT / "static" / "otto.svg", ROOT / "static" / "icons"
SIZES = (192, 512)
SAFE_ZONE = 0.8  # of the width of a maskable icon; a system may cut off the rest
COLORS = 16  # shades of two colours


def draw_icon(svg: str, size: int) -> Image.Image:
    """Draw an SVG as a square picture."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))
    return Image.open(io.BytesIO(png)).convert("RGBA")


def make_maskable(svg: str) -> str:
    """Return the SVG with a background to its edges and the figure within the safe zone."""
    square = re.sub(r' rx="[\d.]+"', "", svg)
    margin = 16 * (1 - SAFE_ZONE)
    return square.replace("<path ", f'<path transform="translate({margin} {margin}) scale({SAFE_ZONE})" ')


def main() -> None:
    """Write the icons."""
    FOLDER.mkdir(exist_ok=True)
    source = SOURCE.read_text()
    for prefix, svg in (("icon", source), ("maskable", make_maskable(source))):
        for size in SIZES:
            picture = draw_icon(svg, size).quantize(COLORS, method=Image.Quantize.FASTOCTREE)
            picture.save(FOLDER / f"{prefix}-{size}.png", optimize=True)


if __name__ == "__main__":
    main()
