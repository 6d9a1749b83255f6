"""Editions of the game: tiles, cards, markers and rule variants, read from editions/*.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .choices import MatchEnd, TiedStartRule, UnmarkedRule

EDITIONS_FOLDER = Path(__file__).parent / "editions"
DEFAULT_EDITION = "arcastudio-2.2"
FEATURE_POINTS = {"s": 4, "c": 2, "u": 1, "crossing": 8}  # a tile's value is the sum over its features

# The words that an edition may have for the rules in which books differ.
KNOWN_RULES = {
    "unmarked": ("turn", "at-once", "next-side"),
    "level": ("tile", "oldest"),
    "default_seniority": ("account", "lot"),
}


class TileFeatures(NamedTuple):
    """The lines of a tile at a rotation, as in `Tile`."""

    corners: str
    sides: str
    crossing: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A kind of tile, described at rotation 0."""

    kind: str
    corners: str  # NW NE SE SW, each "c", "s" or "-"
    sides: str  # N E S W, each "u" or "-"
    crossing: str  # "", "WE" or "NS"
    special: str  # "", "zero" or "dark"
    value: int
    copies: int

    def rotate_features(self, rotation: int) -> TileFeatures:
        """Corners, sides and crossing after a clockwise rotation by so many degrees."""
        quarter_turns = rotation // 90 % 4
        corners = self.corners[4 - quarter_turns :] + self.corners[: 4 - quarter_turns]
        sides = self.sides[4 - quarter_turns :] + self.sides[: 4 - quarter_turns]
        crossing = {"WE": "NS", "NS": "WE"}.get(self.crossing, "") if quarter_turns % 2 else self.crossing
        return TileFeatures(corners, sides, crossing)

    @property
    def rotations(self) -> tuple[int, ...]:
        """The rotations that look different."""
        distinct_features: list[TileFeatures] = []
        for rotation in (0, 90, 180, 270):
            if self.rotate_features(rotation) not in distinct_features:
                distinct_features.append(self.rotate_features(rotation))
        return tuple(90 * i for i in range(len(distinct_features)))


@dataclass(frozen=True, eq=False, slots=True)
class Edition:
    """The contents and rule variants of one edition. One object per name: editions compare by identity."""

    name: str
    title: str
    first_rules_version: int
    centre: str
    frame: str
    unmarked_rule: UnmarkedRule
    silly_endings: tuple[MatchEnd, ...]
    tied_start_rule: TiedStartRule
    default_seniority: str  # account or lot
    default_cards: bool
    languages: tuple[str, ...]  # whose readers get its rules first
    deck: tuple[str, ...]
    markers: tuple[tuple[int, int], ...]  # (value, how many), by value
    tiles: dict[str, Tile]
    cards: tuple[str, ...]  # the different cards, in the deck's order

    @property
    def all_tiles(self) -> str:
        """Every tile of the edition, in the order in which they are shuffled."""
        return "".join(tile.kind * tile.copies for tile in self.tiles.values())

    @property
    def solo_tiles(self) -> str:
        """Every tile of the edition except the dark ones."""
        return "".join(tile.kind * tile.copies for tile in self.tiles.values() if tile.special != "dark")

    @property
    def total_marker_points(self) -> int:
        """The points of all markers of one side together."""
        return sum(value * count for value, count in self.markers)


def list_edition_names() -> list[str]:
    """The names of all editions, the default first."""
    edition_names = sorted(path.stem for path in EDITIONS_FOLDER.glob("*.toml"))
    return sorted(edition_names, key=lambda name: name != DEFAULT_EDITION)


def find_edition_of_language(language: str) -> str:
    """The edition whose rules readers of a language get first: one that names it, or the default."""
    return next(
        (name for name in list_edition_names() if language in load_edition(name).languages), DEFAULT_EDITION
    )


@cache
def load_edition(name: str) -> Edition:
    """The edition of a name, cached. Raises KeyError if there is none."""
    if name not in list_edition_names():
        raise KeyError(name)
    return _build_edition(name, _read_edition_data(name))


def _read_edition_data(name: str) -> dict[str, Any]:
    """An edition's TOML data, merged over its base edition if it names one."""
    with (EDITIONS_FOLDER / f"{name}.toml").open("rb") as file:
        data = tomllib.load(file)
    base = data.pop("base", None)
    if base is None:
        return data
    merged = _read_edition_data(base)
    tiles = merged["tiles"] | data.pop("tiles", {})
    return merged | data | {"tiles": tiles}


def _build_edition(name: str, data: dict[str, Any]) -> Edition:
    """Build an edition from its data. Raises ValueError on an unknown rule or a tile of a wrong value."""
    for field, known_words in KNOWN_RULES.items():
        if data[field] not in known_words:
            raise ValueError(f"{name}: {field} is one of {', '.join(known_words)}")
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
        feature_points = sum(FEATURE_POINTS.get(mark, 0) for mark in tile.corners + tile.sides)
        if tile.value != feature_points + (FEATURE_POINTS["crossing"] if tile.crossing else 0):
            raise ValueError(f"{name}: the value of tile {tile.kind} is not what it could close")
    return Edition(
        name=name,
        title=data["title"],
        first_rules_version=data["first_rules_version"],
        centre=data["centre"],
        frame=data["frame"],
        unmarked_rule=data["unmarked"],
        silly_endings=tuple(data["silly"]),
        tied_start_rule=data["level"],
        default_seniority=data["default_seniority"],
        default_cards=data["default_cards"],
        languages=tuple(data["languages"]),
        deck=tuple(card for card, copies in data["deck"] for _ in range(copies)),
        markers=tuple(sorted((int(value), count) for value, count in data["markers"].items())),
        tiles=tiles,
        cards=tuple(card for card, _ in data["deck"]),
    )
