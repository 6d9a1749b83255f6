"""A size limit for uploads."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

MAX_FORM_BYTES = 2_000_000  # bytes of a whole form with its files


class MaxUploadHandler(FileUploadHandler):
    """Refuses a form that is too large before it is read: Django would write all its files to disk."""

    def handle_raw_input(
        self, input_data: Any, META: Any, content_length: int, *rest: Any, **more: Any
    ) -> None:
        """Raise RequestDataTooBig if the form is too large."""
        is_body_read = hasattr(self.request, "_body")  # an inbound mail of a provider with its secret
        if content_length > MAX_FORM_BYTES and not is_body_read:
            raise RequestDataTooBig(f"a form of {content_length} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass the chunk to the next handler."""
        return raw_data  # for the next handler

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the next handler."""
        return None
