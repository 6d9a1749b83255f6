"""Refusals: why somebody may not do something, with the error that says so.

Permissions answer with a refusal or None; services raise it, the API and pages offer what has none. Each app
lists its refusals in a subclass.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from .service_errors import ServiceError

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class BaseRefusal(StrEnum):
    """A reason for a refusal, with an error class, a text, perhaps an error code and the field at fault."""

    error_class: type[ServiceError]
    text: _StrPromise
    error_code: str | None
    field: str | None

    def __new__(
        cls,
        value: str,
        error_class: type[ServiceError],
        text: _StrPromise,
        error_code: str | None = None,
        field: str | None = None,
    ) -> Self:
        """Create a member from its value and its error; without a code, the error has that of its class."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.error_class, member.text = error_class, text
        member.error_code, member.field = error_code, field
        return member

    def format_text(self, **values: Any) -> str:
        """Return the text in the reader's language; `values` fill its placeholders."""
        return str(self.text) % values if values else str(self.text)

    def build_error(self, **values: Any) -> Exception:
        """Build the error in the reader's language; `values` fill the placeholders of the text."""
        members = {"field": self.field} if self.field else {}
        return self.error_class(self.format_text(**values), code=self.error_code, **members)


def check_allowed(refusal: BaseRefusal | None, **values: Any) -> None:
    """Raise the error of a refusal, if there is one; `values` fill the placeholders of its text."""
    if refusal is not None:
        raise refusal.build_error(**values)
