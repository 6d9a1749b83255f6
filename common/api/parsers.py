"""Request body parsers."""

import json
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class SafeJSONParser(JSONParser):
    """A JSON parser that says where the body is wrong, and rejects excessive nesting."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: dict[str, Any] | None = None
    ) -> Any:
        """Parse the body. Raises ParseError."""
        try:
            return super().parse(stream, media_type, parser_context)
        except ParseError as error:
            if isinstance(error.__context__, json.JSONDecodeError):
                place = {"line": error.__context__.lineno, "column": error.__context__.colno}
                raise ParseError(
                    _("The body is not valid JSON: line %(line)d, column %(column)d.") % place
                ) from None
            raise ParseError(_("The body is not valid JSON.")) from None
        except RecursionError:
            raise ParseError(_("This JSON is nested too deeply.")) from None
