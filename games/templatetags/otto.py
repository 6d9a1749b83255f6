"""Template filters and tags for seat names, times and rule sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from common.datetime_format import format_datetime_html
from games import rule_text
from games.deadline_format import format_deadline_name_html, format_round_end_html
from games.game_text import seat_display_name
from games.models import limits
from notifications.topics import make_topic

register = template.Library()
register.filter("moment", format_datetime_html)
register.filter("round_end", format_round_end_html)
register.filter("deadline_name", format_deadline_name_html)


@register.simple_tag
def rule(name: str) -> str:
    """A sentence of RULE_SENTENCES, built from the rule that it describes."""
    return rule_text.RULE_SENTENCES[name]()


@register.simple_tag(takes_context=True)
def live_topic(context: Mapping[str, Any], family: str, code: str = "") -> SafeString:
    """The attributes of an element that static/live.js keeps up to date: topic and, if noted, version."""
    topic = make_topic(family, code) if code else family
    version = vars(context["request"]).get("live_versions", {}).get(topic)
    attributes = format_html('data-live-topic="{}"', topic)
    return format_html('{} data-live-version="{}"', attributes, version) if version else attributes


@register.simple_tag
def max_length(name: str) -> int:
    """Return the maximal length of a text, for the field that it is written in."""
    return limits.LONGEST_TEXTS[name]


@register.filter
def seat_name(seat: Mapping[str, Any]) -> str:
    """The name on a seat, a bot's in the reader's language."""
    return seat_display_name(seat)
