"""Template filters that quote user text in mails."""

from __future__ import annotations

from django import template

from notifications.channels.email import quoting

register = template.Library()
register.filter("as_plain_text", quoting.format_as_plain_text)
register.filter("in_blocks", quoting.group_into_blocks)
register.filter("quote_lines", quoting.wrap_quote_lines)
