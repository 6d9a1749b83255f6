"""Template tags for tiles, diagrams and card names."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.timesince import timeuntil
from django.utils.translation import gettext, ngettext

from common.datetime_format import format_datetime_html
from games import diagrams, picture_svg
from games.card_pictures import (
    CARD_PICTURE_DESCRIPTIONS,
    CARD_PICTURE_RATIO,
    card_picture_path,
    load_card_svg,
)
from games.engine import DEFAULT_EDITION
from games.engine.text import GameTranslator
from games.game_text import format_tile_name
from games.rule_examples import (
    build_example_translator,
    describe_example,
    describe_example_board,
    run_example,
)
from games.rule_pictures import EXAMPLE_PREFIX, PICTURE_SIZE, find_picture_edition

register = template.Library()
NEAR_SECONDS = 12 * 3600  # before an end: a page that stays open may come to its last hour
CLOSING_SECONDS = 3600  # before an end: the time left is shown beside it
URGENT_CLOSING_SECONDS = 600  # and is coloured
# Around the board of so many seats, in the order of turns.
PLACES_AT_BOARD = {
    2: ("bottom", "top"),
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
}


@register.simple_tag
def tile(kind: str, rotation: int = 0, size: int = 60) -> SafeString:
    """A tile as SVG."""
    svg = picture_svg.draw_tile_svg(DEFAULT_EDITION, kind, rotation, size, format_tile_name(kind, rotation))
    return mark_safe(svg)  # the renderer escapes


@register.simple_tag
def diagram(name: str, title: str) -> SafeString:
    """A diagram of games/diagrams.py as SVG, with a title in the reader's language."""
    translator = GameTranslator(gettext=gettext, ngettext=ngettext)
    return mark_safe(diagrams.draw_diagram(name, title, translator))  # the renderer escapes


@register.simple_tag
def diagram_image(name: str, description: str) -> SafeString:
    """A diagram of games/diagrams.py as a picture that the browser loads by itself."""
    return format_html(
        '<img src="{}" alt="{}" width="{size}" height="{size}" loading="lazy">',
        reverse("rule-picture", args=[name]),
        description,
        size=PICTURE_SIZE,
    )


@register.inclusion_tag("games/rules/examples.html", takes_context=True)
def examples(context: template.Context, *names: str) -> dict[str, Any]:
    """Worked examples of a statement of the rules, told by the engine, behind a heading that opens them.

    They are played in the edition of the page, if the statement holds in it.
    """
    edition = context["edition"].name
    rows = []
    for name in names:
        run = run_example(name, edition)
        picture_url = reverse("rule-picture", args=[EXAMPLE_PREFIX + name])
        if picture_edition := find_picture_edition(EXAMPLE_PREFIX + name, edition):
            picture_url += f"?edition={picture_edition}"
        translator = build_example_translator(run)
        rows.append(
            {
                "sentences": describe_example(run, translator),
                "picture_url": picture_url,
                "description": describe_example_board(run, translator),
            }
        )
    return {"examples": rows}


@register.simple_tag
def card(code: str) -> str:
    """The translated name of a secret card, with a capital."""
    return capfirst(GameTranslator(gettext=gettext).format_card(code))


@register.simple_tag
def card_picture(code: str, width: int = 48, described: bool = False) -> SafeString:
    """The drawing of a secret card; `described` where its name does not stand beside it."""
    return format_html(
        '<img class="card-picture" src="{}" alt="{}" width="{}" height="{}">',
        static(card_picture_path(code)),
        CARD_PICTURE_DESCRIPTIONS[code] if described else "",
        width,
        round(width * CARD_PICTURE_RATIO),
    )


@register.simple_tag
def card_drawing(code: str) -> SafeString:
    """The drawing of a secret card as SVG in the page, for sheets that are printed."""
    # A file of ours; the name of the card stands beside it.
    return mark_safe(load_card_svg(code).replace("<svg ", '<svg aria-hidden="true" ', 1))


@register.filter
def countdown(deadline: datetime, now: datetime) -> SafeString:
    """The time left until a deadline, in an element that static/clock.js keeps up to date.

    It says at what time that was, so that a device with a wrong clock counts right on every page.
    """
    return format_html(
        '<time class="countdown" datetime="{}" data-countdown="{}">{}</time>',
        deadline.isoformat(),
        now.isoformat(),
        timeuntil(deadline, now),
    )


@register.filter
def closing_at(end: datetime, now: datetime) -> SafeString:
    """An end, and in its last hour the time left, which static/clock.js shows and keeps up to date."""
    seconds = (end - now).total_seconds()
    if not 0 <= seconds < NEAR_SECONDS:
        return format_datetime_html(end)
    return format_html(
        '{} <span class="closing{}" data-closing data-urgent-below="{}"{}>· {}</span>',
        format_datetime_html(end),
        " urgent" if seconds < URGENT_CLOSING_SECONDS else "",
        URGENT_CLOSING_SECONDS,
        "" if seconds < CLOSING_SECONDS else mark_safe(" hidden"),
        mark_safe(gettext("%(left)s left") % {"left": countdown(end, now)}),
    )


@register.filter
def group_by_side(seats: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of build_seat_rows by side, so that a pair has one score; each alone without sides.

    Of a game that has begun each has its place at the board: the viewer's below, the others clockwise.
    """
    rows = list(seats)
    places = PLACES_AT_BOARD.get(len(rows), ()) if all(seat.get("seat") for seat in rows) else ()
    own_index = next((index for index, seat in enumerate(rows) if seat["is_own"]), 0)
    for index, seat in enumerate(rows):
        seat["place"] = places[(index - own_index) % len(rows)] if places else ""
    groups: dict[Any, list[dict[str, Any]]] = {}
    for index, seat in enumerate(rows):
        groups.setdefault(seat.get("side") or f"seat {index}", []).append(seat)
    return [
        {
            "number": members[0].get("side"),
            "seats": members,
            "place": min((seat["place"] for seat in members), key=places.index) if places else "",
            "is_to_act": any(seat["is_to_act"] for seat in members),
            "points": members[0]["points"],
            "total": members[0]["total"],
            "markers_left": members[0]["markers_left"],
        }
        for members in groups.values()
    ]
