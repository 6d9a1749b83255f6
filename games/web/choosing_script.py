"""A choice as the script on the page gets it: everything legal at once, and the words for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from games import picture
from games.engine.outlook import told

from .ways import leap

if TYPE_CHECKING:
    from .choosing import Choice


def script(choice: Choice) -> dict[str, Any]:
    """The same choice for a script: everything legal, what it closes and where that is drawn."""
    kinds = {tile["tile"] for tile in choice.view["board"]["cells"].values()}
    kinds |= {
        kind
        for kind in (choice.view.get("drawn"), *(seat.get("table") for seat in choice.view["seats"]))
        if kind
    }
    return {
        "phase": choice.view["phase"],
        "card": choice.card if choice.leaping else "",
        "legal": [way for way in choice.legal if choice.placing or leap(way)],
        "looks": {
            way: [
                choice.closes(way),
                look.points,
                [
                    [at.real, at.imag, value]
                    for _kind, place, value, _marked in look.figures
                    for at in picture.preview_at(place, value)
                ],
            ]
            for way, look in choice.looks.items()
        },
        "shapes": {kind: f"otto-{picture.tile_id(choice.box.tiles[kind])}" for kind in sorted(kinds)},
        "on": {
            name: [tile["tile"], tile["rotation"]] for name, tile in choice.view["board"]["cells"].items()
        },
        "labels": {cell["name"]: cell["label"] for cell in choice.cells},
        "words": {
            "put": choice.words.gettext("put tile {tile} on {cell}"),
            "put_turned": choice.words.gettext("put tile {tile} on {cell}, turned by {degrees} degrees"),
            "leap": choice.words.gettext("play {card}: the tile on {start} to {end}, at {degrees} degrees"),
            "turn": choice.words.gettext("play {card}: turn the tile on {start} to {degrees} degrees"),
            "nothing": told(None, choice.words),
            "pick_tile": _("Choose a tile on the board to move."),
            "pick_end": _("Choose a free cell for it, or the same one to turn it."),
            "again": _("Click again to turn it; or the wheel, or the key R. Escape takes it back."),
            "points": {
                str(n): choice.words.points(n) for n in {look.points for look in choice.looks.values()}
            },
        },
    }
