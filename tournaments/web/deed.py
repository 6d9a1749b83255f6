"""What a deed of an organiser is: a form, a page that says what comes of it, and one service called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from games.models import Player
from games.services import players
from games.services.errors import Conflict, NotFound
from games.web.asking import whole
from tournaments.models import Event
from tournaments.models.limits import MAX_REASON_LENGTH
from tournaments.selectors.conflicts import own_table_reason
from tournaments.services.decisions import PLACES_CHANGE

NAMES = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class Deed(forms.Form):
    """Something that an organiser does; subclasses say what in words, and do it."""

    template = "tournaments/organise/deed.html"
    title: ClassVar[Any]
    button: ClassVar[Any]
    danger = False
    at_once = False  # one press of a button: it has no page of its own
    back = "tournament-organise"

    def __init__(self, event: Event, player: Player, asked: QueryDict, *, bound: bool) -> None:
        self.event, self.by, self.asked = event, player, asked
        super().__init__(asked if bound else None, label_suffix="")
        self.prepare()

    def prepare(self) -> None:
        """Find what it is about. Raises Http404."""

    def number(self, name: str) -> int:
        """A number of what it is about. Raises Http404."""
        found = whole(self.asked.get(name, ""))
        if found is None:
            raise Http404
        return found

    @cached_property
    def barred(self) -> str:
        """Why whoever looks cannot do it and others can: then the button is greyed; else empty."""
        return own_table_reason() if self.is_own() else ""

    def is_own(self) -> bool:
        """Whether it is about a table at which whoever looks sits themselves."""
        return False

    def told(self) -> list[str]:
        """What there is to know before."""
        return []

    def about(self) -> dict[str, Any]:
        """What is sent along unseen."""
        return {}

    def facts(self) -> dict[str, Any]:
        """What else its page shows."""
        return {}

    def do(self, now: datetime) -> str:
        """Do it; gives a message for whoever did it. Raises what the service raises."""
        raise NotImplementedError

    @property
    def whose(self) -> dict[str, Any]:
        """Who does it, and where, as services are told."""
        return {"by": self.by, "code": self.event.code}

    def found(self, field: str, name: str) -> Player | None:
        """Somebody by name; nobody, with an error beside the field, if there is none."""
        try:
            return players.public(name=name.strip())
        except NotFound:
            self.add_error(field, _("Nobody here is called %(name)s.") % {"name": name.strip()})
            return None


class Confirmed(Deed):
    """A deed that may change the places of an event that was over: then it asks once more, and says which.

    What is agreed to is what was shown: where other places would change by now, it asks again.
    """

    changes: Mapping[str, Any] | None = None

    def confirm_and_do(self, service: Callable[..., Any]) -> None:
        """Call a service; once more with `confirmed`, if this was agreed to. Raises what it raises."""
        try:
            service(confirmed=False)
        except Conflict as refusal:
            if refusal.code != PLACES_CHANGE:
                raise
            self.changes = refusal.extra
            if self.asked.get("confirmed") != self.fingerprint:
                raise
            service(confirmed=True)

    @property
    def fingerprint(self) -> str:
        """What the page asks about, in short."""
        found = json.dumps(self.changes, sort_keys=True)
        return hashlib.sha256(found.encode()).hexdigest()[:16]


class Why(Deed):
    """What others will ask the reason of: one for those who organise it, and a note for everybody."""

    why = forms.CharField(
        label=lazy("Reason, for organisers only"),
        required=False,
        max_length=MAX_REASON_LENGTH,
        help_text=lazy(
            "It is kept in the log, with your name. Those who organise this tournament with you can read it, "
            "and the staff of this site; players cannot."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    public_note = forms.CharField(
        label=lazy("Public note"),
        required=False,
        max_length=MAX_REASON_LENGTH,
        help_text=lazy(
            "Everybody can read it, with your name, until the decision is taken back. "
            "Mails about the decision quote it."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    @property
    def written(self) -> dict[str, Any]:
        """The reason and the note, as services take them."""
        return {name: self.cleaned_data[name] for name in ("why", "public_note")}
