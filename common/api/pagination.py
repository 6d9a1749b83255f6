"""Lists in pages: the page size and the cursor that a request asks for are taken as they are or refused."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from urllib.parse import parse_qs, unquote, urlsplit

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

MAX_ID = 2**63 - 1


class PageQuerySerializer(serializers.Serializer):
    """Query parameters of every list that comes in pages."""

    cursor = serializers.CharField(
        required=False, help_text="Where the page starts: follow `next` and `previous` of a page."
    )
    page_size = serializers.IntegerField(required=False, min_value=1, help_text="Rows on a page.")


class StrictCursorPagination(CursorPagination):
    """Cursor pagination that refuses a wrong page size or cursor; subclasses order by id and set sizes."""

    page_size_query_param = "page_size"
    max_page_size: int

    def get_page_size(self, request: Request) -> int:
        """Return the page size. Raises ValidationError if it is no number or out of limits."""
        size_text = request.query_params.get("page_size")
        if size_text is None:
            return int(self.page_size)
        is_number = size_text.isascii() and size_text.isdecimal() and len(size_text) < 10
        if not is_number or not 1 <= int(size_text) <= self.max_page_size:
            text = _("Use a whole number from 1 to %(most)d.") % {"most": self.max_page_size}
            raise serializers.ValidationError({"page_size": [text]})
        return int(size_text)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor, or None. Raises ValidationError if it is none that a page gave."""
        if "cursor" not in request.query_params:
            return None
        mark, _separator, encoded = request.query_params["cursor"].partition(".")
        try:
            page_request = SimpleNamespace(query_params={self.cursor_query_param: encoded})
            cursor: Cursor = super().decode_cursor(page_request)
        except NotFound:
            cursor = Cursor(0, False, None)
        if mark != mark_list(request.path) or not is_page_cursor(cursor):
            text = _("This cursor is not valid. Use `next` or `previous` of a page.")
            raise serializers.ValidationError({"cursor": [text]})
        return cursor

    def encode_cursor(self, cursor: Cursor) -> str:
        """Return the address of a page, whose cursor begins with the mark of this list."""
        address: str = super().encode_cursor(cursor)
        parts = urlsplit(address)
        (encoded,) = parse_qs(parts.query)[self.cursor_query_param]
        return replace_query_param(
            address, self.cursor_query_param, f"{mark_list(unquote(parts.path))}.{encoded}"
        )


def mark_list(path: str) -> str:
    """Return a short mark of the list at an address, so that its cursors fit no other list."""
    return hashlib.sha256(path.strip("/").encode()).hexdigest()[:8]


def is_page_cursor(cursor: Cursor) -> bool:
    """Return whether a page can have given this cursor: it leads on, from a primary key."""
    if cursor.position is None:
        return bool(cursor.offset or cursor.reverse)
    return cursor.position.isascii() and cursor.position.isdecimal() and int(cursor.position) <= MAX_ID
