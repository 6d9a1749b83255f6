"""The move picker's data for static/move_picker.js."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from games import picture_svg
from games.engine.close_preview import describe_preview

from .action_parts import parse_leap

if TYPE_CHECKING:
    from .move_picker import MovePicker


def build_script_data(picker: MovePicker) -> dict[str, Any]:
    """Return the legal actions, what each would close, where that is drawn, and the words for it."""
    tile_kinds = {tile["tile"] for tile in picker.view["board"]["cells"].values()}
    tile_kinds |= {
        tile_kind
        for tile_kind in (picker.view.get("drawn"), *(seat.get("table") for seat in picker.view["seats"]))
        if tile_kind
    }
    return {
        "phase": picker.view["phase"],
        "card": picker.card if picker.is_leaping else "",
        "legal": [action for action in picker.legal_actions if picker.is_placing or parse_leap(action)],
        "previews": {
            action: [
                picker.describe_closed_figures(action),
                preview.points,
                [
                    [point.real, point.imag, value]
                    for _kind, position, value, _marked in preview.figures
                    for point in picture_svg.preview_positions(position, value)
                ],
            ]
            for action, preview in picker.close_previews.items()
        },
        "tile_ids": {
            tile_kind: f"otto-{picture_svg.tile_id(picker.edition.tiles[tile_kind])}"
            for tile_kind in sorted(tile_kinds)
        },
        "board": {
            name: [tile["tile"], tile["rotation"]] for name, tile in picker.view["board"]["cells"].items()
        },
        "cell_labels": {cell["name"]: cell["label"] for cell in picker.cells},
        "texts": {
            "put": picker.words.gettext("put tile {tile} on {cell}"),
            "put_turned": picker.words.gettext("put tile {tile} on {cell}, turned by {degrees} degrees"),
            "leap": picker.words.gettext("play {card}: the tile on {start} to {end}, at {degrees} degrees"),
            "turn": picker.words.gettext("play {card}: turn the tile on {start} to {degrees} degrees"),
            "nothing": describe_preview(None, picker.words) if picker.has_hints else "",
            "pick_cell": _("Choose a marked cell on the board."),
            "pick_tile": _("Choose a tile on the board to move."),
            "pick_end": _("Choose a free cell for it, or its own cell to turn it."),
            "turn_by_mouse": _(
                "Click again or press Enter to play. R or the wheel turns the tile, Escape takes it back."
            ),
            "play_by_mouse": _("Click again or press Enter to play. Escape takes the tile back."),
            "play_by_touch": _("Tap again to play."),
            "points": {
                str(n): picker.words.format_points(n)
                for n in {preview.points for preview in picker.close_previews.values()}
            },
        },
    }
