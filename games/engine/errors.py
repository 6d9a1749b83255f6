"""Errors of the engine: three kinds of rejected action, and an invalid setup."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .phrases import ENGLISH_TRANSLATOR, gettext_noop

OR_SEPARATOR = gettext_noop(" or ")


class ActionError(Exception):
    """An action that is rejected and changes nothing. `rule` is a stable name; the message is English.

    `text.explain_error` translates the message from its sentence and details.
    """

    rule = "refused"

    def __init__(
        self, sentence: str, *, rule: str | None = None, alternatives: Sequence[str] = (), **details: object
    ) -> None:
        super().__init__(ENGLISH_TRANSLATOR.format_sentence(sentence, details))
        self.sentence, self.details = sentence, details
        self.rule = rule or self.rule
        self.alternatives = tuple(alternatives)  # legal actions to suggest, where that helps


class UnreadableAction(ActionError):
    """The text is not an action of OTTO."""

    rule = "unreadable"


class IllegalAction(ActionError):
    """An action of OTTO that is not legal now; `rule` names the rule that forbids it."""

    rule = "illegal"


class NotYourTurn(ActionError):
    """The seat has nothing to decide now."""

    rule = "not-yours"


class InvalidSetup(ValueError):
    """A setting, named by `field`, that no game can have. `translate_message` translates the message."""

    def __init__(self, sentence: str, *, field: str, **details: object) -> None:
        self.sentence, self.field, self.details = sentence, field, details
        super().__init__(self.translate_message(str))

    def translate_message(self, gettext: Callable[[str], str]) -> str:
        """The message in the language of `gettext`."""
        details = {
            name: gettext(OR_SEPARATOR).join(map(str, detail)) if isinstance(detail, tuple) else detail
            for name, detail in self.details.items()
        }
        return gettext(self.sentence).format(**details)
