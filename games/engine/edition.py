"""Editions: what is in the box and what its rulebook says, read from data files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "editions"
DEFAULT = "arcastudio-2.2"
POINTS = {"s": 4, "c": 2, "u": 1, "crossing": 8}  # what a tile's value adds up


@dataclass(frozen=True, slots=True)
class Tile:
    """One kind of tile as it lies at rotation 0."""

    kind: str
    corners: str  # NW NE SE SW, each "c", "s" or "-"
    sides: str  # N E S W, each "u" or "-"
    crossing: str  # "", "WE" or "NS"
    special: str  # "", "zero" or "dark"
    value: int
    copies: int

    def turned(self, rotation: int) -> tuple[str, str, str]:
        """Corners, sides and crossing after a clockwise turn of so many degrees."""
        steps = rotation // 90 % 4
        corners = self.corners[4 - steps :] + self.corners[: 4 - steps]
        sides = self.sides[4 - steps :] + self.sides[: 4 - steps]
        crossing = {"WE": "NS", "NS": "WE"}.get(self.crossing, "") if steps % 2 else self.crossing
        return corners, sides, crossing

    @property
    def rotations(self) -> tuple[int, ...]:
        """The rotations that look different."""
        seen: list[tuple[str, str, str]] = []
        for rotation in (0, 90, 180, 270):
            if self.turned(rotation) not in seen:
                seen.append(self.turned(rotation))
        return tuple(90 * i for i in range(len(seen)))


@dataclass(frozen=True, eq=False, slots=True)
class Edition:
    """One box. There is one object per name, so editions compare by identity."""

    name: str
    title: str
    centre: str
    frame: str
    unmarked: str
    silly: tuple[str, ...]
    level: str
    deck: tuple[str, ...]
    markers: tuple[tuple[int, int], ...]  # (value, how many), by value
    tiles: dict[str, Tile]
    cards: tuple[str, ...]  # the different cards, in the deck's order

    @property
    def all_tiles(self) -> str:
        """Every tile of the box, in the order that is shuffled."""
        return "".join(tile.kind * tile.copies for tile in self.tiles.values())

    @property
    def solo_tiles(self) -> str:
        """The same without the dark tiles."""
        return "".join(tile.kind * tile.copies for tile in self.tiles.values() if tile.special != "dark")

    @property
    def all_points(self) -> int:
        """What all markers of one side are worth."""
        return sum(value * count for value, count in self.markers)


def names() -> list[str]:
    """The editions there are, the default first."""
    found = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return sorted(found, key=lambda name: name != DEFAULT)


@cache
def edition(name: str) -> Edition:
    """The edition of that name. Raises KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    return _build(name, _data(name))


def _data(name: str) -> dict[str, Any]:
    with (FOLDER / f"{name}.toml").open("rb") as file:
        data = tomllib.load(file)
    base = data.pop("base", None)
    if base is None:
        return data
    merged = _data(base)
    tiles = merged["tiles"] | data.pop("tiles", {})
    return merged | data | {"tiles": tiles}


def _build(name: str, data: dict[str, Any]) -> Edition:
    tiles = {
        kind: Tile(
            kind=kind,
            corners=tile["corners"],
            sides=tile["sides"],
            crossing=tile.get("crossing", ""),
            special=tile.get("special", ""),
            value=tile["value"],
            copies=tile["copies"],
        )
        for kind, tile in data["tiles"].items()
    }
    for tile in tiles.values():
        worth = sum(POINTS.get(mark, 0) for mark in tile.corners + tile.sides)
        if tile.value != worth + (POINTS["crossing"] if tile.crossing else 0):
            raise ValueError(f"{name}: the value of tile {tile.kind} is not what it could close")
    return Edition(
        name=name,
        title=data["title"],
        centre=data["centre"],
        frame=data["frame"],
        unmarked=data["unmarked"],
        silly=tuple(data["silly"]),
        level=data["level"],
        deck=tuple(card for card, copies in data["deck"] for _ in range(copies)),
        markers=tuple(sorted((int(value), count) for value, count in data["markers"].items())),
        tiles=tiles,
        cards=tuple(card for card, _ in data["deck"]),
    )
