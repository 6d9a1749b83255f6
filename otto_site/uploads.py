"""What files browsers may send: small ones, for no form of ours asks for more."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

LARGEST = 2_000_000  # bytes of a whole form with its files


class Small(FileUploadHandler):
    """Refuses a form that is too large before it is read: Django would write all its files to disk."""

    def handle_raw_input(
        self, input_data: Any, META: Any, content_length: int, *rest: Any, **more: Any
    ) -> None:
        read_already = hasattr(self.request, "_body")  # a mail of a provider that brought its secret
        if content_length > LARGEST and not read_already:
            raise RequestDataTooBig(f"a form of {content_length} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data  # for the next handler

    def file_complete(self, file_size: int) -> None:
        return None
