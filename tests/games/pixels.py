"""A small PNG decoder, so that tests can examine the pixels of a picture."""

from __future__ import annotations

import re
import struct
import zlib
from functools import cache

from games.picture_svg import render_png


class Pixels:
    """A decoded PNG in RGBA with 8 bits per channel, the only format that resvg writes."""

    def __init__(self, data: bytes) -> None:
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        self.width, self.height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
        assert (depth, colour, interlace) == (8, 6, 0)
        packed, at = b"", 8
        while at < len(data):
            (length,) = struct.unpack(">I", data[at : at + 4])
            packed += data[at + 8 : at + 8 + length] if data[at + 4 : at + 8] == b"IDAT" else b""
            at += length + 12
        raw, stride = zlib.decompress(packed), 4 * self.width + 1
        self.rows: list[bytearray] = []
        above = bytearray(stride - 1)
        for first in range(0, len(raw), stride):
            above = _unfilter_row(raw[first], bytearray(raw[first + 1 : first + stride]), above)
            self.rows.append(above)

    def get_pixel(self, x: float, y: float) -> tuple[int, ...]:
        """Red, green, blue, alpha."""
        return tuple(self.rows[int(y)][4 * int(x) : 4 * int(x) + 4])

    def light(self, x: float, y: float) -> bool:
        """True if the pixel belongs to a line."""
        return min(self.get_pixel(x, y)[:3]) > 127

    def count(self, colour: str) -> int:
        """Count the pixels of exactly this colour."""
        wanted = bytes.fromhex(colour[1:]) + b"\xff"
        return sum(row[i : i + 4] == wanted for row in self.rows for i in range(0, len(row), 4))

    def flood(self, x: float, y: float) -> set[tuple[int, int]]:
        """Return all pixels that can be reached from this one without crossing a line."""
        waiting = [(int(x), int(y))]
        visited = set(waiting)
        assert not self.light(x, y)
        while waiting:
            across, down = waiting.pop()
            for to in ((across + 1, down), (across - 1, down), (across, down + 1), (across, down - 1)):
                inside = 0 <= to[0] < self.width and 0 <= to[1] < self.height
                if inside and to not in visited and not self.light(*to):
                    visited.add(to)
                    waiting.append(to)
        return visited


def _unfilter_row(kind: int, row: bytearray, above: bytearray) -> bytearray:
    """Undo the PNG filter of a row. Each filter has its own loop, because most of the time is spent here."""
    match kind:
        case 1:
            for i in range(4, len(row)):
                row[i] = row[i] + row[i - 4] & 255
        case 2:
            for i, up in enumerate(above):
                row[i] = row[i] + up & 255
        case 3:
            for i, up in enumerate(above):
                row[i] = row[i] + ((row[i - 4] if i >= 4 else 0) + up >> 1) & 255
        case 4:
            for i, up in enumerate(above):
                left, corner = (row[i - 4], above[i - 4]) if i >= 4 else (0, 0)
                to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                near = (
                    left
                    if to_left <= to_up and to_left <= to_corner
                    else up
                    if to_up <= to_corner
                    else corner
                )
                row[i] = row[i] + near & 255
    return row


@cache
def render_pixels(drawn: str, width: int) -> Pixels:
    """Render the picture at this width."""
    return Pixels(render_png(drawn, width))


def render_close_up(drawn: str, at: complex, reach: int) -> Pixels:
    """Render the square around a point at four pixels per unit, which is faster than a large picture."""
    box = f'viewBox="{at.real - reach:g} {at.imag - reach:g} {2 * reach} {2 * reach}"'
    return render_pixels(re.sub('viewBox="[^"]*"', box, drawn, count=1), 8 * reach)
