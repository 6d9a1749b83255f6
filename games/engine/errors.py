"""The three ways in which an action can be refused, and terms that no game can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .phrases import ENGLISH, gettext_noop

OR = gettext_noop(" or ")


class Refused(Exception):
    """An action that changes nothing. `rule` is a stable name; the message is for people, in English.

    `text.why` says it in other words, from the sentence and its facts.
    """

    rule = "refused"

    def __init__(
        self, sentence: str, *, rule: str | None = None, instead: Sequence[str] = (), **facts: object
    ) -> None:
        super().__init__(ENGLISH.worded(sentence, facts))
        self.sentence, self.facts = sentence, facts
        self.rule = rule or self.rule
        self.instead = tuple(instead)  # actions that would be legal, where naming them helps


class Unreadable(Refused):
    """The text is not an action of OTTO."""

    rule = "unreadable"


class Illegal(Refused):
    """An action of OTTO, but not here and now; `rule` names the rule that forbids it."""

    rule = "illegal"


class NotYours(Refused):
    """The seat has nothing to decide now."""

    rule = "not-yours"


class Unfit(ValueError):
    """A value that no game can have. The message is in English; `said` says it through a translator."""

    def __init__(self, sentence: str, **facts: object) -> None:
        self.sentence, self.facts = sentence, facts
        super().__init__(self.said(str))

    def said(self, gettext: Callable[[str], str]) -> str:
        facts = {
            name: gettext(OR).join(map(str, fact)) if isinstance(fact, tuple) else fact
            for name, fact in self.facts.items()
        }
        return gettext(self.sentence).format(**facts)
