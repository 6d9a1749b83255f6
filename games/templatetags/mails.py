"""What templates of mails do with words of others."""

from __future__ import annotations

from django import template

from games.mail import quoting

register = template.Library()
register.filter("as_plain_text", quoting.as_plain_text)
register.filter("in_blocks", quoting.in_blocks)
register.filter("quote_lines", quoting.quote_lines)
