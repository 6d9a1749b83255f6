"""The edition data of the API suffices to rebuild board and tower; both agree with the engine."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Mapping
from typing import Any

import pytest

from games.engine import (
    RULES_VERSIONS,
    Setup,
    apply_action,
    build_view,
    legal_actions,
    list_edition_names,
    load_edition,
    start_game,
)
from tests.factories.cast import Api

pytestmark = pytest.mark.django_db

EDITIONS = list_edition_names()
CORNERS = ("nw", "ne", "se", "sw")
SIDES = ("n", "e", "s", "w")
STEPS = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
CORNER_STEPS = {"nw": (0, 1), "ne": (1, 1), "se": (1, 0), "sw": (0, 0)}


def load_data(name: str) -> dict[str, Any]:
    data: dict[str, Any] = Api(None).get(f"editions/{name}/").json()
    return data


def test_the_list_has_every_edition_with_the_default_first() -> None:
    listed = Api(None).get("editions/")
    assert [edition["id"] for edition in listed.json()] == EDITIONS
    assert [edition["is_default"] for edition in listed.json()] == [True] + [False] * (len(EDITIONS) - 1)
    assert listed.json() == [load_data(name) for name in EDITIONS]
    versions = {edition["id"]: edition["rules_versions"] for edition in listed.json()}
    for name in EDITIONS:
        for rules in RULES_VERSIONS:
            if rules in versions[name]:
                Setup(edition=name, rules=rules)
            else:
                with pytest.raises(ValueError, match="rules version"):
                    Setup(edition=name, rules=rules)
    assert Api(None).get("editions/", **{"If-None-Match": listed["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("name", "rules", "languages"),
    [
        ("arcastudio-2.2", ("turn", ["full"], "tile", "account", True), []),
        ("bannan-nl", ("at-once", ["full", "tower"], "oldest", "account", True), ["nl"]),
        ("pergioco-72", ("next-side", ["full", "tower"], "tile", "lot", False), []),
    ],
)
def test_everything_in_which_the_editions_differ_is_there(
    name: str, rules: tuple[object, ...], languages: list[str]
) -> None:
    data = load_data(name)
    names = ("unmarked", "silly", "level", "default_seniority", "default_cards")
    assert (data["rules"], data["languages"]) == (dict(zip(names, rules, strict=True)), languages)


def test_an_edition_that_is_none_is_not_found() -> None:
    for name in ("nothing", "arcastudio-2", "..", "arcastudio-2.2.toml"):
        assert Api(None).get(f"editions/{name}/").status_code == 404


@pytest.mark.parametrize("name", EDITIONS)
def test_tiles_and_cards_are_those_that_are_shuffled(name: str) -> None:
    data, edition = load_data(name), load_edition(name)
    tower = "".join(tile["id"] * tile["count"] for tile in data["tiles"])
    solo_tower = "".join(tile["id"] * tile["count"] for tile in data["tiles"] if tile["in_solo"])
    assert (tower, solo_tower) == (edition.all_tiles, edition.solo_tiles)
    assert [card["id"] for card in data["deck"] for _ in range(card["count"])] == list(edition.deck)
    assert {int(value): count for value, count in data["markers"].items()} == dict(edition.markers)
    points = {figure["kind"]: figure["value"] for figure in data["figures"]}
    for tile in data["tiles"]:
        lines = [*tile["corners"].values(), *tile["sides"].values()]
        value = sum(points[line] for line in lines if line) + (points["infinity"] if tile["crossing"] else 0)
        assert tile["value"] == value


def shuffle_by_protocol(key: bytes, label: str, items: list[str]) -> list[str]:
    """Shuffle as PROTOCOL.md describes it, without code of the engine."""
    numbers: list[int] = []
    block = 0

    def below(count: int) -> int:
        nonlocal block
        while True:
            if not numbers:
                digest = hmac.new(key, f"{label}|{block}".encode(), hashlib.sha256).digest()
                numbers.extend(int.from_bytes(digest[i : i + 4]) for i in range(0, 32, 4))
                block += 1
            number = numbers.pop(0)
            if number < 2**32 - 2**32 % count:
                return number % count

    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = below(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


@pytest.mark.parametrize("name", EDITIONS)
def test_the_first_deal_follows_from_the_data(name: str) -> None:
    data, key = load_data(name), hashlib.sha256(name.encode()).digest()
    state, _ = start_game(Setup(seats=3, edition=name, key=key))
    deck = shuffle_by_protocol(key, "deck", [c["id"] for c in data["deck"] for _ in range(c["count"])])
    dealt = [card for hand in state.hands for card in hand]
    assert sorted(deck[: len(dealt)]) == sorted(dealt)
    assert deck[len(dealt) :] == list(state.deck)
    tower = shuffle_by_protocol(key, "tower/1", [t["id"] for t in data["tiles"] for _ in range(t["count"])])
    assert "".join(tower).endswith("".join(state.tower))


class OutsideBoard:
    """A board built from the edition data alone."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.cells = list(data["board"]["cells"])
        self.tiles = {tile["id"]: tile for tile in data["tiles"]}
        self.frame = {mark["place"]: mark["shape"] for mark in data["board"]["frame"]}
        self.points = {figure["kind"]: figure["value"] for figure in data["figures"]}
        self.columns = sorted({cell[0] for cell in self.cells})

    def find_cell(self, column: int, row: int) -> str | None:
        name = f"{self.columns[column]}{row + 1}" if 0 <= column < len(self.columns) else ""
        return name if name in self.cells else None

    def find_lines(self, placed: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the corners and sides of a tile in its rotation."""
        tile, turns = self.tiles[placed["tile"]], placed["rotation"] // 90
        corners = {CORNERS[(i + turns) % 4]: tile["corners"][name] for i, name in enumerate(CORNERS)}
        sides = {SIDES[(i + turns) % 4]: tile["sides"][name] for i, name in enumerate(SIDES)}
        return corners, sides

    def list_figures(self, board: Mapping[str, Any]) -> set[tuple[str, str, int]]:
        """List every closed circle and square as kind, place and value."""
        shapes_at: dict[tuple[int, int], list[Any]] = {}
        halves_at: dict[tuple[str, ...], list[Any]] = {}
        for name, placed in board.items():
            column, row = self.columns.index(name[0]), int(name[1:]) - 1
            corners, sides = self.find_lines(placed)
            for corner, shape in corners.items():
                vertex = (column + CORNER_STEPS[corner][0], row + CORNER_STEPS[corner][1])
                shapes_at.setdefault(vertex, []).append(shape)
            for side, half in sides.items():
                other = self.find_cell(column + STEPS[side][0], row + STEPS[side][1])
                if other:
                    edge = tuple(sorted((name, other), key=self.cells.index))
                    halves_at.setdefault(edge, []).append(half)
        figures = set()
        for (column, row), shapes in shapes_at.items():
            vertex_cells = {self.find_cell(column - dx, row - dy) for dx in (0, 1) for dy in (0, 1)} - {None}
            place = "+".join(sorted((cell for cell in vertex_cells if cell), key=self.cells.index))
            if len(vertex_cells) < 4:
                place = f"frame+{place}"
                shapes = [*shapes, self.frame.get(place)]
            if (
                len(shapes) == len(vertex_cells) + (len(vertex_cells) < 4)
                and None not in shapes
                and len({*shapes}) == 1
            ):
                figures.add((shapes[0], place, self.points[shapes[0]]))
        for edge, halves in halves_at.items():
            if len(halves) == 2 and None not in halves:
                figures.add((halves[0], "+".join(edge), self.points[halves[0]]))
        return figures


@pytest.mark.parametrize("name", EDITIONS)
def test_a_board_written_from_the_data_closes_the_same_figures_as_the_engine(name: str) -> None:
    data, rng, seen_kinds = load_data(name), random.Random(f"figures {name}"), set()
    board, compared_count = OutsideBoard(data), 0
    for number in range(6):
        key = hashlib.sha256(f"{name} {number}".encode()).digest()
        state, _ = start_game(
            Setup(seats=2, edition=name, key=key, obligation="lenient", cards=False, target=60)
        )
        centre = build_view(state)["board"]["cells"]
        assert centre == {data["board"]["centre_cell"]: {"tile": data["board"]["centre_tile"], "rotation": 0}}
        while not state.is_over and state.seq < 150:
            seat = rng.choice(state.seats_to_act)
            state, _ = apply_action(state, seat, rng.choice(legal_actions(state, seat)))
            view = build_view(state)
            figures = {
                (figure["kind"], figure["place"], figure["value"])
                for figure in view["board"]["figures"]
                if figure["kind"] != "infinity"
            }
            assert board.list_figures(view["board"]["cells"]) == figures
            seen_kinds |= {kind for kind, _, _ in figures}
            compared_count += 1
    assert seen_kinds >= {"circle", "square", "small circle"}
    assert compared_count > 300


@pytest.mark.parametrize("name", EDITIONS)
def test_the_legal_rotations_are_those_of_the_data(name: str) -> None:
    data = load_data(name)
    for tile in data["tiles"]:
        if tile["special"] == "dark":
            continue
        distinct_lines = []
        for rotation in (0, 90, 180, 270):
            corners, sides = OutsideBoard(data).find_lines({"tile": tile["id"], "rotation": rotation})
            crossing = tile["crossing"]
            if crossing and rotation % 180:
                crossing = {"WE": "NS", "NS": "WE"}[crossing]
            look = (corners, sides, crossing)
            if look not in distinct_lines:
                distinct_lines.append(look)
        assert len(distinct_lines) == len(tile["rotations"])
